from itertools import count

import pytest

from app.games import record
from app.games.fribble.bag import ordered
from app.games.fribble.placement import Placement
from app.games.fribble.presets import presets
from app.games.fribble.rules import Fribble
from app.games.fribble.state import (
    Challenge,
    Exchange,
    Move,
    Pass,
    Place,
    Resign,
    TimeUp,
    Write,
)
from app.games.game import IllegalMove, OutOfTurn
from tests.games.fribble.positions import EVERY_TILE, dealt, options, place, refusal


def test_the_readmes_word_scores_with_the_centre_plain_and_a_bonus_for_seven(game: Fribble) -> None:
    state = place(game, dealt(game, "FRIBBLE", "AEIOUST"), "m(r8,8,'fribble')")
    # F4 R1 I1 B4 B4 L2 E1 on row 8 from H: L, the 4th square after the centre, is a double word.
    assert [turn.points for turn in state.turns] == [2 * 17 + 35]
    assert state.board.rows[7] == ".......FRIBBLE."
    assert (state.turns[0].coordinate, state.turns[0].text, state.turns[0].words) == (
        "8H",
        "FRIBBLE",
        ("FRIBBLE",),
    )
    assert len(state.racks[0]) == 7


def test_words_that_cross_are_scored_and_premiums_count_once(game: Fribble) -> None:
    state = place(game, dealt(game, "FRIBBLE", "RIENDST"), "8H FRIBBLE", "m(c8,9,'riends')")
    assert state.turns[1].words == ("FRIENDS",)
    # F4 lies there, and row 12 of column H doubles the word.
    assert state.turns[1].points == 2 * (4 + 1 + 1 + 1 + 2 + 2 + 1)
    assert state.turns[1].coordinate == "H8"


def test_a_hook_scores_both_words(game: Fribble) -> None:
    state = place(game, dealt(game, "CATEEEE", "SOSEEEE"), "8G CAT", "J8 SOS")
    # S1 O1 S1x3 on a triple letter, and C4 A1 T1 S1
    assert (state.turns[1].words, state.turns[1].points) == (("SOS", "CATS"), 5 + 7)


@pytest.mark.parametrize(
    ("rack", "first", "points"),
    [
        ("?IT????", "8G hIT", 0 + 1 + 1),  # a blank is worth nothing
        ("QI?????", "8G QI", 11),  # the centre itself doubles nothing
    ],
)
def test_what_first_words_score(game: Fribble, rack: str, first: str, points: int) -> None:
    state = dealt(game, "EEEEEEE", "AAAAAAA").model_copy(update={"racks": (rack, "AAAAAAA")})
    assert place(game, state, first).scores == (points, 0)


def test_standard_doubles_the_first_word_and_pays_fifty(game: Fribble) -> None:
    state = place(game, dealt(game, "FRIBBLE", "AEIOUST", preset="standard"), "8H FRIBBLE")
    # F4 R1 I1 B3 B3x2 L1 E1, doubled at the centre
    assert state.scores[0] == 2 * (4 + 1 + 1 + 3 + 6 + 1 + 1) + 50


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ("8A CAT", "the first word covers the centre, row 8, column H"),
        ("8H C", "the first word has two letters or more"),
        ("8G CTA", "CTA is not in the word list"),
        ("8G CATS", "the rack has no S"),
        ("8G CaT", "the rack has no blank"),
        ("mf(r8,'7 8 10','cat')", "without gaps"),
        ("P8 CAT", "is not a move; accepted:"),
        (Place(cells=(97, 112, 128), tiles="CAT"), "in one row or column"),
        (Exchange(tiles="S"), "the rack has no S to exchange"),
        (Challenge(), "nothing to challenge"),
    ],
)
def test_what_the_rules_refuse_at_the_start(game: Fribble, move: str | Move, says: str) -> None:
    state = dealt(game, "CATEEEE", "AEIOUNR")
    assert says in refusal(game, state, move)


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ("1A DOG", "the tiles touch no other"),
        ("9G DO", "CD and AO are not in the word list"),
        ("8G .A.", "lays no tile"),
        (Place(cells=(112,), tiles="D"), "row 8, column H is taken: A lies there"),
        (Place(cells=(0,), tiles="D"), "the tiles touch no other"),
    ],
)
def test_what_the_rules_refuse_later(game: Fribble, move: str | Move, says: str) -> None:
    state = place(game, dealt(game, "CATEEEE", "DOGDOGS"), "8G CAT")
    assert says in refusal(game, state, move)


def test_only_the_seat_to_move_may_move(game: Fribble) -> None:
    state = dealt(game, "CATEEEE", "DOGDOGS")
    assert refusal(game, state, Pass(), seat=1) == "it is the turn of seat 0"
    assert refusal(game, state, Pass(), seat=2) == "there is no seat 2: seats are 0 to 1"
    over = place(game, state, Resign())
    assert refusal(game, over, Pass()) == "the game is over"


def test_a_preset_has_its_numbers_of_seats(game: Fribble) -> None:
    with pytest.raises(IllegalMove, match="Words With Friends is for 2, not 3"):
        game.start(options(game), 3, "seed")
    with pytest.raises(IllegalMove, match="Standard is for 2 to 4, not 5"):
        game.start(options(game, preset="standard"), 5, "seed")
    assert len(game.start(options(game, preset="standard"), 4, "seed").racks) == 4


def test_an_unknown_preset_is_named(game: Fribble) -> None:
    with pytest.raises(ValueError, match="there is no preset named 'super'; there are wwf, standard"):
        options(game, preset="super")


def test_an_exchange_takes_the_turn_and_never_gives_the_same_tiles_back(game: Fribble) -> None:
    state = dealt(game, "VVUUUIW", "AEIOUNR")
    after = place(game, state, Exchange(tiles="VV"))
    assert after.to_move == 1
    assert (after.turns[0].kind, after.turns[0].exchanged, after.turns[0].points) == ("exchange", 2, 0)
    assert "V" not in after.racks[0]
    assert after.bag.count("V") == 2
    assert len(after.bag) == len(state.bag)
    assert [game.view(after, seat).turns[0].returned for seat in (0, 1, None)] == ["VV", "", ""]


@pytest.mark.parametrize(
    ("preset", "bag", "tiles", "says"),
    [
        ("standard", "AEIOUR", "E", "the bag holds 6 tiles: exchanges need 7 or more"),
        ("wwf", "AE", "EEE", "the bag holds 2 tiles: no more can be exchanged"),
        ("wwf", "", "E", "the bag holds 0 tiles"),
    ],
)
def test_a_bag_too_empty_for_an_exchange(game: Fribble, preset: str, bag: str, tiles: str, says: str) -> None:
    state = dealt(game, "CATEEEE", "DOGDOGS", bag=bag, preset=preset)
    assert says in refusal(game, state, Exchange(tiles=tiles))


def test_going_out_gains_the_tiles_the_others_hold(game: Fribble) -> None:
    state = place(game, dealt(game, "CAT", "QIZ", bag=""), "8G CAT")
    assert game.outcome(state) is not None
    assert state.reason == "the last tile was played"
    assert state.settled == (21, -21)
    assert state.scores == (4 + 1 + 1 + 21, -21)
    assert game.view(state, 0).racks == ("", "IQZ")


def test_three_scoreless_turns_end_a_game_that_has_points(game: Fribble) -> None:
    start = dealt(game, "CATEEEE", "QIDOGSS")
    state = place(game, start, *[Pass()] * 7)
    assert state.reason is None
    state = place(game, dealt(game, "CATEEEE", "QIDOGSS"), "8G CAT", Pass(), Exchange(tiles="E"))
    assert state.reason is None
    state = place(game, state, Pass())
    assert state.reason == "3 turns in a row without points"
    values = presets()["wwf"].tiles
    assert state.settled == tuple(-values.total_points(rack) for rack in state.racks)
    assert state.scores == (6 + state.settled[0], state.settled[1])


def test_six_scoreless_turns_end_a_standard_game_even_without_points(game: Fribble) -> None:
    state = place(game, dealt(game, "CATEEEE", "QIDOGSS", preset="standard"), *[Pass()] * 5)
    assert state.reason is None
    assert place(game, state, Pass()).reason == "6 turns in a row without points"


def test_resigning_loses_and_settles_nothing(game: Fribble) -> None:
    state = place(game, dealt(game, "CATEEEE", "QIDOGSS"), "8G CAT")
    after = game.apply(state, 0, Resign(), 0.0)
    outcome = game.outcome(after)
    assert outcome is not None
    assert (outcome.winners, outcome.scores, outcome.reason) == ((1,), (6, 0), "resigned")


def test_a_table_of_three_plays_on_after_a_resignation(game: Fribble) -> None:
    state = place(game, dealt(game, "CATEEEE", "QIDOGSS", "AEIOUNR", preset="standard"), "8G CAT", Resign())
    assert (state.reason, state.to_move) == (None, 2)
    state = place(game, state, Pass())
    assert state.to_move == 0
    assert refusal(game, state, Pass(), seat=1) == "you have resigned from this game"
    assert place(game, state, Resign()).reason == "resigned"


def test_a_challenged_phony_comes_off_the_board_and_costs_the_turn(game: Fribble) -> None:
    start = dealt(game, "ZCATEEE", "QIDOGSS", challenge="double")
    laid = place(game, start, "8G ZCT")
    assert game.view(laid, 1).may_challenge
    state = place(game, laid, Challenge())
    assert state.board.empty
    assert (state.racks, state.bag, state.scores) == (start.racks, start.bag, (0, 0))
    assert (state.to_move, state.turns[0].kind, state.turns[0].points) == (1, "withdrawn", 0)
    assert refusal(game, state, Challenge()).startswith("there is no play to challenge")


def test_challenging_a_sound_play_costs_the_turn(game: Fribble) -> None:
    state = place(game, dealt(game, "CATEEEE", "QIDOGSS", challenge="double"), "8G CAT", Challenge())
    assert (state.to_move, state.turns[1].kind, state.scores) == (0, "challenge", (6, 0))
    assert refusal(game, state, Challenge()).startswith("there is no play to challenge")


@pytest.mark.parametrize(
    ("word", "answer", "over"),
    [("8G CAT", Pass(), True), ("8G CAT", Challenge(), True), ("8G CTA", Challenge(), False)],
)
def test_the_last_play_waits_for_a_challenge(game: Fribble, word: str, answer: Move, over: bool) -> None:
    laid = place(game, dealt(game, "CAT", "QIZ", bag="", challenge="double"), word)
    assert laid.reason is None
    assert "the last tile was played" in refusal(game, laid, "7G QI")
    assert "the last tile was played" in refusal(game, laid, Exchange(tiles="Q"))
    state = place(game, laid, answer)
    assert (state.reason is not None) == over
    assert state.scores == ((27, -21) if over else (0, 0))


@pytest.mark.parametrize(
    ("rack", "text", "tiles"),
    [
        ("ATEE??E", "8G at", "AT"),
        ("A?EEIIE", "8G at", "At"),
        ("ATEE??E", "8G ?a?t", "at"),
        ("ATEE??E", "8G aT", "aT"),
        ("ATEE??E", "m(r8,7,'at')", "AT"),
    ],
)
def test_a_written_move_is_logged_as_its_tiles(game: Fribble, rack: str, text: str, tiles: str) -> None:
    state = dealt(game, rack, "QIDOGSS")
    logged = game.logged(state, Write(text=text))
    assert logged == Place(cells=(111, 112), tiles=tiles)
    assert game.apply(state, 0, logged, 100.0) == game.apply(state, 0, Write(text=text), 100.0)


def test_the_turn_clock(game: Fribble) -> None:
    state = dealt(game, "CATSEEE", "QIDOGSS", turn_seconds=60)
    assert game.due(state, 1e9) is None  # it runs from the first move on
    state = game.apply(state, 0, Write(text="8G CAT"), 100.0)
    assert game.view(state, None).ends_at == 160.0
    assert game.due(state, 162.0) is None
    due = game.due(state, 162.5)
    assert due is not None
    assert (due.seat, due.move, due.at) == (1, TimeUp(), 162.0)
    with pytest.raises(OutOfTurn, match="time is up"):
        game.apply(state, 1, Pass(), 163.0)
    with pytest.raises(OutOfTurn, match="the clock has not run out"):
        game.apply(state, 1, TimeUp(), 120.0)
    state = game.apply(state, 1, TimeUp(), 162.0)
    assert (state.to_move, state.turns[-1].kind) == (0, "timeup")
    state = game.apply(state, 0, Write(text="8G ...S"), 170.0)
    state = game.apply(state, 1, TimeUp(), 240.0)
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.winners == (0,)  # a player who lets it run out twice in a row has resigned


def test_the_turn_clock_of_an_earlier_log_is_understood(game: Fribble) -> None:
    assert game.move_adapter.validate_json('{"type": "timeup"}') == TimeUp(type="timeup")
    state = game.apply(dealt(game, "CATEEEE", "QIDOGSS", turn_seconds=60), 0, Write(text="8G CAT"), 100.0)
    early, late = (game.apply(state, 1, move, 162.0) for move in (TimeUp(type="timeup"), TimeUp()))
    assert early == late


def test_a_view_hides_the_racks_of_others(game: Fribble) -> None:
    state = place(game, dealt(game, "CATEEEE", "QIDOGSS"), "8G CAT")
    view = game.view(state, 1)
    assert (view.rack, view.racks, view.held) == (ordered("QIDOGSS"), None, (7, 7))
    assert view.unseen == ordered(state.bag + state.racks[0])
    assert ordered(view.unseen + (view.rack or "") + state.board.tiles) == EVERY_TILE
    assert "seed" not in view.model_dump()
    assert view.last == view.turns[0]
    watcher = game.view(state, None)
    assert watcher.rack is None
    assert len(watcher.unseen) == 104 - 3


def test_the_summary_of_a_seat(game: Fribble) -> None:
    state = place(game, dealt(game, "FRIBBLE", "RIENDST"), "8H FRIBBLE", "H8 .RIENDS")
    summary = game.summary(state, 0)
    assert (summary.words, summary.best_word, summary.best_points) == (1, "fribble", 69)
    assert summary.longest_word == "fribble"
    assert summary.mode == "wwf"


def test_the_daily_is_settled_by_its_seed(game: Fribble) -> None:
    chosen, seed = game.daily(f"day{number}" for number in count())
    assert (seed, chosen.preset) == ("day0", "wwf")
    assert game.start(chosen, 2, seed) == game.start(chosen, 2, seed)


def test_a_placement_lists_its_squares_in_order() -> None:
    with pytest.raises(ValueError, match="squares must ascend"):
        Placement(cells=(113, 112), tiles="AB")
    with pytest.raises(ValueError, match="2 tiles for 1 square"):
        Placement(cells=(113,), tiles="AB")


def test_a_game_is_kept_as_a_record_and_verified(game: Fribble) -> None:
    moves: list[tuple[int, Move, float]] = [
        (0, Pass(), 1.0),
        (1, Exchange(tiles="E"), 2.0),
        (0, Resign(), 3.0),
    ]
    states = [game.start(options(game), 2, "with-an-E")]
    for seat, move, at in moves:
        states.append(game.apply(states[-1], seat, move, at))
    text = record.write(game, tuple(states), "with-an-E", moves)
    assert record.replay(record.read(text, {game.kind: Fribble}), game) == tuple(states)
    with pytest.raises(record.BrokenRecord, match="ply 1 does not follow"):
        record.replay(record.read(text.replace('"tiles":"E"', '"tiles":"A"'), {game.kind: Fribble}), game)
