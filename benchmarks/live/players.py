"""Simulated pairs of Letterpress players, with the requests of the web page."""

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
"""Letters from this index on are never played, so that no game ends early."""
PATIENCE = 10.0
"""Timeout for an event, in seconds."""


def playable_words(lexicon: Lexicon) -> list[str]:
    """Return words of five to eight letters of the board, none a prefix of another."""
    letters = set(BOARD[:_PLAYABLE])
    found = [
        word
        for word in lexicon
        if 5 <= len(word) <= 8 and len(set(word)) == len(word) and letters.issuperset(word)
    ]
    return [word for word, after in zip(found, [*found[1:], ""], strict=True) if not after.startswith(word)]


@dataclass
class Seen:
    """Times measured by the players, in seconds."""

    moves: list[float] = field(default_factory=list)
    """From sending a move to the complete response."""
    deliveries: list[float] = field(default_factory=list)
    """From the response to the opponent's view; 0 if the view came first."""
    journeys: list[float] = field(default_factory=list)
    """From sending a move to the opponent's view."""
    errors: list[str] = field(default_factory=list)


class Player:
    """A player with the page of a game open."""

    def __init__(self, cookie: str) -> None:
        self.cookie = cookie
        self.requests: Connection
        self.events: EventStream
        self._awaited: tuple[tuple[str, str], asyncio.Future[float]] | None = None

    async def open(self, port: int, game_id: str) -> None:
        """Open the page's two connections and wait for the first event."""
        self.requests = await Connection.open(port)
        self.events = await EventStream.open(port)
        self.events.on_event = self._receive
        first = self.expects("table", "0-2")
        self.events.listen(f"/games/{game_id}/events", self.cookie)
        await asyncio.wait_for(first, PATIENCE)

    def close(self) -> None:
        """Close the page."""
        self.requests.close()
        self.events.close()

    def expects(self, event: str, version: str) -> asyncio.Future[float]:
        """Return a future of the time at which such an event with this version of the game arrives."""
        future: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._awaited = (event, version), future
        return future

    def _receive(self, name: str, version: str, at: float) -> None:
        if self._awaited is not None and self._awaited[0] == (name, version) and not self._awaited[1].done():
            self._awaited[1].set_result(at)


class Game:
    """A game between two players."""

    def __init__(self, game_id: str, host: str, guest: str, words: Sequence[str]) -> None:
        self.id = game_id
        self.players = Player(host), Player(guest)
        self._words = iter(random.sample(words, len(words)))
        self._ply = 0

    async def open(self, port: int) -> None:
        """Open the page for both players."""
        for player in self.players:
            await player.open(port, self.id)

    def close(self) -> None:
        """Close the page for both players."""
        for player in self.players:
            player.close()

    async def play(self, until: float, think: Callable[[], float], seen: Seen) -> None:
        """Make moves in turn until ``until``; ``think`` returns the pause before each move in seconds."""
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
        shown = other.expects("view", f"{self._ply + 1}-2")
        began = time.perf_counter()
        answer = await mover.requests.post(f"/games/{self.id}/moves", fields, mover.cookie)
        seen.moves.append(answer.at - began)
        if answer.status != 200:
            seen.errors.append(f"POST moves: {answer.status}")
            return
        received_at = await asyncio.wait_for(shown, PATIENCE)
        seen.deliveries.append(max(0.0, received_at - answer.at))
        seen.journeys.append(received_at - began)
        self._ply += 1


async def open_games(port: int, count: int, words: Sequence[str]) -> list[Game]:
    """Open ``count`` games with both seats taken, without opening their pages."""
    limit = asyncio.Semaphore(48)

    async def opened() -> Game:
        async with limit:
            host, guest = await Connection.open(port), await Connection.open(port)
            new = json.dumps({"kind": "letterpress", "options": {"board": BOARD}}).encode()
            created = await host.post_json("/api/games", new)
            assert created.status == 201, created
            game = created.json()
            body = json.dumps({"invitation": game["invitation"]}).encode()
            joined = await guest.post_json(f"/api/games/{game['id']}/seats", body)
            assert joined.status == 200, joined
            host.close()
            guest.close()
            return Game(game["id"], created.cookie, joined.cookie, words)

    return await asyncio.gather(*(opened() for _ in range(count)))
