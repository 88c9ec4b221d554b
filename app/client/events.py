"""A game's event stream: read in a thread, reconnecting when it breaks."""

import random
from collections.abc import Iterator
from threading import Event, Thread
from typing import Final, NamedTuple, Protocol

from app.client.api import ApiClient, ClientError, Problem, Unreachable

FIRST_RETRY_SECONDS: Final = 1.0
LONGEST_RETRY_SECONDS: Final = 15.0
_TABLE: Final = "table"


class ServerEvent(NamedTuple):
    """One server-sent event."""

    name: str
    data: str


class Subscriber(Protocol):
    """Callbacks of an EventListener, called in its thread."""

    def changed(self, version: str) -> None:
        """The game has changed. Also called with the first event of each connection."""

    def lost(self, reason: str) -> None:
        """The connection was lost. The next ``changed`` means that it is restored."""

    def refused(self, reason: str) -> None:
        """The server refuses the stream for good. No more callbacks follow."""


def server_sent_events(lines: Iterator[str]) -> Iterator[ServerEvent]:
    """Parse the lines of a ``text/event-stream``. Comments and other fields are ignored."""
    name, data = "message", list[str]()
    for line in lines:
        if not line:
            if data:
                yield ServerEvent(name, "\n".join(data))
            name, data = "message", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)


def retry_delay(failures: int) -> float:
    """Return the seconds until the next attempt: 1, 2, 4, 8, 15 after consecutive failures, less up to 30 %.

    The jitter keeps clients from all reconnecting at the same time.
    """
    return min(FIRST_RETRY_SECONDS * 2.0 ** min(failures - 1, 10), LONGEST_RETRY_SECONDS) * random.uniform(
        0.7, 1
    )


class EventListener:
    """Listens to one game until it is stopped."""

    def __init__(self, client: ApiClient, game_id: str, subscriber: Subscriber) -> None:
        self._client = client
        self._game_id = game_id
        self._subscriber = subscriber
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="events", daemon=True)

    def start(self) -> None:
        """Start listening."""
        self._thread.start()

    def stop(self) -> None:
        """Stop calling the subscriber. The thread ends when the client is closed."""
        self._stopped.set()

    def _run(self) -> None:
        failures = 0
        while not self._stopped.is_set():
            delay = FIRST_RETRY_SECONDS  # the server ends each stream after some time
            try:
                for event in self._events():
                    failures = 0
                    if event.name == _TABLE:
                        self._subscriber.changed(event.data)
            except (ClientError, RuntimeError) as error:
                if self._stopped.is_set():  # a closed client raises RuntimeError
                    return
                if not _is_transient(error):
                    self._subscriber.refused(str(error))
                    return
                failures += 1
                delay = max(retry_delay(failures), getattr(error, "retry_after", None) or 0.0)
                if failures == 1:
                    self._subscriber.lost(str(error))
            self._stopped.wait(delay)

    def _events(self) -> Iterator[ServerEvent]:
        with self._client.events(self._game_id) as lines:
            for event in server_sent_events(lines):
                if self._stopped.is_set():
                    return
                yield event


def _is_transient(error: Exception) -> bool:
    """Return whether the same request may succeed later."""
    if isinstance(error, Problem):
        return error.status >= 500 or error.status == 429
    return isinstance(error, Unreachable)
