"""Client addresses, as counted by the limits."""

from ipaddress import IPv6Address, ip_address
from typing import Final

_NETWORK: Final = 56
"""Prefix length of the IPv6 network that counts as one address: many households have all of one."""


def network_of(host: str) -> str:
    """An IPv4 address, or the /56 network of an IPv6 address; empty if ``host`` is neither."""
    try:
        address = ip_address(host)
    except ValueError:
        return ""  # clients without a valid address share one limit: they could make up any number
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return f"{IPv6Address(int(address) >> (128 - _NETWORK) << (128 - _NETWORK))}/{_NETWORK}"
    return host
