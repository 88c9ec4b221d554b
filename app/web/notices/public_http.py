"""Requests to URLs given by players, only to public addresses: none may reach the operator's network."""

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

import httpx

SECONDS: Final = 10.0
"""Timeout of a request."""
_AT_ONCE: Final = 64
"""Most open connections."""
_NAT64: Final = IPv6Network("64:ff9b::/96")
"""IPv6 addresses that a router translates to the IPv4 address in their last 32 bits."""


class NotPublic(httpx.RequestError):
    """The address is not a public one; the message says why."""


class _PublicTransport(httpx.AsyncHTTPTransport):
    """Connects to the address that was checked, so that a second DNS look-up cannot lead elsewhere."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request. Raises NotPublic."""
        host = request.url.host
        address = await public_address(host, request.url.port or 443)
        request.headers.setdefault("Host", request.url.netloc.decode("ascii"))
        request.extensions = {**request.extensions, "sni_hostname": host}
        request.url = request.url.copy_with(host=address)
        return await super().handle_async_request(request)


async def public_address(host: str, port: int) -> str:
    """An address of the host, if all its addresses are public. Raises NotPublic."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotPublic(f"there is no host {host}") from None
    addresses = [str(each[4][0]) for each in found]
    if not all(map(_is_public, addresses)):
        raise NotPublic(f"{host} is not an address on the public internet")
    return addresses[0]


def _is_public(text: str) -> bool:
    """Whether an address is public, or the IPv4 address that it is translated to."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address):
        if address.is_site_local:
            return False
        translated = IPv4Address(int(address) & 0xFFFF_FFFF) if address in _NAT64 else None
        address = translated or address.sixtofour or address.ipv4_mapped or address
    return address.is_global and not address.is_multicast and not address.is_reserved


def client(*, private: bool = False) -> httpx.AsyncClient:
    """A client that follows no redirects; ``private`` lets it reach any address.

    Private addresses may be used without encryption, for services on the same network and for tests.
    """
    limits = httpx.Limits(max_connections=_AT_ONCE, max_keepalive_connections=_AT_ONCE)
    transport = httpx.AsyncHTTPTransport(limits=limits) if private else _PublicTransport(limits=limits)
    return httpx.AsyncClient(transport=transport, timeout=SECONDS, trust_env=False)
