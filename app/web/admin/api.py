"""The moderation API, for operators."""

from typing import Annotated, Literal

from fastapi import Query
from pydantic import AfterValidator, ConfigDict, Field

from app.store.audit import Entry
from app.store.moderation import Person, clean_reason
from app.store.reports import Reason, SubjectKind
from app.web.admin.access import ApiOperator
from app.web.admin.actions import PlayerAction, perform
from app.web.guard.problems import describe
from app.web.model import Documented, JsonBody
from app.web.router import api_router
from app.web.services import ServicesDep
from app.web.site.profile import SanctionAnswer

router = api_router("/api/admin", "moderation")


class FiledReport(Documented):
    """A report, as shown to operators."""

    id: str
    """The ID, for dismissing the report."""
    reporter_id: str | None
    """The player who made the report; null if they are erased."""
    subject: SubjectKind
    """What is reported: a name, a remark, a game or the name of a circle."""
    text: str
    """The name or the remark at the time of the report; for a game, its mode."""
    player_id: str | None
    """The reported player; null for a game and the name of a circle."""
    nickname: str | None
    """The current name of that player."""
    game_id: str | None
    """The game that was reported or has the reported name or remark."""
    circle_id: str | None
    """The circle that has the reported name."""
    reason: Reason
    """The reason that the reporter chose."""
    comment: str | None
    """The reporter's comment."""
    at: float
    """Time of the report, in seconds since the epoch."""
    closed_at: float | None
    """Time at which an operator closed it, in seconds since the epoch; null while it is open."""
    outcome: str | None
    """The action that closed it; null while it is open."""


class ReportGroupAnswer(Documented):
    """Open reports about the same player, game or circle."""

    kind: Literal["player", "game", "circle"]
    """What the reports are about."""
    id: str
    """The ID of the player, the game or the circle."""
    reports: list[FiledReport]
    """The oldest first."""


class AuditEntry(Documented):
    """An action of an operator."""

    number: int
    """Later entries have higher numbers."""
    at: float
    """Seconds since the epoch."""
    operator: str
    """The operator."""
    action: str
    """The action."""
    player_id: str | None
    """The player acted on."""
    game_id: str | None
    """The game acted on."""
    circle_id: str | None
    """The circle acted on."""
    detail: str
    """Details of the action, such as the end of a sanction."""
    reason: str
    """The reason that the operator gave."""


class PersonAnswer(Documented):
    """A player, as shown to operators."""

    player_id: str
    """The player's ID."""
    nickname: str | None
    created_at: float
    owner_id: str | None
    """The player whose bot account this is; null for a person."""
    names: list[str]
    """Names under which the player was reported, the latest first."""
    game_id: str | None
    """The latest game in which the player has a seat."""
    sanctions: list[SanctionAnswer]
    """Sanctions in force, the strictest first."""
    reports: list[FiledReport]
    """Up to 20 reports about the player, open ones first."""
    actions: list[AuditEntry]
    """Up to 20 actions on the player and on profiles merged into theirs, the latest first."""


class ModerationReason(Documented):
    """The reason for an action."""

    model_config = ConfigDict(extra="forbid")

    reason: Annotated[str, AfterValidator(clean_reason)]
    """Stored in the audit log and, with a sanction, shown to the player. 1 to 200 characters."""


class NewPlayerAction(ModerationReason):
    """An action on a player, and the reason."""

    action: PlayerAction
    """The action."""


class CircleRename(ModerationReason):
    """A new name for a circle, and the reason."""

    name: Annotated[str | None, Field(max_length=200)] = None
    """1 to 40 visible characters; null for "Circle"."""


@router.get("/reports", response_model=list[ReportGroupAnswer], summary="List open reports")
def list_reports(
    services: ServicesDep,
    _: ApiOperator,
    limit: Annotated[int, Query(ge=1, le=500, description="Most reports.")] = 100,
) -> list[ReportGroupAnswer]:
    """Open reports, grouped by what they are about, the oldest first."""
    groups = services.reports.open_groups(limit)
    return [ReportGroupAnswer.model_validate(group, from_attributes=True) for group in groups]


@router.post("/reports/{report_id}/dismiss", response_model=AuditEntry, summary="Dismiss reports")
def dismiss_report(
    report_id: str, body: JsonBody[ModerationReason], services: ServicesDep, operator: ApiOperator
) -> AuditEntry:
    """Close a report and all other open ones about the same, without any action."""
    return _entry(services.moderation.dismiss(operator, report_id, body.reason, services.clock()))


@router.get("/players", response_model=list[PersonAnswer], summary="Find players")
def find_players(
    services: ServicesDep,
    _: ApiOperator,
    text: Annotated[
        str, Query(max_length=200, description="Part of a name, a player's ID, or a seat as GAME/SEAT.")
    ],
) -> list[PersonAnswer]:
    """Players by part of a name, by ID, or by a seat, counted from 0. At most 20."""
    return [_person(each) for each in services.moderation.find(text, services.clock())]


@router.get("/players/{player_id}", response_model=PersonAnswer, summary="Get a player")
def see_player(player_id: str, services: ServicesDep, _: ApiOperator) -> PersonAnswer:
    """A player's names and sanctions, the reports about them, and the actions of operators."""
    return _person(services.moderation.person(player_id, services.clock()))


@router.post("/players/{player_id}/actions", response_model=AuditEntry, summary="Moderate a player")
def moderate_player(
    player_id: str, body: JsonBody[NewPlayerAction], services: ServicesDep, operator: ApiOperator
) -> AuditEntry:
    """Rename, mute, suspend or erase a player, or end a sanction. Closes the reports about them.

    The player sees the reason of a sanction. Ending one closes no reports.
    """
    return _entry(perform(services, operator, player_id, body.action, body.reason))


@router.post("/games/{game_id}/remove", response_model=AuditEntry, summary="Remove a game")
def remove_game(
    game_id: str, body: JsonBody[ModerationReason], services: ServicesDep, operator: ApiOperator
) -> AuditEntry:
    """Delete a game with its moves and remarks, and close the reports on it. Results stay."""
    return _entry(services.moderation.remove_game(operator, game_id, body.reason, services.clock()))


@router.post(
    "/circles/{circle_id}/rename",
    response_model=AuditEntry,
    responses=describe(404),
    summary="Rename any circle",
)
def moderate_circle(
    circle_id: str, body: JsonBody[CircleRename], services: ServicesDep, operator: ApiOperator
) -> AuditEntry:
    """Give a circle another name, and close the reports on its name."""
    acts, at = services.moderation, services.clock()
    return _entry(acts.rename_circle(operator, circle_id, body.reason, at, name=body.name))


@router.get("/audit", response_model=list[AuditEntry], summary="Read the audit log")
def read_audit(
    services: ServicesDep,
    _: ApiOperator,
    limit: Annotated[int, Query(ge=1, le=1000, description="Most entries.")] = 100,
    before: Annotated[
        int | None, Query(ge=1, le=2**31 - 1, description="Only entries with lower numbers.")
    ] = None,
) -> list[AuditEntry]:
    """The actions of operators, the latest first."""
    return [_entry(each) for each in services.audit.latest(limit, before)]


def _entry(entry: Entry) -> AuditEntry:
    return AuditEntry.model_validate(entry, from_attributes=True)


def _person(person: Person) -> PersonAnswer:
    return PersonAnswer.model_validate(person, from_attributes=True)
