"""Digests of secrets, so that the store holds no token, phrase or link that could be used."""

from hashlib import sha256


def digest_of(secret: str | bytes) -> str:
    """The SHA-256 digest in hexadecimal digits."""
    return sha256(secret.encode() if isinstance(secret, str) else secret).hexdigest()
