"""Compiled inner loops that never make anybody wait for the compiler.

A kernel is one module-level function of arrays and integers, written so that it means the same to Python and
to Numba. Until :func:`warm_up` has compiled it, or loaded it from the cache on disk, a call runs the plain
function: the same answer, only slower. Numba itself is imported by :func:`warm_up` and not before.
"""

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, Final, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def readonly(dtype: str) -> str:
    """The type, in a signature, of a flat array that the kernel only reads: it may be a memory map."""
    return f"Array({dtype}, 1, 'C', readonly=True)"


def popcount(bits: int) -> int:
    """How many bits of a 64-bit integer are set; one machine instruction in compiled code."""
    return (int(bits) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def lowest_bit(bits: int) -> int:
    """The number of the lowest bit set in a 64-bit integer other than 0; one machine instruction likewise."""
    return (int(bits) & -int(bits)).bit_length() - 1


_helpers: list[Callable[..., Any]] = []
_intrinsics: list[tuple[Callable[..., Any], Callable[[], Any]]] = []
_loops: list[tuple[Callable[..., Any], Callable[..., Any]]] = []


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Let kernels call the decorated plain function of integers and arrays: it is compiled into them."""
    _helpers.append(function)
    return function


def inlined_as(intrinsic: Callable[[], Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """As :func:`inlined`, but for processors on which ``intrinsic`` returns a Numba intrinsic in its place.

    Elsewhere that returns None. It is called when kernels are compiled.
    """

    def register(function: Callable[P, R]) -> Callable[P, R]:
        _intrinsics.append((function, intrinsic))
        return function

    return register


def loop_of(plain: Callable[P, R]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Have the decorated loop compiled into kernels where they call ``plain``, the same in NumPy."""

    def register(loop: Callable[P, R]) -> Callable[P, R]:
        _loops.append((plain, loop))
        return loop

    return register


class Kernel(Generic[P, R]):
    """One function with one explicit Numba signature."""

    def __init__(self, function: Callable[P, R], signature: str) -> None:
        self.plain = function
        """What runs uncompiled."""
        self._function: Final = function
        self._signature: Final = signature
        self._call = function

    def uncompiled(self, plain: Callable[P, R]) -> Callable[P, R]:
        """Run the decorated function uncompiled: the same in NumPy, where Python is too slow for the loop."""
        self.plain = self._call = plain
        return plain

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the compiled function if it is ready, else the plain one; arguments go by position."""
        return self._call(*args, **kwargs)

    @property
    def ready(self) -> bool:
        """Whether calls run compiled code."""
        return self._call is not self.plain

    def warm(self) -> None:
        """Compile, or load from the cache on disk; where none can be written, compile for this process."""
        if not self.ready:
            self._call = _compile(self._function, self._signature)


_registered: list[Kernel[Any, Any]] = []
_warming = Lock()


def kernel(signature: str) -> Callable[[Callable[P, R]], Kernel[P, R]]:
    """Make the decorated function a kernel with this Numba signature and register it for :func:`warm_up`."""

    def register(function: Callable[P, R]) -> Kernel[P, R]:
        registered = Kernel(function, signature)
        _registered.append(registered)
        return registered

    return register


def warm_up() -> None:
    """Make every registered kernel ready, in order; threads that come later wait for the first."""
    with _warming:
        for each in _registered:
            each.warm()


def ready() -> bool:
    """Whether every registered kernel is compiled."""
    return all(each.ready for each in _registered)


def _compile(function: Callable[P, R], signature: str) -> Callable[P, R]:
    import numba  # noqa: PLC0415 - it takes a while to import, and `wibble --help` has no use for it

    from app.games.kernel_cache import SealedCacheFile  # noqa: PLC0415

    _teach_numba()
    try:
        compiled: Any = numba.njit(nogil=True, cache=True)(function)
        if compiled is not function:  # as it is with NUMBA_DISABLE_JIT
            # Numba looks at the kernel's own file only; a kernel also consists of what it takes from others.
            compiled._cache._cache_file = SealedCacheFile.of(compiled, _sources())
            compiled.compile(signature)
            # Else the first call whose arrays may be written to, say, would wait for one of its own.
            compiled.disable_compile()
    except (RuntimeError, OSError):  # no directory for the cache can be written
        compiled = numba.njit(signature, nogil=True)(function)
    called: Callable[P, R] = compiled
    return called


@cache
def _sources() -> str:
    """A digest of all that kernels are made of: their modules, this one, and how words are laid out."""
    games = Path(__file__).parent
    words = games.parent / "words"
    digest = sha256()
    for file in [*sorted(games.rglob("*kernel*.py")), words / "trie.py", words / "gaddag.py"]:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _calling(intrinsic: Any) -> Callable[..., Any]:
    # Numba compiles a function of Python's in place of another; an intrinsic is none.
    return lambda *_types: lambda *args: intrinsic(*args)  # noqa: PLW0108


@cache
def _teach_numba() -> None:
    from llvmlite import ir  # noqa: PLC0415
    from numba.core import types  # noqa: PLC0415
    from numba.extending import intrinsic, overload, register_jitable  # noqa: PLC0415

    def instruction(build: Callable[[Any, Any], Any]) -> Any:
        def typed(_typing: Any, bits: Any) -> Any:
            def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
                return build(builder, args[0])

            return (bits(bits), generate) if isinstance(bits, types.Integer) else None

        return intrinsic(typed)

    ctpop = instruction(lambda builder, bits: builder.ctpop(bits))
    cttz = instruction(lambda builder, bits: builder.cttz(bits, ir.Constant(ir.IntType(1), 1)))
    # Numba wants functions that return the function to compile, and matches their arguments by name.
    overload(popcount)(lambda bits: lambda bits: ctpop(bits))  # noqa: ARG005, PLW0108
    overload(lowest_bit)(lambda bits: lambda bits: cttz(bits))  # noqa: ARG005, PLW0108
    for helper in _helpers:
        register_jitable(helper)
    for helper, choose in _intrinsics:
        if (chosen := choose()) is None:
            register_jitable(helper)
        else:
            overload(helper, strict=False)(_calling(chosen))
    for plain, loop in _loops:
        overload(plain, strict=False)(lambda *_, loop=loop: loop)
