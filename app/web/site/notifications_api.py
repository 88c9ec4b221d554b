"""The API of a player's notification settings, also used by the page's script."""

from typing import Annotated, Literal

from fastapi import Response
from pydantic import ConfigDict, Field

from app.store.channels import Channel, ChannelKind
from app.web.guard.limits import limited
from app.web.guard.problems import describe
from app.web.model import Documented, JsonBody
from app.web.router import api_router
from app.web.services import Player, ServicesDep
from app.web.site.notifications import (
    LONGEST_URL,
    NotificationTimes,
    add_browser,
    add_mail,
    add_webhook,
    address_end,
    available_kinds,
    check_sends,
)
from app.web.site.tokens_api import OwnPlayer, own_player

router = api_router("/api/me/notifications", "profile")


class BrowserChannel(Documented):
    """A browser that has subscribed to web push."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["push"]
    """Always ``push``."""
    endpoint: Annotated[str, Field(max_length=LONGEST_URL)]
    """URL of its push service, from the subscription."""
    p256dh: Annotated[str, Field(max_length=100)]
    """The browser's public key, from the subscription."""
    auth: Annotated[str, Field(max_length=40)]
    """The browser's secret, from the subscription."""
    name: Annotated[str, Field(max_length=64)] = "A browser"
    """The browser's name in the list of channels."""


class MailChannel(Documented):
    """Your confirmed mail address."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["mail"]
    """Always ``mail``."""


class WebhookChannel(Documented):
    """A URL that gets messages as JSON. Discord and Slack get their own format."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["webhook"]
    """Always ``webhook``."""
    url: Annotated[str, Field(max_length=LONGEST_URL)]
    """The webhook's URL."""


class NewChannel(Documented):
    """A channel to add."""

    model_config = ConfigDict(extra="forbid")

    daily: bool = False
    """Whether it gets one message a day instead of one for every turn."""
    channel: Annotated[BrowserChannel | MailChannel | WebhookChannel, Field(discriminator="kind")]
    """The kind of channel."""


class ChannelAnswer(Documented):
    """A channel for notifications."""

    channel_id: str
    kind: ChannelKind
    """The kind of channel."""
    name: str
    """For a browser, the name it was given; for a webhook, its host."""
    address_end: str | None
    """The end of a webhook's address, without secrets, such as ``…4821``, to distinguish two on one host.

    Null for other channels, and if all of the address may be secret.
    """
    daily: bool
    """Whether it gets one message a day instead of one for every turn."""
    created_at: float
    """When the channel was added."""
    failing_since: float | None
    """Time since which all messages have failed; null if the latest was delivered.

    After seven days the channel is removed.
    """


class NewChannelAnswer(ChannelAnswer):
    """A channel that was added."""

    signing_key: str | None
    """For a webhook: the key that signs its messages, as in Standard Webhooks. It is shown only once."""


class Notifications(Documented):
    """How and when you are notified that it is your turn."""

    available: list[ChannelKind]
    """The kinds of channel that this site can use."""
    push_key: str | None
    """The public key that a browser needs to subscribe (``applicationServerKey``)."""
    channels: list[ChannelAnswer]
    """Your channels, the oldest first."""
    times: NotificationTimes
    games: dict[str, list[ChannelKind]]
    """The kinds of channel that you chose for single games, by game ID. Other games use all channels."""


class ChannelChange(Documented):
    """The changes to a channel."""

    model_config = ConfigDict(extra="forbid")

    daily: bool
    """Whether it gets one message a day instead of one for every turn."""


class GameChannels(Documented):
    """The channels to use for one game."""

    model_config = ConfigDict(extra="forbid")

    kinds: list[ChannelKind] | None
    """Empty for none; null for all, the default."""


@router.get("", response_model=Notifications, summary="Get your notifications")
def see_notifications(services: ServicesDep, player: Player) -> Notifications:
    """Your channels, the times at which they may notify you, and the channels chosen for single games."""
    return Notifications(
        available=available_kinds(services),
        push_key=services.push.public_key if services.push else None,
        channels=[_answer(each) for each in services.channels.of_player(player)],
        times=NotificationTimes.of(services.channels.times(player)),
        games={game: sorted(kinds) for game, kinds in services.channels.choices(player).items()},
    )


@router.put(
    "/times",
    response_model=NotificationTimes,
    responses=describe(401),
    summary="Set notification times",
    dependencies=[limited("names")],
)
def set_times(
    body: JsonBody[NotificationTimes], services: ServicesDep, player: OwnPlayer
) -> NotificationTimes:
    """Set your time zone, quiet hours, and the time of the daily message.

    Fields that are left out return to their defaults. Needs a profile.
    """
    services.channels.set_times(player, body.read(), services.clock())
    return body


@router.post(
    "/channels",
    response_model=NewChannelAnswer,
    status_code=201,
    responses=describe(401, 404),
    summary="Add a channel",
    dependencies=[limited("names")],
)
def add_channel(body: JsonBody[NewChannel], services: ServicesDep, player: Player) -> NewChannelAnswer:
    """Get notifications of your turns in a browser, by mail or by a webhook.

    A channel with the same address is replaced. You can have ten. A webhook's address must be public.
    """
    check_sends(services)
    owner, signing_key, new = own_player(services, player), None, body.channel
    if isinstance(new, BrowserChannel):
        keys = new.p256dh, new.auth
        added = add_browser(services, owner, new.endpoint, keys, new.name, daily=body.daily)
    elif isinstance(new, MailChannel):
        added = add_mail(services, owner, daily=body.daily)
    else:
        added, signing_key = add_webhook(services, owner, new.url, daily=body.daily)
    answer = _answer(services.channels.read(player, added))
    return NewChannelAnswer(**answer.model_dump(), signing_key=signing_key)


@router.put(
    "/channels/{channel_id}",
    response_model=ChannelAnswer,
    responses=describe(404),
    summary="Change a channel",
)
def change_channel(
    channel_id: str, body: JsonBody[ChannelChange], services: ServicesDep, player: Player
) -> ChannelAnswer:
    """Choose whether a channel gets one message a day, or one for every turn."""
    services.channels.change(player, channel_id, services.clock(), daily=body.daily)
    return _answer(services.channels.read(player, channel_id))


@router.delete(
    "/channels/{channel_id}",
    status_code=204,
    response_class=Response,
    responses=describe(404),
    summary="Remove a channel",
)
def remove_channel(channel_id: str, services: ServicesDep, player: Player) -> None:
    """Remove a channel. Messages waiting to be sent to it are dropped."""
    services.channels.remove(player, channel_id)


@router.post(
    "/channels/{channel_id}/test",
    status_code=202,
    response_class=Response,
    responses=describe(404),
    summary="Send a test message",
    dependencies=[limited("mails")],
)
def test_channel(channel_id: str, services: ServicesDep, player: Player) -> None:
    """Send a test message to a channel. It arrives within a few seconds."""
    check_sends(services)
    services.outbox.test(player, channel_id, services.clock())


@router.put(
    "/games/{game_id}",
    response_model=GameChannels,
    responses=describe(403, 404),
    summary="Choose the channels of one game",
)
def choose_channels(
    game_id: str, body: JsonBody[GameChannels], services: ServicesDep, player: Player
) -> GameChannels:
    """Choose which kinds of channel notify you of your turns in one game."""
    services.games.read(game_id)
    services.channels.choose(player, game_id, body.kinds)
    return body


def _answer(channel: Channel) -> ChannelAnswer:
    return ChannelAnswer(
        channel_id=channel.id,
        kind=channel.kind,
        name=channel.name,
        address_end=address_end(channel),
        daily=channel.daily,
        created_at=channel.created_at,
        failing_since=channel.failing_since,
    )
