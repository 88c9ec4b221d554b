"""Event streams as a page or a program reads them."""

import threading
import time
from collections.abc import Callable
from queue import Queue
from typing import Any

import httpx

from tests.driver import JSON, open_game
from tests.servers import Served

SOON = 60.0
"""Timeout in seconds for anything on a busy machine."""


class EventStream:
    """The event stream of a game, or of the player, read in a background thread.

    With ``page`` it is the stream for a page of the site, otherwise that of the API.
    """

    def __init__(
        self,
        server: Served,
        game_id: str | None,
        client: httpx.Client,
        last_event: str | None = None,
        *,
        page: bool = False,
    ) -> None:
        self.events: Queue[tuple[str, str]] = Queue()
        self.ended = threading.Event()
        self.retry = ""
        """The stream's ``retry`` field: milliseconds after which a browser reconnects."""
        self.last_event = ""
        """The ID of the latest event, as a browser remembers it."""
        of_game = f"/games/{game_id}" if game_id else ""
        self._address = f"{server.url}{'' if page else '/api'}{of_game}/events"
        self._cookies = client.cookies
        self._headers = {
            name: value for name, value in client.headers.items() if name.lower() == "authorization"
        } | ({"Last-Event-ID": last_event} if last_event else {})
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        name = ""
        with httpx.stream(
            "GET", self._address, cookies=self._cookies, headers=self._headers, timeout=2 * SOON
        ) as answer:
            for line in answer.iter_lines():
                field, _, value = line.partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    self.events.put((name, value))
                elif field == "id":
                    self.last_event = value
                elif field == "retry":
                    self.retry = value
        self.ended.set()

    def wait_for(self, name: str, value: str | None = None) -> str:
        """Return the data of the next event with this name, and this data if given; fail on timeout."""
        end = time.monotonic() + SOON
        while True:
            found, data = self.events.get(timeout=max(0.01, end - time.monotonic()))
            if found == name and value in (None, data):
                return data


def eventually(holds: Callable[[], bool]) -> None:
    """Wait until the condition holds; fail on timeout."""
    end = time.monotonic() + SOON
    while not holds():
        assert time.monotonic() < end, "timeout: the condition does not hold"
        time.sleep(0.02)


def open_on(server: Served, kind: str = "wibble", **table: Any) -> tuple[httpx.Client, JSON]:
    """Open a game on a server as a new player; return the player's client and the game."""
    client = httpx.Client(base_url=server.url, timeout=SOON)
    return client, open_game(client, kind, **table)
