"""Numba kernels that never block a caller on compilation.

A kernel is one module-level function of arrays and integers that behaves identically in Python and in Numba.
Until :func:`warm_up` has compiled it, or loaded it from the disk cache, calls run the plain Python function:
same result, only slower. Numba is first imported by :func:`warm_up`.

No index may be negative: compiled code uses it as it is, and reads or writes outside the array if it does not
lie in it. ``make bounds`` runs the tests with compiled code that raises IndexError instead.
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
    """Return the signature's type of a flat array that the kernel only reads; it may be a memory map."""
    return f"Array({dtype}, 1, 'C', readonly=True)"


def popcount(bits: int) -> int:
    """Return the number of set bits in a 64-bit integer; one machine instruction in compiled code."""
    return (int(bits) & 0xFFFF_FFFF_FFFF_FFFF).bit_count()


def lowest_bit(bits: int) -> int:
    """Return the index of the lowest set bit of a non-zero 64-bit integer; likewise one instruction."""
    return (int(bits) & -int(bits)).bit_length() - 1


_helpers: list[Callable[..., Any]] = []
_loops: list[tuple[Callable[..., Any], Callable[..., Any]]] = []


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile the decorated plain function of integers and arrays into the kernels that call it."""
    _helpers.append(function)
    return function


def loop_of(plain: Callable[P, R]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile the decorated loop in place of ``plain``, its NumPy equivalent, where kernels call that."""

    def register(loop: Callable[P, R]) -> Callable[P, R]:
        _loops.append((plain, loop))
        return loop

    return register


class Kernel(Generic[P, R]):
    """One function with one explicit Numba signature."""

    def __init__(self, function: Callable[P, R], signature: str, *, allocates: bool = False) -> None:
        self.plain = function
        """The function that runs while nothing is compiled."""
        self._function: Final = function
        self._signature: Final = signature
        self._allocates: Final = allocates
        self._call = function

    def uncompiled(self, plain: Callable[P, R]) -> Callable[P, R]:
        """Decorate a NumPy equivalent to run uncompiled, where the loop would be too slow in Python."""
        self.plain = self._call = plain
        return plain

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the compiled function if it is ready, else the plain one. Positional arguments only."""
        return self._call(*args, **kwargs)

    @property
    def ready(self) -> bool:
        """Whether calls run compiled code."""
        return self._call is not self.plain

    def warm(self) -> None:
        """Compile, or load from the disk cache; without a writable cache, compile for this process only."""
        if not self.ready:
            self._call = _compile(self._function, self._signature, allocates=self._allocates)


_registered: list[Kernel[Any, Any]] = []
_warming = Lock()


def kernel(signature: str, *, allocates: bool = False) -> Callable[[Callable[P, R]], Kernel[P, R]]:
    """Decorate a function as a kernel with this Numba signature, and register it for :func:`warm_up`.

    Only a kernel that ``allocates`` arrays uses reference counting, which takes time wherever an array is
    passed on or sliced.
    """

    def register(function: Callable[P, R]) -> Kernel[P, R]:
        registered = Kernel(function, signature, allocates=allocates)
        _registered.append(registered)
        return registered

    return register


def warm_up() -> None:
    """Make all registered kernels ready, in order. Concurrent callers wait for the first."""
    with _warming:
        for registered in _registered:
            registered.warm()


def ready() -> bool:
    """Return whether all registered kernels are compiled."""
    return all(registered.ready for registered in _registered)


def _compile(function: Callable[P, R], signature: str, *, allocates: bool) -> Callable[P, R]:
    import numba  # noqa: PLC0415 - slow to import, and not needed by `wibble --help`

    from app.games.kernel_cache import SealedCacheFile  # noqa: PLC0415

    _register_with_numba()
    _use_indices_as_they_are()
    njit: Any = numba.njit  # Its type hints lack `_nrt`, which switches off reference counting.
    try:
        compiled: Any = njit(nogil=True, cache=True, _nrt=allocates)(function)
        if compiled is not function:  # equal with NUMBA_DISABLE_JIT
            # Numba stamps only the kernel's own file; a kernel also depends on the modules whose code it
            # inlines.
            compiled._cache._cache_file = SealedCacheFile.of(compiled, _sources())
            compiled.compile(signature)
            # Otherwise a call with writable arrays, for example, would trigger another compilation.
            compiled.disable_compile()
    except (RuntimeError, OSError):  # no writable cache directory
        compiled = njit(signature, nogil=True, _nrt=allocates)(function)
    result: Callable[P, R] = compiled
    return result


@cache
def _sources() -> str:
    """Return a digest of the kernels' sources: kernel modules, this one, and the word structures."""
    games = Path(__file__).parent
    words = games.parent / "words"
    digest = sha256()
    structures = (words / f"{name}.py" for name in ("trie", "gaddag", "anagrams"))
    for file in [*sorted(games.rglob("*kernel*.py")), *structures]:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _register_with_numba() -> None:
    """Register the inlined functions and loops of modules imported since the last call."""
    from numba.extending import overload, register_jitable  # noqa: PLC0415

    _register_bit_counts()
    while _helpers:
        register_jitable(_helpers.pop())
    while _loops:
        plain, loop = _loops.pop()
        overload(plain, strict=False)(lambda *_, loop=loop: loop)


@cache
def _use_indices_as_they_are() -> None:
    """Compile without Numba's rule that a negative index counts from the end of the array.

    By that rule every access compares the index and adds the length: an eighth of an endgame search's time.
    """
    from numba.core.types import intp  # noqa: PLC0415
    from numba.np import arrayobj  # noqa: PLC0415

    def cast(context: Any, builder: Any, index_type: Any, index: Any, _length: Any) -> Any:
        return context.cast(builder, index, index_type, intp)

    arrayobj.fix_integer_index = cast


@cache
def _register_bit_counts() -> None:
    from llvmlite import ir  # noqa: PLC0415
    from numba.core import types  # noqa: PLC0415
    from numba.extending import intrinsic, overload  # noqa: PLC0415

    def instruction(build: Callable[[Any, Any], Any]) -> Any:
        def typed(_typing: Any, bits: Any) -> Any:
            def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
                return build(builder, args[0])

            return (bits(bits), generate) if isinstance(bits, types.Integer) else None

        return intrinsic(typed)

    ctpop = instruction(lambda builder, bits: builder.ctpop(bits))
    cttz = instruction(lambda builder, bits: builder.cttz(bits, ir.Constant(ir.IntType(1), 1)))
    # overload() takes functions that return the function to compile, with matching argument names.
    overload(popcount)(lambda bits: lambda bits: ctpop(bits))  # noqa: ARG005, PLW0108
    overload(lowest_bit)(lambda bits: lambda bits: cttz(bits))  # noqa: ARG005, PLW0108
