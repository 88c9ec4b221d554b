"""The bots: legal moves, vocabulary and strength."""

from collections.abc import Sequence
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.game import LexiconRef
from app.games.wibble.bot import Bot, bots, choose, known_words, pause
from app.games.wibble.moves import Chain, Move, Pass, Shuffle, Swap
from app.games.wibble.options import Options
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Board, State
from app.words.lexicon import Lexicon
from app.words.vocabulary import suggested_words
from tests.examples import examples
from tests.games.wibble.positions import started, started_versus

LEVELS = range(1, len(bots()) + 1)
PERFECT = LEVELS[-1]


def played_out(game: Wibble, seed: str, levels: Sequence[int]) -> State:
    """The end of a game between bots."""
    state = started_versus(game, seed, len(levels))
    while (seat := game.to_move(state)) is not None:
        state = game.apply(state, seat, game.bot(state, seat, levels[seat]).move, 0.0)
    return state


def spelt(state: State, move: Move) -> str:
    assert isinstance(move, Chain)
    assert state.board is not None
    return "".join(state.board.letters[cell] for cell in move.cells)


@examples(40)
@given(
    letters=st.text("abcdefghijklmnopqrstuvwxyz", min_size=25, max_size=25),
    gems=st.integers(0, 10),
    seed=st.uuids().map(str),
    level=st.sampled_from(LEVELS),
    seat=st.integers(0, 1),
)
def test_every_level_makes_a_legal_move_and_always_the_same(
    wibble: Wibble, letters: str, gems: int, seed: str, level: int, seat: int
) -> None:
    state = started_versus(wibble, seed).model_copy(
        update={"board": Board(letters=letters), "gems": (gems, gems), "to_move": seat}
    )
    thought = wibble.bot(state, seat, level)
    assert wibble.bot(state, seat, level) == thought
    assert 1 <= thought.seconds <= 15
    after = wibble.apply(state, seat, thought.move, 0.0)
    if isinstance(thought.move, Chain):
        word = spelt(state, thought.move)
        index = wibble.lexicon.index(word)
        assert index is not None
        assert wibble.lexicon.family[index]
        assert after.turns[-1].word == word


@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_plays_no_profanity(wibble: Wibble, level: int) -> None:
    state = started_versus(wibble, "polite")
    kept = [index for index, fit in enumerate(wibble.lexicon.family) if not fit]
    assert kept
    known = known_words(bots()[level - 1], wibble.lexicon, state.seed, seat=0)
    assert not known[kept].any()


def test_the_weakest_bot_plays_common_words(wibble: Wibble) -> None:
    words = [turn.word for number in range(10) for turn in played_out(wibble, f"weak {number}", (1, 1)).turns]
    ranks = sorted(int(wibble.lexicon.ranks[wibble.lexicon.index(word) or 0]) for word in words if word)
    assert len(ranks) >= 90
    assert ranks[len(ranks) // 2] < 2_000
    assert ranks[len(ranks) * 19 // 20] < 6_000


def test_each_level_knows_more_than_the_one_below(wibble: Wibble) -> None:
    known = [int(known_words(bot, wibble.lexicon, "seed", seat=0).sum()) for bot in bots()]
    assert known == sorted(known)
    assert known[0] < 4_000
    assert known[-1] == int(suggested_words(wibble.lexicon).sum())


def test_the_same_bot_knows_other_words_on_another_seat_or_day(wibble: Wibble) -> None:
    pip = bots()[0]
    one, other_seat, other_seed = (
        known_words(pip, wibble.lexicon, seed, seat) for seed, seat in (("s", 0), ("s", 1), ("t", 0))
    )
    assert (one != other_seat).any()
    assert (one != other_seed).any()


def test_each_level_scores_more_than_the_one_below(wibble: Wibble) -> None:
    averages = [
        mean(score for number in range(8) for score in played_out(wibble, f"{number}", (level, level)).scores)
        for level in LEVELS
    ]
    assert averages == sorted(averages)


def test_the_strongest_spends_its_gems_on_the_last_word(wibble: Wibble) -> None:
    for number in range(5):
        state = started_versus(wibble, f"perfect {number}").model_copy(
            update={"round": 5, "gems": (9, 0), "scores": (0, 0)}
        )
        scoring, fit = wibble.scoring(state.options), suggested_words(wibble.lexicon)
        shuffles = 0
        while state.to_move == 0:
            before, move = state, wibble.bot(state, 0, PERFECT).move
            shuffles += isinstance(move, Shuffle)
            state = wibble.apply(state, 0, move, 0.0)
            if isinstance(move, Swap) and (before.report is None or before.report.result != "swapped"):
                assert before.board is not None
                best = wibble.solver.best(before.board, 5, scoring, before.gems[0] // 3, fit)
        assert best is not None
        assert state.scores[0] == best.points
        assert shuffles < 9


def test_the_strongest_plans_to_score_more_than_greedy_play(wibble: Wibble) -> None:
    def score(bot: Bot, seed: str) -> int:
        state = started(wibble, "classic", seed)
        while (seat := wibble.to_move(state)) is not None:
            scoring = wibble.scoring(state.options)
            move = choose(state, seat, bot, wibble.lexicon, wibble.solver, scoring)
            state = wibble.apply(state, seat, move, 0.0)
        return state.scores[0]

    before = Bot(name="Before", knows=0, reaches=1.0, swaps=1.0)
    seeds = [f"planned {number}" for number in range(16)]
    assert mean(score(bots()[-1], seed) for seed in seeds) > mean(score(before, seed) for seed in seeds) + 15


def test_a_bot_that_swapped_for_a_word_plays_it(wibble: Wibble) -> None:
    swapper = Bot(name="Swapper", knows=30_000, reaches=0.3, swaps=1.0)
    swaps = 0
    for number in range(20):
        state = started_versus(wibble, f"swap {number}")
        scoring = wibble.scoring(state.options)
        move = choose(state, 0, swapper, wibble.lexicon, wibble.solver, scoring)
        if isinstance(move, Swap):
            swaps += 1
            state = wibble.apply(state, 0, move, 0.0)
            assert state.board is not None
            known = known_words(swapper, wibble.lexicon, state.seed, seat=0)
            best = wibble.solver.best(state.board, state.options.size, scoring, allowed=known)
            move = choose(state, 0, swapper, wibble.lexicon, wibble.solver, scoring)
            assert best is not None
            assert wibble.apply(state, 0, move, 0.0).scores[0] == best.points
    assert swaps >= 5


@pytest.fixture(scope="module")
def unranked_words() -> Wibble:
    """The rules with words that are in no frequency list."""
    return Wibble(Lexicon.from_words(["qat", "xyst", "cwm"], "unheard"))


def test_a_bot_that_finds_nothing_shuffles_then_passes(unranked_words: Wibble) -> None:
    hopeless = bots()[0].model_copy(update={"swaps": 0.0, "plans": 0.0})
    state = started_versus(unranked_words, "nothing")
    scoring = unranked_words.scoring(state.options)
    made: list[Move] = []
    while state.to_move == 0:
        made.append(choose(state, 0, hopeless, unranked_words.lexicon, unranked_words.solver, scoring))
        state = unranked_words.apply(state, 0, made[-1], 0.0)
    assert made == [Shuffle(), Shuffle(), Shuffle(), Pass()]


def test_in_a_list_without_frequencies_the_weak_know_less_all_the_same(lexicon: Lexicon) -> None:
    foreign = Lexicon.from_words(list(lexicon)[::3], "foreign")
    known = [int(known_words(bot, foreign, "seed", 0).sum()) for bot in bots()]
    assert known == sorted(known)
    for bot, count in zip(bots()[:3], known, strict=False):
        assert count == pytest.approx(bot.knows, rel=0.1)
    assert known[-1] == len(foreign)


def test_a_longer_word_takes_longer(wibble: Wibble) -> None:
    state = started_versus(wibble, "pause")
    assert pause(state, Chain(cells=tuple(range(10))), 3) > pause(state, Chain(cells=(0, 1)), 3)


def test_bots_do_not_move_before_the_start(wibble: Wibble) -> None:
    title = wibble.start(Options(mode="versus", lexicon=LexiconRef.of(wibble.lexicon)), 2, "seed")
    with pytest.raises(ValueError, match="not started"):
        wibble.bot(title, 0, 1)
