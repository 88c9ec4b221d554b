"""Analysis of a finished game of Wibble: each turn compared with the best word."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.games.game import Frozen, GameAnalysis, Measure, SeatAnalysis
from app.games.performance import performance
from app.games.verdict import JudgedTurn, key_moments, mistake_index, verdict_of
from app.games.wibble import adventure
from app.games.wibble.modes import ModeRules
from app.games.wibble.planning import (
    Position,
    affordable_swaps,
    gem_table,
    plan,
    plans_ahead,
    points_later,
)
from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import FoundWord, Solver
from app.games.wibble.state import Board, State, Turn
from app.games.wibble.teams import active_seats
from app.games.wibble.views import TileView, tile_views
from app.grammar import round_half_up
from app.words.lexicon import Lexicon
from app.words.vocabulary import Level, is_common, level_of, suggested_words

WORTH_KNOWING: Level = "highbrow"
"""The rarest level of words worth suggesting."""
MISSED_WORDS = 12
"""The number of missed words listed."""
ACCURACY: Final = Measure(
    title="Accuracy",
    phrase="accuracy",
    definition="The points played, as a share of these and the points lost to the best play of each turn, "
    "over all turns without a hint. With gems, the best play may be to shuffle, to swap tiles or to save "
    "gems; a turn loses what that is expected to score more by the end.",
)


class BestWord(Frozen):
    """A word that was on the board."""

    word: str
    cells: tuple[int, ...]
    points: int
    swaps: tuple[tuple[int, str], ...] = ()
    """The tiles to be swapped first: (cell, letter)."""


class TurnPlan(Frozen):
    """The best plan at the start of a turn, or after its last shuffle or hint."""

    shuffle: bool
    """Whether to shuffle rather than play ``word``."""
    word: BestWord | None
    """The word to play, with its swaps, counting the gems it collects and spends."""
    expected: float
    """The final score expected with the plan, and after it with the best plans. In whole points, like the
    solver's, except in older analyses."""
    expected_as_played: float
    """The final score expected after the turn as it was played."""

    @property
    def lost(self) -> int:
        """The expected points, each rounded as it is shown, that the turn lost to the plan; 0 or more."""
        return max(0, round_half_up(self.expected) - round_half_up(self.expected_as_played))


class TurnAnalysis(JudgedTurn):
    """A turn compared with the best word on its board."""

    number: int
    ply: int
    """The ply of the position before the turn."""
    seat: int
    word: str
    """Empty if the turn was passed."""
    cells: tuple[int, ...]
    points: int
    hinted: bool
    best: BestWord
    """The played word itself if nothing was better."""
    lost: int
    """Points of the best word minus the points played."""
    with_swap: BestWord | None
    """The best word with as many swaps as the player could afford, if it is better than ``best``."""
    share: float
    """Points as a share of the best points, 0 to 1."""
    size: int
    tiles: tuple[TileView, ...]
    """The board before the turn."""
    plan: TurnPlan | None = None
    """None in modes without gems, and in analyses stored before there were plans."""
    common: bool | None = None
    """Whether the word played is a common one; others are bonus words. None if the turn was passed, and in
    older analyses."""
    common_words: int | None = None
    """The number of common words on the board; None in older analyses."""
    bonus_words: int | None = None
    """The number of other words on the board that may be suggested; None in older analyses."""

    @property
    def points_lost(self) -> int:
        """The points lost to the plan or, without one, to the best word."""
        return self.plan.lost if self.plan else self.lost


class MissedWord(Frozen):
    """A word worth knowing that was on the board but never played."""

    word: str
    points: int
    cells: tuple[int, ...]
    turn: int
    """The turn on whose board it scored most."""
    level: Level


class Analysis(GameAnalysis):
    """A game compared with the best play.

    A seat's accuracy is 100 * the points it played / (those + the points it lost), over its turns without a
    hint; None in Adventure and in a timed mode, where there is no time to find every best word. A turn loses
    points to the best word or, with gems, expected points to the best plan.
    """

    turns: tuple[TurnAnalysis, ...]
    missed: tuple[MissedWord, ...]


def analyse(
    states: tuple[State, ...], lexicon: Lexicon, solver: Solver, scoring: Scoring, mode: ModeRules
) -> Analysis:
    """Compare every turn in ``states``, all states of a game in order, with the solver's best word.

    Suggested words contain no profanity and no names; if the player's
    own word is better than all suggestions, it is the best.
    """
    analyst = _TurnAnalyst(lexicon, solver, scoring, mode)
    measured = mode.seconds is None and states[-1].options.level is None
    turns: list[TurnAnalysis] = []
    missed: dict[str, tuple[int, FoundWord]] = {}
    for number, (first, before, after, turn) in enumerate(planned_turns(states), start=1):
        analysed = analyst.analyse(number, first, before, after, turn)
        turns.append(_judged(analysed) if measured and not turn.hinted else analysed)
        for word in analyst.words_worth_knowing(before):
            known = missed.get(word.word)
            if known is None or known[1].points < word.points:
                missed[word.word] = (number, word)
    for turn in states[-1].turns:
        missed.pop(turn.word, None)
    return Analysis(
        seats=tuple(
            _seat_analysis([turn for turn in turns if turn.seat == seat], measured=measured)
            for seat in range(len(states[-1].scores))
        ),
        key_moments=key_moments(turns),
        turns=tuple(turns),
        missed=_missed_words(missed.values(), lexicon),
    )


class _TurnAnalyst:
    """Compares the turns of a game with the best words."""

    def __init__(self, lexicon: Lexicon, solver: Solver, scoring: Scoring, mode: ModeRules) -> None:
        self._lexicon = lexicon
        self._solver = solver
        self._scoring = scoring
        self._mode = mode
        self._allowed = suggested_words(lexicon)
        self._worth_knowing = suggested_words(lexicon, WORTH_KNOWING)
        self._well_known = suggested_words(lexicon, "common")

    def analyse(self, number: int, first: State, before: State, after: State, turn: Turn) -> TurnAnalysis:
        """The analysis of a turn as yielded by ``planned_turns``."""
        found = self._words(before, self._allowed)
        repeated = {earlier.word for earlier in before.turns} if self._mode.once_per_word else set()
        best = next((word for word in found if word.word not in repeated), None)
        tiles = tile_views(_board(before), self._scoring, adventure.obstacles_of(before))
        common = len(self._words(before, self._well_known))
        facts: dict[str, object] = {
            "common": is_common(self._lexicon, self._lexicon.index(turn.word)) if turn.word else None,
            "common_words": common,
            "bonus_words": len(found) - common,
        }
        if plans_ahead(self._mode):
            facts["plan"] = self._plan(first, after, turn)
        compared = _compared(number, before, turn, best, self._best_with_swap(before, turn.seat), tiles)
        return compared.model_copy(update=facts)

    def words_worth_knowing(self, state: State) -> list[FoundWord]:
        """The words on the board that are worth suggesting."""
        return self._words(state, self._worth_knowing)

    def _words(self, state: State, allowed: NDArray[np.uint8]) -> list[FoundWord]:
        board = adventure.open_board(state)
        return self._solver.words(board, state.options.size, self._scoring, allowed=allowed)

    def _best_with_swap(self, state: State, seat: int) -> FoundWord | None:
        """The best word with as many swaps as the seat can pay for; None without any."""
        if state.adventure is not None or not (swaps := affordable_swaps(self._mode, state.gems[seat])):
            return None
        return self._solver.best(_board(state), state.options.size, self._scoring, swaps, self._allowed)

    def _plan(self, first: State, after: State, turn: Turn) -> TurnPlan:
        """The best plan in ``first``, compared with the state after the turn."""
        position = Position(_board(first), first.options.size, first.round, first.gems[turn.seat])
        table = gem_table(len(active_seats(first)))
        planned = plan(position, self._solver, self._scoring, self._mode, table, self._allowed)
        score = first.scores[turn.seat]
        later = points_later(self._mode, table, turn.round, after.gems[turn.seat])
        sure = score + (planned.word.points if planned.word and not planned.shuffle else 0)
        return TurnPlan(
            shuffle=planned.shuffle,
            word=_best_word(planned.word) if planned.word else None,
            expected=sure + round_half_up(score + planned.expected - sure),
            expected_as_played=after.scores[turn.seat] + round_half_up(later),
        )


def _missed_words(found: Iterable[tuple[int, FoundWord]], lexicon: Lexicon) -> tuple[MissedWord, ...]:
    """The best of these words, given with their turns."""
    best = sorted(found, key=lambda entry: (-entry[1].points, entry[1].word))[:MISSED_WORDS]
    return tuple(
        MissedWord(
            word=word.word,
            points=word.points,
            cells=word.cells,
            turn=number,
            level=level_of(lexicon, word.word),
        )
        for number, word in best
    )


def _judged(turn: TurnAnalysis) -> TurnAnalysis:
    """The turn with its verdict. The loss is the points lost, as a share of points made plus points lost."""
    lost = turn.points_lost
    loss = lost / (turn.points + lost) if lost else 0.0
    return turn.model_copy(update={"loss": loss, "verdict": verdict_of(loss, "share")})


def _seat_analysis(turns: list[TurnAnalysis], *, measured: bool) -> SeatAnalysis:
    played, lost = counted_points(turns)
    accuracy = 100 * played / (played + lost) if measured and played + lost else None
    top = max(turns, key=lambda turn: turn.points, default=None)
    return SeatAnalysis(
        accuracy=accuracy,
        performance=performance("wibble", accuracy),
        score=sum(turn.points for turn in turns),
        best_score=sum(turn.points + turn.points_lost for turn in turns),
        best_word=top.word if top else "",
        best_points=top.points if top else 0,
        mistake_index=mistake_index(turns),
    )


def counted_points(turns: Iterable[TurnAnalysis]) -> tuple[int, int]:
    """Return the points played and lost in the turns that accuracy counts: those without a hint."""
    unaided = [turn for turn in turns if not turn.hinted]
    return sum(turn.points for turn in unaided), sum(turn.points_lost for turn in unaided)


def planned_turns(states: Sequence[State]) -> Iterator[tuple[State, State, State, Turn]]:
    """Yield each turn with the state from which it was planned, the one before it and the one after.

    A turn is planned from its start, and again after a shuffle or a hint. It also starts when the previous
    player leaves, as leaving is not a turn.
    """
    first = states[0]
    for before, after in pairwise(states):
        if len(after.turns) > len(before.turns) and before.board is not None:
            yield first, before, after, after.turns[-1]
            first = after
        elif (
            before.board is None
            or after.to_move != before.to_move
            or (after.report and after.report.result in ("shuffled", "hinted"))
        ):
            first = after


def _board(state: State) -> Board:
    if state.board is None:
        raise ValueError("the game has not started")
    return state.board


def _compared(
    number: int,
    before: State,
    turn: Turn,
    best: FoundWord | None,
    with_swap: FoundWord | None,
    tiles: tuple[TileView, ...],
) -> TurnAnalysis:
    offered = BestWord(word=turn.word, cells=turn.cells, points=turn.points)
    if best is not None and best.points > turn.points:
        offered = _best_word(best)
    return TurnAnalysis(
        number=number,
        ply=before.ply,
        seat=turn.seat,
        word=turn.word,
        cells=turn.cells,
        points=turn.points,
        hinted=turn.hinted,
        best=offered,
        lost=offered.points - turn.points,
        with_swap=_best_word(with_swap) if with_swap and with_swap.points > offered.points else None,
        share=turn.points / offered.points if offered.points else 1.0,
        size=before.options.size,
        tiles=tiles,
    )


def _best_word(found: FoundWord) -> BestWord:
    return BestWord(word=found.word, cells=found.cells, points=found.points, swaps=found.swaps)
