"""A finished game of Wibble, turn by turn against the best word there was."""

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
"""The rarest level of words that a player may be glad to have met."""
MISSED_WORDS = 12
"""How many missed words an analysis names."""
ACCURACY: Final = Measure(
    title="Accuracy",
    phrase="accuracy",
    definition="Accuracy is the points played as a share of the points of the best word on each board, "
    "over all turns without a hint.",
)


class BestWord(Frozen):
    """A word the board offered."""

    word: str
    cells: tuple[int, ...]
    points: int
    swaps: tuple[tuple[int, str], ...] = ()
    """The tiles to be given another letter first: (cell, letter)."""


class TurnAnalysis(Frozen):
    """One turn beside the best there was on that board."""

    number: int
    ply: int
    """Of the position the word was played on."""
    seat: int
    word: str
    """Empty where the turn was passed."""
    cells: tuple[int, ...]
    points: int
    hinted: bool
    best: BestWord
    """The played word itself where nothing was better."""
    lost: int
    """Points of the best word less the points played."""
    with_swap: BestWord | None
    """The best with one swap, where the player held the gems for it and it beats ``best``."""
    share: float
    """Points over the best points, 0 to 1."""
    size: int
    tiles: tuple[TileView, ...]
    """The board the word was played on."""


class MissedWord(Frozen):
    """A word worth knowing that lay on the board and was never played."""

    word: str
    points: int
    cells: tuple[int, ...]
    turn: int
    """The number of the turn whose board had it, at its highest price."""
    level: Level


class Analysis(GameAnalysis):
    """A whole game against the best there was.

    A seat's accuracy is 100 x the points it played / the best points there were, over its turns without a
    hint; in a mode with a clock there is none, as nobody has time to find the best word of every board.
    """

    turns: tuple[TurnAnalysis, ...]
    missed: tuple[MissedWord, ...]


def analyse(
    states: tuple[State, ...], lexicon: Lexicon, solver: Solver, scoring: Scoring, mode: ModeRules
) -> Analysis:
    """Compare every turn in ``states``, all the states of a game in order, with what the solver finds.

    The machine names no word unfit to be shown; where the player's own word beats all it may name, that is
    the best.
    """
    fit, worth_knowing = allowed_words(lexicon), allowed_words(lexicon, WORTH_KNOWING)
    turns: list[TurnAnalysis] = []
    missed: dict[str, tuple[int, FoundWord]] = {}
    for number, (before, board, turn) in enumerate(_turns(states), start=1):
        size = before.options.size
        already = {earlier.word for earlier in before.turns} if mode.once_per_word else set()
        found = solver.words(board, size, scoring, allowed=fit)
        best = next((word for word in found if word.word not in already), None)
        with_swap = None
        if _affords_swap(before, mode):
            with_swap = solver.best(board, size, scoring, swaps=1, allowed=fit)
        turns.append(_compared(number, before, turn, best, with_swap, tile_views(board, scoring)))
        for word in solver.words(board, size, scoring, allowed=worth_knowing):
            known = missed.get(word.word)
            if known is None or known[1].points < word.points:
                missed[word.word] = (number, word)
    for turn in states[-1].turns:
        missed.pop(turn.word, None)
    worthiest = sorted(missed.values(), key=lambda one: (-one[1].points, one[1].word))[:MISSED_WORDS]
    return Analysis(
        seats=tuple(
            _of_seat([turn for turn in turns if turn.seat == seat], timed=mode.seconds is not None)
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


def _of_seat(turns: list[TurnAnalysis], *, timed: bool) -> SeatAnalysis:
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
    """Each scored word with the state, and its board, that it was played on."""
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
