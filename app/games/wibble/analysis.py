"""Analysis of a finished game of Wibble: each turn compared with the best word."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from app.games.game import Frozen, GameAnalysis, Measure, SeatAnalysis
from app.games.wibble.modes import ModeRules
from app.games.wibble.scoring import Scoring
from app.games.wibble.solver import FoundWord, Solver
from app.games.wibble.state import Board, State, TileView, Turn
from app.games.wibble.views import tile_views
from app.words.lexicon import Lexicon
from app.words.vocabulary import Level, allowed_words, level_of

WORTH_KNOWING: Level = "highbrow"
"""The rarest level of words worth suggesting."""
MISSED_WORDS = 12
"""The number of missed words listed."""
ACCURACY: Final = Measure(
    title="Accuracy",
    phrase="accuracy",
    definition="Accuracy is the points played as a share of the points of the best word on each board, "
    "over all turns without a hint.",
)


class BestWord(Frozen):
    """A word that was on the board."""

    word: str
    cells: tuple[int, ...]
    points: int
    swaps: tuple[tuple[int, str], ...] = ()
    """The tiles to be swapped first: (cell, letter)."""


class TurnAnalysis(Frozen):
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
    """The best word with one swap, if the player could afford it and it is better than ``best``."""
    share: float
    """Points as a share of the best points, 0 to 1."""
    size: int
    tiles: tuple[TileView, ...]
    """The board before the turn."""


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

    A seat's accuracy is 100 * the points it played / the best possible points, over its turns without a hint;
    None in a timed mode, where there is no time to find every best word.
    """

    turns: tuple[TurnAnalysis, ...]
    missed: tuple[MissedWord, ...]


def analyse(
    states: tuple[State, ...], lexicon: Lexicon, solver: Solver, scoring: Scoring, mode: ModeRules
) -> Analysis:
    """Compare every turn in ``states``, all states of a game in order, with the solver's best word.

    Suggested words contain no profanity; if the player's own word is better than all suggestions, it is the
    best.
    """
    allowed, worth_knowing = allowed_words(lexicon), allowed_words(lexicon, WORTH_KNOWING)
    turns: list[TurnAnalysis] = []
    missed: dict[str, tuple[int, FoundWord]] = {}
    for number, (before, board, turn) in enumerate(_turns(states), start=1):
        size = before.options.size
        already = {earlier.word for earlier in before.turns} if mode.once_per_word else set()
        found = solver.words(board, size, scoring, allowed=allowed)
        best = next((word for word in found if word.word not in already), None)
        with_swap = None
        if _affords_swap(before, mode):
            with_swap = solver.best(board, size, scoring, swaps=1, allowed=allowed)
        turns.append(_compared(number, before, turn, best, with_swap, tile_views(board, scoring)))
        for word in solver.words(board, size, scoring, allowed=worth_knowing):
            known = missed.get(word.word)
            if known is None or known[1].points < word.points:
                missed[word.word] = (number, word)
    for turn in states[-1].turns:
        missed.pop(turn.word, None)
    worthiest = sorted(missed.values(), key=lambda entry: (-entry[1].points, entry[1].word))[:MISSED_WORDS]
    return Analysis(
        seats=tuple(
            _seat_analysis([turn for turn in turns if turn.seat == seat], timed=mode.seconds is not None)
            for seat in range(len(states[-1].scores))
        ),
        turns=tuple(turns),
        missed=tuple(
            MissedWord(
                word=word.word,
                points=word.points,
                cells=word.cells,
                turn=number,
                level=level_of(lexicon, word.word),
            )
            for number, word in worthiest
        ),
    )


def _seat_analysis(turns: list[TurnAnalysis], *, timed: bool) -> SeatAnalysis:
    unaided = [turn for turn in turns if not turn.hinted]
    best_points = sum(turn.best.points for turn in unaided)
    top = max(turns, key=lambda turn: turn.points, default=None)
    return SeatAnalysis(
        accuracy=None
        if timed or not best_points
        else 100 * sum(turn.points for turn in unaided) / best_points,
        score=sum(turn.points for turn in turns),
        best_score=sum(turn.best.points for turn in turns),
        best_word=top.word if top else "",
        best_points=top.points if top else 0,
    )


def _turns(states: tuple[State, ...]) -> Iterator[tuple[State, Board, Turn]]:
    """Yield each turn with the state and the board before it."""
    for before, after in pairwise(states):
        if len(after.turns) > len(before.turns) and before.board is not None:
            yield before, before.board, after.turns[-1]


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


def _affords_swap(state: State, mode: ModeRules) -> bool:
    cost = mode.costs.get("swap")
    return cost is not None and state.gems[state.to_move] >= cost


def _best_word(found: FoundWord) -> BestWord:
    return BestWord(word=found.word, cells=found.cells, points=found.points, swaps=found.swaps)
