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
    Move,
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
from tests.games.wibble.positions import AT, found

CELLS = st.integers(-1, 26)
MOVE: st.SearchStrategy[Move] = st.one_of(
    st.builds(Add, cell=CELLS),
    st.builds(Chain, cells=st.lists(CELLS, min_size=1, max_size=6).map(tuple)),
    st.builds(Swap, cell=CELLS, letter=st.sampled_from("aeinrstz")),
    st.sampled_from([Start(), Back(), Release(), Shuffle(), Hint(), TimeUp()]),
    st.just(Resign()),
)
WORDS = st.integers(0, 5)
"""Instead of a random move: play the n-th word that the solver finds."""


def fresh(game: Wibble, mode: str, seed: str) -> State:
    options = {"mode": mode, "lexicon": {"name": game.lexicon.name, "sha256": game.lexicon.sha256}}
    return game.start(game.options_type.model_validate(options), 1, seed)


def nth_word(game: Wibble, state: State, nth: int) -> Move:
    if state.board is None:
        return Start()
    words = found(game, state)
    return Chain(cells=words[nth % len(words)].cells)


@settings(max_examples=60)
@given(
    mode=st.sampled_from(["zen", "classic", "blitz"]),
    seed=st.text(max_size=8),
    choices=st.lists(st.one_of(MOVE, WORDS, WORDS), max_size=25),
    pace=st.floats(0, 20),
)
def test_random_play_keeps_the_rules(
    wibble: Wibble, mode: str, seed: str, choices: list[Move | int], pace: float
) -> None:
    state = fresh(wibble, mode, seed)
    log: list[tuple[Move, float]] = []
    at = AT
    for choice in choices:
        at += pace
        before = state.model_dump_json()
        move = nth_word(wibble, state, choice) if isinstance(choice, int) else choice
        try:
            after = wibble.apply(state, 0, move, at)
        except IllegalMove:
            assert state.model_dump_json() == before, "a refused move changed the state"
            continue
        assert state.model_dump_json() == before, "a move changed the state it was made on"
        log.append((move, at))
        check_invariants(wibble, state, after)
        state = after

    replayed = fresh(wibble, mode, seed)
    for move, when in log:
        kept = MOVES.validate_json(MOVES.dump_json(move))
        replayed = State.model_validate_json(wibble.apply(replayed, 0, kept, when).model_dump_json())
    assert replayed == state, "the log does not lead to the state"


def check_invariants(game: Wibble, before: State, after: State) -> None:
    mode = modes()[after.options.mode]
    assert after.ply == before.ply + 1
    assert after.phase is not Phase.CLEANUP, "a clean-up runs to its end"
    assert bool(after.chain) == (after.phase is Phase.CHAINING)
    assert after.scores[0] == sum(turn.points for turn in after.turns)
    if mode.gems:
        assert 0 <= after.gems[0] <= mode.gems.most
    if mode.once_per_word:
        assert len({turn.word for turn in after.turns}) == len(after.turns)
    if after.board is not None:
        assert re.fullmatch("[a-z]{25}", after.board.letters)
        assert len(after.board.gems) == (mode.gems.on_board if mode.gems else 0)
    for turn in after.turns:
        assert turn.word in game.lexicon
    seen = game.view(after, 0).model_dump_json()
    assert '"seed"' not in seen
    assert game.view(after, None).hint is None
    assert (game.outcome(after) is not None) == (after.phase is Phase.FINISHED)


@settings(max_examples=40)
@given(
    words=st.sets(st.text("abc", min_size=2, max_size=4), min_size=1, max_size=5), seed=st.text(max_size=5)
)
def test_even_a_lexicon_that_can_never_fill_a_board_can_be_played(words: set[str], seed: str) -> None:
    game = Wibble(Lexicon.from_words(words, "poor"))
    state = game.apply(fresh(game, "classic", seed), 0, Start(), AT)
    assert state.phase is Phase.IDLE
    assert game.apply(state, 0, Shuffle(), AT).phase is Phase.IDLE
