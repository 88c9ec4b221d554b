"""The notification settings page, and unsubscribing by a link."""

from typing import Annotated, Any
from zoneinfo import available_timezones

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from app.grammar import format_duration
from app.store.channels import BadChannel, ChannelKind, UnknownChannel
from app.store.models import TooMuch, UnknownPlayer
from app.store.quiet_hours import BadTimes
from app.web.guard.limits import limited
from app.web.services import Player, Services, ServicesDep
from app.web.site.notifications import (
    NotificationTimes,
    add_mail,
    add_webhook,
    address_end,
    available_kinds,
    check_sends,
)
from app.web.site.open_games import ago, open_games
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

PATH = "/me/notifications"
Kinds = Annotated[list[ChannelKind], Form()]
_GAMES_SHOWN = 40


@router.get(PATH)
def notifications_page(
    request: Request,
    services: ServicesDep,
    player: Player,
    saved: bool = False,  # noqa: FBT001, FBT002 - a query parameter
    tested: bool = False,  # noqa: FBT001, FBT002
) -> Response:
    """Channels, times, and the channels of each game."""
    notice = "Saved" if saved else "A test message is on its way" if tested else None
    return _show(request, services, player, done=notice)


@router.post(f"{PATH}/webhooks", dependencies=[limited("names")])
def add_webhook_channel(
    request: Request, services: ServicesDep, player: Player, url: Annotated[str, Form(max_length=2000)]
) -> Response:
    """Add a webhook, and show the key that signs its messages, once."""
    check_sends(services)
    try:
        _, signing_key = add_webhook(services, player or "", url.strip(), daily=False)
    except (BadChannel, TooMuch, UnknownPlayer) as refused:
        return _show(request, services, player, url=url, notice=str(refused), status=422)
    return _show(request, services, player, signing_key=signing_key)


@router.post(f"{PATH}/mail", dependencies=[limited("names")])
def add_mail_channel(request: Request, services: ServicesDep, player: Player) -> Response:
    """Add the player's mail address as a channel."""
    check_sends(services)
    try:
        add_mail(services, player or "", daily=False)
    except (BadChannel, TooMuch, UnknownPlayer) as refused:
        return _show(request, services, player, notice=str(refused), status=422)
    return RedirectResponse(f"{PATH}?saved=1", status_code=303)


@router.post(f"{PATH}/channels/{{channel_id}}")
def change_channel(
    channel_id: str, services: ServicesDep, player: Player, daily: Annotated[bool, Form()]
) -> Response:
    """Choose whether a channel gets one message a day. Raises UnknownChannel."""
    services.channels.change(player, channel_id, services.clock(), daily=daily)
    return RedirectResponse(f"{PATH}?saved=1", status_code=303)


@router.post(f"{PATH}/channels/{{channel_id}}/remove")
def remove_channel(channel_id: str, services: ServicesDep, player: Player) -> Response:
    """Remove a channel. Raises UnknownChannel."""
    services.channels.remove(player, channel_id)
    return RedirectResponse(f"{PATH}?saved=1", status_code=303)


@router.post(f"{PATH}/channels/{{channel_id}}/test", dependencies=[limited("mails")])
def test_channel(channel_id: str, services: ServicesDep, player: Player) -> Response:
    """Send a test message. Raises UnknownChannel."""
    check_sends(services)
    services.outbox.test(player, channel_id, services.clock())
    return RedirectResponse(f"{PATH}?tested=1", status_code=303)


@router.post(f"{PATH}/times", dependencies=[limited("names")])
def set_times(
    request: Request,
    services: ServicesDep,
    player: Player,
    zone: Annotated[str, Form(max_length=64)],
    quiet_from: Annotated[str, Form(max_length=5)] = "",
    quiet_until: Annotated[str, Form(max_length=5)] = "",
    digest_at: Annotated[str, Form(max_length=5)] = "09:00",
) -> Response:
    """Set time zone, quiet hours and the time of the daily message."""
    given = NotificationTimes(
        zone=zone, quiet_from=quiet_from or None, quiet_until=quiet_until or None, digest_at=digest_at
    )
    try:
        services.channels.set_times(player or "", given.read(), services.clock())
    except BadTimes as refused:
        return _show(request, services, player, times=given, times_notice=str(refused), status=422)
    except UnknownPlayer as refused:
        return _show(request, services, player, notice=str(refused), status=422)
    return RedirectResponse(f"{PATH}?saved=1", status_code=303)


@router.post(f"{PATH}/games/{{game_id}}")
def choose_channels(
    game_id: str,
    services: ServicesDep,
    player: Player,
    kinds: Annotated[list[ChannelKind] | None, Form()] = None,
) -> Response:
    """Choose the kinds of channel to use for one game. Raises NotYourSeat."""
    available = set(available_kinds(services))
    chosen = set(kinds or ())
    services.channels.choose(player, game_id, None if chosen >= available else chosen)
    return RedirectResponse(f"{PATH}?saved=1", status_code=303)


@router.get("/unsubscribe/{token}")
def unsubscribe_page(token: str, request: Request, services: ServicesDep) -> Response:
    """The page of a link in a mail. A GET removes nothing, because mail programs fetch links.

    Raises UnknownChannel if the link is not valid.
    """
    _channel_of(services, token)
    return templates.TemplateResponse(request, "site/unsubscribe.html", {"token": token, "done": False})


@router.post("/unsubscribe/{token}")
def unsubscribe(token: str, request: Request, services: ServicesDep) -> Response:
    """Remove a channel, for anyone with the link; mail programs can send this request (RFC 8058).

    Raises UnknownChannel.
    """
    services.channels.unsubscribe(_channel_of(services, token))
    return templates.TemplateResponse(request, "site/unsubscribe.html", {"done": True})


def _channel_of(services: Services, token: str) -> str:
    channel = services.unsubscribe.channel_of(token)
    if channel is None:
        raise UnknownChannel("this link is incomplete or not from this site: nothing was changed")
    return channel


def _show(
    request: Request, services: Services, player: str | None, *, status: int = 200, **said: Any
) -> Response:
    """The page, with its notices and typed values."""
    now, channels = services.clock(), services.channels
    chosen = channels.choices(player)
    available = available_kinds(services)
    mine = open_games(services, player, most=_GAMES_SHOWN) if channels.of_player(player) else []
    context: dict[str, Any] = {
        **dict.fromkeys(("done", "notice", "times_notice", "signing_key", "url")),
        "player": player,
        "available": available,
        "push_key": services.push.public_key if services.push else None,
        "has_address": player is not None and services.mail_addresses.of_player(player) is not None,
        "channels": [
            {
                "channel": each,
                "name": " ".join(filter(None, (each.name, address_end(each)))),
                "added": ago(now - each.created_at),
                "failing": None if each.failing_since is None else format_duration(now - each.failing_since),
            }
            for each in channels.of_player(player)
        ],
        "times": NotificationTimes.of(channels.times(player)),
        "zones": sorted(available_timezones()),
        "games": [{"game": each, "kinds": chosen.get(each["id"], frozenset(available))} for each in mine],
        **said,
    }
    return templates.TemplateResponse(request, "site/notifications.html", context, status_code=status)
