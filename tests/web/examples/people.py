"""Circles, blocked players, reports and what operators did before the request of an example."""

from typing import Final

from pydantic import SecretStr

from tests.web.examples.games import boggle, named_opponent, over, seated
from tests.web.examples.players import Players, Setup, Values, called, nothing, posted

BY_OPERATORS: Final = {"admin_token": SecretStr("0123456789abcdef" * 2)}
"""The setting for examples of what operators do."""
OPERATOR: Final = {"Authorization": f"Bearer {BY_OPERATORS['admin_token'].get_secret_value()}"}


def circle(players: Players) -> Values:
    """A circle of mine that the friend has joined, and where both have finished a game."""
    called(players)
    called(players, friend=True)
    made = posted(players.me, "/api/circles", {"name": "The Lovelaces"})
    members = f"/api/circles/{made['id']}/members"
    invitation = {"invitation": made["invitation"].rpartition("/")[2]}
    posted(players.friend, members, invitation)
    boggle(players.friend)
    over(players)
    return {"circle_id": made["id"], "number": "2"}


def circle_of_friend(players: Players) -> Values:
    """A circle that I am invited to."""
    called(players, friend=True)
    made = posted(players.friend, "/api/circles", {"name": "The Lovelaces"})
    return {"circle_id": made["id"], "invitation": made["invitation"].rpartition("/")[2]}


def report(players: Players) -> Values:
    """What a report on the friend's name is about."""
    game = named_opponent(players)["game"]
    return {"about": {"kind": "name", "player": {"game": game, "seat": 1}}}


def reported(players: Players) -> Values:
    """A report on the friend's name, open."""
    about = report(players)["about"]
    body = {"about": about, "reason": "impersonation", "comment": "Bob is my brother."}
    posted(players.me, "/api/reports", body)
    (group,) = players.me.get("/api/admin/reports", headers=OPERATOR).json()
    return {"report_id": group["reports"][0]["id"], "player_id": group["id"]}


def moderated(players: Players) -> Values:
    """The friend, muted for a week."""
    values = reported(players)
    body = {"action": {"type": "mute", "days": 7}, "reason": "pretends to be another player"}
    player = f"/api/admin/players/{values['player_id']}"
    answer = players.me.post(f"{player}/actions", json=body, headers=OPERATOR)
    assert answer.status_code == 200, answer.text
    return values


def blocked(players: Players) -> Values:
    """The friend, blocked by me."""
    body = named_opponent(players) | {"seat": 1}
    return {"block_id": posted(players.me, "/api/me/blocks", body)["block_id"]}


SETUPS: Final[dict[str, Setup]] = {
    "block_player": named_opponent,
    "unblock_player": blocked,
    "list_blocks": blocked,
    "close_circle": circle,
    "join_circle": circle_of_friend,
    "list_circles": circle,
    "open_circle": nothing,
    "remove_member": circle,
    "rename_circle": circle,
    "see_circle": circle,
    "moderate_circle": circle,
    "make_report": report,
    "list_reports": reported,
    "dismiss_report": reported,
    "find_players": reported,
    "see_player": moderated,
    "moderate_player": reported,
    "remove_game": seated,
    "read_audit": moderated,
    "metrics": nothing,
}
"""By operation ID."""
