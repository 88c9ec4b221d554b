"""Failed starts: one clear sentence, exit status 2, and no changes."""

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

from app.commands.root import app
from app.settings import Settings
from app.store import database
from tests.servers import RedisCluster, RedisServer, Served
from tests.shared_parts import empty_store


def serve(folder: Path, *arguments: str, **settings: str) -> Result:
    variables = {"WIBBLE_DATA_DIR": str(folder)} | {
        f"WIBBLE_{name.upper()}": to for name, to in settings.items()
    }
    return CliRunner().invoke(app, ["serve", "--port", "0", *arguments], env=variables)


def refused(result: Result) -> str:
    """The output on one line."""
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    return " ".join(result.stderr.split())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder as a server has left it."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "wibble.sqlite3").write_bytes(empty_store())
    (data / "secret-key").write_text("0123456789abcdef" * 4)
    return data


def test_a_data_folder_that_cannot_be_created_is_named_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "cannot be created" in refused(serve(tmp_path / "file" / "data"))


@pytest.mark.parametrize("weak", ["a" * 64, "01234567" * 8])
def test_a_key_file_that_can_be_guessed_is_refused(folder: Path, weak: str) -> None:
    (folder / "secret-key").write_text(weak)
    reason = refused(serve(folder))
    assert "secret-key can be guessed" in reason
    assert "openssl rand" in reason


@pytest.mark.parametrize("kept", [b"", b"0123456789abcdef", b"0123456789abcdef" * 5, b"\x00" * 64])
def test_a_damaged_key_signs_nothing(folder: Path, kept: bytes) -> None:
    """With an empty key, for example, anybody could forge any player's cookie."""
    (folder / "secret-key").write_bytes(kept)
    assert "secret-key is damaged" in refused(serve(folder))
    assert (folder / "secret-key").read_bytes() == kept


def overwritten(content: bytes) -> bytes:
    return Random(1).randbytes(len(content))


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def with_a_page_of_zeros(content: bytes) -> bytes:
    return content[:8192] + bytes(4096) + content[12288:]


@pytest.mark.parametrize("harm", [overwritten, cut, with_a_page_of_zeros])
def test_a_damaged_database_is_not_played_on(folder: Path, harm: Callable[[bytes], bytes]) -> None:
    file = folder / "wibble.sqlite3"
    file.write_bytes(harm(file.read_bytes()))
    before = file.read_bytes()
    said = refused(serve(folder))
    assert re.search("cannot be opened: .*(malformed|not a database|[Pp]age)", said), said
    assert "backup" in said
    assert file.read_bytes() == before


def test_a_database_of_a_newer_wibble_is_refused_at_the_start(folder: Path) -> None:
    file = folder / "wibble.sqlite3"
    newest = (
        sorted((Path(database.__file__).parent / "migrations" / "versions").glob("*.py"))[-1]
        .name[:4]
        .encode()
    )
    assert file.read_bytes().count(newest) > 0
    file.write_bytes(file.read_bytes().replace(newest, b"9999"))
    assert "Can't locate revision identified by '9999'" in refused(serve(folder))


def test_a_database_that_does_not_answer_is_reported_at_the_start(folder: Path) -> None:
    said = refused(serve(folder, database_url="postgresql://postgres:secret@127.0.0.1:1/wibble"))
    assert "cannot be opened: connection failed" in said
    assert "secret" not in said


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("redis://:secret@127.0.0.1:1", "Connection refused"),
        ("redis+cluster://:secret@127.0.0.1:1,127.0.0.1:2", "provide at least one reachable node"),
    ],
)
def test_a_redis_that_does_not_answer_is_reported_at_the_start(folder: Path, url: str, why: str) -> None:
    said = refused(serve(folder, redis_url=url))
    assert "Redis does not answer (WIBBLE_REDIS_URL)" in said
    assert why in said
    assert "secret" not in said


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("127.0.0.1:6379", "is not the address of a Redis: expected"),
        ("http://secret", "is not the address of a Redis: expected"),
        ("redis+cluster://", "a node without a host"),
        ("redis+cluster://:secret@127.0.0.1:1,127.0.0.1:port", "a wrong port"),
        ("rediss+cluster://:secret@127.0.0.1:1/2", "a Redis Cluster has one database"),
    ],
)
def test_an_invalid_redis_address_is_refused_at_the_start(folder: Path, url: str, why: str) -> None:
    said = refused(serve(folder, redis_url=url))
    assert "WIBBLE_REDIS_URL" in said
    assert why in said
    assert "redis+cluster://host:port,host:port" in said
    assert "secret" not in said


def test_a_cluster_and_a_single_redis_need_different_addresses(
    folder: Path, redis_cluster: RedisCluster, redis_server: RedisServer
) -> None:
    node = redis_cluster.nodes[0].url
    assert "is a node of a cluster: use redis+cluster://" in refused(serve(folder, redis_url=node))
    no_cluster = redis_server.url.replace("redis:", "redis+cluster:")
    assert "Cluster mode is not enabled" in refused(serve(folder, redis_url=no_cluster))


@pytest.mark.parametrize("command", [["serve", "--host", "192.0.2.1"], ["admin", "stats"]])
def test_a_setting_that_does_not_exist_is_named_with_the_nearest(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    (folder / ".env").write_text("WIBBLE_PROT=1\nOTHER=2\n")
    monkeypatch.chdir(folder)
    monkeypatch.setitem(Settings.model_config, "env_file", ".env")
    variables = {"WIBBLE_DATA_DIR": str(folder), "WIBBLE_DATADIR": "hush", "WIBBLE_TOKEN": "wib"}
    variables |= {"WIBBLE_FOO": "1"}
    said = CliRunner().invoke(app, command, env=variables).stderr
    assert "WIBBLE_DATADIR is not a setting: did you mean WIBBLE_DATA_DIR?" in said
    assert "WIBBLE_PROT is not a setting: did you mean WIBBLE_PORT?" in said
    assert "WIBBLE_FOO is not a setting\n" in said
    assert said.count("is not a setting") == 3
    assert "hush" not in said


def test_a_taken_port_is_named_at_the_start(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"port {port}: Address already in use" in refused(serve(folder, "--port", port))


def test_a_host_of_another_machine_is_named_at_the_start(folder: Path) -> None:
    assert "cannot listen on 192.0.2.1" in refused(serve(folder, "--host", "192.0.2.1"))


def test_a_read_only_data_folder_is_named_at_the_start(folder: Path) -> None:
    for file in folder.iterdir():
        file.chmod(0o400)
    folder.chmod(0o500)
    command = [*obeying_permissions(), sys.executable, "-m", "app.cli", "serve", "--port", "0"]
    run = subprocess.run(
        command,
        env=Served(folder.parent).environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 2, run.stderr
    assert "cannot be opened: attempt to write a readonly database" in run.stderr


def obeying_permissions() -> list[str]:
    """The prefix that makes a command respect file permissions, which root bypasses."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all"]
