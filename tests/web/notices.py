"""Turn notifications: servers, channels and a browser that decrypts web push."""

import base64
import json
from typing import Any

import http_ece
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from fastapi.testclient import TestClient

from app.web.notices import sender
from tests.web.browsing import HTML
from tests.web.conftest import Serve
from tests.web.inbox import Inbox
from tests.web.test_mail_sign_in import with_mail

VERSUS = {"kind": "wibble", "options": {"mode": "versus"}}
PASS = {"type": "pass"}
CHANNELS = "/api/me/notifications/channels"


class Browser:
    """A browser's keys of a web push subscription."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = b"sixteen bytes ok"

    def channel(self, endpoint: str) -> dict[str, str]:
        point = self._key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return {
            "kind": "push",
            "endpoint": endpoint,
            "p256dh": base64.urlsafe_b64encode(point).decode().rstrip("="),
            "auth": base64.urlsafe_b64encode(self._auth).decode().rstrip("="),
            "name": "Firefox on Linux",
        }

    def read(self, body: bytes) -> dict[str, Any]:
        content = http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth, version="aes128gcm")
        found: dict[str, Any] = json.loads(content)
        return found


def with_notices(serve: Serve, inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    """Ada at a server that sends notifications, also to private addresses, and polls often."""
    monkeypatch.setattr(sender, "TICK", 0.02)
    return with_mail(serve, inbox, private_webhooks=True, rate_limits=False)


def their_turn(ada: TestClient) -> dict[str, Any]:
    """A game against Bob in which it is Ada's turn."""
    bob = TestClient(ada.app)
    opened: dict[str, Any] = bob.post("/api/games", json=VERSUS).json()
    bob.post("/me/nickname", data={"nickname": "Bob"}, headers=HTML)
    ada.post(f"/api/games/{opened['id']}/seats", json={"invitation": opened["invitation"]}).raise_for_status()
    ply = bob.get(f"/api/games/{opened['id']}").json()["view"]["ply"]
    bob.post(f"/api/games/{opened['id']}/moves", json={"ply": ply, "move": PASS}).raise_for_status()
    return opened


def add(ada: TestClient, **channel: Any) -> dict[str, Any]:
    answer = ada.post(CHANNELS, json={"channel": channel})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found
