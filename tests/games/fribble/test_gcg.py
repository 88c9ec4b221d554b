import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.fribble import gcg, gcg_writer
from app.games.fribble.gcg import BrokenGcg
from app.games.fribble.known_tiles import Impossible, with_rack
from app.games.fribble.presets import presets
from app.games.fribble.rules import Fribble
from app.games.fribble.state import (
    Challenge,
    Exchange,
    Move,
    Pass,
    Resign,
    State,
    TimeUp,
    Write,
)
from app.games.game import Forfeit
from tests.examples import examples
from tests.games.fribble.positions import options

OPENING = """\
#character-encoding UTF-8
#player1 anna Anna Karenina
#player2 levin Konstantin Levin
>anna: BEFILRB 8H FRIBBLE +69 69
>levin: EINDRST H8 .RIENDS +24 24
"""


LONGER = (
    OPENING
    + """\
>anna: AEIOUVV -VV +0 69
>levin: AEIOUT? 15H TA +17 41
>levin: AEIOUT? -- -17 24
>levin: AEIOUT? (time) -10 14
#rack2 AEIOUT?
"""
)


def replayed(game: Fribble, text: str, **choices: object) -> tuple[State, ...]:
    return gcg.replay(gcg.read(text), game, options(game, **choices))


def test_a_game_is_read_and_replayed_through_the_rules(game: Fribble) -> None:
    record = gcg.read(OPENING)
    assert record.players == (("anna", "Anna Karenina"), ("levin", "Konstantin Levin"))
    states = gcg.replay(record, game, options(game))
    assert [state.scores for state in states] == [(0, 0), (69, 0), (69, 24)]
    assert states[0].racks[0] == "BBEFILR"
    assert states[1].racks[1] == "DEINRST"
    assert states[2].board.rows[7] == ".......FRIBBLE."


def test_words_spelled_whole_and_words_after_the_score_are_read(game: Fribble) -> None:
    text = OPENING.replace("H8 .RIENDS +24 24", "h8  FRIENDS     +24   24  some, thing")
    assert replayed(game, text)[-1].scores == (69, 24)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("#player1", "#player2", "line 2: player 2 comes where player 1 should"),
        ("#player2 levin", "#player2 anna", "line 3: there is a player 'anna' already"),
        (">levin:", ">kitty:", "line 5: there is no player 'kitty'; there are anna, levin"),
        (">levin:", "levin:", "line 5: 'levin: EINDRST H8 .RIENDS +24 24' is neither a turn"),
        (">levin: ", ">levin ", "line 5: a turn begins with a player's name and a colon"),
        ("+24 24", "24", "line 5: 'EINDRST H8 .RIENDS 24' is not a turn"),
        ("+24", "+25", "line 5: the turn makes +24 points, not +25"),
        ("24 24", "24 25", "line 5: the score is 24 then, not 25"),
        ("+69 69", "+34 34", "line 4: the turn makes +69 points, not +34"),
        ("8H FRIBBLE", "8J FRIBBLE", "line 4: 'FRIBBLE' runs off the edge"),
        ("8H FRIBBLE", "8H FRIBLBE", "line 4: FRIBLBE is not in the word list"),
        ("BEFILRB", "BEFILR?", "line 4: the rack has no second B; with a blank: 8H FRIBbLE"),
        ("BEFILRB", "BEFILRBX", "line 4: BBEFILRX are 8 tiles: the rack holds 7"),
        ("EINDRST", "FINDRST", "line 5: the rack has no E"),
        ("EINDRST H8 .RIENDS", "BENDRSJ H8 .RIENDS", "line 5: the rack cannot hold 1 of B"),
        (">levin: EINDRST H8 .RIENDS +24 24", ">anna: A - +0 69", "line 5: it is the turn of seat 1"),
        ("H8 .RIENDS +24 24", "-0 +0 0", "line 5: an exchange is of 1 to 7 tiles, not 0"),
        ("H8 .RIENDS +24 24", "-EINDRSTA +0 0", "line 5: an exchange is of 1 to 7 tiles, not 8"),
        ("+24 24", f"+{'9' * 5000} 24", "is not a turn"),
        ("H8 .RIENDS +24 24", "-- -69 0", "line 5: it is the turn of seat 1"),
        (
            "EINDRST H8 .RIENDS +24 24",
            "(E) +2 71",
            "line 5: tiles are counted off, but the game is not over",
        ),
        ("EINDRST H8 .RIENDS +24 24", "E (challenge) +5 5", "line 5: points for a lost challenge are not"),
    ],
)
def test_the_line_at_fault_is_named(game: Fribble, before: str, after: str, says: str) -> None:
    with pytest.raises(BrokenGcg) as broken:
        replayed(game, OPENING.replace(before, after, 1))
    assert says in str(broken.value)


def test_a_longer_game_is_replayed(game: Fribble) -> None:
    last = replayed(game, LONGER, challenge="double")[-1]
    assert [turn.kind for turn in last.turns] == ["place", "place", "exchange", "withdrawn"]
    assert (last.scores, last.racks[1]) == ((69, 24), "AEIOTU?")


def test_a_text_without_players_is_refused() -> None:
    with pytest.raises(BrokenGcg, match="the text does not name two players"):
        gcg.read("#title nothing\n")


def test_every_move_survives_the_text(game: Fribble) -> None:
    start = game.start(options(game), 2, "some game")
    states = [with_rack(start, 0, "BBEFILR")]
    for number in range(4):
        state = states[-1]
        swap = Exchange(tiles=state.racks[state.to_move][:3])
        states.append(
            game.apply(state, state.to_move, (Write(text="8H FRIBBLE"), swap, Pass(), swap)[number], 0.0)
        )
    text = gcg_writer.write(states, ["Anna Karenina", "Levin"])
    assert gcg.read(text).players == (("Anna_Karenina", "Anna Karenina"), ("Levin", "Levin"))
    again = replayed(game, text)
    assert [state.turns for state in again] == [state.turns for state in states]
    assert [state.scores for state in again] == [state.scores for state in states]
    assert gcg_writer.write(again, ["Anna Karenina", "Levin"]) == text


@pytest.mark.parametrize("names", [["Ann", "Ann", "Ann2"], ["Kim", "Kim", "Kim_1"], ["A B", "A:B", "A_B"]])
def test_players_of_like_names_have_nicks_of_their_own(game: Fribble, names: list[str]) -> None:
    states = [game.start(options(game, preset="standard"), len(names), "names")]
    assert [name for _, name in gcg.read(gcg_writer.write(states, names)).players] == names


def test_what_one_may_not_see_is_not_written(game: Fribble) -> None:
    start = game.start(options(game), 2, "some game")
    states = [with_rack(with_rack(start, 0, "BBEFILR"), 1, "VVUUUII", known=frozenset({0}))]
    for move in (Write(text="8H FRIBBLE"), Exchange(tiles="VV")):
        states.append(game.apply(states[-1], states[-1].to_move, move, 0.0))
    text = gcg_writer.write(states, ["Anna", "Levin"], shown=(0,))
    assert ">Levin: -2 +0 0" in text
    assert f"#rack1 {states[-1].racks[0]}" in text
    assert "V" not in text.replace("Levin", "")
    assert replayed(game, text)[-1].scores == (69, 0)
    watched = gcg_writer.write(states, ["Anna", "Levin"], shown=())
    assert ">Anna: BBEFILR 8H FRIBBLE +69 69" in watched
    assert "#rack" not in watched


def end(game: Fribble, racks: tuple[str, str], *moves: str, **choices: object) -> list[State]:
    """A game of few tiles: the bag is empty, and the first seat has these words to lay."""
    start = game.start(options(game, **choices), 2, "seed")
    states = [start.model_copy(update={"racks": racks, "bag": ""})]
    for move in moves:
        made = Pass() if move == "pass" else Write(text=move)
        states.append(game.apply(states[-1], states[-1].to_move, made, 0.0))
    return states


def test_the_tiles_left_are_counted_in_the_text(game: Fribble) -> None:
    text = gcg_writer.write(end(game, ("ACT", "IQ"), "8G CAT"), ["a", "b"])
    assert text.splitlines()[-2:] == [">a: (IQ) +11 17", ">b: IQ (IQ) -11 -11"]
    three = end(game, ("ACTX", "IQ"), "8G CAT", "pass", "pass", "pass")
    text = gcg_writer.write(three, ["a", "b"])
    assert text.splitlines()[-2:] == [">a: X (X) -8 -2", ">b: IQ (IQ) -11 -11"]


def test_a_withdrawn_play_and_a_lost_challenge_survive_the_text(game: Fribble) -> None:
    text = OPENING.replace(
        ">levin: EINDRST H8 .RIENDS +24 24",
        ">levin: EINDRST H8 .RIEDNS +24 24\n>levin: EINDRST -- -24 0\n>anna: AEIOUTV - +0 69\n"
        ">levin: EINDRST H8 .RIENDS +24 24\n>anna: AEIOUTV - +0 69\n#note #unsuccessful-challenge",
    )
    record = gcg.read(text)
    assert record.has_challenges
    states = gcg.replay(record, game, options(game, challenge="double"))
    kinds = [turn.kind for turn in states[-1].turns]
    assert kinds == ["place", "withdrawn", "pass", "place", "challenge"]
    assert states[-1].scores == (69, 24)
    written = gcg_writer.write(states, ["anna", "levin"])
    assert ">levin: DEINRST -- -24 0" in written
    again = gcg.replay(gcg.read(written), game, options(game, challenge="double"))
    assert again[-1].turns == states[-1].turns
    with pytest.raises(BrokenGcg, match="line 6: FRIENDS may stay: there is no invalid word to withdraw"):
        replayed(game, text.replace("RIEDNS", "RIENDS"), challenge="double")


def test_an_unchallenged_last_play_can_be_read_back(game: Fribble) -> None:
    """If plays may be challenged, the opponent passes after the last play; otherwise it ends the game."""
    states = [game.start(options(game, challenge="double"), 2, "undoubted")]
    while states[-1].reason is None:
        seat = states[-1].to_move
        states.append(game.apply(states[-1], seat, game.bot(states[-1], seat, 4).move, 0.0))
    assert states[-1].out is not None
    text = gcg_writer.write(states, ["a", "b"])
    for challenge in ("void", "double"):
        assert replayed(game, text, challenge=challenge)[-1].scores == states[-1].scores


def test_a_challenge_lost_by_another_word_list_is_refused_by_its_line(game: Fribble) -> None:
    text = OPENING.replace(
        ">levin: EINDRST H8 .RIENDS +24 24",
        ">levin: EINDRST H8 .RIEDNS +24 24\n>anna: AEIOUTV - +0 69\n#note #unsuccessful-challenge",
    )
    with pytest.raises(BrokenGcg, match="the challenge was lost, but FRIEDNS"):
        replayed(game, text, challenge="double")


def test_an_exchange_may_give_only_the_number_of_tiles(game: Fribble) -> None:
    text = "#player1 a A\n#player2 b B\n>a: AB -5 +0 0\n"
    assert replayed(game, text)[-1].turns[0].exchanged == 5


def test_a_rack_set_after_a_challengeable_play_loses_no_tile(game: Fribble) -> None:
    start = game.start(options(game, challenge="double"), 2, "seed")
    start = with_rack(start, 0, "QXZJ")
    after = game.apply(start, 0, Write(text="8H QXZJ"), 0.0)
    state = game.apply(with_rack(after, 1, "AEIOUST"), 1, Challenge(), 0.0)
    tiles = "".join(state.racks) + state.bag + state.board.tiles
    assert sorted(tiles) == sorted(presets()["wwf"].tiles.full_bag)
    assert set("QXZJ") <= set(state.racks[0])
    assert state.racks[1] == "AEIOSTU"


def after(game: Fribble, state: State, *moves: tuple[int, Move, float] | None) -> list[State]:
    """All states of a game; for None, the second strongest bot moves, else the seat at that time."""
    states = [state]
    for move in moves:
        now = states[-1]
        seat, made, at = move or (now.to_move, game.bot(now, now.to_move, 4).move, 0.0)
        states.append(game.apply(now, seat, made, at))
    return states


FORFEIT = (1, Forfeit(), 0.0)
ON_TURN, WAITING = (1, Resign(), 0.0), (2, Resign(), 0.0)
LATE = (1, TimeUp(), 100.0)
"""Seat 1, when the clock of the seat to move has run out."""


@pytest.mark.parametrize(
    ("seats", "moves"),
    [
        (2, [None, ON_TURN]),
        (2, [(1, Resign(), 0.0)]),
        (2, [None, LATE]),
        (3, [None, ON_TURN, None, None, None]),
        (3, [None, WAITING, None, None, None]),
        (3, [None, LATE, None, None]),
        (3, [None, FORFEIT, None, None]),
        (3, [None, ON_TURN, None, (0, Resign(), 0.0)]),
        (4, [None, WAITING, (3, Resign(), 0.0), None, None, None, None]),
    ],
)
def test_a_game_that_a_player_left_comes_back_whole(
    game: Fribble, seats: int, moves: list[tuple[int, Move, float] | None]
) -> None:
    chosen = {"preset": "standard"} | ({"clock_seconds": 60} if LATE in moves else {})
    states = after(game, game.start(options(game, **chosen), seats, "left"), *moves)
    names = ["a", "b", "c", "d"][:seats]
    text = gcg_writer.write(states, names)
    assert text.count(" resigned\n") + text.count(" ran out of time\n") == len(states[-1].resigned)
    assert (" ran out of time\n" in text) == (LATE in moves or FORFEIT in moves)
    again = replayed(game, text, preset="standard")
    assert (again[-1].scores, again[-1].to_move) == (states[-1].scores, states[-1].to_move)
    assert (again[-1].resigned, again[-1].reason is None) == (states[-1].resigned, states[-1].reason is None)
    assert gcg_writer.write(again, names) == text


@pytest.mark.parametrize("resigned", [1, 3])
def test_the_tiles_of_a_player_who_left_are_not_counted_in_the_text(game: Fribble, resigned: int) -> None:
    start = game.start(options(game, preset="standard"), 4, "seed")
    racks = tuple("QZ" if seat == resigned else ("ACT", "EI", "EJ", "IX")[seat] for seat in range(4))
    start = start.model_copy(update={"racks": racks, "bag": ""})
    states = after(game, start, (resigned, Resign(), 0.0), (0, Write(text="8G CAT"), 0.0))
    lines = gcg_writer.write(states, ["a", "b", "c", "d"]).splitlines()
    assert lines[-1].startswith(">a: (E"), "it can be checked once the other racks are known"
    assert not any("Q" in line for line in lines)


def test_with_a_clock_the_last_scoreless_turn_is_a_resignation(game: Fribble) -> None:
    """In other programs the sixth pass ends the game and counts the tiles left."""
    start = game.start(options(game, preset="standard", clock_seconds=60), 2, "seed")
    states = after(game, start, None, *[(turn % 2, Pass(), 0.0) for turn in range(1, 6)], (0, Pass(), 0.0))
    assert states[-1].settled
    text = gcg_writer.write(states[:-1], ["a", "b"]) + f">a: - +0 {states[-2].scores[0]}\n#note a resigned\n"
    last = replayed(game, text, preset="standard")[-1]
    assert (last.resigned, last.settled, last.scores) == ((0,), (), states[-2].scores)


def test_a_challenge_is_made_by_the_next_player_who_has_not_resigned(game: Fribble) -> None:
    start = with_rack(game.start(options(game, preset="standard", challenge="double"), 3, "seed"), 0, "QXZJ")
    states = after(game, start, (1, Resign(), 0.0), (0, Write(text="8H QXZJ"), 0.0), (2, Challenge(), 0.0))
    text = gcg_writer.write(states, ["a", "b", "c"])
    last = replayed(game, text, preset="standard", challenge="double")[-1]
    assert (last.turns, last.resigned) == (states[-1].turns, (1,))


@pytest.mark.parametrize("remark", ["levin resigned himself", "vronsky resigned", "levin resigned"])
def test_a_remark_on_a_player_who_goes_on_is_no_resignation(game: Fribble, remark: str) -> None:
    """Notes of other programs are text."""
    text = OPENING.replace(">levin", f"#note {remark}\n>levin")
    last = replayed(game, text)[-1]
    assert (last.scores, last.resigned, last.reason) == ((69, 24), (), None)
    assert gcg.read(text).events[0].note == remark


def test_racks_are_corrected_without_losing_a_tile(game: Fribble) -> None:
    start = game.start(options(game), 2, "seed")
    state = with_rack(
        start, 1, "QZ??", known=frozenset({0}) if not set("QZ?") & set(start.racks[0]) else frozenset()
    )
    assert set("QZ?") <= set(state.racks[1])
    tiles = presets()["wwf"].tiles.full_bag
    assert sorted("".join(state.racks) + state.bag) == sorted(tiles)
    assert [len(rack) for rack in state.racks] == [7, 7]
    with pytest.raises(Impossible, match="cannot hold 1 of Q"):
        with_rack(state, 0, "Q", known=frozenset({1}))
    with pytest.raises(Impossible, match="2 of Q"):
        with_rack(state, 0, "QQ")


@examples(150)
@given(
    edits=st.lists(
        st.tuples(
            st.integers(0, len(LONGER)),
            st.integers(0, 12),
            st.text("ABEFQ?ab8H.-+()>#: \n0159\u017f\u212a\u0663", max_size=6),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_a_text_that_was_tampered_with_is_replayed_or_refused(
    game: Fribble, edits: list[tuple[int, int, str]]
) -> None:
    text = LONGER
    for place, length, instead in edits:
        text = text[:place] + instead + text[place + length :]
    with contextlib.suppress(BrokenGcg):
        states = gcg.replay(gcg.read(text), game, options(game, challenge="double"))
        assert gcg_writer.write(states, ["a", "b"])
