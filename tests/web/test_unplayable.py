"""A game whose word list or preset is gone: a clear error, and no effect on other games."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.games.fribble import presets
from app.settings import Settings
from tests.driver import open_game
from tests.shared_parts import create_app
from tests.web.browsing import HTML
from tests.web.conftest import Clock, Promises

WORDS = "".join(f"{word}\n" for word in ("able", "bale", "blue", "cable", "noble", "table"))


def shows_all_but(client: TestClient, lost: str, kept: str, says: str) -> None:
    """Check that other tables are shown, and requests for the lost game get the reason."""
    stranger = TestClient(client.app)
    for page in ("/", "/lobby", "/fribble", "/letterpress"):
        for reader in (client, stranger):
            answer = reader.get(page, headers=HTML)
            assert answer.status_code == 200, f"{page}: {answer.text}"
            assert lost not in answer.text
    assert f"/games/{kept}" in client.get("/lobby", headers=HTML).text
    assert [game["id"] for game in stranger.get("/api/games").json()] == [kept]
    for path in ("", "/moves", "/plies/0", "/analysis", "/record", "/events"):
        answer = client.get(f"/api/games/{lost}{path}")
        assert answer.status_code == 404, answer.text
        assert says in answer.json()["detail"]
    assert client.post(f"/api/games/{lost}/moves", json={"move": {"type": "resign"}}).status_code == 404


def remove(file: Path) -> None:
    file.unlink()


def damage(file: Path) -> None:
    file.write_text("other\nwords\n")


@pytest.mark.parametrize(
    ("lose", "says"), [(remove, "'mine' is not kept here"), (damage, "'mine' is damaged")]
)
def test_a_word_list_that_is_gone_takes_its_own_games_alone(
    settings: Settings,
    clock: Clock,
    promises: Promises,
    lose: Callable[[Path], None],
    says: str,
    tmp_path: Path,
) -> None:
    (tmp_path / "mine.txt").write_text(WORDS)
    sha256 = settings.library().add("mine", tmp_path / "mine.txt").sha256
    with TestClient(create_app(settings, clock=clock)) as client:
        lost = open_game(client, "letterpress", {"lexicon": "mine"}, seats=2, listed=True)["id"]
        kept = open_game(client, "letterpress", seats=2, listed=True)["id"]
        cookies = client.cookies
    lose(settings.data_dir / "words" / "lists" / f"{sha256}.txt")
    for folder in (settings.cache_dir / "lexicons").glob(f"*{sha256}"):
        shutil.rmtree(folder)
    with TestClient(create_app(settings, clock=clock), cookies=cookies) as client:
        client.event_hooks["response"].append(promises)
        shows_all_but(client, lost, kept, says)
        answer = client.post(
            "/api/games", json={"kind": "letterpress", "options": {"lexicon": "mine"}, "seats": 2}
        )
        assert (answer.status_code, says in answer.json()["detail"]) == (422, True)


def test_a_preset_that_is_gone_takes_its_own_games_alone(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(presets._own, "mine", presets.presets()["wwf"])
    lost = open_game(client, "fribble", {"preset": "mine"}, seats=2, listed=True)["id"]
    kept = open_game(client, "fribble", seats=2, listed=True)["id"]
    monkeypatch.delitem(presets._own, "mine")
    shows_all_but(client, lost, kept, "there is no preset named 'mine'")
