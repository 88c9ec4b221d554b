"""People who play Letterpress two by two, as their pages do."""

import asyncio
import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.words.lexicon import Lexicon
from benchmarks.live.client import Connection, EventStream

BOARD = "esrtainolcdugmphbyfkqzxjv"
_PLAYABLE = 20
"""The letters from there on are in no word that is played, so that no game ends before its time."""
PATIENCE = 10.0
"""Seconds after which an event counts as lost."""


def playable_words(lexicon: Lexicon) -> list[str]:
    """Words of five to eight letters that the board has, of which none begins another."""
    letters = set(BOARD[:_PLAYABLE])
    found = [
        word
        for word in lexicon
        if 5 <= len(word) <= 8 and len(set(word)) == len(word) and letters.issuperset(word)
    ]
    return [word for word, after in zip(found, [*found[1:], ""], strict=True) if not after.startswith(word)]


@dataclass
class Seen:
    """What the players saw; seconds each."""

    moves: list[float] = field(default_factory=list)
    """From sending a move to the whole answer."""
    fetches: list[float] = field(default_factory=list)
    """From hearing of a move to the whole view of it."""
    deliveries: list[float] = field(default_factory=list)
    """From the mover's answer to the other's hearing of it; 0 where it was heard first."""
    journeys: list[float] = field(default_factory=list)
    """From sending a move to the other's hearing of it."""
    errors: list[str] = field(default_factory=list)

    @property
    def requests(self) -> int:
        """How many there were."""
        return len(self.moves) + len(self.fetches)


class Player:
    """Somebody with the page of a game open."""

    def __init__(self, cookie: str) -> None:
        self.cookie = cookie
        self.requests: Connection
        self.events: EventStream
        self._awaited: tuple[str, asyncio.Future[float]] | None = None

    async def come(self, port: int, game_id: str) -> None:
        """Open the page's two connections, and wait for the first event."""
        self.requests = await Connection.open(port)
        self.events = await EventStream.open(port)
        self.events.heard = self._hear
        first = self.expects("0-2")
        self.events.listen(f"/games/{game_id}/events", self.cookie)
        await asyncio.wait_for(first, PATIENCE)

    def leave(self) -> None:
        """Close the page."""
        self.requests.close()
        self.events.close()

    def expects(self, version: str) -> asyncio.Future[float]:
        """The moment at which this version of the table is heard of."""
        future: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._awaited = version, future
        return future

    def _hear(self, name: str, data: str, at: float) -> None:
        if name != "table":
            return
        if self._awaited is not None and self._awaited[0] == data and not self._awaited[1].done():
            self._awaited[1].set_result(at)


class Game:
    """One game between two players, who never stop."""

    def __init__(self, game_id: str, host: str, guest: str, words: Sequence[str]) -> None:
        self.id = game_id
        self.players = Player(host), Player(guest)
        self._words = iter(random.sample(words, len(words)))
        self._ply = 0

    async def open(self, port: int) -> None:
        """Both players open the page."""
        for player in self.players:
            await player.come(port, self.id)

    def close(self) -> None:
        """Both players leave."""
        for player in self.players:
            player.leave()

    async def play(self, until: float, think: Callable[[], float], seen: Seen) -> None:
        """Move by turns until the time is over; ``think`` says for how many seconds before each move."""
        try:
            while True:
                pause = think()
                if time.perf_counter() + pause >= until:
                    return
                await asyncio.sleep(pause)
                await self._move(seen)
        except (OSError, TimeoutError) as error:
            seen.errors.append(f"{self.id} after ply {self._ply}: {error!r}")

    async def _move(self, seen: Seen) -> None:
        mover, other = self.players[self._ply % 2], self.players[1 - self._ply % 2]
        cells = ",".join(str(BOARD.index(letter)) for letter in next(self._words))
        fields = {"type": "word", "cells": cells, "ply": str(self._ply)}
        told = other.expects(f"{self._ply + 1}-2")
        began = time.perf_counter()
        answer = await mover.requests.post(f"/games/{self.id}/moves", fields, mover.cookie)
        seen.moves.append(answer.at - began)
        if answer.status != 200:
            seen.errors.append(f"POST moves: {answer.status}")
            return
        heard = await asyncio.wait_for(told, PATIENCE)
        seen.deliveries.append(max(0.0, heard - answer.at))
        seen.journeys.append(heard - began)
        began = time.perf_counter()
        view = await other.requests.get(f"/games/{self.id}/table?seen={self._ply}-2", other.cookie)
        seen.fetches.append(view.at - began)
        if view.status != 200:
            seen.errors.append(f"GET table: {view.status}")
        self._ply += 1


async def open_games(port: int, count: int, words: Sequence[str], at_once: int = 48) -> list[Game]:
    """So many games, both seats taken; nobody has the page open yet."""
    several = asyncio.Semaphore(at_once)

    async def opened() -> Game:
        async with several:
            host, guest = await Connection.open(port), await Connection.open(port)
            new = json.dumps({"kind": "letterpress", "options": {"board": BOARD}}).encode()
            dealt = await host.post_json("/api/games", new)
            assert dealt.status == 201, dealt
            game = dealt.json()
            taking = json.dumps({"invitation": game["invitation"]}).encode()
            sat = await guest.post_json(f"/api/games/{game['id']}/seats", taking)
            assert sat.status == 200, sat
            host.close()
            guest.close()
            return Game(game["id"], dealt.cookie, sat.cookie, words)

    return await asyncio.gather(*(opened() for _ in range(count)))
