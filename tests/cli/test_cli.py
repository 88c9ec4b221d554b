"""The ``wibble`` command as a process: help, version, serve, warm and errors."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app import __version__
from tests.event_streams import SOON
from tests.servers import Served
from tests.shared_parts import empty_store


def wibble(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app.cli", *arguments],
        env=os.environ | settings,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_help_names_the_commands() -> None:
    shown = wibble("--help")
    assert shown.returncode == 0
    for command in ("serve", "words", "warm"):
        assert command in shown.stdout


def test_the_version() -> None:
    assert wibble("--version").stdout == f"wibble {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("scrabblet", "player"),
        ("words", "check", "x", "--lexicon"),
        ("fribble", "analyse"),
        ("admin", "export"),
    ],
)
def test_an_error_repeats_only_the_beginning_of_a_very_long_value(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "wibble.sqlite3").write_bytes(empty_store())
    refused = wibble(*arguments, "abcde" * 600, WIBBLE_DATA_DIR=str(tmp_path))
    assert refused.returncode == 2
    assert len(refused.stderr) < 500
    assert "abcde" in refused.stderr


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served")) as server:
        yield server


def test_serve_prints_the_address_where_the_page_is(served: Served) -> None:
    assert served.url in served.log.read_text()
    assert "<title>" in httpx.get(served.url, timeout=SOON).text


def test_bad_input_exits_with_status_2() -> None:
    for arguments, settings, says in (
        (["serve", "--port", "99999"], {}, "65535"),
        (["serve"], {"WIBBLE_PORT": "ten"}, "WIBBLE_PORT"),
        (["dance"], {}, "dance"),
    ):
        refused = wibble(*arguments, **settings)
        assert refused.returncode == 2
        assert says in refused.stderr
        assert "Traceback" not in refused.stderr


def test_errors_in_arguments_and_settings_say_what_is_accepted() -> None:
    cases: list[tuple[list[str], dict[str, str], str]] = [
        (["serve", "--port", "x"], {}, "Invalid value for '--port': a whole number expected, 'x' given"),
        (["serve"], {"WIBBLE_PORT": "x"}, "WIBBLE_PORT: a whole number expected, 'x' given"),
        (["serve"], {"WIBBLE_TRUSTED_PROXIES": "10.0.0.1/8"}, "expected addresses or networks such as"),
        (["serve"], {"WIBBLE_TRUSTED_PROXIES": "127.0.0.1,proxy"}, "WIBBLE_TRUSTED_PROXIES: 'proxy' does"),
        (["serve"], {"WIBBLE_HOST_NAMES": "https://a.b"}, "WIBBLE_HOST_NAMES: 'https://a.b' is not the name"),
        (["serve"], {"WIBBLE_HOST_NAMES": "a.b:8443"}, "WIBBLE_HOST_NAMES: 'a.b:8443' is not the name"),
        (["serve"], {"WIBBLE_CORS_ORIGINS": "https://a.b/"}, "WIBBLE_CORS_ORIGINS: 'https://a.b/' is not an"),
        (["serve"], {"WIBBLE_CORS_ORIGINS": "a.b"}, "WIBBLE_CORS_ORIGINS: 'a.b' is not an origin"),
        (
            ["serve"],
            {"WIBBLE_SITE_URL": "https://a.b/games"},
            "WIBBLE_SITE_URL: the site is not served",
        ),
        (["serve"], {"WIBBLE_MAIL_URL": "smtp://a:b@c"}, "WIBBLE_MAIL_URL needs WIBBLE_MAIL_FROM"),
        (
            ["serve"],
            {"WIBBLE_DATABASE_URL": "mysql://a/b"},
            "WIBBLE_DATABASE_URL: not a database URL: expected",
        ),
        (["serve"], {"WIBBLE_DATABASE_URL": "postgresql+x://a/b"}, "WIBBLE_DATABASE_URL: not a database URL"),
        (["serve"], {"WIBBLE_DATABASE_URL": "postgresql://a:b/c"}, "WIBBLE_DATABASE_URL: not a database URL"),
        (
            ["serve"],
            {"WIBBLE_RATE_GAMES": "0/hour"},
            "WIBBLE_RATE_GAMES: '0/hour' is not a rate: expected one",
        ),
    ]
    # In one process, as each new one would load the application again.
    program = """
import json, os, sys
from app.cli import main
for arguments, settings in json.load(sys.stdin):
    sys.argv = ["wibble", *arguments]
    os.environ.update(settings)
    try:
        main()
    except SystemExit as ended:
        print("status", ended.code, file=sys.stderr)
    for name in settings:
        del os.environ[name]
"""
    ended = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps([(arguments, settings) for arguments, settings, _ in cases]),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    refusals = ended.stderr.split("status 2\n")
    for (_, _, says), refusal in zip(cases, refusals, strict=False):
        assert says in refusal
    assert refusals[len(cases) :] == [""], "each ends with status 2"


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [(["replay", "-"], 2, "line 1 must be"), (["play"], 0, "before the game was over")],
)
def test_a_closed_input_is_an_empty_one(tmp_path: Path, arguments: list[str], status: int, says: str) -> None:
    ended = subprocess.run(
        ["sh", "-c", '"$0" -m app.cli "$@" <&-', sys.executable, *arguments],
        env=os.environ | {"WIBBLE_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == status, ended.stderr
    assert says in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    "arguments", [["--help"], ["scrabblet", "player", "abcdefg"], ["words", "check", "quiz", "--json"]]
)
def test_an_output_that_cannot_be_written_is_reported_in_a_line(tmp_path: Path, arguments: list[str]) -> None:
    program = (
        "import resource, sys; sys.dont_write_bytecode = True; import app.cli;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (64, resource.RLIM_INFINITY)); app.cli.main()"
    )
    # Without a buffer, Python itself mistakes a partial write for a complete one.
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with (tmp_path / "output").open("wb") as output:
        ended = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            env=buffered,
            stdout=output,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert ended.returncode == 1
    assert ended.stderr.decode() == "Error: the output cannot be written: File too large\n"


def test_an_invalid_value_elsewhere_is_not_called_a_setting() -> None:
    program = (
        "import app.cli, app.commands.root as root; from pydantic import TypeAdapter;"
        "root.app = lambda: TypeAdapter(int).validate_python('x'); app.cli.main()"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ended.returncode, "ValidationError" in ended.stderr, "WIBBLE_" in ended.stderr) == (
        1,
        True,
        False,
    )


def test_a_port_in_use_is_reported(served: Served) -> None:
    refused = wibble("serve", "--port", served.url.rsplit(":", 1)[1])
    assert refused.returncode != 0
    assert "in use" in refused.stderr
    assert "Wibble is at" not in refused.stdout


def test_warm_prepares_what_the_first_start_needs(tmp_path: Path) -> None:
    warmed = wibble("warm", WIBBLE_CACHE_DIR=str(tmp_path))
    assert warmed.returncode == 0
    assert "244,804 words" in warmed.stdout
    assert list(tmp_path.rglob("*.npy"))
    assert len([file for file in (tmp_path / "templates").rglob("*") if file.is_file()]) > 100
