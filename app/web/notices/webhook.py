"""Webhooks: a message as JSON, signed as in the Standard Webhooks specification.

Discord and Slack accept only their own JSON formats, and get those.
"""

import base64
import hashlib
import hmac
import json
from secrets import token_bytes
from typing import Any, Final
from urllib.parse import urlsplit

from app.store.message_content import Content
from app.web.notices.texts import Text

_PREFIX: Final = "whsec_"
_SERVICES: Final = {
    "discord.com": "Discord",
    "discordapp.com": "Discord",
    "slack.com": "Slack",
    "slack-gov.com": "Slack",
}


def service_of(url: str) -> str | None:
    """Discord or Slack, on any subdomain, as these need their own JSON format; None for other services."""
    labels = (urlsplit(url).hostname or "").rstrip(".").split(".")
    return _SERVICES.get(".".join(labels[-2:]))


def new_secret() -> str:
    """A new key for signing a webhook's messages."""
    return _PREFIX + base64.b64encode(token_bytes(32)).decode("ascii")


def webhook_request(
    url: str, secret: str, message_id: str, content: Content, text: Text, site: str, at: float
) -> tuple[dict[str, str], bytes]:
    """The headers and body for a webhook."""
    body = json.dumps(_document(url, message_id, content, text, site)).encode()
    headers = {
        "Content-Type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(at)),
        "webhook-signature": sign(secret, message_id, int(at), body),
    }
    return headers, body


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """The header ``webhook-signature``."""
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode("ascii")


def _document(url: str, message_id: str, content: Content, text: Text, site: str) -> dict[str, Any]:
    full_text = "\n".join((text.title, *text.lines, site + text.path))
    match service_of(url):
        case "Discord":
            return {"content": full_text, "allowed_mentions": {"parse": []}}  # a name may look like a mention
        case "Slack":
            return {"text": full_text.translate(_SLACK_ESCAPES)}
    games = [each | {"url": f"{site}/games/{each['game_id']}"} for each in content["games"]]
    return {
        "type": f"wibble.{content['kind']}",
        "id": message_id,
        "text": full_text,
        "games": games,
        "turns": content["turns"],
    }


_SLACK_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
