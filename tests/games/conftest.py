import warnings
from collections.abc import Iterator

import pytest

from app.games import kernel


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As on a server whose compiler is still busy; numbers that overflow in Python only are an error."""
    for each in kernel._registered:
        monkeypatch.setattr(each, "_call", each.plain)
    assert not any(each.ready for each in kernel._registered)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
