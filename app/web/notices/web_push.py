"""Web push: encrypts messages for a browser (RFC 8291), and signs requests to its push service (RFC 8292)."""

import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final
from urllib.parse import urlsplit

import http_ece
from cachetools import TTLCache, cached
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from py_vapid import Vapid02

from app.store.models import BadField

_TOKEN_SECONDS: Final = 12 * 3600
"""Lifetime of the token for a push service; at most 24 hours are allowed."""
_KEPT_SECONDS: Final = 12 * 3600
"""Seconds for which a push service keeps a message for a browser that it cannot reach."""
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Order of the curve P-256."""
_PUBLIC_KEY_BYTES: Final = 65
_SECRET_BYTES: Final = 16


class BadKeys(BadField):
    """The keys of a browser are not valid; the message says why."""


class WebPush:
    """Makes the requests to push services."""

    def __init__(self, signing_key: str, site: str) -> None:
        """Derives the key pair from the key that signs cookies, so that it is the same on all machines."""
        secret = HKDF(hashes.SHA256(), 48, None, b"wibble web push").derive(signing_key.encode())
        scalar = int.from_bytes(secret, "big") % (_ORDER - 1) + 1
        self.signing_key: Final = signing_key
        self._vapid = Vapid02(ec.derive_private_key(scalar, ec.SECP256R1()))
        self.site: Final = site.rstrip("/")
        """Our URL."""
        self._authorize = cached(TTLCache(1000, _TOKEN_SECONDS / 2))(self._sign)
        point = self._vapid.public_key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.public_key: Final = _to_text(point)
        """The key that a browser needs to subscribe, as unpadded URL-safe base64."""

    def request(
        self, endpoint: str, secret: str, message_id: str, content: bytes
    ) -> tuple[dict[str, str], bytes]:
        """The headers and body for a push service; ``secret`` is what ``browser_keys`` returned.

        The ID is also the topic, so that a message sent twice is shown once.
        """
        public_key, auth = (_from_text(part) for part in secret.split())
        body = http_ece.encrypt(
            content,
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=public_key,
            auth_secret=auth,
            version="aes128gcm",
        )
        headers = {
            "Authorization": self._authorize(_origin(endpoint)),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_KEPT_SECONDS),
            "Topic": message_id,
        }
        return headers, body

    def _sign(self, origin: str) -> str:
        claims = {"aud": origin, "exp": int(time.time()) + _TOKEN_SECONDS, "sub": self.site}
        return str(self._vapid.sign(claims)["Authorization"])


def browser_keys(public_key: str, auth: str) -> str:
    """The keys of a browser's subscription, in the form in which they are stored. Raises BadKeys."""
    try:
        point, secret = _from_text(public_key), _from_text(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise BadKeys("not a public key on the curve P-256 in base64", "channel", "p256dh") from None
    if len(point) != _PUBLIC_KEY_BYTES or len(secret) != _SECRET_BYTES:
        sizes = f"expected {_SECRET_BYTES} bytes of auth and {_PUBLIC_KEY_BYTES} of p256dh, in base64"
        raise BadKeys(sizes, "channel", "auth" if len(secret) != _SECRET_BYTES else "p256dh")
    return f"{_to_text(point)} {_to_text(secret)}"


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _to_text(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode("ascii")


def _from_text(text: str) -> bytes:
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
