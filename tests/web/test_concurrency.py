"""One address cannot block all others: only some of its requests are handled at a time."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import httpx
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from app.web.guard.concurrency import ConcurrencyLimit, another_turn, leave_slot

MOST = 3


class Slow:
    """An application that responds on command and counts the requests it is handling."""

    def __init__(self) -> None:
        self.at_work = Counter[str]()
        self.go_on = asyncio.Event()
        self.news = asyncio.Event()
        """Set when the streams have events to send."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        address, path = scope["client"][0], scope["path"]
        self.at_work[address] += 1
        if path == "/stream":
            response: Response = StreamingResponse(self._for_ever())
        elif path == "/fault":
            self.at_work[address] -= 1
            raise RuntimeError(path)
        else:
            if path == "/engine":
                await asyncio.to_thread(leave_slot)
            await self.go_on.wait()
            response = PlainTextResponse(path)
        self.at_work[address] -= 1
        await Request(scope, receive).body()
        await response(scope, receive, send)

    async def _for_ever(self) -> AsyncIterator[bytes]:
        yield b"begun"
        await self.news.wait()
        async with another_turn():
            self.at_work["news"] += 1
            await self.go_on.wait()
            self.at_work["news"] -= 1
        yield b"news"
        await asyncio.Event().wait()


def client(app: ConcurrencyLimit, address: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, client=(address, 1), raise_app_exceptions=True)
    return httpx.AsyncClient(transport=transport, base_url="http://wibble")


async def settled() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


def test_an_address_has_a_few_slots_and_others_do_not_wait_for_it() -> None:
    async def play() -> None:
        slow = Slow()
        app = ConcurrencyLimit(slow, MOST)
        async with client(app, "192.0.2.1") as flood, client(app, "192.0.2.2") as player:
            asked = [asyncio.create_task(flood.get(f"/{number}")) for number in range(10)]
            await settled()
            assert slow.at_work["192.0.2.1"] == MOST
            mine = asyncio.create_task(player.get("/mine"))
            await settled()
            assert slow.at_work["192.0.2.2"] == 1
            slow.go_on.set()
            assert [answer.text for answer in await asyncio.gather(*asked)] == [f"/{n}" for n in range(10)]
            assert (await mine).text == "/mine"
        assert not app._requests
        assert not app._slots, "an address without requests is forgotten"

    asyncio.run(play())


def test_streams_and_faults_leave_their_slots() -> None:
    async def play() -> None:
        slow = Slow()
        slow.go_on.set()
        app = ConcurrencyLimit(slow, MOST)
        async with client(app, "192.0.2.1") as someone:
            streams = [asyncio.create_task(someone.get("/stream")) for _ in range(2 * MOST)]
            faults = [asyncio.create_task(someone.get("/fault")) for _ in range(2 * MOST)]
            await settled()
            assert (await asyncio.wait_for(someone.get("/page"), 60)).text == "/page"
            found = await asyncio.gather(*faults, return_exceptions=True)
            assert all(isinstance(one, RuntimeError) for one in found)
            for stream in streams:
                stream.cancel()
            await asyncio.gather(*streams, return_exceptions=True)
        assert not app._requests

    asyncio.run(play())


def test_streams_with_news_take_turns_like_requests() -> None:
    async def play() -> None:
        slow = Slow()
        app = ConcurrencyLimit(slow, MOST)
        async with client(app, "192.0.2.1") as flood, client(app, "192.0.2.2") as player:
            streams = [asyncio.create_task(flood.get("/stream")) for _ in range(4 * MOST)]
            streams.append(asyncio.create_task(player.get("/stream")))
            await settled()
            slow.news.set()
            await settled()
            assert slow.at_work["news"] == MOST + 1
            page = asyncio.create_task(flood.get("/page"))
            await settled()
            assert slow.at_work["192.0.2.1"] == 0, "a page waits for the streams"
            slow.go_on.set()
            assert (await asyncio.wait_for(page, 60)).text == "/page"
            await settled()
            assert slow.at_work["news"] == 0
            for stream in streams:
                stream.cancel()
            await asyncio.gather(*streams, return_exceptions=True)
        assert not app._requests

    asyncio.run(play())


def test_a_request_waiting_for_an_engine_lets_the_next_one_in() -> None:
    async def play() -> None:
        slow = Slow()
        app = ConcurrencyLimit(slow, MOST)
        async with client(app, "192.0.2.1") as someone:
            waiting = [asyncio.create_task(someone.get("/engine")) for _ in range(2 * MOST)]
            while slow.at_work["192.0.2.1"] < 2 * MOST:
                await asyncio.sleep(0)
            pages = [asyncio.create_task(someone.get("/")) for _ in range(2 * MOST)]
            while slow.at_work["192.0.2.1"] < 3 * MOST:
                await asyncio.sleep(0)
            await settled()
            assert slow.at_work["192.0.2.1"] == 3 * MOST
            slow.go_on.set()
            await asyncio.gather(*waiting, *pages)
        assert not app._requests

    asyncio.run(play())


def test_a_client_without_an_address_does_not_wait() -> None:
    async def play() -> None:
        slow = Slow()
        app = ConcurrencyLimit(slow, MOST)
        async with client(app, "testclient") as inside:
            asked = [asyncio.create_task(inside.get("/")) for _ in range(2 * MOST)]
            await settled()
            assert slow.at_work["testclient"] == 2 * MOST
            slow.go_on.set()
            await asyncio.gather(*asked)

    asyncio.run(play())
