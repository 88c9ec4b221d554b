"""Analysis of a finished game of Letterpress: each turn compared with the best move."""

from itertools import pairwise
from typing import Final

from app.games.game import Frozen, GameAnalysis, Measure, SeatAnalysis
from app.games.letterpress.bot import position_of
from app.games.letterpress.solver import Advice, Position, Solver
from app.games.letterpress.state import State, Turn
from app.games.letterpress.territory import Territory, mask_of
from app.games.verdict import JudgedTurn, key_moments, mistake_index, verdict_of
from app.words.vocabulary import suggested_words

MOST: Final = 100
"""Limit of values in the analysis; wins and losses count as this."""
HALVED_BY: Final = 12
"""Accuracy is halved for each loss of this much value."""
ACCURACY: Final = Measure(
    title="Accuracy",
    phrase="accuracy",
    definition=f"Each turn has 100%, halved for every {HALVED_BY} it lost; accuracy is the mean. "
    "Lost is how much more the best word was worth.",
)


class BestMove(Frozen):
    """The solver's move; the word is empty for a pass."""

    word: str
    cells: tuple[int, ...]
    value: int
    gained: int
    owned: tuple[int, int]
    """Per seat: its tiles after the move, as a mask."""


class TurnAnalysis(JudgedTurn):
    """A turn compared with the best move in that position; values are after the best reply."""

    number: int
    ply: int
    """The ply of the position before the turn."""
    seat: int
    word: str
    cells: tuple[int, ...]
    value: int
    gained: int
    owned: tuple[int, int]
    """Per seat: its tiles after the turn, as a mask."""
    best: BestMove
    """The turn itself if nothing was better."""
    lost: int
    """The best value minus that of the turn."""


class Analysis(GameAnalysis):
    """A game compared with the best play.

    A seat's accuracy is the mean of 100 * 2^(-lost / 12) over its turns. Scores are sums of tiles gained.
    """

    turns: tuple[TurnAnalysis, ...]


def analyse(states: tuple[State, ...], solver: Solver) -> Analysis:
    """Compare every turn in ``states``, all states of a game in order, with the best move at two plies.

    Suggested moves contain no profanity and no names; if the player's
    own move is better than all suggestions, it is the best.
    """
    allowed = suggested_words(solver.lexicon)
    turns: list[TurnAnalysis] = []
    for before, after in pairwise(states):
        if len(after.turns) > len(before.turns):
            position = position_of(before)
            best = solver.solve(position, top=1, allowed=allowed).moves[0]
            played = solver.judge(position, after.turns[-1].word, mask_of(after.turns[-1].cells))
            turns.append(_compared(len(turns) + 1, before, after.turns[-1], position, played, best))
    return Analysis(
        seats=tuple(_seat_analysis([turn for turn in turns if turn.seat == seat]) for seat in (0, 1)),
        key_moments=key_moments(turns),
        turns=tuple(turns),
    )


def _compared(
    number: int, before: State, turn: Turn, position: Position, played: Advice, best: Advice
) -> TurnAnalysis:
    value = _bounded(played.value)
    owned = _owned(turn.seat, position.territory.after(mask_of(turn.cells)))
    offered = BestMove(word=turn.word, cells=turn.cells, value=value, gained=turn.gained, owned=owned)
    if _bounded(best.value) > value:
        offered = BestMove(
            word=best.word,
            cells=best.cells(position.board),
            value=_bounded(best.value),
            gained=_gained(position.territory, best),
            owned=_owned(turn.seat, best.territory),
        )
    lost = offered.value - value
    loss = 1 - _accuracy(lost)
    return TurnAnalysis(
        loss=loss,
        verdict=verdict_of(loss, "accuracy"),
        number=number,
        ply=before.ply,
        seat=turn.seat,
        word=turn.word,
        cells=turn.cells,
        value=value,
        gained=turn.gained,
        owned=owned,
        best=offered,
        lost=lost,
    )


def _accuracy(lost: int) -> float:
    """Return the accuracy of a turn that lost this value, 0 to 1."""
    return float(2 ** (-lost / HALVED_BY))


def _seat_analysis(turns: list[TurnAnalysis]) -> SeatAnalysis:
    top = max((turn for turn in turns if turn.word), key=lambda turn: turn.gained, default=None)
    return SeatAnalysis(
        accuracy=100 * sum(_accuracy(turn.lost) for turn in turns) / len(turns) if turns else None,
        score=sum(turn.gained for turn in turns),
        best_score=sum(turn.best.gained for turn in turns),
        best_word=top.word if top else "",
        best_points=top.gained if top else 0,
        mistake_index=mistake_index(turns),
    )


def _owned(seat: int, territory: Territory) -> tuple[int, int]:
    sides = (territory.ours, territory.theirs)
    return sides if seat == 0 else sides[::-1]


def _gained(territory: Territory, move: Advice) -> int:
    return move.territory.lead - territory.lead


def _bounded(value: int) -> int:
    return max(-MOST, min(MOST, value))
