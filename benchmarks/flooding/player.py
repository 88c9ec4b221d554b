"""The player during a flood: normal pace, own address, every response timed."""

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import cycle

from benchmarks.flooding.requests import Request, get, send, submit
from benchmarks.live.client import Answer, Connection

ADDRESS = "127.0.0.2"
PAGES = ("/", "/lobby", "/letterpress", "/fribble", "/daily", "/me", "/healthz", "/static/site/base.css")
_READING = 0.1
"""Seconds between page loads."""
_THINKING = 0.25
"""Seconds between moves."""
_BOARD = ["pers", "latg", "sine", "ters"]
_WORDS = ("sir", "sirs", "rise", "line", "lines", "tale", "late", "plat", "lest", "gist")


@dataclass
class PlayerResults:
    """The player's responses and their times in seconds."""

    pages: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    answers: Counter[int] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    """Error responses and failed requests."""


class Player:
    """A player with two connections: one loads pages, the other plays Boggle."""

    def __init__(self, port: int, patience: float) -> None:
        """``patience`` is the timeout of a request in seconds."""
        self._port = port
        self._patience = patience
        self._cookie = ""
        self._game = ""
        self._random = random.Random(1)
        self._words = cycle(_WORDS)
        self._connections: dict[str, Connection] = {}
        self.results = PlayerResults()

    async def open_game(self) -> None:
        """Open a game, retrying while the server is busy."""
        options = {"board": _BOARD, "seconds": None}
        opening = send("/api/games", {"kind": "boggle", "options": options})
        until = time.perf_counter() + self._patience
        while (opened := await self._send("games", opening)).status == 503 and time.perf_counter() < until:
            await asyncio.sleep(1)
        assert opened.status == 201, f"no game was opened: {opened.status} {opened.body!r}"
        self._cookie, self._game, self.results = opened.cookie, opened.json()["id"], PlayerResults()

    async def load_page(self) -> float:
        """Load a page; return the seconds."""
        path = self._random.choice([*PAGES, f"/games/{self._game}"])
        began = time.perf_counter()
        await self._send("pages", get(path, self._cookie))
        return time.perf_counter() - began

    async def move(self) -> float:
        """Submit a word; return the seconds."""
        word = next(self._words)
        began = time.perf_counter()
        await self._send("games", submit(f"/games/{self._game}/moves", self._cookie, type="word", word=word))
        return time.perf_counter() - began

    async def play(self, over: asyncio.Event) -> None:
        """Load pages and make moves until ``over`` is set."""

        async def keep_loading() -> None:
            while not over.is_set():
                self.results.pages.append(await self.load_page())
                await asyncio.sleep(_READING)

        async def keep_moving() -> None:
            while not over.is_set():
                self.results.moves.append(await self.move())
                await asyncio.sleep(_THINKING)

        await asyncio.gather(keep_loading(), keep_moving())

    def close(self) -> None:
        """Close the connections."""
        for connection in self._connections.values():
            connection.close()
        self._connections.clear()

    async def _send(self, purpose: str, request: Request) -> Answer:
        headers = request.headers + "HX-Request: true\r\n" * request.path.endswith("/moves")
        body = request.body.encode()
        try:
            if purpose not in self._connections:
                self._connections[purpose] = await Connection.open(self._port, ADDRESS)
            answer = await self._connections[purpose].ask(
                request.method, request.path, headers, body, self._patience
            )
        except OSError as error:  # a TimeoutError is one
            self.results.errors.append(f"{request.method} {request.path}: {error!r}")
            if broken := self._connections.pop(purpose, None):
                broken.close()
            return Answer(0, "", b"", time.perf_counter())
        self.results.answers[answer.status] += 1
        if answer.status >= 400:
            self.results.errors.append(f"{request.method} {request.path}: {answer.status}")
        return answer
