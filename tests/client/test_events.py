"""The event stream: parsing and reconnecting."""

from queue import Queue
from typing import Any

import httpx
import pytest

from app.client import ApiClient, EventListener
from app.client.events import ServerEvent, retry_delay, server_sent_events
from tests.client.test_api import problem


def test_events_are_read_and_everything_else_is_left_out() -> None:
    text = (
        ": hello\nretry: 1000\nevent: table\nid: 1-1\ndata: 1-1\n\ndata:a\ndata: b\n\n"
        ": here\n\nevent: here\ndata: [0]\n\ndata: cut"
    )
    events = server_sent_events(iter(text.split("\n")))
    assert list(events) == [
        ServerEvent("table", "1-1"),
        ServerEvent("message", "a\nb"),
        ServerEvent("here", "[0]"),
    ]


def test_pauses_grow_to_an_upper_bound() -> None:
    assert 0.7 <= retry_delay(1) <= 1
    assert 5 < retry_delay(4) <= 8
    assert all(10 < retry_delay(failures) <= 15 for failures in (5, 6, 1000))


class Recorder:
    """Records the calls of an event listener."""

    def __init__(self) -> None:
        self.events: Queue[tuple[str, str]] = Queue()

    def changed(self, version: str) -> None:
        self.events.put(("changed", version))

    def lost(self, reason: str) -> None:
        self.events.put(("lost", reason))

    def refused(self, reason: str) -> None:
        self.events.put(("refused", reason))

    def next(self) -> tuple[str, str]:
        return self.events.get(timeout=60)


def listening(*answers: Any) -> Recorder:
    left, recorder = list(answers), Recorder()

    def answer(request: httpx.Request) -> httpx.Response:
        given = left.pop(0)
        if isinstance(given, Exception):
            raise given
        assert isinstance(given, httpx.Response)
        return given

    client = ApiClient("http://words.example", transport=httpx.MockTransport(answer))
    EventListener(client, "x", recorder).start()
    return recorder


def stream(text: str) -> httpx.Response:
    return httpx.Response(200, headers={"content-type": "text/event-stream"}, content=text.encode())


@pytest.mark.parametrize(
    "broken",
    [httpx.ConnectError("nobody"), httpx.ReadTimeout("silence"), problem(503, "away"), httpx.Response(502)],
)
def test_a_broken_stream_is_taken_up_again(broken: Any) -> None:
    recorder = listening(
        stream("event: table\ndata: 1-1\n\n"),
        broken,
        stream("event: table\ndata: 2-1\n\n"),
        problem(404, "gone"),
    )
    assert recorder.next() == ("changed", "1-1")
    assert recorder.next()[0] == "lost"
    assert recorder.next() == ("changed", "2-1")
    assert recorder.next() == ("refused", "gone")


def test_a_stream_that_ended_in_good_order_is_no_loss() -> None:
    again = stream("event: table\ndata: 1-1\n\nevent: here\ndata: [0]\n\n")
    recorder = listening(again, again, problem(404, "gone"))
    assert [recorder.next() for _ in range(3)] == [
        ("changed", "1-1"),
        ("changed", "1-1"),
        ("refused", "gone"),
    ]


def test_another_kind_of_answer_is_refused() -> None:
    event, reason = listening(httpx.Response(200, html="<p>Hello</p>")).next()
    assert event == "refused"
    assert "text/html" in reason
