"""Writes within one iteration of the event loop are sent as one."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from app.web.guard.corked import MOST_JOINED, CorkedTransport


class Recorded(asyncio.Transport):
    """A transport that records what is sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.closed
        self.sent.append(bytes(data))

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    abort = close

    def get_write_buffer_size(self) -> int:
        return 7


def sent_by(work: Callable[[CorkedTransport, Recorded], Coroutine[Any, Any, None]]) -> list[bytes]:
    """The data sent in the end."""

    async def run() -> list[bytes]:
        recorded = Recorded()
        await work(CorkedTransport(recorded, asyncio.get_running_loop()), recorded)
        await asyncio.sleep(0)
        return recorded.sent

    return asyncio.run(run())


def test_head_and_body_are_sent_together_and_later_answers_apart() -> None:
    async def answers(corked: CorkedTransport, recorded: Recorded) -> None:
        corked.write(b"head ")
        corked.write(b"body")
        assert (recorded.sent, corked.get_write_buffer_size()) == ([], 9 + 7)
        await asyncio.sleep(0)
        assert (recorded.sent, corked.get_write_buffer_size()) == ([b"head body"], 7)
        corked.write(b"event")

    assert sent_by(answers) == [b"head body", b"event"]


def test_a_large_part_is_sent_without_waiting() -> None:
    async def large_answer(corked: CorkedTransport, recorded: Recorded) -> None:
        corked.write(b"head")
        corked.write(bytes(MOST_JOINED))
        assert recorded.sent == [b"head" + bytes(MOST_JOINED)]
        corked.write(b"rest")

    assert sent_by(large_answer)[1:] == [b"rest"]


def test_written_data_is_sent_before_the_connection_is_closed() -> None:
    async def refusal(corked: CorkedTransport, recorded: Recorded) -> None:
        corked.write(b"refused")
        corked.close()
        assert corked.is_closing()

    assert sent_by(refusal) == [b"refused"]


def test_an_aborted_connection_sends_nothing_more() -> None:
    async def dropped(corked: CorkedTransport, recorded: Recorded) -> None:
        corked.write(b"too late")
        corked.abort()
        assert corked.get_write_buffer_size() == 7

    assert sent_by(dropped) == []


def test_data_written_to_a_closed_connection_is_dropped() -> None:
    async def gone(corked: CorkedTransport, recorded: Recorded) -> None:
        corked.write(b"not sent")
        recorded.closed = True

    assert sent_by(gone) == []
