"""Addresses as keyed digests: quotas tell them apart, and nobody reads them from the database."""

from hashlib import sha256
from hmac import digest


class Origins:
    """Digests of addresses under the key that signs the cookies."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    def of(self, address: str) -> str:
        """The digest of an address or network: 32 hexadecimal digits."""
        return digest(self._key, f"origin {address}".encode(), sha256).hex()[:32]
