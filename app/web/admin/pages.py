"""The pages of operators: reports, players, games, circles and the audit log."""

from typing import Annotated, Any, Final, TypeAlias

from fastapi import APIRouter, Depends, Form, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import ValidationError

from app.store.audit import UNNAMED
from app.store.circles import BadCircle
from app.store.moderation import LONGEST_REASON, BadAction, clean_reason
from app.web.admin.access import PageOperator, page_operator
from app.web.admin.actions import ActionName, perform, read_action
from app.web.guard.fields import describe_errors, field_errors
from app.web.services import Services, ServicesDep
from app.web.site.open_games import ago
from app.web.site.reporting import REASONS
from app.web.table.page import FormFields
from app.web.table.remark_lines import lines
from app.web.table.seat_views import seat_views
from app.web.templating import templates

router = APIRouter(prefix="/admin", include_in_schema=False, dependencies=[Depends(page_operator)])

MOST_SHOWN: Final = 200
"""Most open reports, and most entries of the audit log, on a page."""
PERIODS: Final = {"1": "1 day", "3": "3 days", "7": "7 days", "30": "30 days", "365": "365 days"}
"""Durations of a sanction to choose from, by number of days; the form also offers one without an end."""

ReasonField: TypeAlias = Annotated[str, Form(max_length=10 * LONGEST_REASON)]
NameField: TypeAlias = Annotated[str, Form(max_length=200)]


@router.get("")
def queue(request: Request, services: ServicesDep, operator: PageOperator) -> Response:
    """The open reports, grouped by what they are about."""
    return _queue(request, services, operator)


@router.post("/reports/{report_id}/dismiss")
def dismiss(
    report_id: str, request: Request, services: ServicesDep, operator: PageOperator, reason: ReasonField = ""
) -> Response:
    """Close a report and all others about the same."""
    try:
        kept = clean_reason(reason)
    except BadAction as refused:
        return _queue(request, services, operator, str(refused))
    services.moderation.dismiss(operator, report_id, kept, services.clock())
    return _to()


@router.get("/players")
def find(
    request: Request,
    services: ServicesDep,
    operator: PageOperator,
    text: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """Players by name, ID or seat."""
    found = services.moderation.find(text, services.clock())
    return _page(request, services, operator, "players", {"text": text.strip(), "found": found})


@router.get("/players/{player_id}")
def player_page(player_id: str, request: Request, services: ServicesDep, operator: PageOperator) -> Response:
    """A player, and the forms to moderate them."""
    return _player(request, services, operator, player_id)


@router.post("/players/{player_id}/{action}")
def act(
    player_id: str,
    action: ActionName,
    fields: FormFields,
    request: Request,
    services: ServicesDep,
    operator: PageOperator,
) -> Response:
    """Rename, mute, suspend or erase a player, or end a sanction."""
    if fields.pop("confirm", "") != "yes" and action == "erase":
        return _player(request, services, operator, player_id, "check the box to erase this player")
    try:
        kept = clean_reason(fields.pop("reason", ""))
        perform(services, operator, player_id, read_action(action, fields), kept)
    except ValidationError as invalid:
        errors = field_errors(invalid.errors(), root="body")
        notice = describe_errors([each.model_copy(update={"location": []}) for each in errors])
        return _player(request, services, operator, player_id, notice)
    except BadAction as refused:
        return _player(request, services, operator, player_id, str(refused))
    return _to() if action == "erase" else _to(f"/players/{player_id}")


@router.get("/games/{game_id}")
def game_page(game_id: str, request: Request, services: ServicesDep, operator: PageOperator) -> Response:
    """A game with its players, remarks and reports."""
    return _game(request, services, operator, game_id)


@router.post("/games/{game_id}/remove")
def remove_game(
    game_id: str, request: Request, services: ServicesDep, operator: PageOperator, reason: ReasonField = ""
) -> Response:
    """Delete a game."""
    try:
        services.moderation.remove_game(operator, game_id, clean_reason(reason), services.clock())
    except BadAction as refused:
        return _game(request, services, operator, game_id, str(refused))
    return _to()


@router.get("/circles/{circle_id}")
def circle_page(circle_id: str, request: Request, services: ServicesDep, operator: PageOperator) -> Response:
    """A circle with its members and reports."""
    return _circle(request, services, operator, circle_id)


@router.post("/circles/{circle_id}/rename")
def rename_circle(
    circle_id: str,
    request: Request,
    services: ServicesDep,
    operator: PageOperator,
    reason: ReasonField = "",
    name: NameField = "",
) -> Response:
    """Give a circle another name."""
    try:
        kept = clean_reason(reason)
        services.moderation.rename_circle(operator, circle_id, kept, services.clock(), name=name or None)
    except (BadAction, BadCircle) as refused:
        return _circle(request, services, operator, circle_id, str(refused))
    return _to(f"/circles/{circle_id}")


@router.get("/audit")
def audit_page(
    request: Request,
    services: ServicesDep,
    operator: PageOperator,
    before: Annotated[int | None, Query(ge=1, le=2**31 - 1)] = None,
) -> Response:
    """The actions of operators, the latest first."""
    entries = services.audit.latest(MOST_SHOWN + 1, before)
    shown = entries[:MOST_SHOWN]
    older = shown[-1].number if len(entries) > len(shown) else None
    return _page(request, services, operator, "audit", {"entries": shown, "older": older})


def _queue(request: Request, services: Services, operator: str, notice: str = "") -> Response:
    context = {"groups": services.reports.open_groups(MOST_SHOWN), "open": services.reports.open_count()}
    return _page(request, services, operator, "queue", context, notice)


def _player(
    request: Request, services: Services, operator: str, player_id: str, notice: str = ""
) -> Response:
    person = services.moderation.person(player_id, services.clock())
    return _page(request, services, operator, "player", {"person": person, "periods": PERIODS}, notice)


def _game(request: Request, services: Services, operator: str, game_id: str, notice: str = "") -> Response:
    table = services.games.read(game_id)
    seats = [
        {"name": view.name, "player_id": taken.player_id}
        for view, taken in zip(seat_views(table, None), table.seats, strict=True)
    ]
    said = [
        {"name": seats[one.seat]["name"], "text": lines()[one.line], "at": one.at}
        for one in table.remarks
        if one.line < len(lines())
    ]
    context = {
        "table": table,
        "title": services.rooms[table.kind].title_of(table.view(None)),
        "seats": seats,
        "said": said,
        "reports": services.reports.at_game(game_id, MOST_SHOWN),
    }
    return _page(request, services, operator, "game", context, notice)


def _circle(
    request: Request, services: Services, operator: str, circle_id: str, notice: str = ""
) -> Response:
    context = {
        "circle": services.circles.read_for_operators(circle_id),
        "reports": services.reports.in_circle(circle_id, MOST_SHOWN),
    }
    return _page(request, services, operator, "circle", context, notice)


def _page(
    request: Request,
    services: Services,
    operator: str,
    name: str,
    context: dict[str, Any],
    notice: str = "",
) -> Response:
    now = services.clock()
    common = {
        "operator": operator,
        "by_token": operator == UNNAMED,
        "notice": notice,
        "reasons": REASONS,
        "longest_reason": LONGEST_REASON,
        "ago": lambda at: ago(now - at),
    }
    status = 422 if notice else 200
    return templates.TemplateResponse(request, f"admin/{name}.html", common | context, status_code=status)


def _to(path: str = "") -> RedirectResponse:
    return RedirectResponse(f"/admin{path}", status_code=303)
