"""`wibble play --server` in terminals, against a real server."""

import http.server
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from app.client import ApiClient, CookieFile, RemoteGame
from tests.cli.shells import wibble
from tests.cli.terminal import Terminal
from tests.event_streams import SOON, eventually
from tests.forked_servers import Forked
from tests.tcp_proxy import TcpProxy

AtTerminal = Callable[..., Terminal]
"""Starts `wibble play` for a named person, with that person's data directory."""
LETTERS = "hgkcmdqbomiezfankxlknrlpo"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forked]:
    with Forked(tmp_path_factory.mktemp("server")) as forked:
        yield forked


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("WIBBLE_DATA_DIR", str(tmp_path / "mine"))


@pytest.fixture
def sits_down(tmp_path: Path) -> Iterator[AtTerminal]:
    terminals = []

    def start(name: str, url: str, *arguments: str) -> Terminal:
        terminals.append(Terminal(tmp_path / name, "play", "--server", url, *arguments))
        return terminals[-1]

    yield start
    for terminal in terminals:
        terminal.close()


@pytest.fixture
def instant_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Terminals show the time left when a round starts on the server, however late its answer comes."""
    move, clock = ApiClient.move, SimpleNamespace(time=time.time)

    def send(*arguments: Any) -> RemoteGame:
        game = move(*arguments)
        timed = game.view["rounds"][0] if game.kind == "boggle" else game.view
        started_at = timed.get("started_at")
        clock.time = time.time if started_at is None else lambda: started_at
        return game

    monkeypatch.setattr(ApiClient, "move", send)
    monkeypatch.setattr("app.terminal.clocks.time", clock)


def play_remotely(server: Forked, *arguments: str, typed: str = "") -> tuple[int, str]:
    return wibble("play", "--server", server.url, *arguments, typed=typed)


def moves_of(server: Forked, game_id: str) -> list[dict[str, Any]]:
    moves: list[dict[str, Any]] = httpx.get(f"{server.url}/api/games/{game_id}/moves", timeout=SOON).json()[
        "moves"
    ]
    return moves


def test_two_terminals_play_versus_to_the_end(server: Forked, sits_down: AtTerminal) -> None:
    ann = sits_down("ann", server.url, "--mode", "versus", "--seats", "2")
    link = ann.sees(r"--game (\S+)")[1]
    ann.sees("waiting for players > ")
    bob = sits_down("bob", server.url, "--game", link)
    ann.sees("Player 2 joined")
    bob.sees("waiting for Player 1 > ")
    ann.sees("\n> ")
    ann.types("/say good luck!")
    bob.sees("Player 1: Good luck!")
    for number in range(5):
        mover, other, name = ann, bob, "Player 1"
        for mover, other, name in ((ann, bob, "Player 1"), (bob, ann, "Player 2")):
            mover.types("/pass")
            mover.sees("You: passed")
            other.sees(f"{name}: passed")
        if number < 4:
            ann.sees(f"Round {number + 2} of 5")
    for terminal in (ann, bob):
        terminal.sees("All 5 rounds played")
        review = terminal.sees(r"Replay and analysis: (\S+)")[1]
        assert "Replay" in httpx.get(review, timeout=SOON).raise_for_status().text
        assert terminal.ends() == 0


def test_a_bots_move_appears_by_itself(server: Forked, sits_down: AtTerminal) -> None:
    ann = sits_down("ann", server.url, "--kind", "letterpress", "--bots", "1")
    ann.sees("\n> ")
    ann.types("/pass")
    ann.sees("You: passed")
    ann.sees("waiting for Pip > ")
    ann.sees(r"\nPip: ([A-Z]+ \+\d|passed)")
    ann.sees("\n> ")


def test_a_player_who_leaves_rejoins_the_same_seat(server: Forked, sits_down: AtTerminal) -> None:
    ann = sits_down("ann", server.url, "--kind", "fribble")
    ann.sees("\n> ")
    ann.presses("d")
    command = ann.sees(r"Rejoin with: wibble play --server (\S+) (--game=\S+)")
    assert command[1] == server.url
    assert ann.ends() == 0
    for key, status in (("quit", 0), ("/quit", 0), ("QUIT", 0)):
        ann = sits_down("ann", server.url, command[2])
        ann.sees("Your rack: ")
        ann.sees("\n> ")
        ann.types(key)
        ann.sees("The game continues")
        assert ann.ends() == status
    stranger = sits_down("bob", server.url, command[2])
    stranger.sees("You are watching")
    stranger.sees("waiting for Player 1 > ")


def test_the_session_ends_when_the_game_was_cancelled(
    server: Forked, tmp_path: Path, sits_down: AtTerminal
) -> None:
    file = tmp_path / "jar"
    ann = sits_down("ann", server.url, "--kind", "letterpress", "--seats", "2", "--cookies", str(file))
    game_id = ann.sees(r"Game (\S+) on")[1]
    ann.sees("waiting for players > ")
    with httpx.Client(cookies=CookieFile(file).jar) as browser:
        assert browser.delete(f"{server.url}/api/games/{game_id}").status_code == 204
    ann.types("/board")
    ann.sees("there is no game")
    assert ann.ends() == 0
    assert "Rejoin with" not in ann.shown


def test_ctrl_c_leaves_with_130(server: Forked, sits_down: AtTerminal) -> None:
    ann = sits_down("ann", server.url)
    ann.sees("\n> ")
    ann.interrupted()
    ann.sees("Rejoin with: ")
    assert ann.ends() == 130
    assert "Traceback" not in ann.shown


def test_a_restart_in_mid_game_loses_nothing(tmp_path: Path, sits_down: AtTerminal) -> None:
    server = Forked(tmp_path / "server")
    server.start()
    proxy = TcpProxy(int(server.url.rpartition(":")[2]))
    try:
        ann = sits_down("ann", proxy.url, "--mode", "versus", "--seats", "2")
        bob = sits_down("bob", proxy.url, "--game", ann.sees(r"--game (\S+)")[1])
        game_id = ann.sees(r"joined") and re.search(r"Game (\S+) on", ann.shown)
        assert game_id
        ann.sees("\n> ")
        server.kill()
        proxy.cut()
        ann.sees("does not respond")
        ann.types("/pass")
        bob.sees("Retrying")
        server.start()
        proxy.port = int(server.url.rpartition(":")[2])
        ann.sees("Reconnected")
        ann.sees("You: passed")
        bob.sees("Reconnected")
        bob.sees("Player 1: passed")
        bob.sees("\n> ")
        bob.types("/pass")
        ann.sees("Player 2: passed")
        assert [line["seat"] for line in moves_of(server, game_id[1])] == [0, 0, 1]
    finally:
        proxy.close()
        server.stop()


def test_a_move_whose_answer_was_lost_is_not_made_twice(server: Forked, sits_down: AtTerminal) -> None:
    proxy = TcpProxy(int(server.url.rpartition(":")[2]))
    try:
        ann = sits_down("ann", proxy.url, "--mode", "classic")
        game_id = ann.sees(r"Game (\S+) on")[1]
        ann.sees("\n> ")
        proxy.mode = "swallow"
        ann.types("/pass")
        ann.sees("does not respond")  # perhaps the broken event stream, before the server has the pass
        eventually(lambda: [line["move"]["type"] for line in moves_of(server, game_id)] == ["start", "pass"])
        proxy.mode = "refuse"
        proxy.mode = "pass"
        ann.sees("Reconnected")
        ann.sees("You: passed")
        ann.sees("Round 2 of 5")
        ann.types("/resign")
        ann.sees("You 0")
        assert ann.ends() == 0
        types = [line["move"]["type"] for line in moves_of(server, game_id)]
        assert types == ["start", "pass", "resign"]
    finally:
        proxy.close()


def test_without_an_event_stream_the_game_is_fetched(tmp_path: Path, sits_down: AtTerminal) -> None:
    with Forked(tmp_path / "server", streams_per_player="1") as server:
        ann = sits_down("ann", server.url, "--kind", "letterpress", "--seats", "2")
        link = ann.sees(r"--game (\S+)")[1]
        bob = sits_down("bob", server.url, "--game", link)
        bob.sees("waiting for Player 1 > ")
        ann.sees("\n> ")
        second = sits_down("ann", server.url, "--game", link)
        second.sees("already has 1 event stream open")
        ann.types("/pass")
        for other in (second, bob):
            other.sees("(You|Player 1): passed")


def test_both_players_find_words_at_the_same_time_in_boggle(server: Forked, sits_down: AtTerminal) -> None:
    board = 'board=["pers","latg","sine","ters"]'
    ann = sits_down("ann", server.url, "--kind", "boggle", "--option", board, "--seats", "2")
    bob = sits_down("bob", server.url, "--game", ann.sees(r"--game (\S+)")[1])
    for one in (ann, bob):
        one.sees("Press Enter to start the clock")
        one.types("")
        one.sees("P  E  R  S")
    for word in ("perlite", "signet", "latinest", "repaint", "tines", "singe"):
        ann.types(word)
        bob.types(word)
    for one in (ann, bob):
        one.types("/words")
        found = one.sees(r"\n(TINES \d.*|.*TINES \d)")[1]
        assert found.count("TINES") == 1
        one.types("/finish")
    for one in (ann, bob):
        one.sees("Not found: ")
        one.sees("Everyone has finished")
        assert one.ends() == 0


@pytest.mark.usefixtures("instant_answers")
@pytest.mark.parametrize(
    ("arguments", "typed", "shows"),
    [
        (
            ["--mode", "blitz"],
            "zz\n\n/resign\n",
            ["Press Enter to start the clock. ", "clock, or type quit", "120 s >", "You 0"],
        ),
        (
            ["--mode", "classic"],
            "/swap a1 q\n/swap a1\nq9\na1 c3\nw8rd!\n/hint\n/nothing\n" + "/pass\n" * 5,
            ["You: a1 is now Q", "/swap b3 e", "q9 is not on the board: tiles are a1 to e5",
             "c3 does not touch a1", "'w8rd!' is not a word", "a hint costs 4 gems", "Missed words",
             "All 5 rounds played"],
        ),
        (
            ["--kind", "letterpress", "--option", f"board={LETTERS}", "--bots", "1"],
            "home\na1 z9\nzzz\n/resign\n",
            ["You: HOME +4", "z9 is not on", "ZZZ needs more of Z", "You: resigned", "Winner: Pip"],
        ),
        (
            ["--kind", "boggle", "--option", 'board=["pers","latg","sine","ters"]', "--option", "seconds=60"],
            "\nsinge\nsinge\nat\nzebra\nqqq\na1 b1 c1\n/words\n/finish\n",
            ["60 s >", "SINGE, 2 points; score 2", "SINGE was already found", "AT is too short",
             "ZEBRA is not on this board", "PER, 1 point; score 3", "SINGE 2, PER 1", "Not found:", "You 3"],
        ),
        (
            ["--kind", "fribble", "--bots", "1"],
            "/unseen\n8H\n8H ZZZZZZZ\n/exchange\n/resign\n",
            ["97 unseen", "'8H' is not a move", "name the tiles to exchange", "You: resigned", "Your rack"],
        ),
        (
            ["--kind", "scrabblet", "--option", "rack=ruolfnt"],
            "front\nfront\nplot\nflu\nfro1\n/show\n/hint\n/shuffle\n/finish\n",
            ["FRONT, 8 points; score 8", "FRONT was already found", "PLOT cannot be spelled",
             "FLU is too short", "'fro1' is not a word", "FRONT 8", "common words to find", "You 8"],
        ),
    ],
)  # fmt: skip
def test_every_kind_is_played_to_its_end(
    server: Forked, arguments: list[str], typed: str, shows: list[str]
) -> None:
    status, output = play_remotely(server, *arguments, typed=typed)
    assert status == 0, output
    for text in [*shows, "Replay and analysis: "]:
        assert text in output, output


def test_the_record_of_a_game_on_a_server_is_saved(server: Forked, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    status, output = play_remotely(server, "--mode", "classic", "--save", str(file), typed="/pass\n" * 5)
    assert status == 0
    assert "Saved" in output
    assert "All 5 rounds played" in wibble("replay", file)[1]
    assert play_remotely(server, "--save", str(file))[0] == 2


def test_a_listed_table_is_joined_without_an_invitation(server: Forked, sits_down: AtTerminal) -> None:
    ann = sits_down(
        "ann", server.url, "--kind", "letterpress", "--seats", "2", "--listed", "--turn-limit", "1h"
    )
    game_id = ann.sees(r"Game (\S+) on")[1]
    ann.sees("/claim")
    bob = sits_down("bob", server.url, "--game", f"{server.url}/games/{game_id}")
    ann.sees("joined")
    bob.sees("waiting for Player 1")


def test_the_session_is_kept_in_the_cookie_file(server: Forked, tmp_path: Path) -> None:
    file = tmp_path / "jar"
    output = play_remotely(server, "--cookies", str(file))[1]
    game_id = re.search(r"Game (\S+) on", output)
    assert game_id
    assert "You are watching" not in play_remotely(server, "--cookies", str(file), "--game", game_id[1])[1]
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--server", "words.example"], "is not the URL of a server"),
        (["--server", "ftp://words.example"], "is not the URL of a server"),
        (["--server", "URL", "--seed", "x"], "is for local games"),
        (["--server", "URL", "--game", "abc", "--mode", "zen"], "is for a new game"),
        (["--server", "URL", "--game", "abc", "--kind", "boggle"], "is for a new game"),
        (["--server", "URL", "--game", "a b"], "neither a game ID nor a link to a game"),
        (["--server", "URL", "--game", "http://other.example/games/abc"], "is on another server"),
        (["--server", "URL", "--game", "nothing"], "there is no game 'nothing'"),
        (["--server", "URL", "--kind", "chess"], "accepted: wibble, letterpress"),
        (["--server", "URL", "--kind", "boggle", "--values", "scrabble"], "is not an option of boggle"),
        (["--server", "URL", "--option", "size"], "accepted: NAME=VALUE"),
        (["--server", "URL", "--option", "size=99"], "size: 7 or less expected"),
        (["--server", "URL", "--bots", "9"], "accepted: levels from 1 to 5"),
        (["--server", "URL", "--bots", "3"], "a game of Zen has 1 seat"),
        (["--server", "URL", "--listed"], "requires --seats"),
        (["--server", "URL", "--turn-limit", "5m"], "accepted: 10m, 1h, 1d, 3d"),
        (["--server", "URL", "--cookies", __file__], "is not a cookie file"),
        (["--game", "abc"], "requires --server URL"),
        (["--kind", "boggle"], "requires --server URL"),
        (["--cookies", "jar"], "requires --server URL"),
        (["--turn-limit", "1h"], "requires --server URL"),
    ],
)  # fmt: skip
def test_bad_input_exits_with_status_2(server: Forked, arguments: list[str], says: str) -> None:
    given = [server.url if argument == "URL" else argument for argument in arguments]
    status, output = wibble("play", *given)
    assert status == 2
    assert says in output


def test_an_unreachable_server_exits_with_1() -> None:
    status, output = wibble("play", "--server", "http://127.0.0.1:9")
    assert status == 1
    assert "http://127.0.0.1:9 does not respond" in output


class _Elsewhere(http.server.BaseHTTPRequestHandler):
    """A server that is not Wibble."""

    def do_POST(self) -> None:
        """Send a response that Wibble never sends."""
        content = json.dumps({"hello": "\x1b[31mworld"}).encode()
        self.send_response(201)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def test_a_server_other_than_wibble_is_recognized() -> None:
    elsewhere = http.server.HTTPServer(("127.0.0.1", 0), _Elsewhere)
    threading.Thread(target=elsewhere.serve_forever, daemon=True).start()
    try:
        status, output = wibble("play", "--server", f"http://127.0.0.1:{elsewhere.server_port}")
    finally:
        elsewhere.shutdown()
    assert status == 1
    assert "is not a Wibble server" in output
    assert "\x1b" not in output
