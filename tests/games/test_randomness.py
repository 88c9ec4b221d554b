"""The games use only random functions that are stable across versions of Python and NumPy."""

from collections import Counter
from pathlib import Path
from random import Random

from app import games
from app.games.randomness import drawn, shuffled


def test_no_game_draws_from_numpys_generators() -> None:
    """The sequences of others may change with NumPy; the raw output of a bit generator does not."""
    folder = Path(games.__path__[0])
    users = {file.name for file in folder.rglob("*.py") if "np.random" in file.read_text(encoding="utf-8")}
    assert users == {"randomness.py"}


def test_what_is_drawn_is_the_same_for_good() -> None:
    assert "".join(drawn(Random(7), "ABCDEFG", 3)) == "CBF"
    assert "".join(shuffled(Random(7), "ABCDEFG")) == "GEBFDAC"


def test_each_is_drawn_as_often_as_another_and_none_twice() -> None:
    random, times = Random(1), 3000
    counts: Counter[str] = Counter()
    for _ in range(times):
        three = drawn(random, "ABCDEF", 3)
        assert len(set(three)) == 3
        counts.update(three)
    assert all(abs(count - times / 2) < 150 for count in counts.values())
    assert sorted(drawn(random, "AAB", 9)) == ["A", "A", "B"]
