"""What holds for every game of Wibble, however it is played."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from app.games.game import IllegalMove
from app.games.wibble.modes import modes
from app.games.wibble.rules import Wibble
from app.games.wibble.state import (
    MOVES,
    Add,
    Back,
    Chain,
    Hint,
    Mode,
    Move,
    Pass,
    Phase,
    Release,
    Resign,
    Shuffle,
    Start,
    State,
    Swap,
    TimeUp,
)
from app.words.lexicon import Lexicon
from tests.games.wibble.positions import AT, found, pinned

CELLS = st.integers(-1, 26)
MOVE: st.SearchStrategy[Move] = st.one_of(
    st.builds(Add, cell=CELLS),
    st.builds(Chain, cells=st.lists(CELLS, min_size=1, max_size=6).map(tuple)),
    st.builds(Swap, cell=CELLS, letter=st.sampled_from("aeinrstz")),
    st.sampled_from([Start(), Back(), Release(), Shuffle(), Hint(), Pass(), TimeUp()]),
    st.just(Resign()),
)
WORDS = st.integers(0, 5)
"""Instead of a random move: play the n-th word that the solver finds."""


def fresh(game: Wibble, seed: str, mode: str, seats: int = 1, turn_seconds: int | None = None) -> State:
    return game.start(pinned(game, mode, turn_seconds=turn_seconds), seats, seed)


def nth_word(game: Wibble, state: State, nth: int) -> Move:
    if state.board is None:
        return Start()
    words = found(game, state)
    return Chain(cells=words[nth % len(words)].cells)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Mode, int, int | None]:
    """A mode, how many sit at the table, and the turn clock."""
    mode: Mode = draw(st.sampled_from([*modes(), "versus", "versus"]))
    fewest, most = modes()[mode].seats
    clock = draw(st.sampled_from([None, 30, 300])) if modes()[mode].rounds else None
    return mode, draw(st.integers(fewest, most)), clock


CHOICES = st.tuples(
    st.one_of(MOVE, WORDS, WORDS),
    st.one_of(st.none(), st.none(), st.none(), st.integers(-1, 6)),
    st.one_of(st.floats(0, 20), st.floats(0, 20), st.floats(0, 400)),
)
"""What is played, by which seat (None: whose turn it is), and how many seconds after the move before."""


@settings(max_examples=150)
@given(table=tables(), seed=st.text(max_size=8), choices=st.lists(CHOICES, max_size=30))
def test_random_play_keeps_the_rules(
    wibble: Wibble,
    table: tuple[Mode, int, int | None],
    seed: str,
    choices: list[tuple[Move | int, int | None, float]],
) -> None:
    state = fresh(wibble, seed, *table)
    log: list[tuple[int, Move, float]] = []
    at = AT
    for choice, mover, pause in choices:
        at += pause
        while (due := wibble.due(state, at)) is not None:
            after = wibble.apply(state, due.seat, due.move, due.at)
            log.append((due.seat, due.move, due.at))
            check_step(wibble, state, due.seat, due.move, after)
            state = after
        before = state.model_dump_json()
        move = nth_word(wibble, state, choice) if isinstance(choice, int) else choice
        seat = state.to_move if mover is None else mover
        try:
            after = wibble.apply(state, seat, move, at)
        except IllegalMove:
            assert state.model_dump_json() == before, "a refused move changed the state"
            continue
        assert state.model_dump_json() == before, "a move changed the state it was made on"
        log.append((seat, move, at))
        check_step(wibble, state, seat, move, after)
        state = after

    replayed = fresh(wibble, seed, *table)
    for seat, move, when in log:
        kept = MOVES.validate_json(MOVES.dump_json(move))
        replayed = State.model_validate_json(wibble.apply(replayed, seat, kept, when).model_dump_json())
    assert replayed == state, "the log does not lead to the state"


def check_step(game: Wibble, before: State, seat: int, move: Move, after: State) -> None:
    seats, mode = len(before.scores), modes()[after.options.mode]
    assert after.ply == before.ply + 1
    assert seat == before.to_move or isinstance(move, Resign), "only a resignation is out of turn"
    assert seat not in before.resigned
    assert len(after.scores) == len(after.gems) == seats
    assert after.phase is not Phase.CLEANUP, "a clean-up runs to its end"
    assert bool(after.chain) == (after.phase is Phase.CHAINING)
    recount = [sum(turn.points for turn in after.turns if turn.seat == one) for one in range(seats)]
    assert list(after.scores) == recount
    assert after.turns[: len(before.turns)] == before.turns
    for other in range(seats):
        if other != before.to_move:
            assert after.gems[other] == before.gems[other], "gems of a seat that did not move"
    if mode.gems:
        assert all(0 <= held <= mode.gems.most for held in after.gems)
    if mode.once_per_word:
        assert len({turn.word for turn in after.turns}) == len(after.turns)
    if after.board is not None:
        assert re.fullmatch("[a-z]{25}", after.board.letters)
        assert len(set(after.board.gems)) == (mode.gems.on_board if mode.gems else 0)
    for turn in after.turns:
        assert turn.word in game.lexicon or (turn.word == "" and turn.points == 0 and mode.rounds)
    check_turn_order(game, after)
    check_views(game, after)


def check_turn_order(game: Wibble, state: State) -> None:
    """The turns and who is to move are those of counting off the seats round by round."""
    rounds = modes()[state.options.mode].rounds
    outcome = game.outcome(state)
    assert (outcome is not None) == (state.phase is Phase.FINISHED) == (state.reason is not None)
    if outcome is not None:
        stayed = [seat for seat in range(len(state.scores)) if seat not in state.resigned]
        best = max(state.scores[seat] for seat in stayed)
        assert list(outcome.winners) == [seat for seat in stayed if state.scores[seat] == best]
    else:
        assert state.to_move not in state.resigned
    if rounds is None:
        return
    assert state.round <= rounds
    moments = [(turn.round, turn.seat) for turn in state.turns]
    assert moments == sorted(set(moments)), "nobody has two turns in a round"
    if state.phase in (Phase.IDLE, Phase.CHAINING):
        due = [
            (round_, seat)
            for round_ in range(1, state.round + 1)
            for seat in range(len(state.scores))
            if seat not in state.resigned and (round_, seat) < (state.round, state.to_move)
        ]
        assert set(due) <= set(moments), "a seat that stayed missed a turn"


def check_views(game: Wibble, state: State) -> None:
    for seat in (*range(len(state.scores)), None):
        seen = game.view(state, seat)
        assert '"seed"' not in seen.model_dump_json()
        if seat != state.to_move:
            assert seen.hint is None
            assert seen.report is None or seen.report.result != "hinted" or not seen.report.cells


@settings(max_examples=40)
@given(
    words=st.sets(st.text("abc", min_size=2, max_size=4), min_size=1, max_size=5), seed=st.text(max_size=5)
)
def test_even_a_lexicon_that_can_never_fill_a_board_can_be_played(words: set[str], seed: str) -> None:
    game = Wibble(Lexicon.from_words(words, "poor"))
    state = game.apply(fresh(game, seed, "classic"), 0, Start(), AT)
    assert state.phase is Phase.IDLE
    assert game.apply(state, 0, Shuffle(), AT).phase is Phase.IDLE
