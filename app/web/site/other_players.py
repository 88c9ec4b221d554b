"""References to other players: by a seat in one of the player's games, or a number in one of their circles.

Player IDs are never shown.
"""

from typing import Annotated, NamedTuple, TypeAlias

from pydantic import ConfigDict, Discriminator, Field, Tag

from app.store.models import NotYourSeat, UnknownPlayer
from app.web.model import Documented
from app.web.services import Services
from app.web.table.seat_views import seat_views


class PlayerAtSeat(Documented):
    """The player in another seat of a game that you play or have played."""

    model_config = ConfigDict(extra="forbid")

    seat: Annotated[int, Field(ge=0, le=5)]
    game: Annotated[str, Field(max_length=32)]
    """The game's ID."""


class CircleMember(Documented):
    """A member of one of your circles."""

    model_config = ConfigDict(extra="forbid")

    member: Annotated[int, Field(ge=1, le=2**31 - 1)]
    """The member's number."""
    circle: Annotated[str, Field(max_length=32)]
    """The circle's ID."""


def _way(body: object) -> str:
    """The discriminator of the two ways to name a player."""
    given = body.keys() if isinstance(body, dict) else getattr(body, "model_fields_set", ())
    return "seat" if {"circle", "member"}.isdisjoint(given) else "member"


OtherPlayer: TypeAlias = Annotated[
    Annotated[PlayerAtSeat, Tag("seat")] | Annotated[CircleMember, Tag("member")], Discriminator(_way)
]


class Named(NamedTuple):
    """Another player, with the number of their seat or of their membership in a circle."""

    number: int
    player_id: str
    name: str


def players_at(services: Services, game_id: str, player: str | None) -> list[Named]:
    """The other players at a game, for one of them. Raises UnknownGame, NotYourSeat."""
    table = services.games.read(game_id)
    if table.seat_of(player) is None:
        raise NotYourSeat("only the players of this game may do this")
    return [
        Named(view.seat, taken.player_id, view.name)
        for view, taken in zip(seat_views(table, player), table.seats, strict=True)
        if taken.player_id is not None and taken.player_id != player
    ]


def members_of(services: Services, circle_id: str, player: str | None) -> list[Named]:
    """The other members of a circle, for one of them. Raises UnknownCircle."""
    return [
        Named(member.number, member.player_id, member.nickname or f"A guest, member {member.number}")
        for member in services.circles.read(circle_id, player).members
        if member.player_id != player
    ]


def find_player(services: Services, other: OtherPlayer, player: str | None) -> str:
    """The ID of the player that a request refers to.

    Raises UnknownPlayer, UnknownGame and NotYourSeat, or UnknownCircle.
    """
    if isinstance(other, PlayerAtSeat):
        found = numbered(players_at(services, other.game, player), other.seat, "at seat")
    else:
        found = numbered(members_of(services, other.circle, player), other.member, "with number")
    return found.player_id


def numbered(others: list[Named], number: int, where: str) -> Named:
    """The player with this number. Raises UnknownPlayer."""
    found = next((each for each in others if each.number == number), None)
    if found is None:
        raise UnknownPlayer(f"there is no other player {where} {number}")
    return found
