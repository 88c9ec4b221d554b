import pytest


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal so wide that no line of output is wrapped."""
    monkeypatch.setenv("COLUMNS", "240")
