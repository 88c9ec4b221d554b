"""The code samples of operations that need a player, as they are shown at /docs."""

import html
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.event_streams import SOON
from tests.servers import Served


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served")) as server:
        yield server


def article(served: Served, page: str, operation: str) -> str:
    """What the reference says of an operation."""
    text = httpx.get(f"{served.url}/docs/{page}", timeout=SOON).text
    return text.split(f'aria-labelledby="{operation}"')[1].split("</article>")[0]


def samples(served: Served, page: str, operation: str) -> dict[str, str]:
    """The samples of an operation, by language."""
    found = re.findall(
        r"<summary>(\w+)</summary><pre><code>(.*?)</code>", article(served, page, operation), re.DOTALL
    )
    return {language: html.unescape(code) for language, code in found}


def test_an_operation_that_needs_a_player_takes_a_cookie_or_a_token_with_a_scope(served: Served) -> None:
    said = re.sub(r"<[^>]+>", "", article(served, "games", "make_move"))
    assert "Needs the cookie wibble_player or the bearer token with the scope play." in said
    said = re.sub(r"<[^>]+>", "", article(served, "programs", "player_events"))
    assert "Needs the cookie wibble_player or the bearer token with the scope read." in said
    said = re.sub(r"<[^>]+>", "", article(served, "programs", "list_tokens"))
    assert "Needs the cookie wibble_player." in said
    said = re.sub(r"<[^>]+>", "", article(served, "games", "open_game"))
    assert "Reads the cookie wibble_player or the bearer token with the scope play, if sent." in said


def test_samples_say_who_the_player_is_where_one_is_needed(served: Served) -> None:
    move = samples(served, "games", "make_move")
    assert "Bearer TOKEN" in move["Python"]
    assert "Bearer TOKEN" in move["JavaScript"]
    assert 'cookies={"wibble_player": "VALUE"}' in samples(served, "programs", "list_tokens")["Python"]
    assert "TOKEN" not in samples(served, "games", "open_game")["Python"], "a guest may open a game"
    personal = [("programs", "player_events"), ("profile", "list_circles"), ("games", "see_pairing")]
    for page, operation in [*personal, ("profile", "vote_on_word"), ("boards", "list_boards")]:
        assert "-b cookies" in samples(served, page, operation)["curl"], operation
    assert "-b cookies" not in samples(served, "words", "look_up")["curl"]


def test_samples_of_a_stream_print_its_events_as_they_come(served: Served, tmp_path: Path) -> None:
    with httpx.Client(base_url=served.url, timeout=SOON) as owner:
        owner.put("/api/me", json={"nickname": "Ada"}).raise_for_status()
        token = owner.post("/api/me/tokens", json={"name": "it", "scopes": ["read"]}).json()["token"]
    shown = samples(served, "programs", "player_events")
    assert shown["curl"].startswith("curl -N ")
    script = tmp_path / "sample.mjs"
    script.write_text(shown["JavaScript"].replace("TOKEN", token), encoding="utf-8")
    commands = [[sys.executable, "-u", "-c", shown["Python"].replace("TOKEN", token)]]
    if node := shutil.which("node"):
        commands += [[node, str(script)]]
    for command in commands:
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                assert process.stdout.readline().startswith("id: ")
            finally:
                process.kill()
