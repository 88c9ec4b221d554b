"""Counters of rate limits in Redis or a Redis Cluster."""

from typing import Any, Final

from limits.aio.storage import RedisClusterStorage, RedisStorage, Storage
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException, RedisError

from app.web.redis_address import parse_redis_url

_OPTIONS: Final[dict[str, Any]] = {
    "wrap_exceptions": True,
    "implementation": "redispy",
    "key_prefix": "wibble:rate",
}
_OF_CLUSTER: Final[dict[str, Any]] = {"dynamic_startup_nodes": False, "retry": Retry(NoBackoff(), 1)}


class _ClusterCounts(RedisClusterStorage):
    """Counters on the nodes of a cluster, each on the node that has the slot of its key."""

    @property
    def base_exceptions(self) -> tuple[type[Exception], ...]:
        """The errors if Redis does not answer; ``limits`` 5.8 omits the one for unreachable nodes."""
        return (RedisError, RedisClusterException)


def counts_at(url: str) -> Storage:
    """The counters in the Redis at ``url``. Raises ValueError."""
    address = parse_redis_url(url)
    if not address.nodes:
        return RedisStorage(url, **_OPTIONS)
    nodes = ",".join(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in address.nodes)
    # Not the URL of the setting, as ``limits`` does not decode a password.
    return _ClusterCounts(f"redis+cluster://{nodes}", **_OPTIONS, **_OF_CLUSTER, **address.options)
