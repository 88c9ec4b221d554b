"""The forms for reporting names, remarks, a game or a circle to the operators."""

from typing import Annotated, Final, NamedTuple, TypeAlias

from fastapi import APIRouter, Depends, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from app.store.circles import Circle
from app.store.models import NotYourSeat, Table
from app.store.reports import (
    LONGEST_COMMENT,
    AlreadyReported,
    BadReport,
    Reason,
    UnknownSubject,
    clean_comment,
)
from app.web.guard.limits import limited
from app.web.services import Player, Services, ServicesDep
from app.web.site.other_players import CircleMember, PlayerAtSeat
from app.web.site.reporting import (
    REASONS,
    About,
    ReportedCircle,
    ReportedGame,
    ReportedName,
    ReportedRemark,
    file_reports,
    subject_of,
)
from app.web.table.remark_lines import remark_views
from app.web.table.seat_views import seat_views
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

MOST_AT_ONCE: Final = 20
"""Most things reported with one form."""

Number: TypeAlias = Annotated[int | None, Query(ge=0)]
Sent: TypeAlias = Annotated[bool, Query()]


class Choice(NamedTuple):
    """Something that can be reported."""

    value: str
    """The value of its checkbox."""
    label: str
    text: str
    """The name or the remark; empty for a game."""
    about: About


class Place(NamedTuple):
    """Where a report is made: a game or a circle."""

    address: str
    choices: list[Choice]
    may_block: bool
    """Whether the player can block the others there."""


class Answers:
    """The fields of the form."""

    def __init__(
        self,
        about: Annotated[list[str] | None, Form()] = None,
        reason: Annotated[Reason | None, Form()] = None,
        comment: Annotated[str, Form(max_length=10 * LONGEST_COMMENT)] = "",
    ) -> None:
        self.about = dict.fromkeys(about or ())
        self.reason = reason
        self.comment = comment


AnswersDep = Annotated[Answers, Depends()]


@router.get("/games/{game_id}/report")
def report_at_game(
    game_id: str,
    request: Request,
    services: ServicesDep,
    player: Player,
    seat: Number = None,
    sent: Sent = False,  # noqa: FBT002 - a query parameter
) -> Response:
    """The form for a game, its players' names and their remarks, or the thanks after sending it."""
    return _show(request, _game(services, game_id, player), Answers([f"name {seat}"]), sent=sent)


@router.post("/games/{game_id}/report", dependencies=[limited("reports")])
def send_from_game(
    game_id: str, request: Request, services: ServicesDep, player: Player, answers: AnswersDep
) -> Response:
    """Send the chosen reports."""
    return _send(request, services, player, _game(services, game_id, player), answers)


@router.get("/circles/{circle_id}/report")
def report_in_circle(
    circle_id: str,
    request: Request,
    services: ServicesDep,
    player: Player,
    member: Number = None,
    sent: Sent = False,  # noqa: FBT002 - a query parameter
) -> Response:
    """The form for the names of a circle and its members, or the thanks after sending it."""
    return _show(request, _circle(services, circle_id, player), Answers([f"name {member}"]), sent=sent)


@router.post("/circles/{circle_id}/report", dependencies=[limited("reports")])
def send_from_circle(
    circle_id: str, request: Request, services: ServicesDep, player: Player, answers: AnswersDep
) -> Response:
    """Send the chosen reports."""
    return _send(request, services, player, _circle(services, circle_id, player), answers)


def _game(services: Services, game_id: str, player: str | None) -> Place:
    """A game, for players and watchers. Raises UnknownGame, NotYourSeat without a player."""
    if player is None:
        raise NotYourSeat("only players can report: open or join a game first")
    table = services.games.read(game_id)
    choices = _choices_at(services, table, player)
    return Place(f"/games/{game_id}", choices, table.seat_of(player) is not None)


def _choices_at(services: Services, table: Table, player: str) -> list[Choice]:
    """Everything that can be reported in a game. A repeated remark is listed once."""
    names = {view.seat: view.name for view in seat_views(table, player)}
    others = [seat for seat, taken in enumerate(table.seats) if taken.player_id not in (None, player)]
    remarks = {
        (one.seat, one.text): one.at for one in remark_views(services, table, player) if one.seat in others
    }
    choices = []
    for seat in others:
        if table.seats[seat].nickname is not None:
            named = ReportedName(kind="name", player=PlayerAtSeat(game=table.id, seat=seat))
            choices.append(Choice(f"name {seat}", "The name", names[seat], named))
    for (seat, text), at in remarks.items():
        remark = ReportedRemark(kind="remark", game=table.id, seat=seat, at=at)
        choices.append(Choice(f"remark {seat} {at!r}", f"{names[seat]}’s remark", text, remark))
    if others:
        choices.append(
            Choice("game", "What happened in this game", "", ReportedGame(kind="game", game=table.id))
        )
    return choices


def _circle(services: Services, circle_id: str, player: str | None) -> Place:
    """A circle, for its members. Raises UnknownCircle."""
    circle = services.circles.read(circle_id, player)
    return Place(f"/circles/{circle_id}", _choices_in(circle, player or ""), may_block=True)


def _choices_in(circle: Circle, player: str) -> list[Choice]:
    """Everything that a member can report in a circle."""
    choices = []
    for member in circle.members:
        if member.nickname is not None and member.player_id != player:
            place = CircleMember(circle=circle.id, member=member.number)
            named = ReportedName(kind="name", player=place)
            choices.append(Choice(f"name {member.number}", "The name", member.nickname, named))
    if not circle.member(player).is_owner:
        about = ReportedCircle(kind="circle", circle=circle.id)
        choices.append(Choice("circle", "The name of the circle", circle.name, about))
    return choices


def _send(
    request: Request, services: Services, player: str | None, place: Place, answers: Answers
) -> Response:
    """Store the reports and show thanks, or show the form again with an error."""
    chosen = [choice.about for choice in place.choices if choice.value in answers.about]
    if not chosen:
        return _show(request, place, answers, "choose what you report", 422)
    if len(chosen) > MOST_AT_ONCE:
        return _show(request, place, answers, f"choose at most {MOST_AT_ONCE} at once", 422)
    if answers.reason is None:
        return _show(request, place, answers, "choose why you report it", 422)
    try:
        subjects = [subject_of(services, about, player) for about in chosen]
        file_reports(services, player, subjects, answers.reason, clean_comment(answers.comment))
    except AlreadyReported as refused:
        return _show(request, place, answers, str(refused), 409)
    except (BadReport, UnknownSubject) as refused:
        return _show(request, place, answers, str(refused), 422)
    return RedirectResponse(f"{place.address}/report?sent=true", status_code=303)


def _show(
    request: Request,
    place: Place,
    answers: Answers,
    notice: str = "",
    status: int = 200,
    *,
    sent: bool = False,
) -> Response:
    context = {
        "back": place.address,
        "in_circle": place.address.startswith("/circles/"),
        "may_block": place.may_block,
        "choices": place.choices,
        "chosen": answers.about,
        "reasons": REASONS,
        "reason": answers.reason,
        "comment": answers.comment,
        "longest": LONGEST_COMMENT,
        "notice": notice,
        "sent": sent,
    }
    headers = {"Cache-Control": "no-store"}
    return templates.TemplateResponse(
        request, "site/report.html", context, status_code=status, headers=headers
    )
