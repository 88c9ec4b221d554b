"""The address of a Redis server or a Redis Cluster, as set in ``WIBBLE_REDIS_URL``."""

from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

_ONE_SERVER: Final = ("redis://", "rediss://", "unix://")
_CLUSTER: Final = {"redis+cluster": False, "rediss+cluster": True}
"""Schemes of a cluster, and whether they mean TLS."""
_PORT: Final = 6379
_ACCEPTED: Final = (
    "expected redis://host, rediss://host (TLS) or unix:///path, or for a Redis Cluster "
    "redis+cluster://host:port,host:port or rediss+cluster://"
)


class RedisAddress(NamedTuple):
    """One server, given by its ``url`` alone, or a cluster."""

    url: str
    nodes: tuple[tuple[str, int], ...] = ()
    """Host and port of some nodes of a cluster; empty for one server."""
    options: dict[str, Any] = {}  # noqa: RUF012 - never changed
    """User, password and TLS of a cluster, as arguments of the Redis client."""


def parse_redis_url(url: str) -> RedisAddress:
    """Parse the setting. Raises ValueError, without the URL in its message: it may have a password."""
    if url.startswith(_ONE_SERVER):
        return RedisAddress(url)
    parts = urlsplit(url)
    if parts.scheme not in _CLUSTER:
        raise ValueError(_ACCEPTED)
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError(f"a Redis Cluster has one database and no options: {_ACCEPTED}")
    hosts = parts.netloc.rpartition("@")[2].split(",")
    nodes = tuple(_node(host) for host in hosts)
    options = {
        "username": parts.username and unquote(parts.username),
        "password": parts.password and unquote(parts.password),
        "ssl": _CLUSTER[parts.scheme],
    }
    return RedisAddress(url, nodes, {name: value for name, value in options.items() if value})


def _node(place: str) -> tuple[str, int]:
    """The host and port of a node. Raises ValueError."""
    try:
        parts = urlsplit(f"//{place.strip()}")
        if parts.hostname:
            return parts.hostname, parts.port or _PORT
    except ValueError:
        pass  # no port
    raise ValueError(f"a node without a host or with a wrong port: {_ACCEPTED}")
