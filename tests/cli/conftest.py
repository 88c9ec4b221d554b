from pathlib import Path

import pytest


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal so wide that no line of output is wrapped."""
    monkeypatch.setenv("COLUMNS", "240")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wide: None) -> Path:
    """A separate installation that shares the session's cache of lexicons, in a wide terminal."""
    monkeypatch.setenv("WIBBLE_DATA_DIR", str(tmp_path / "home"))
    return tmp_path / "home"
