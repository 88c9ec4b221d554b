"""Verdicts on turns: best, good, inaccuracy, mistake or blunder, on one scale for all games.

A turn's loss, 0 to 1, is the win probability that it gave away or, in games without such an estimate, the
share of the best play's value. Thresholds, weights and their sources are in ``data/verdicts.toml``.
"""

import tomllib
from collections.abc import Sequence
from functools import cache
from typing import Final, Literal, TypeAlias, get_args

from pydantic import Field

from app.games.game import Frozen
from app.resources import resource

Verdict: TypeAlias = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
Measured: TypeAlias = Literal["win_probability", "share", "accuracy"]
"""What a loss is a fraction of: the win probability, the best play's points, or the accuracy of a turn."""

MOMENTS: Final = 5
"""Most turns named as key moments of a game."""
_ERRORS: Final = ("inaccuracy", "mistake", "blunder")


class _Scale(Frozen):
    """``data/verdicts.toml``."""

    win_probability: dict[Verdict, float]
    share: dict[Verdict, float]
    accuracy: dict[Verdict, float]
    index: dict[Verdict, float]


class JudgedTurn(Frozen):
    """A turn with the verdict on it."""

    loss: float | None = Field(default=None, ge=0, le=1)
    """What the turn gave away, 0 to 1: win probability in Fribble, a share of the best play's points in
    Wibble, accuracy in Letterpress. None if the turn is not judged, such as one with a hint, and in analyses
    stored before there were verdicts."""
    verdict: Verdict | None = None
    """None where ``loss`` is."""


@cache
def _scale() -> _Scale:
    return _Scale.model_validate(
        tomllib.loads((resource("data") / "verdicts.toml").read_text(encoding="utf-8"))
    )


def verdict_of(loss: float, measured: Measured, error: float = 0.0) -> Verdict:
    """The verdict on a turn that lost this fraction, an estimate with the error ``error``.

    A loss within the error is never worse than good.
    """
    thresholds = getattr(_scale(), measured)
    verdict: Verdict = "best"
    for name in get_args(Verdict)[1:]:
        if loss >= thresholds[name] and (name == "good" or loss > error):
            verdict = name
    return verdict


def threshold(measured: Measured, verdict: Verdict) -> float:
    """The smallest loss with this verdict, which is worse than best."""
    found: float = getattr(_scale(), measured)[verdict]
    return found


def mistake_index(turns: Sequence[JudgedTurn]) -> float | None:
    """The sum of the weights of the turns' verdicts, lower being better; None if no turn is judged."""
    judged = [turn.verdict for turn in turns if turn.verdict is not None]
    return round(sum(_scale().index.get(verdict, 0.0) for verdict in judged), 1) if judged else None


def key_moments(turns: Sequence[JudgedTurn]) -> tuple[int, ...]:
    """The indices of the turns that lost most, in order of play: at most MOMENTS, all worse than good."""
    lost = [index for index, turn in enumerate(turns) if turn.verdict in _ERRORS]
    return tuple(sorted(sorted(lost, key=lambda index: -(turns[index].loss or 0.0))[:MOMENTS]))
