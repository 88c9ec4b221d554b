import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.errors import NumbaError

import app
from app.games.kernel import Kernel, lowest_bit, popcount, readonly, ready
from app.games.wibble.trace_kernels import best_trace


def bits_and_zeros(number: int) -> int:
    return 100 * popcount(number) + lowest_bit(number)


def warm(function: Any) -> "Kernel[..., Any]":
    kernel: Kernel[..., Any] = Kernel(function, "int64(int64)")
    kernel.warm()
    return kernel


def test_a_kernel_answers_before_it_is_compiled_and_the_same_after() -> None:
    kernel = Kernel(bits_and_zeros, "int64(int64)")
    assert not kernel.ready
    assert kernel(24) == 203
    kernel.warm()
    assert kernel.ready
    assert kernel(24) == 203


def test_after_the_warm_up_the_kernels_of_the_solver_are_compiled() -> None:
    assert ready()
    assert best_trace.ready


def test_bits_mean_the_same_to_python_and_to_the_compiler() -> None:
    kernel = warm(bits_and_zeros)

    @given(st.integers(-(2**63), 2**63 - 1).filter(bool))
    def check(number: int) -> None:
        binary = f"{number % 2**64:b}"
        assert popcount(number) == binary.count("1")
        assert lowest_bit(number) == len(binary) - len(binary.rstrip("0"))
        assert kernel(np.int64(number)) == bits_and_zeros(number)

    check()


def test_where_no_cache_can_be_written_a_kernel_is_compiled_for_this_process() -> None:
    scope: dict[str, Any] = {}
    exec("def twice(number): return 2 * number", scope)  # noqa: S102 - what has no file has no cache either
    assert warm(scope["twice"])(21) == 42


def total(numbers: Any) -> int:
    result = 0
    for number in numbers:
        result += number
    return result


def sum_of_squares(number: int) -> int:
    return int((np.arange(number) ** 2).sum())


def test_a_kernel_that_is_said_to_allocate_nothing_cannot() -> None:
    kernel: Kernel[..., Any] = Kernel(sum_of_squares, "int64(int64)", allocates=False)
    with pytest.raises(NumbaError, match="array"):
        kernel.warm()


def test_no_call_waits_for_the_compiler() -> None:
    """A kernel is compiled once, for its signature, for both writable and read-only arrays."""
    kernel: Kernel[..., Any] = Kernel(total, f"int64({readonly('int64')})")
    kernel.warm()
    writable, frozen = np.arange(5), np.arange(5)
    frozen.flags.writeable = False
    assert kernel(writable) == kernel(frozen) == 10
    compiled: Any = kernel._call
    assert len(compiled.signatures) == 1
    with pytest.raises(TypeError):
        kernel(np.arange(5.0))


def at(numbers: Any, index: int) -> int:
    return int(numbers[index])


def test_compiled_code_does_not_count_a_negative_index_from_the_end() -> None:
    """It costs time at every access. With bounds checks a negative index is an error."""
    kernel: Kernel[..., Any] = Kernel(at, f"int64({readonly('int64')}, int64)")
    kernel.warm()
    numbers = np.arange(10)
    assert kernel(numbers[5:], 1) == 6
    if os.environ.get("NUMBA_BOUNDSCHECK"):
        with pytest.raises(IndexError):
            kernel(numbers[5:], -1)
    else:
        assert kernel(numbers[5:], -1) == 4


def test_importing_the_solver_does_not_import_the_compiler() -> None:
    code = "import sys, app.games.wibble.solver; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_kernel_is_recompiled_when_a_module_it_imports_has_changed(tmp_path: Path) -> None:
    """After ``git pull``, outdated machine code must not run."""
    shutil.copytree(Path(app.__file__).parent, tmp_path / "app", ignore=shutil.ignore_patterns("__pycache__"))
    code = (
        "from app.games.kernel import warm_up; from app.games.grid_kernels import find_words as kernel\n"
        "warm_up(); print(sum(kernel._call.stats.cache_misses.values()))"
    )

    def misses() -> int:
        run = subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        )
        return int(run.stdout)

    assert misses() == 1
    assert misses() == 0
    with (tmp_path / "app" / "games" / "kernel.py").open("a") as module:
        module.write("# changed\n")
    assert misses() == 1


READS_BEYOND = """
import sys
from pathlib import Path

import numpy as np

from app.games.kernel import Kernel

Path("beyond.py").write_text("def beyond(numbers): return numbers[len(numbers)]")
sys.path.insert(0, "")
from beyond import beyond

kernel = Kernel(beyond, "int64(int64[::1])")
kernel.warm()
print(kernel.ready)
try:
    kernel(np.arange(4))
except IndexError:
    print("refused")
"""


@pytest.mark.parametrize(
    ("setting", "says"),
    [("NUMBA_BOUNDSCHECK", ["True", "refused"]), ("NUMBA_DISABLE_JIT", ["False", "refused"])],
)
def test_what_make_bounds_asks_for_reaches_the_kernels(tmp_path: Path, setting: str, says: list[str]) -> None:
    """Nothing overrides the setting, so a suite that passes with it has no out-of-bounds access."""
    run = subprocess.run(
        [sys.executable, "-c", READS_BEYOND],
        cwd=tmp_path,
        env=os.environ
        | {setting: "1", "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(Path(app.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == says
