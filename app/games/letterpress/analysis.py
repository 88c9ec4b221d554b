"""Analysis of a finished game of Letterpress: each turn compared with the best move."""

from dataclasses import replace
from itertools import pairwise
from typing import Final

from app.games.game import Frozen, GameAnalysis, Measure, SeatAnalysis
from app.games.letterpress.bot import position_of
from app.games.letterpress.endings import Outcome
from app.games.letterpress.solver import Advice, Position, ProvenEnding, Solver
from app.games.letterpress.state import State, Turn
from app.games.letterpress.territory import Territory, mask_of
from app.games.performance import performance
from app.games.verdict import JudgedTurn, key_moments, mistake_index, threshold, verdict_of
from app.words.vocabulary import suggested_words

MOST: Final = 100
"""Limit of values in the analysis; wins and losses count as this."""
HALVED_BY: Final = 12
"""Accuracy is halved for each loss of this much value."""
PROOF: Final = 3_000
"""Positions searched to prove the outcome before and after a turn: a fraction of a second each."""
_ORDER: Final[tuple[Outcome, ...]] = ("loss", "draw", "win")
_TURNED: Final[dict[Outcome, Outcome]] = {"win": "loss", "draw": "draw", "loss": "win"}
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
    proven: Outcome | None = None
    """A win or draw that was proven before the turn, with words that may be suggested; else None.

    A turn that gave it away is at least a mistake, and a win turned into a loss a blunder."""
    proven_after: Outcome | None = None
    """The proven outcome after the turn, for its seat; None if unproven."""


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
            turn = after.turns[-1]
            played = solver.judge(position, turn.word, mask_of(turn.cells))
            ending = solver.prove(position, allowed=allowed, stop=_enough)
            if ending and ending.outcome != "loss" and not best.wins:
                best = ending.move
            kept = _outcome_after(after, solver)
            if kept == "win" and not played.wins:
                played = replace(played, value=MOST)
            compared = _compared(len(turns) + 1, before, turn, position, played, best)
            turns.append(_with_proof(compared, ending, kept))
    return Analysis(
        seats=tuple(_seat_analysis([turn for turn in turns if turn.seat == seat]) for seat in (0, 1)),
        key_moments=key_moments(turns),
        turns=tuple(turns),
    )


def _enough(positions: int) -> bool:
    return positions > PROOF


def _outcome_after(state: State, solver: Solver) -> Outcome | None:
    """Return the proven outcome for the seat that has just moved."""
    if state.reason is None:
        ending = solver.prove(position_of(state), stop=_enough)
        return _TURNED[ending.outcome] if ending else None
    seat = state.turns[-1].seat
    ours, theirs = state.owned[seat].bit_count(), state.owned[1 - seat].bit_count()
    return "win" if ours > theirs else "loss" if ours < theirs else "draw"


def _with_proof(turn: TurnAnalysis, ending: ProvenEnding | None, after: Outcome | None) -> TurnAnalysis:
    """Return the turn with proven outcomes; one that gave away a win or a draw is at least a mistake."""
    before = ending.outcome if ending and ending.outcome != "loss" else None
    if after == "win":
        before = "win"
    given_away = _ORDER.index(before) - _ORDER.index(after) if before and after else 0
    loss = turn.loss or 0.0
    if given_away > 0:
        loss = max(loss, threshold("accuracy", "blunder" if given_away > 1 else "mistake"))
    verdict = verdict_of(loss, "accuracy")
    return turn.model_copy(update={"proven": before, "proven_after": after, "loss": loss, "verdict": verdict})


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
    accuracy = 100 * sum(_accuracy(turn.lost) for turn in turns) / len(turns) if turns else None
    top = max((turn for turn in turns if turn.word), key=lambda turn: turn.gained, default=None)
    return SeatAnalysis(
        accuracy=accuracy,
        performance=performance("letterpress", accuracy),
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
