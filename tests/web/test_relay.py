"""Events and presence between processes, through one Redis and through a Redis Cluster."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from typing import Any

import pytest

from app.web.live.bus import AGAIN, Bus, Listener
from app.web.live.presence import HERE, Presence
from app.web.live.redis_channels import ServerChannels
from app.web.live.redis_relay import RedisRelay
from app.web.live.stream import TABLE
from app.web.redis_address import parse_redis_url
from tests.event_streams import SOON
from tests.servers import RedisCluster, RedisServer

TABLES = [f"table{number}" for number in range(12)]
"""Enough that each node of a cluster has some."""


class Worker:
    """The live parts of a worker process."""

    def __init__(self, url: str) -> None:
        self.bus = Bus()
        self.presence = Presence(self.bus)
        self.relay = RedisRelay(url, self.bus, self.presence)
        self.bus.relay = self.relay


@asynccontextmanager
async def working(url: str) -> AsyncIterator[Worker]:
    worker = Worker(url)
    worker.bus.open()
    await worker.relay.open()
    yield worker
    await asyncio.wait_for(worker.relay.close(), SOON)


async def wait_for(page: Listener, name: str, text: str) -> None:
    """Wait for an event with this text; fail on timeout."""
    async with asyncio.timeout(SOON):
        while (await page.receive(SOON)).get(name) != text:
            pass


def published(redis: RedisServer | RedisCluster) -> int:
    """Return the number of messages published so far."""
    nodes = redis.nodes if isinstance(redis, RedisCluster) else [redis]
    lines = "".join(node.command("INFO", "commandstats") for node in nodes).splitlines()
    counts = [line for line in lines if line.startswith(("cmdstat_publish:", "cmdstat_spublish:"))]
    return sum(int(line.partition("calls=")[2].partition(",")[0]) for line in counts)


async def published_at_last(redis: RedisServer | RedisCluster) -> int:
    """Wait until no more messages are published; return their number."""
    counts = [published(redis)]
    while len(counts) < 5 or len(set(counts[-5:])) > 1:
        await asyncio.sleep(0.2)
        counts.append(published(redis))
    return counts[-1]


def test_the_address_of_a_cluster_has_hosts_ports_and_credentials() -> None:
    address = parse_redis_url("rediss+cluster://me:p%40ss@[::1]:7000,b")
    assert address.nodes == (("::1", 7000), ("b", 6379))
    assert address.options == {"username": "me", "password": "p@ss", "ssl": True}


def test_every_event_reaches_the_other_worker(any_redis: RedisServer | RedisCluster) -> None:
    async def play() -> None:
        async with working(any_redis.url) as one, working(any_redis.url) as two:
            with ExitStack() as pages:
                listening = [pages.enter_context(two.bus.listen(table)) for table in TABLES]
                for page in listening:
                    await wait_for(page, AGAIN, "")
                before = await published_at_last(any_redis)
                for table in TABLES:
                    one.bus.publish(table, TABLE, table)
                for page, table in zip(listening, TABLES, strict=True):
                    await wait_for(page, TABLE, table)
                assert published(any_redis) - before == len(TABLES)
                if isinstance(any_redis, RedisCluster):
                    assert all(node.command("PUBSUB", "SHARDCHANNELS").strip() for node in any_redis.nodes)
                    assert not any(node.command("PUBSUB", "CHANNELS").strip() for node in any_redis.nodes)

    asyncio.run(play())


def test_presence_is_sent_on_changes_and_to_latecomers(
    any_redis: RedisServer | RedisCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.live.redis_relay._BEAT", 3600.0)

    async def play() -> None:
        async with working(any_redis.url) as one, working(any_redis.url) as two:
            with one.bus.listen("table") as at_one, one.presence.count_page("table", 0):
                await wait_for(at_one, AGAIN, "")
                with two.bus.listen("table") as at_two, two.presence.count_page("table", None):
                    await wait_for(at_two, HERE, "[0]")
                    before = await published_at_last(any_redis)
                    with two.presence.count_page("table", 1):
                        await wait_for(at_one, HERE, "[0, 1]")
                        with two.presence.count_page("table", 1):
                            pass
                        for worker in (one, two):
                            worker.presence.refresh()
                    await wait_for(at_one, HERE, "[0]")
                    assert await published_at_last(any_redis) - before == 2, "one came, one left"

    asyncio.run(play())


def test_redis_may_restart(any_redis: RedisServer | RedisCluster) -> None:
    """In a cluster, one node restarts: events for its tables are not lost either."""
    node = any_redis.nodes[0] if isinstance(any_redis, RedisCluster) else any_redis

    async def play() -> None:
        async with working(any_redis.url) as one, working(any_redis.url) as two:
            with ExitStack() as pages:
                listening = [pages.enter_context(two.bus.listen(table)) for table in TABLES]
                for page in listening:
                    await wait_for(page, AGAIN, "")
                pages.enter_context(two.presence.count_page(TABLES[0], 1))
                pages.enter_context(one.bus.listen(TABLES[0]))
                pages.enter_context(one.presence.count_page(TABLES[0], 0))
                await wait_for(listening[0], HERE, "[0, 1]")
                node.stop()
                for table in TABLES:
                    one.bus.publish(table, TABLE, "missed")
                pages.enter_context(one.presence.count_page(TABLES[0], 2))
                await asyncio.sleep(0.1)
                node.start()
                for page in listening:
                    while not {AGAIN, TABLE} & (await page.receive(SOON)).keys():
                        pass
                for page, table in zip(listening, TABLES, strict=True):
                    one.bus.publish(table, TABLE, "new")
                    await wait_for(page, TABLE, "new")
                async with asyncio.timeout(SOON):
                    while two.presence.seats(TABLES[0]) != [0, 1, 2]:
                        await asyncio.sleep(0.02)

    asyncio.run(play())
    any_redis.wait()


def test_a_server_that_hangs_is_given_up(redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    quiet = 2.0
    monkeypatch.setattr("app.web.live.redis_relay._QUIET", quiet)

    async def play() -> None:
        async with working(redis_server.url) as worker:
            with worker.bus.listen("table") as page:
                await wait_for(page, AGAIN, "")
                assert not await page.receive(2.5 * quiet), "a responsive connection is kept"
                os.kill(redis_server.pid, signal.SIGSTOP)
                await asyncio.sleep(2.5 * quiet)
                os.kill(redis_server.pid, signal.SIGCONT)
                await wait_for(page, AGAIN, "")

    asyncio.run(play())


@pytest.mark.parametrize("call", ["look_up", "subscribe", "publish"])
@pytest.mark.parametrize("fault", ["is stuck", "is cancelled", "fails in an unknown way"])
def test_after_a_redis_client_fault_workers_receive_and_send_again(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch, call: str, fault: str
) -> None:
    """Regression: a worker received no more events after Redis was down; the cause is unknown."""
    monkeypatch.setattr("app.web.live.redis_relay._LONGEST", 1.0)
    works = getattr(ServerChannels, call)
    faulty: list[ServerChannels] = []

    async def fails(channels: ServerChannels, *arguments: Any) -> None:
        first = not faulty
        if first:
            faulty.append(channels)
        if channels is faulty[0] and fault == "is stuck":
            await asyncio.Event().wait()
        elif not first:
            await works(channels, *arguments)
        elif fault == "is cancelled":
            raise asyncio.CancelledError
        else:
            raise RuntimeError(fault)

    async def play() -> None:
        async with working(redis_server.url) as one, working(redis_server.url) as two:
            with one.bus.listen("table") as page:
                await wait_for(page, AGAIN, "")
                monkeypatch.setattr(ServerChannels, call, fails)
                if call == "publish":
                    two.bus.publish("table", TABLE, "lost")
                else:
                    redis_server.stop()
                    await asyncio.to_thread(redis_server.start)
                await wait_for(page, AGAIN, "")
                two.bus.publish("table", TABLE, "later")
                await wait_for(page, TABLE, "later")
        assert faulty

    asyncio.run(play())


def test_a_channel_that_moves_to_another_node_is_followed(redis_cluster: RedisCluster) -> None:
    def move(slot: str, before: RedisServer, there: RedisServer) -> None:
        name = there.command("CLUSTER", "MYID").strip()
        # A node that imports gets the latest epoch: else gossip sent before could give the slot back.
        source = before.command("CLUSTER", "MYID").strip()
        assert there.command("CLUSTER", "SETSLOT", slot, "IMPORTING", source) == "OK\n"
        for node in (there, *redis_cluster.nodes):
            node.command("CLUSTER", "SETSLOT", slot, "NODE", name)

    def owner(slot: int) -> RedisServer:
        return redis_cluster.nodes[slot * len(redis_cluster.nodes) // 16384]

    async def play() -> None:
        async with working(redis_cluster.url) as one, working(redis_cluster.url) as two:
            with two.bus.listen("table") as page:
                await wait_for(page, AGAIN, "")
                slot = redis_cluster.nodes[0].command("CLUSTER", "KEYSLOT", "wibble:table:table").strip()
                first = owner(int(slot))
                other = next(node for node in redis_cluster.nodes if node is not first)
                for before, there in ((first, other), (other, first)):
                    move(slot, before, there)
                    await wait_for(page, AGAIN, "")
                    one.bus.publish("table", TABLE, there.url)
                    await wait_for(page, TABLE, there.url)

    asyncio.run(play())


@pytest.mark.parametrize("moment", [0.0, 0.01, 0.1])
def test_a_relay_is_closed_while_many_pages_leave(
    any_redis: RedisServer | RedisCluster, moment: float
) -> None:
    async def leave() -> None:
        async with working(any_redis.url) as worker:
            for number in range(300):
                worker.relay.follow(f"table{number}", wanted=True)
            await asyncio.sleep(moment)
            for number in range(300):
                worker.relay.follow(f"table{number}", wanted=False)
                worker.bus.publish(f"table{number}", TABLE, "6-2")
            await asyncio.sleep(moment)

    asyncio.run(leave())
