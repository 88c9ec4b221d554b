"""A player's name, tokens, bots and notifications before the request of an example."""

from typing import Final

from tests.web.examples.games import opened_by_me, seated
from tests.web.examples.opponents import daily
from tests.web.examples.players import Players, Setup, Values, called, posted

WEBHOOK: Final = "https://hooks.example/wibble"


def named(players: Players) -> Values:
    """I have a name."""
    called(players)
    return {}


def tokened(players: Players) -> Values:
    """A token of mine."""
    called(players)
    made = posted(players.me, "/api/me/tokens", {"name": "my bot", "scopes": ["read"]})
    return {"token_id": made["token_id"]}


def botted(players: Players) -> Values:
    """A bot account of mine."""
    called(players)
    return {"bot_id": posted(players.me, "/api/me/bots", {"nickname": "Robo"})["bot_id"]}


def with_webhook(players: Players) -> Values:
    """A webhook of mine for turn notifications."""
    game = seated(players)
    body = {"channel": {"kind": "webhook", "url": WEBHOOK}}
    return game | {"channel_id": posted(players.me, "/api/me/notifications/channels", body)["channel_id"]}


SETUPS: Final[dict[str, Setup]] = {
    "erase_me": opened_by_me,
    "rename_me": opened_by_me,
    "see_me": daily,
    "list_tokens": tokened,
    "make_token": named,
    "revoke_token": tokened,
    "list_bots": botted,
    "make_bot": named,
    "delete_bot": botted,
    "see_notifications": with_webhook,
    "set_times": seated,
    "add_channel": seated,
    "change_channel": with_webhook,
    "remove_channel": with_webhook,
    "test_channel": with_webhook,
    "choose_channels": with_webhook,
}
"""By operation ID."""
