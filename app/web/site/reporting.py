"""Reports by players about a name, a remark, a game or the name of a circle.

A report has the place where the name or remark was seen. Its text is read from the store, never taken from
the client.
"""

import logging
from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import ConfigDict, Field

from app.grammar import there_are
from app.store.models import NotYourSeat, Table, UnknownPlayer
from app.store.reports import BadReport, Reason, Subject, UnknownSubject
from app.web.model import Documented
from app.web.services import Services
from app.web.site.other_players import CircleMember, OtherPlayer, PlayerAtSeat
from app.web.table.remark_lines import RemarkView, remark_views

log = logging.getLogger("uvicorn.error.wibble")

GameID: TypeAlias = Annotated[str, Field(max_length=32)]
Seat: TypeAlias = Annotated[int, Field(ge=0, le=5)]


class ReportedName(Documented):
    """The name of a player in a game, or in one of your circles."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["name"]
    """Always ``name``."""
    player: OtherPlayer
    """The player whose name is reported."""


class ReportedRemark(Documented):
    """A remark made in a game."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["remark"]
    """Always ``remark``."""
    game: GameID
    """The game's ID."""
    seat: Seat
    """The seat of the player who made the remark."""
    at: float
    """The time of the remark, as in the game's ``remarks``."""


class ReportedGame(Documented):
    """A game with others."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["game"]
    """Always ``game``."""
    game: GameID
    """The game's ID."""


class ReportedCircle(Documented):
    """The name of one of your circles that another member owns."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["circle"]
    """Always ``circle``."""
    circle: Annotated[str, Field(max_length=32)]
    """The circle's ID."""


About: TypeAlias = Annotated[
    ReportedName | ReportedRemark | ReportedGame | ReportedCircle, Field(discriminator="kind")
]
REASONS: Final[dict[Reason, str]] = {
    "offensive": "Offensive",
    "harassment": "Harassment",
    "cheating": "Cheating",
    "impersonation": "Pretends to be someone else",
    "other": "Something else",
}
"""The reasons, as shown on the page."""


def subject_of(services: Services, about: About, player: str | None) -> Subject:
    """The reported subject in its current state.

    Raises UnknownSubject, UnknownPlayer, UnknownGame or UnknownCircle if it does not exist, BadReport if it
    is the player's own, NotYourSeat without a player.
    """
    if player is None:
        raise NotYourSeat("only players can report: open or join a game first")
    match about:
        case ReportedName():
            return _name(services, about.player, player)
        case ReportedRemark():
            table = services.games.read(about.game)
            remark = _remark(services, table, about, player)
            return Subject("remark", remark.text, table.seats[remark.seat].player_id, game_id=table.id)
        case ReportedGame():
            table = services.games.read(about.game)
            if not table.has_others(player):
                raise BadReport(
                    "you are the only player of this game: report one with other players", "about"
                )
            return Subject("game", services.rooms[table.kind].title_of(table.view(None)), game_id=table.id)
        case ReportedCircle():
            circle = services.circles.read(about.circle, player)
            if circle.member(player).is_owner:
                raise BadReport("this circle is your own: rename it", "about")
            return Subject("circle", circle.name, circle_id=circle.id)


def file_reports(
    services: Services, player: str | None, subjects: Sequence[Subject], reason: Reason, comment: str | None
) -> float:
    """Store a player's reports, log the number of open ones, and return the time.

    Raises AlreadyReported, BadReport.
    """
    at = services.clock()
    waiting = services.reports.file(player or "", subjects, reason, comment, at)
    log.info("A player has reported something: %s", there_are(waiting, "open report"))
    return at


def _name(services: Services, place: PlayerAtSeat | CircleMember, reporter: str) -> Subject:
    if isinstance(place, PlayerAtSeat):
        table = services.games.read(place.game)
        taken = table.seats[place.seat] if place.seat < len(table.seats) else None
        if taken is None or taken.player_id is None:
            raise UnknownPlayer(f"there is no player at seat {place.seat}")
        found = Subject("name", taken.nickname or "", taken.player_id, game_id=table.id)
    else:
        circle = services.circles.read(place.circle, reporter)
        member = next((each for each in circle.members if each.number == place.member), None)
        if member is None:
            raise UnknownPlayer(f"there is no member with number {place.member}")
        found = Subject("name", member.nickname or "", member.player_id, circle_id=circle.id)
    if found.player_id == reporter:
        raise BadReport("this name is your own: change it under You", "about")
    if not found.text:
        raise UnknownSubject("this player has no name: report the game instead")
    return found


def _remark(services: Services, table: Table, about: ReportedRemark, player: str) -> RemarkView:
    """A remark that is shown to the player. Raises UnknownSubject."""
    for remark in remark_views(services, table, player):
        if (remark.seat, remark.at) == (about.seat, about.at):
            return remark
    raise UnknownSubject(f"there is no remark of seat {about.seat} at {about.at}: see the game's remarks")
