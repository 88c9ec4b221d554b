"""The rules of Scrabblet: guesses, the end, options, records, statistics and visibility."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from app.games.game import IllegalMove, OutOfTurn
from app.games.record import BrokenRecord, read, replay, write
from app.games.scrabblet.modes import modes
from app.games.scrabblet.ranks import ranks
from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.state import Choices, Guess, Hint, Move, Phase, Quit
from app.rooms import ROOMS
from app.words.lexicon import Lexicon
from tests.examples import examples
from tests.games.scrabblet.brute import words_of
from tests.games.scrabblet.conftest import options
from tests.games.scrabblet.guessing import HAND, guess, results, started


def test_the_game_of_the_paper_scores_as_printed_there_without_options(redbo: Scrabblet) -> None:
    """Section 2.4.5: 24, then 43 after "trunt" and "plot", then 55 after two words guessed before."""
    state = guess(redbo, started(redbo), "front", "loot", "loft", "troll")
    assert state.score == 24
    state = guess(redbo, state, "turf", "turn", "trunt", "plot", "flout")
    assert state.score == 43
    state = guess(redbo, state, "floor", "front", "loft", "runt")
    assert state.score == 55
    assert len(state.found) == 9


def test_a_guess_may_be_written_in_capitals_and_must_be_letters(game: Scrabblet) -> None:
    assert guess(game, started(game), " FRONT ").found[0].word == "front"
    for wrong in ("", "r2", "fr ont", "ö", "a" * 65):
        with pytest.raises(ValidationError):
            Guess(word=wrong)


def test_blanks_stand_for_another_letter_in_each_word(game: Scrabblet) -> None:
    state = guess(game, started(game, rack="ruolfn?"), "front", "floor", "flour", "furlong", "fluff")
    assert [found.points for found in state.found] == [7, 8, 8, 9, 14]
    assert [found.pangram for found in state.found] == [False, False, False, True, False]
    assert results(game, state, "tutti", "furlongs") == [
        ("not_dealt", state.score),
        ("not_dealt", state.score),
    ]


def test_words_of_other_lengths_may_be_asked_for(game: Scrabblet) -> None:
    assert results(game, started(game, min_length=2), "of", "run")[-1][0] == "scored"
    assert results(game, started(game, min_length=6), "front") == [("too_short", 0)]


def test_the_view_counts_and_ranks(game: Scrabblet) -> None:
    state = guess(game, started(game), "front", "flour", "trunt")
    view = game.view(state, 0)
    expected = words_of(game.lexicon, HAND, 4)
    assert view.counts.words == len(expected)
    assert (view.counts.found, view.counts.wrong) == (2, 1)
    required = {
        word: points
        for word, points in expected.items()
        if game.lexicon.ranks[game.lexicon.index(word)] <= 20_000
        and game.lexicon.family[game.lexicon.index(word)]
    }
    assert (view.counts.required, view.rank.total) == (len(required), sum(required.values()))
    assert view.rank.points == sum(found.points for found in view.found if found.required)
    assert view.rank.percent == pytest.approx(100 * view.rank.points / view.rank.total)
    assert [step.name for step in view.rank.steps] == [rank.name for rank in ranks()]
    assert view.rank.next
    assert view.rank.next.points > view.rank.points
    assert [(tile.letter, tile.score) for tile in view.tiles][:2] == [("r", 1), ("u", 1)]
    assert (view.phase, view.to_move, view.penalty, view.min_length) == (Phase.PLAYING, 0, 0, 4)


def test_finding_everything_ends_the_game() -> None:
    few = Scrabblet(Lexicon.from_words(["abba", "baba", "cede"], "few"))
    state = guess(few, started(few, rack="ab"), "baba", "abba")
    outcome = few.outcome(state)
    assert outcome
    assert (outcome.scores, outcome.winners, outcome.reason) == ((16,), (0,), "every word was found")
    with pytest.raises(OutOfTurn, match="the game is over"):
        guess(few, state, "abba")


def test_quitting_finishes_the_game(game: Scrabblet) -> None:
    state = guess(game, started(game), "front")
    assert game.outcome(state) is None
    state = guess(game, state, Quit())
    outcome = game.outcome(state)
    assert outcome
    assert (outcome.scores, outcome.reason, game.to_move(state)) == ((8,), "finished early", None)
    assert game.fingerprint(state).endswith("finished by the player"), "records of earlier versions verify"
    assert game.view(state, 0).phase is Phase.FINISHED
    for move in (Guess(word="loot"), Hint(), Quit()):
        with pytest.raises(OutOfTurn):
            guess(game, state, move)


def test_a_view_never_shows_a_word_that_was_not_found_nor_the_seed(game: Scrabblet) -> None:
    state = guess(game, started(game), "front", Hint(), "trunt")
    shown = game.view(state, 0).model_dump_json()
    for one in game.goal(state).words.listed():
        assert (f'"{one.word}"' in shown) == (one.word == "front"), one.word
    assert '"seed"' not in shown
    watched = game.view(state, None)
    assert (watched.found, watched.score) == ((), 8)
    assert "front" not in watched.model_dump_json()
    assert "trunt" not in watched.model_dump_json()
    assert [found.word for found in game.view(guess(game, state, Quit()), None).found] == ["front"]


def test_a_game_is_for_one_player_and_has_no_bots(game: Scrabblet) -> None:
    assert (game.seats(options(game)), game.bots) == (range(1, 2), ())
    with pytest.raises(IllegalMove, match="for one, not 2"):
        game.start(options(game), 2, "x")
    with pytest.raises(IllegalMove, match="no seat 1"):
        game.apply(started(game), 1, Quit(), 0.0)
    with pytest.raises(ValueError, match="no bots"):
        game.bot(started(game), 0, 1)
    assert (game.seat_count(started(game)), game.due(started(game), 1e9), game.opening(options(game))) == (
        1,
        None,
        (),
    )


def test_impossible_options_are_refused() -> None:
    for choices in (
        {"rack": ""},
        {"rack": "a1"},
        {"size": 1},
        {"min_length": 1},
        {"penalty": -1},
        {"penalize": "luck"},
        {"mode": "x"},
    ):
        with pytest.raises(ValidationError):
            Choices.model_validate(choices)
    assert Choices.model_validate({"rack": "RUOLF_T"}).rack == "ruolf?t"
    assert modes()["dealer"].penalty["non_words"] == 0


MOVES = st.one_of(
    st.sampled_from(["front", "loot", "loft", "troll", "trunt", "plot", "run", "turf", "turn", "fluff"]).map(
        lambda w: Guess(word=w)
    ),
    st.just(Hint()),
)


@examples(25)
@given(
    penalty=st.sampled_from([0, 5]),
    penalize=st.sampled_from(["non_words", "wrong_guesses"]),
    moves=st.lists(MOVES, max_size=12),
)
def test_the_score_follows_from_the_log_and_a_record_leads_to_the_same_game(
    game: Scrabblet, penalty: int, penalize: str, moves: list[Move]
) -> None:
    first = started(game, penalty=penalty, penalize=penalize)
    states, log, score, found = [first], list[tuple[int, Move, float]](), 0, set[str]()
    for move in (*moves, Quit()):
        if isinstance(move, Hint) and states[-1].hinted:
            continue
        after = game.apply(states[-1], 0, move, float(len(log)))
        if isinstance(move, Guess) and move.word not in found:
            points = words_of([move.word] if move.word in game.lexicon else [], HAND, 4).get(move.word)
            free = penalize == "non_words" and move.word in game.lexicon
            score = max(0, score - (0 if free else penalty)) if points is None else score + points
            found |= {move.word} if points else set()
        assert (after.score, {one.word for one in after.found}) == (score, found)
        assert game.state_type.model_validate_json(after.model_dump_json()) == after
        log.append((0, move, float(len(log))))
        states.append(after)
    text = write(game, tuple(states), "seed", log)
    record = read(text, ROOMS.games)
    assert replay(record, game) == tuple(states)
    assert [line.move for line in record.moves] == [move for _, move, _ in log]


def test_a_changed_record_is_refused(game: Scrabblet) -> None:
    states = [started(game)]
    for move in (Guess(word="front"), Quit()):
        states.append(game.apply(states[-1], 0, move, 0.0))
    text = write(game, tuple(states), "seed", [(0, Guess(word="front"), 0.0), (0, Quit(), 0.0)])
    assert '{"type":"guess","word":"front"}' in text
    with pytest.raises(BrokenRecord, match="ply 0 does not follow"):
        replay(read(text.replace('"word":"front"', '"word":"floor"'), ROOMS.games), game)


def test_positions_that_differ_have_other_fingerprints(game: Scrabblet) -> None:
    state = started(game)
    others = [
        guess(game, state, *moves)
        for moves in (["front"], ["floor"], ["front", "loot"], ["trunt"], [Hint()], [Quit()])
    ]
    assert len({game.fingerprint(each) for each in (state, *others)}) == 7
