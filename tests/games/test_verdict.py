"""Verdicts: one scale, no mistake within an estimate's error, and the turns that lost most."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.games.verdict import MOMENTS, JudgedTurn, Measured, Verdict, key_moments, mistake_index, verdict_of

ORDER: tuple[Verdict, ...] = ("best", "good", "inaccuracy", "mistake", "blunder")
LOSSES = st.floats(0, 1)
MEASURES = st.sampled_from(("win_probability", "share", "accuracy"))


def judged(*losses: float | None) -> list[JudgedTurn]:
    return [
        JudgedTurn() if loss is None else JudgedTurn(loss=loss, verdict=verdict_of(loss, "share"))
        for loss in losses
    ]


@pytest.mark.parametrize(
    ("measured", "losses"),
    [
        ("win_probability", (0.0, 0.02, 0.06, 0.12, 0.3)),
        ("share", (0.0, 0.1, 0.2, 0.5, 0.9)),
        ("accuracy", (0.0, 0.1, 0.3, 0.5, 0.9)),
    ],
)
def test_each_verdict_is_reached(measured: Measured, losses: tuple[float, ...]) -> None:
    assert tuple(verdict_of(loss, measured) for loss in losses) == ORDER


@given(LOSSES, LOSSES, MEASURES)
def test_a_greater_loss_is_never_judged_better(one: float, other: float, measured: Measured) -> None:
    less, more = sorted((one, other))
    assert ORDER.index(verdict_of(less, measured)) <= ORDER.index(verdict_of(more, measured))


@given(LOSSES, LOSSES, MEASURES)
def test_a_loss_within_the_error_is_no_mistake(loss: float, error: float, measured: Measured) -> None:
    verdict = verdict_of(loss, measured, error)
    if loss <= error:
        assert verdict in ("best", "good")
    else:
        assert verdict == verdict_of(loss, measured)


@given(st.lists(st.one_of(st.none(), LOSSES)))
def test_key_moments_lost_most_and_come_in_the_order_of_play(losses: list[float | None]) -> None:
    turns = judged(*losses)
    moments = key_moments(turns)
    assert list(moments) == sorted(moments)
    assert len(moments) <= MOMENTS
    wrong = [turn.loss or 0 for turn in turns if turn.verdict in ORDER[2:]]
    assert sorted(turns[index].loss or 0 for index in moments) == sorted(wrong)[-MOMENTS:]


def test_the_mistake_index_weighs_mistakes_by_their_size() -> None:
    assert mistake_index(judged(0.0, 0.1, 0.2, 0.5, 0.9)) == pytest.approx(0.2 + 0.5 + 1.0)
    assert mistake_index(judged(0.0, 0.1)) == 0
    assert mistake_index(judged(None)) is None
    assert mistake_index([]) is None
