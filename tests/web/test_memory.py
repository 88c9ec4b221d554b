"""Unused memory is returned to the system."""

import subprocess
import sys

import pytest

from app.web.ops.memory import trim_heaps

GROWS_AND_FREES = """
from app.web.ops.memory import trim_heaps

def resident():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))

pieces = [bytearray(60_000) for _ in range(2_000)]
kept = pieces[::100]
del pieces
before = resident()
trim_heaps()
print(before - resident())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_free_memory_between_used_blocks_is_returned() -> None:
    answer = subprocess.run(
        [sys.executable, "-c", GROWS_AND_FREES], capture_output=True, text=True, check=True
    )
    assert float(answer.stdout) > 50, "megabytes of the 115 that were freed"


def test_other_c_libraries_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.ops.memory._trim", None)
    trim_heaps()
