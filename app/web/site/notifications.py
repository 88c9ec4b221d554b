"""Shared code of the notification pages and API: adding channels, and times of day as text."""

import re
from typing import Annotated, Final
from urllib.parse import urlsplit

from anyio import from_thread
from fastapi import HTTPException
from pydantic import ConfigDict, Field

from app.store.channels import BadChannel, Channel, ChannelKind
from app.store.quiet_hours import BadTimes, Times
from app.validation import quote
from app.web.model import Documented
from app.web.notices.public_http import NotPublic, public_address
from app.web.notices.web_push import browser_keys
from app.web.notices.webhook import new_secret, service_of
from app.web.services import Services

LONGEST_URL: Final = 1000
_END: Final = 4
"""Characters shown of the end of an address."""
_HOST: Final = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?|[0-9a-f.:]*:[0-9a-f.:]*")
"""A host name, or an IPv4 or IPv6 address; ``urlsplit`` has already checked IPv6 addresses."""
_TIME: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")


def check_sends(services: Services) -> None:
    """Raise HTTPException (404) if the operator has not configured the site's URL."""
    if services.push is None:
        raise HTTPException(404, "this site sends no messages: the operator has not configured its address")


def available_kinds(services: Services) -> list[ChannelKind]:
    """The kinds of channel that this site can use."""
    if services.push is None:
        return []
    return ["push", "mail", "webhook"] if services.mailer else ["push", "webhook"]


def add_browser(
    services: Services, player: str, endpoint: str, keys: tuple[str, str], name: str, *, daily: bool
) -> str:
    """Add a browser as a channel and return its ID. ``keys`` are its p256dh and auth.

    Raises BadKeys, BadChannel, and what ``Channels.add`` raises.
    """
    if not name.isprintable():
        raise BadChannel("printable characters expected", "channel", "name")
    secret = browser_keys(*keys)
    _check_address(services, endpoint, "endpoint")
    return services.channels.add(player, "push", endpoint, secret, name, services.clock(), daily=daily)


def add_webhook(services: Services, player: str, url: str, *, daily: bool) -> tuple[str, str]:
    """Add a webhook as a channel; return its ID and its signing key. Raises as ``Channels.add`` does."""
    _check_address(services, url, "url")
    secret, name = new_secret(), (service_of(url) or urlsplit(url).hostname or "")[:64]
    added = services.channels.add(player, "webhook", url, secret, name, services.clock(), daily=daily)
    return added, secret


def address_end(channel: Channel) -> str | None:
    """The end of a webhook's address, such as ``…4821``, to distinguish two on one host; else None.

    Never part of a token of Discord or Slack. For other addresses up to four characters of the path, and at
    most about half of its last part, as that may be secret. Nothing of the query, for the same reason.
    """
    if channel.kind != "webhook":
        return None
    path = [part for part in urlsplit(channel.address).path.split("/") if part]
    match service_of(channel.address):
        case "Discord":  # /api/webhooks/ID/TOKEN
            known = path[path.index("webhooks") + 1 :] if "webhooks" in path else []
            shown = known[0][-_END:] if len(known) > 1 and known[0].isdigit() else ""
        case "Slack":  # /services/WORKSPACE/ID/TOKEN, or with more before the token
            shown = path[2][-_END:] if len(path) > 3 else ""
        case _:
            last = path[-1] if path else ""
            shown = last[-min(_END, (len(last) + 1) // 2) :]
    return f"…{shown}" if shown else None


def add_mail(services: Services, player: str, *, daily: bool) -> str:
    """Add the player's confirmed mail address as a channel, and return its ID.

    Raises as ``Channels.add`` does.
    """
    if services.mailer is None:
        raise BadChannel("this site sends no mail: choose another channel", "channel", "kind")
    return services.channels.add(player, "mail", "", "", "Mail", services.clock(), daily=daily)


def _check_address(services: Services, url: str, field: str) -> None:
    """Raise BadChannel unless messages can be sent to this address, given as ``field`` of the channel."""
    schemes = ("https", "http") if services.private_webhooks else ("https",)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if (
        not host
        or not _HOST.fullmatch(host)
        or parts.scheme not in schemes
        or parts.username
        or not (url.isascii() and url.isprintable())
        or len(url) > LONGEST_URL
    ):
        raise BadChannel(
            f"this is not an address that messages can be sent to: expected one that begins with "
            f"{schemes[0]}:// and the name of a host, without a user name",
            "channel",
            field,
        )
    if not services.private_webhooks:
        try:
            from_thread.run(public_address, host, port or 443)
        except NotPublic as error:
            raise BadChannel(str(error), "channel", field) from None


class NotificationTimes(Documented):
    """When you are notified."""

    model_config = ConfigDict(extra="forbid")

    zone: Annotated[str, Field(max_length=64)] = "UTC"
    """Your time zone, such as ``Europe/Berlin``."""
    quiet_from: str | None = None
    """Start of your quiet hours, such as ``22:00``; null for no quiet hours."""
    quiet_until: str | None = None
    """End of the quiet hours, when notifications held back are sent."""
    digest_at: str = "09:00"
    """When the daily message is sent to channels that get one message a day."""

    def read(self) -> Times:
        """The times. Raises BadTimes."""
        times = Times(
            self.zone,
            None if self.quiet_from is None else _minute(self.quiet_from, "quiet_from"),
            None if self.quiet_until is None else _minute(self.quiet_until, "quiet_until"),
            _minute(self.digest_at, "digest_at"),
        )
        times.check()
        return times

    @classmethod
    def of(cls, times: Times) -> "NotificationTimes":
        """These times as text."""
        return cls(
            zone=times.zone,
            quiet_from=None if times.quiet_from is None else _clock(times.quiet_from),
            quiet_until=None if times.quiet_until is None else _clock(times.quiet_until),
            digest_at=_clock(times.digest_at),
        )


def _minute(text: str, field: str) -> int:
    found = _TIME.fullmatch(text)
    if found is None:
        raise BadTimes(f"{quote(text)} is not a time of day: expected one such as 22:00", field)
    return int(found[1]) * 60 + int(found[2])


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"
