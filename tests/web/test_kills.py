"""Repeated kills at random moments under load: answered requests are kept, and each one is all or nothing.

``WIBBLE_TEST_KILLS`` is the number of kills for each store. A kill ends the process as a power cut would,
but not the machine: the system still writes what it has accepted.
"""

import json
import logging
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, Final

import httpx
import pytest
from sqlalchemy import Connection, func, select, text

from app.rooms import ROOMS
from app.store.database import Database
from app.store.games import GameStore
from app.store.schema import attempts, games, moves, results, seats, snapshots
from app.words.library import Library
from tests.event_streams import SOON
from tests.forked_servers import Forked

log = logging.getLogger(__name__)

KILLS: Final = int(os.environ.get("WIBBLE_TEST_KILLS", "4"))
SEED: Final = int(os.environ.get("WIBBLE_TEST_SEED", "20"))
AT_WORK: Final = float(os.environ.get("WIBBLE_TEST_KILL_WITHIN", "0.5"))
"""Longest load before a kill, in seconds."""
STARTING: Final = 0.4
"""Longest time from a start to a kill, every fourth time, in seconds."""


@dataclass
class Witness:
    """The responses to one client, and its last request."""

    made: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)
    """Moves by game and ply."""
    opened: dict[str, int] = field(default_factory=dict)
    """Number of players seated, by game."""
    over: set[str] = field(default_factory=set)
    ranked: set[str] = field(default_factory=set)
    said: dict[str, int] = field(default_factory=dict)
    """Lines by game."""
    asked: tuple[str, int, dict[str, Any]] | None = None
    """A move without a response."""
    answers: int = 0
    fault: BaseException | None = None


class Hand:
    """Two players at one server, who record its responses."""

    def __init__(self, url: str, witness: Witness) -> None:
        self._players = [httpx.Client(base_url=url, timeout=SOON) for _ in range(2)]
        self._witness = witness

    def open(self, **body: Any) -> tuple[str, int]:
        """A new game and its ply."""
        return self._opened(self._post("/api/games", body))

    def open_daily(self) -> tuple[str, int]:
        game = self._post("/api/daily", {})
        self._witness.ranked.add(game["id"])
        return self._opened(game)

    def open_for_two(self, kind: str) -> str:
        game = self._post("/api/games", {"kind": kind})
        self._opened(game)
        self._post(f"/api/games/{game['id']}/seats", {"invitation": game["invitation"]}, who=1)
        self._witness.opened[game["id"]] += 1
        return str(game["id"])

    def rack(self, game_id: str, who: int) -> str:
        return str(self._players[who].get(f"/api/games/{game_id}").json()["view"]["rack"])

    def move(self, game_id: str, ply: int, who: int = 0, **move: Any) -> None:
        self._witness.asked = (game_id, ply, move)
        game = self._post(f"/api/games/{game_id}/moves", {"ply": ply, "move": move}, who)
        self._witness.asked = None
        self._witness.made[game_id, ply] = move
        if game["finished_at"] is not None:
            self._witness.over.add(game_id)

    def say(self, game_id: str, line: int) -> None:
        self._post(f"/api/games/{game_id}/remarks", {"line": line})
        self._witness.said[game_id] = self._witness.said.get(game_id, 0) + 1

    def _post(self, path: str, body: Any, who: int = 0) -> dict[str, Any]:
        answer = self._players[who].post(path, json=body)
        assert answer.is_success, f"{path} {body}: {answer.status_code} {answer.text}"
        self._witness.answers += 1
        found: dict[str, Any] = answer.json()
        return found

    def _opened(self, game: dict[str, Any]) -> tuple[str, int]:
        self._witness.opened[game["id"]] = 1
        return game["id"], game["view"]["ply"]


def play_wibble(hand: Hand) -> None:
    game_id, ply = hand.open(options={"mode": "zen"})
    for cell in range(3):
        hand.move(game_id, ply + 3 * cell, type="add", cell=cell)
        hand.move(game_id, ply + 3 * cell + 1, type="back")
        hand.move(game_id, ply + 3 * cell + 2, type="shuffle")
    hand.move(game_id, ply + 9, type="resign")


def play_daily(hand: Hand) -> None:
    game_id, ply = hand.open_daily()
    hand.move(game_id, ply, type="shuffle")
    hand.move(game_id, ply + 1, type="resign")


def play_letterpress(hand: Hand) -> None:
    game_id = hand.open_for_two("letterpress")
    hand.say(game_id, 0)
    hand.move(game_id, 0, type="pass")
    hand.move(game_id, 1, who=1, type="resign")


def play_fribble(hand: Hand) -> None:
    game_id = hand.open_for_two("fribble")
    for ply in range(4):
        tiles = hand.rack(game_id, ply % 2)[: 1 + ply]
        hand.move(game_id, ply, who=ply % 2, type="exchange", tiles=tiles)
    hand.move(game_id, 4, type="resign")


def play_scrabblet(hand: Hand) -> None:
    game_id, ply = hand.open(kind="scrabblet")
    for guess in range(4):
        hand.move(game_id, ply + guess, type="guess", word="nowordatall"[guess:])
    hand.move(game_id, ply + 4, type="quit")


def play_until_killed(url: str, witness: Witness, play: Callable[[Hand], None]) -> None:
    try:
        while True:
            play(Hand(url, witness))
    except httpx.TransportError:
        return
    except BaseException as fault:
        witness.fault = fault


LOAD: Final = (play_wibble, play_daily, play_letterpress, play_fribble, play_scrabblet)


@dataclass
class Store:
    """A server to be killed, and its store to be inspected."""

    server: Forked
    database: Database
    games: GameStore


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path, library: Library) -> Iterator[Store]:
    url = f"sqlite:///{tmp_path / 'wibble.sqlite3'}"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgresql").url
    server, database = Forked(tmp_path, url, rate_limits="0"), Database(url)
    yield Store(server, database, GameStore(database, ROOMS.rulebook(library)))
    server.stop()
    database.close()


def test_whatever_was_answered_before_a_kill_is_there_after_it(store: Store) -> None:
    chance, checked, answers, late = Random(SEED), set[str](), 0, 0
    for kill in range(KILLS):
        if kill % 4 == 3:
            store.server.fork()
            time.sleep(chance.uniform(0, STARTING))
            store.server.kill()
            continue
        store.server.start()
        witnesses = [Witness() for _ in LOAD]
        clients = [
            Thread(target=play_until_killed, args=(store.server.url, witness, play))
            for witness, play in zip(witnesses, LOAD, strict=True)
        ]
        for client in clients:
            client.start()
        while not any(witness.answers for witness in witnesses):
            time.sleep(0.01)
        time.sleep(chance.uniform(0, AT_WORK))
        store.server.kill()
        for client in clients:
            client.join()
        assert [witness.fault for witness in witnesses if witness.fault] == []
        for witness in witnesses:
            late += find_all_that_was_answered(store, witness)
            answers += witness.answers
        checked |= replay_all_but(store, checked)
        assert_all_or_nothing(store)
    log.info("%d kills, %d answers, %d moves kept unanswered, %d games", KILLS, answers, late, len(checked))
    assert answers >= KILLS - KILLS // 4


def find_all_that_was_answered(store: Store, witness: Witness) -> int:
    """The number of stored moves whose response was cut off by the kill."""
    with store.database.reading() as connection:
        for game_id, seated in witness.opened.items():
            row = connection.execute(select(games).where(games.c.id == game_id)).one()
            taken = select(func.count()).where(seats.c.game_id == game_id, seats.c.player_id.is_not(None))
            assert (connection.scalar(taken) or 0) >= seated
            if game_id in witness.over:
                assert row.status == "finished"
                kept = select(func.count()).where(results.c.game_id == game_id)
                assert connection.scalar(kept) == seated
            if game_id in witness.ranked:
                score = select(attempts.c.score).where(attempts.c.game_id == game_id)
                assert (connection.execute(score).scalar_one() is None) == (row.status == "open")
            assert len(json.loads(row.remarks)) >= witness.said.get(game_id, 0)
        for (game_id, ply), move in witness.made.items():
            assert kept_move(connection, game_id, ply) == move
        if witness.asked is None:
            return 0
        game_id, ply, move = witness.asked
        kept = kept_move(connection, game_id, ply)
        assert kept in (None, move)
        return int(kept is not None)


def kept_move(connection: Connection, game_id: str, ply: int) -> Any:
    found = connection.scalar(select(moves.c.move).where(moves.c.game_id == game_id, moves.c.ply == ply))
    return None if found is None else json.loads(found)


def replay_all_but(store: Store, checked: set[str]) -> set[str]:
    """The games not yet checked; the log of each must lead to its snapshot."""
    with store.database.reading() as connection:
        found = connection.execute(select(games.c.id, games.c.kind, snapshots.c.state).join(snapshots)).all()
    fresh = [row for row in found if row.id not in checked]
    for row in fresh:
        assert store.games.states(row.id)[-1] == ROOMS[row.kind].game.state_type.model_validate_json(
            row.state
        )
    return {row.id for row in fresh}


def assert_all_or_nothing(store: Store) -> None:
    """Each transaction was stored completely or not at all."""
    with store.database.reading() as connection:
        for broken in (
            "SELECT id FROM games WHERE id NOT IN (SELECT game_id FROM seats)",
            "SELECT id FROM games WHERE id NOT IN (SELECT game_id FROM snapshots)",
            "SELECT game_id FROM results WHERE game_id NOT IN (SELECT id FROM games)",
            "SELECT game_id FROM attempts WHERE game_id NOT IN (SELECT id FROM games)",
            "SELECT game_id FROM moves GROUP BY game_id HAVING count(*) <> max(ply) + 1",
            "SELECT snapshots.game_id FROM snapshots LEFT JOIN moves ON moves.game_id = snapshots.game_id"
            " GROUP BY snapshots.game_id, snapshots.ply HAVING count(moves.ply) <> snapshots.ply",
            "SELECT id FROM games WHERE (status = 'finished') <> (finished_at IS NOT NULL)",
            "SELECT id FROM games WHERE (status = 'finished') <> (id IN (SELECT game_id FROM results))",
        ):
            assert connection.execute(text(broken)).all() == [], broken
        if store.database.is_sqlite:
            assert connection.execute(text("PRAGMA integrity_check")).all() == [("ok",)]
            assert connection.execute(text("PRAGMA foreign_key_check")).all() == []
