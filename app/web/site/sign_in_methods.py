"""A player's devices and ways to sign in again, and the offer of a recovery phrase."""

from typing import Any, Final

from fastapi import Request

from app.store.models import Table
from app.web.services import Services
from app.web.site.open_games import ago

OFFERED_FROM: Final = 3
"""Number of finished games after which a recovery phrase is offered."""
OFFER: Final = "recovery-phrase"
"""The player's mark for having declined the offer."""


def signed_in(request: Request, services: Services, player: str | None) -> dict[str, Any]:
    """The player's devices and recovery phrase, for their page."""
    if player is None:
        return {
            "tokens": 0,
            "devices": [],
            "passkeys": [],
            "unlisted": False,
            "phrase_age": None,
            "mails": False,
        }
    now, session = services.clock(), services.guests.session(request)
    made_at = services.phrases.made_at(player)
    return {
        "tokens": len(services.tokens.of_player(player)),
        "devices": [
            {
                "device": device,
                "here": session is not None and device.id == session.device,
                "used": ago(now - device.used_at),
            }
            for device in services.devices.of_player(player)
        ],
        "passkeys": [
            {
                "passkey": passkey,
                "made": ago(now - passkey.created_at),
                "used": None if passkey.used_at is None else ago(now - passkey.used_at),
            }
            for passkey in services.passkeys.of_player(player)
        ],
        "unlisted": services.devices.has_unlisted(player),
        "mails": services.mailer is not None,
        "mail_address": services.mail_addresses.of_player(player),
        "phrase_age": None if made_at is None else ago(now - made_at),
    }


def can_sign_in_again(services: Services, player: str) -> bool:
    """Whether the player can sign in again without a signed-in device: by phrase, passkey or mail."""
    return (
        services.phrases.made_at(player) is not None
        or bool(services.passkeys.of_player(player))
        or (services.mailer is not None and services.mail_addresses.of_player(player) is not None)
    )


def guest_days(services: Services, player: str | None) -> int | None:
    """Days after the last visit for which the player's study boards and cards are kept; None for no limit."""
    return None if player is None or can_sign_in_again(services, player) else services.guest_days


def offers_phrase(services: Services, table: Table, player: str | None) -> bool:
    """Whether a recovery phrase is offered at this table: after some finished games, until declined."""
    if player is None or table.finished_at is None or table.seat_of(player) is None:
        return False
    return (
        services.results.has_finished(player, OFFERED_FROM)
        and not can_sign_in_again(services, player)
        and not services.shown.seen(player, [OFFER])
    )
