"""Keyed digests of client addresses, so that the database holds no addresses."""

import hmac
from hashlib import sha256


class AddressDigests:
    """Digests addresses with the key that signs the cookies."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    def digest(self, address: str) -> str:
        """The digest of an address or network, as 32 hexadecimal digits."""
        return hmac.digest(self._key, f"origin {address}".encode(), sha256).hex()[:32]
