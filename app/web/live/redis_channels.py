"""Publish/subscribe channels of Redis: on one server, or divided among the nodes of a Redis Cluster.

On a cluster the channels are sharded (``SPUBLISH``): each belongs to the node that has its slot, and only
that node carries its messages.
"""

from collections.abc import Iterable
from typing import Any, Final, Protocol, TypeAlias

from redis.asyncio import Redis
from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.connection import AbstractConnection
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import RedisClusterException, RedisError

from app.web.redis_address import RedisAddress, parse_redis_url

Message: TypeAlias = tuple[str, str]
"""A channel and the text to publish on it."""
FAILURES: Final = (RedisError, RedisClusterException, OSError, AttributeError)
"""Errors of calls while Redis, or a part of the cluster, is unavailable. redis-py 8.1 raises AttributeError
if a read fails while another task writes to the same connection."""
_OPTIONS: Final[dict[str, Any]] = {"socket_connect_timeout": 2, "socket_timeout": 5, "protocol": 2}
_NO_RETRY: Final = Retry(NoBackoff(), 0)
"""The relay reconnects by itself: if the client did, the relay would not notice that it missed messages."""


class Channels(Protocol):
    """The channels of one server or a cluster. Every coroutine may raise FAILURES."""

    async def look_up(self) -> None:
        """Check that Redis answers, and find out which server has which channel."""
        ...

    def place_of(self, channel: str) -> str:
        """The name of the server that has a channel, as of the latest look-up. Raises FAILURES."""
        ...

    def connection(self, place: str) -> AbstractConnection:
        """A connection to a server, not yet open."""
        ...

    async def subscribe(self, connection: AbstractConnection, channels: Iterable[str]) -> None:
        """Subscribe on an open connection; it receives a confirmation for each channel."""
        ...

    async def unsubscribe(self, connection: AbstractConnection, channels: Iterable[str]) -> None:
        """Unsubscribe on an open connection; it receives a confirmation for each channel."""
        ...

    async def publish(self, messages: Iterable[Message]) -> None:
        """Publish messages. If that fails, some may have been published."""
        ...

    async def close(self) -> None:
        """Disconnect."""
        ...


class ServerChannels(Channels):
    """The channels of one server."""

    def __init__(self, address: RedisAddress) -> None:
        self._redis: Redis = Redis.from_url(address.url, retry=_NO_RETRY, **_OPTIONS)

    async def look_up(self) -> None:
        await self._redis.ping()

    def place_of(self, channel: str) -> str:
        return ""

    def connection(self, place: str) -> AbstractConnection:
        return _new_connection(self._redis)

    async def subscribe(self, connection: AbstractConnection, channels: Iterable[str]) -> None:
        await send(connection, "SUBSCRIBE", *channels)

    async def unsubscribe(self, connection: AbstractConnection, channels: Iterable[str]) -> None:
        await send(connection, "UNSUBSCRIBE", *channels)

    async def publish(self, messages: Iterable[Message]) -> None:
        # Pipelined: with a round trip per event, a busy process would fall behind.
        async with self._redis.pipeline(transaction=False) as together:
            for channel, text in messages:
                together.publish(channel, text)
            await together.execute()

    async def close(self) -> None:
        await self._redis.aclose()


class ClusterChannels(Channels):
    """The sharded channels of a cluster."""

    def __init__(self, address: RedisAddress) -> None:
        self._options = _OPTIONS | address.options
        self._cluster = RedisCluster(
            startup_nodes=[ClusterNode(host, port) for host, port in address.nodes],
            dynamic_startup_nodes=False,  # ask those again by name: all nodes may have moved
            retry=Retry(NoBackoff(), 1),  # of the slots, once it has asked again where they are
            **self._options,
        )

    async def look_up(self) -> None:
        await self._cluster.initialize()
        await self._cluster.nodes_manager.initialize()

    def place_of(self, channel: str) -> str:
        node = self._cluster.get_node_from_key(channel)
        if node is None:
            raise NoConnection("no node has the channel")
        return node.name

    def connection(self, place: str) -> AbstractConnection:
        node = self._cluster.get_node(node_name=place)
        if node is None:
            raise NoConnection(f"{place} has left the cluster")
        return _new_connection(Redis(host=node.host, port=int(node.port), retry=_NO_RETRY, **self._options))

    async def subscribe(self, connection: AbstractConnection, channels: Iterable[str]) -> None:
        for channel in channels:  # one command may only name channels of one slot
            await send(connection, "SSUBSCRIBE", channel)

    async def unsubscribe(self, connection: AbstractConnection, channels: Iterable[str]) -> None:
        for channel in channels:
            await send(connection, "SUNSUBSCRIBE", channel)

    async def publish(self, messages: Iterable[Message]) -> None:
        together = self._cluster.pipeline()
        for channel, text in messages:
            together.spublish(channel, text)
        await together.execute()

    async def close(self) -> None:
        await self._cluster.aclose()


async def send(connection: AbstractConnection, *words: str) -> None:
    """Send a command, if the connection is open. Raises FAILURES."""
    if not connection.is_connected:  # send_command() would connect again
        raise NoConnection("the connection is closed")
    await connection.send_command(*words)


def _new_connection(redis: Redis) -> AbstractConnection:
    """A new connection. The client's ``PubSub`` and ``ClusterPubSub`` would reconnect without notice."""
    connection: AbstractConnection = redis.connection_pool.make_connection()  # type: ignore[no-untyped-call]
    return connection


def channels_at(url: str) -> Channels:
    """The channels of the Redis at ``url``. Raises ValueError."""
    address = parse_redis_url(url)
    return ClusterChannels(address) if address.nodes else ServerChannels(address)
