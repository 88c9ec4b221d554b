"""Damage to Numba's cache: machine code that was altered is compiled again, never run.

``WIBBLE_TEST_ATTACKS`` is the number of attempts, 20 by default.
"""

import os
from pathlib import Path
from random import Random
from typing import Any, Final

import numba
import pytest

from app.games.kernel import Kernel
from tests.damage import damage

ATTACKS: Final = int(os.environ.get("WIBBLE_TEST_ATTACKS", "20"))


def thrice(number: int) -> int:
    return 3 * number


def twice(number: int) -> int:
    return 2 * number


def compilations(function: Any) -> int:
    """The number of compilations until a kernel is ready; its result is checked."""
    kernel: Kernel[..., Any] = Kernel(function, "int64(int64)")
    kernel.warm()
    assert kernel.ready
    assert kernel(14) == function(14)
    compiled: Any = kernel._call
    return sum(compiled.stats.cache_misses.values())


def test_a_damaged_kernel_cache_is_never_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(theirs))
    assert compilations(twice) == 1
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(ours))
    assert compilations(thrice) == 1
    assert compilations(thrice) == 0
    for seed in range(ATTACKS):
        harmed = damage(ours, Random(seed), theirs)
        assert compilations(thrice) == 1, (seed, harmed)
        assert compilations(thrice) == 0, "the cache is repaired"
