"""Proven endings against minimax over every word and every pass."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.games.game import LexiconRef
from app.games.letterpress import endings
from app.games.letterpress.bot import bots, choose, engines
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.solver import MoveConstraints, Position, Solver, never
from app.games.letterpress.state import Options, Pass, Play, State
from app.games.letterpress.territory import EVERY, Territory
from app.words.lexicon import Lexicon
from tests.examples import examples
from tests.games.letterpress.brute import Endgame, Side, all_moves

PLIES = 5
RESULTS = {"win": 1, "draw": 0, "loss": -1}


@pytest.fixture(autouse=True, scope="module")
def few_plies() -> Iterator[None]:
    """The deepest minimax that is feasible in a test."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(endings, "MOST_PLIES", PLIES)
        yield


@st.composite
def words(draw: st.DrawFn) -> list[str]:
    """A few words of two to four letters, with prefixes among them."""
    found = draw(st.sets(st.text("abc", min_size=2, max_size=4), min_size=1, max_size=6))
    return sorted(found | {word[:2] for word in sorted(found)[:2]})


@st.composite
def late(draw: st.DrawFn) -> Territory:
    """A board with one to five free tiles that words use; the others have random owners."""
    free = sum(1 << cell for cell in draw(st.sets(st.integers(0, 11), min_size=1, max_size=5)))
    ours = draw(st.integers(0, EVERY)) & ~free
    return Territory(ours=ours, theirs=EVERY & ~ours & ~free)


@given(words(), st.text("abcz", min_size=12, max_size=12), late(), st.data())
@examples(60)
def test_a_proof_is_that_of_minimax(
    spelled: list[str], letters: str, territory: Territory, data: st.DataObject
) -> None:
    board = letters + "z" * 13
    assume(0 < len(all_moves(board, spelled)) <= 14)
    theirs = data.draw(st.just(spelled) | st.lists(st.sampled_from(spelled), unique=True))
    played = tuple(data.draw(st.lists(st.sampled_from(spelled), max_size=2)))
    position = Position(board=board, territory=territory, played=played, passed=data.draw(st.booleans()))
    side = Side(territory.ours, territory.theirs)
    brute = Endgame(board, spelled, theirs)
    expected = brute.prove(side, played, passed=position.passed, plies=PLIES)
    solver = Solver(Lexicon.from_words(spelled, "few"))
    known = np.array([word in theirs for word in solver.lexicon], np.uint8)
    found = solver.prove(position, their_allowed=known)
    assert (found and (RESULTS[found.outcome], found.plies)) == expected
    solution = solver.solve(position, their_allowed=known, proof_stop=lambda: never)
    assert (solution.ending and (RESULTS[solution.ending.outcome], solution.ending.plies)) == expected
    if solution.ending and expected:
        move = solution.ending.move
        assert solution.moves[0] == move
        assert move.territory == territory.after(move.mask)
        assert (move.wins, move.loses) == (expected[0] > 0, expected[0] < 0)


def test_a_pass_that_draws_is_the_proven_move() -> None:
    """The only word is closed and the opponent has passed: our pass ends the game at twelve tiles each."""
    position = Position(
        board="a" * 5 + "b" * 7 + "z" * 13,
        territory=Territory(ours=2029954, theirs=31524476),
        played=("aa",),
        passed=True,
    )
    solution = Solver(Lexicon.from_words(["aa"], "few")).solve(position, proof_stop=lambda: never)
    assert solution.ending
    assert (solution.ending.outcome, solution.ending.plies) == ("draw", 1)
    assert solution.moves[0] == solution.ending.move


def two_words(free: int, ours: int, theirs: int, played: tuple[str, ...] = ()) -> Position:
    assert free | ours | theirs == EVERY
    return Position(board="aabbcc" + "z" * 19, territory=Territory(ours=ours, theirs=theirs), played=played)


def test_no_proof_where_moves_are_restricted_stopped_or_many_tiles_are_free() -> None:
    solver = Solver(Lexicon.from_words(["aa", "bb"], "few"))
    position = two_words(0b1111, 0b11 << 4, EVERY & ~0b111111)
    assert solver.solve(position, proof_stop=lambda: never).ending
    constrained = solver.solve(position, constraints=MoveConstraints(letters="a"), proof_stop=lambda: never)
    assert constrained.ending is None
    assert solver.prove(position, stop=lambda _: True) is None
    assert solver.prove(Position(board=position.board)) is None


def test_a_level_game_is_drawn_by_passing() -> None:
    """One tile can never be taken, and both sides have twelve."""
    solver = Solver(Lexicon.from_words(["aa"], "few"))
    position = two_words(1 << 24, 0b111111111111, 0b111111111111 << 12, ("aa",))
    found = solver.prove(position)
    assert found
    assert (found.outcome, found.plies, found.move.word, found.move.value) == ("draw", 2, "", 0)


PROVING = engines()["three-plies"].model_copy(update={"proof": 10_000})


def won_in_five() -> tuple[Letterpress, State]:
    """A position that one word wins in five plies."""
    game = Letterpress(Lexicon.from_words(["aa", "ab", "bc", "cbca", "cc"], "few"))
    ref = LexiconRef.of(game.lexicon)
    ours, free = 23038076, 1408
    state = game.start(Options(lexicon=ref, board="caazbbzbbzb" + "z" * 14), 2, "seed")
    return game, state.model_copy(update={"owned": (ours, EVERY & ~ours & ~free)})


def test_a_bot_that_proves_plays_the_win_that_three_plies_do_not_show() -> None:
    game, state = won_in_five()
    move = choose(state, PROVING, game.solver)
    assert move != choose(state, engines()["three-plies"], game.solver)
    for seat in (0, 1, 0, 1, 0):
        state = game.apply(state, seat, move, 0.0)
        if state.reason is None:
            move = choose(state, PROVING, game.solver)
    outcome = game.outcome(state)
    assert outcome is not None
    assert outcome.winners == (0,)


def test_the_strongest_bot_proves() -> None:
    assert [bot.proof > 0 for bot in bots()] == [False, False, False, False, True]


def test_a_turn_that_gives_away_a_proven_win_is_a_blunder() -> None:
    """The first player of AA takes the last two tiles and wins."""
    game = Letterpress(Lexicon.from_words(["aa", "bb"], "few"))
    start = game.start(Options(lexicon=LexiconRef.of(game.lexicon), board="aabb" + "z" * 21), 2, "seed")
    theirs = EVERY >> 13 << 13
    start = start.model_copy(update={"owned": (EVERY & ~theirs & ~0b11, theirs)})
    judged = []
    for move in (Play(cells=(0, 1)), Pass()):
        turn = game.analyse((start, game.apply(start, 0, move, 0.0))).turns[0]
        judged.append((turn.proven, turn.proven_after, turn.verdict))
    assert judged == [("win", "win", "best"), ("win", "loss", "blunder")]


def test_a_turn_that_keeps_a_proven_win_loses_nothing() -> None:
    game, state = won_in_five()
    turn = game.analyse((state, game.apply(state, 0, Play(cells=(1, 2)), 0.0))).turns[0]
    assert (turn.proven, turn.proven_after, turn.verdict, turn.lost) == ("win", "win", "best", 0)
