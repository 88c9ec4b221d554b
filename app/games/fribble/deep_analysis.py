"""Deeper analysis of a finished game of Fribble: each turn is simulated, endgames are searched.

Turn by turn it replaces the first analysis, which is based on equity alone.
"""

from collections.abc import Callable
from random import Random
from typing import Final

from app.games.fribble.adviser import Adviser, outlook_of
from app.games.fribble.analysis import (
    LISTED,
    Analysis,
    TurnAnalysis,
    analysis_of,
    best_exchange,
    best_move,
    leave_number,
    played_on,
    shown_words,
)
from app.games.fribble.movegen import Rack, number_of
from app.games.fribble.selfplay import NO_MOVE, Choice
from app.games.fribble.simulate import LookAhead
from app.games.fribble.state import State, Turn
from app.games.verdict import verdict_of
from app.words.lexicon import Lexicon

SAMPLES: Final = 300
"""Simulated games per turn: with the time limit they need about a second of one core."""
POSITIONS: Final = 1_000_000
"""Most positions searched for one turn of an endgame."""


def deepen(
    states: tuple[State, ...],
    analysis: Analysis,
    lexicon: Lexicon,
    adviser: Adviser,
    late: Callable[[], bool],
    samples: int = SAMPLES,
) -> Analysis:
    """Return the analysis with one more turn simulated: the first that has not been.

    ``late`` returns whether the time for this turn is up; ``samples`` is the most games simulated for it.
    Returns the same analysis if no turn is left.
    """
    left = (
        index
        for index, turn in enumerate(analysis.turns)
        if turn.verdict is not None and turn.played_on is None
    )
    index = next(left, None) if analysis.searched < analysis.to_search else None
    if index is None:
        return analysis
    turns = list(analysis.turns)
    before = next(state for state in states if state.ply == turns[index].ply)
    turns[index] = _judged(turns[index], before, states[-1], lexicon, adviser, late, samples)
    return analysis_of(turns, states[-1])


def _judged(
    shown: TurnAnalysis,
    before: State,
    last: State,
    lexicon: Lexicon,
    adviser: Adviser,
    late: Callable[[], bool],
    samples: int,
) -> TurnAnalysis:
    ahead = LookAhead(
        enough=lambda played: played >= samples or late(),
        give_up=lambda positions: positions > POSITIONS or late(),
        random=Random(shown.ply),
    )
    turn = last.turns[len(before.turns)]
    found = adviser.compare(
        outlook_of(before), _choice(before, turn), LISTED, ahead, knows=shown_words(lexicon)
    )
    # After the last turn, the win share is the game's result.
    share = found.played.win_share if shown.seat == 0 else 1 - found.played.win_share
    is_last = len(before.turns) + 1 == len(last.turns)
    return shown.model_copy(
        update={
            "best": tuple(best_move(before, advice) for advice in found.moves),
            "exchange": best_exchange(found.instead),
            "played_on": played_on(found.played),
            "loss": found.lost,
            "loss_error": found.error,
            "verdict": verdict_of(found.lost, "win_probability", found.error),
            "win_share": shown.win_share if is_last else share,
        }
    )


def _choice(before: State, turn: Turn) -> Choice:
    """Return a turn in the engine's terms; a play that was withdrawn and a lost challenge are passes."""
    if turn.kind == "place" and turn.placement is not None:
        number = number_of(before.board, turn.placement)
        return Choice(number, turn.points, leave_number(before, turn))
    if turn.kind == "exchange":
        return Choice(NO_MOVE, 0, leave_number(before, turn))
    return Choice(NO_MOVE, 0, Rack(before.racks[turn.seat]).leave_count - 1)
