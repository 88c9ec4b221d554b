"""Territories after a word."""

import numpy as np
from hypothesis import given

from app.games.letterpress import evaluation
from app.games.letterpress.territory import Territory, protected
from app.games.letterpress.territory import vulnerability as openness
from tests.games.letterpress.brute import Side, after, evaluate, safe, vulnerability
from tests.games.letterpress.strategies import masks


@given(masks, masks, masks)
def test_a_territory_is_that_of_the_brute_force(ours: int, theirs: int, word: int) -> None:
    assert protected(ours) == safe(ours) == int(evaluation.protected(np.int32(ours)))
    assert openness(ours) == vulnerability(ours)
    before = Side(ours, theirs & ~ours)
    found = Territory(ours=before.ours, theirs=before.theirs).after(word)
    assert (found.ours, found.theirs) == after(before, word)
    assert found.evaluate == evaluate(Side(found.ours, found.theirs))
