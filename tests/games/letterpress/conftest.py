import warnings
from collections.abc import Iterator
from random import Random

import pytest

from app.games.kernel import Kernel
from app.games.letterpress import bound_kernels, placement_kernels, search_kernels
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.solver import Solver
from app.words.lexicon import Lexicon
from app.words.library import Library

KERNELS = [
    each
    for module in (bound_kernels, placement_kernels, search_kernels)
    for each in vars(module).values()
    if isinstance(each, Kernel)
]


@pytest.fixture(scope="session")
def lexicon(library: Library) -> Lexicon:
    """The original game's word list, which the reference positions use."""
    return library.load("letterpress")


@pytest.fixture(scope="session")
def game(lexicon: Lexicon) -> Letterpress:
    return Letterpress(lexicon)


@pytest.fixture(scope="session")
def solver(lexicon: Lexicon) -> Solver:
    return Solver(lexicon)


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for kernel in KERNELS:
        monkeypatch.setattr(kernel, "_call", kernel.plain)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.fixture(scope="session")
def few_words(lexicon: Lexicon) -> Lexicon:
    return Lexicon.from_words(Random(1).sample(list(lexicon), 400), "some")
