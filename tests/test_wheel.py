"""An installed wheel contains everything that it needs: data, templates, static files, migrations."""

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from app import __version__

CHECKOUT = Path(__file__).resolve().parents[1]

SERVE_A_GAME = """
import sys
from pathlib import Path

import app
from app.main import create_app
from fastapi.testclient import TestClient

assert Path(app.__file__).is_relative_to(sys.argv[1]), app.__file__
with TestClient(create_app()) as client:
    for page in ("/", "/static/site/base.css", "/vendor/htmx/htmx.min.js", "/api/words/quiz"):
        assert client.get(page).status_code == 200, page
    assert client.post("/play", data={"mode": "zen"}).status_code == 200
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
    subprocess.run([*build, "--wheel-dir", str(folder), str(CHECKOUT)], check=True)
    return next(folder.glob("wibble-*.whl"))


def test_a_game_is_played_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    installed, elsewhere = tmp_path / "installed", tmp_path / "elsewhere"
    elsewhere.mkdir()
    with ZipFile(wheel) as archive:
        archive.extractall(installed)
    environment = os.environ | {
        "PYTHONPATH": str(installed),
        "WIBBLE_DATA_DIR": str(tmp_path / "data"),
        "WIBBLE_CACHE_DIR": str(tmp_path / "cache"),
    }
    subprocess.run(
        [sys.executable, "-P", "-c", SERVE_A_GAME, str(installed)], cwd=elsewhere, env=environment, check=True
    )


def test_the_wheel_leaves_out_what_only_developers_need(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/", "app/data/build/"))]
    assert {name.split("/")[0] for name in names} == {"app", f"wibble-{__version__}.dist-info"}
