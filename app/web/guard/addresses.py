"""Client addresses as limits count them."""

from ipaddress import IPv6Address, ip_address
from typing import Final

_NETWORK: Final = 64
"""Bits of an IPv6 address that are one household's; it chooses the others as it likes."""


def network_of(host: str) -> str:
    """The address that is counted: all of an IPv6 household's are one. Empty where it is no address."""
    try:
        address = ip_address(host)
    except ValueError:
        return ""  # all whose address is none share what one may ask: they may make up as many as they like
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return f"{IPv6Address(int(address) >> (128 - _NETWORK) << (128 - _NETWORK))}/{_NETWORK}"
    return host
