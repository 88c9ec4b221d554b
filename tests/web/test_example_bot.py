"""The example bot as a separate program against a running server."""

import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.event_streams import SOON
from tests.servers import Served

SCRIPT = Path(__file__).parents[2] / "examples" / "letterpress_bot.py"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served")) as server:
        yield server


@pytest.fixture
def owner(served: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=served.url, timeout=SOON) as client:
        client.put("/api/me", json={"nickname": "Ada"}).raise_for_status()
        yield client


AS_IN_A_TERMINAL = """import runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")"""
"""Ctrl+C counts, also where tests run in the background of a shell, whose programs ignore it."""


@contextmanager
def running(served: Served, token: str) -> Iterator[subprocess.Popen[str]]:
    """The bot, until the end of the block."""
    with subprocess.Popen(
        [sys.executable, "-u", "-c", AS_IN_A_TERMINAL, str(SCRIPT), served.url],
        env=os.environ | {"WIBBLE_TOKEN": token},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def bot_token(owner: httpx.Client) -> tuple[str, str]:
    """The ID of a new bot account, and a token for it."""
    bot = owner.post("/api/me/bots", json={"nickname": "Robo"}).json()["bot_id"]
    wanted = {"name": "example", "scopes": ["read", "play", "engine"], "bot": bot}
    return bot, owner.post("/api/me/tokens", json=wanted).json()["token"]


def eventually(found: Callable[[], Any]) -> Any:
    """Poll until a result is truthy; return it."""
    end = time.monotonic() + SOON
    while not (value := found()):
        assert time.monotonic() < end, "timeout: no result"
        time.sleep(0.1)
    return value


def test_it_passes_to_win_when_the_other_has_passed(served: Served) -> None:
    bot = runpy.run_path(str(SCRIPT))["LetterpressBot"](served.url, "")
    bot.client.headers.pop("Authorization")
    turns = [{"word": "lead"}, {"word": ""}]
    view = {"board": "bnbdaetgreliegbcnhdlxmhoi", "owned": [15, 0], "turns": turns, "lexicon": "english"}
    assert bot.choose(view, 0) == {"type": "pass"}
    assert bot.choose(view | {"turns": turns[:1]}, 0)["type"] == "word"


def test_it_has_fewer_than_a_hundred_lines_and_needs_httpx_alone() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 100
    imports = {
        line.split()[1].partition(".")[0] for line in text.splitlines() if line.startswith(("import", "from"))
    }
    assert imports - sys.stdlib_module_names == {"httpx"}


def test_it_accepts_a_challenge_and_plays_to_the_end(served: Served, owner: httpx.Client) -> None:
    bot, token = bot_token(owner)
    with running(served, token) as process:
        declined = owner.post(
            "/api/challenges", json={"opponent": {"bot": bot}, "game": {"kind": "fribble"}}
        ).json()
        eventually(lambda: not owner.get("/api/challenges/direct").json())
        assert owner.get("/api/me/turns").json()["games"] == [], declined
        game = {"kind": "letterpress", "turn_limit": 600}
        owner.post("/api/challenges", json={"opponent": {"bot": bot}, "game": game}).raise_for_status()
        eventually(lambda: owner.get("/api/me/turns").json()["games"])
        (game_id,) = owner.get("/api/me/turns").json()["games"]
        while (seen := eventually(lambda: due(owner, game_id)))["finished_at"] is None:
            owner.post(f"/api/games/{game_id}/moves", json={"move": {"type": "pass"}}).raise_for_status()
        (robo,) = (seat for seat in seen["seats"] if seat["bot"])
        assert robo["name"] == "Robo (bot)"
        words = [turn["word"] for turn in seen["view"]["turns"] if turn["seat"] == robo["seat"]]
        assert any(words), "it has played"
        assert seen["outcome"]["winners"] == [robo["seat"]]
        assert process.poll() is None, process.stdout.read() if process.stdout else ""


def test_a_refused_token_ends_it_with_the_reason(served: Served) -> None:
    with running(served, f"wib_{'x' * 43}") as process:
        assert process.wait(SOON) == 1
        assert process.stdout is not None
        assert "answers 401: " in (said := process.stdout.read())
        assert "unknown or was revoked" in said


@pytest.mark.parametrize(
    ("arguments", "token"),
    [
        ([], "wib_x"),
        (["http://wibble.example"], None),
        (["wibble.example"], "wib_x"),
        (["http://a", "b"], ""),
    ],
)
def test_wrong_arguments_are_answered_by_how_to_start_it(arguments: list[str], token: str | None) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "WIBBLE_TOKEN"}
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        env=environment | ({} if token is None else {"WIBBLE_TOKEN": token}),
        capture_output=True,
        text=True,
        timeout=SOON,
        check=False,
    )
    assert done.returncode == 1
    assert "WIBBLE_TOKEN=wib_... python letterpress_bot.py https://wibble.example" in done.stderr
    assert "Traceback" not in done.stderr


def test_control_c_ends_it_without_a_traceback(served: Served, owner: httpx.Client) -> None:
    bot, token = bot_token(owner)
    with running(served, token) as process:
        owner.post("/api/challenges", json={"opponent": {"bot": bot}, "game": {"kind": "fribble"}})
        eventually(lambda: not owner.get("/api/challenges/direct").json())
        process.send_signal(signal.SIGINT)
        assert process.wait(SOON) == 0
        assert process.stdout is not None
        assert "Traceback" not in process.stdout.read()


def due(player: httpx.Client, game_id: str) -> Any:
    """The game, if it is the player's turn, or over."""
    game = player.get(f"/api/games/{game_id}").json()
    return game if game["finished_at"] is not None or game["view"]["to_move"] == game["seat"] else None
