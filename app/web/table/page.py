"""The table page: showing a game and making moves."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Form, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from fastapi.sse import EventSourceResponse
from pydantic import Field, TypeAdapter, ValidationError

from app.games.game import IllegalMove, NotAWord
from app.store.listed_tables import LISTED_FOR
from app.store.models import NotYourSeat, Refused, StalePly, Table, TooEarly, TooMuch
from app.store.sanctions import Sanctioned
from app.web.guard.content_types import read_form
from app.web.guard.limits import CallerDep, get_caller
from app.web.guard.problems import STATUSES
from app.web.guard.rates import Caller
from app.web.live.stream import listening_to
from app.web.services import Player, Services, ServicesDep
from app.web.site.sign_in_methods import offers_phrase
from app.web.table.feats import feats_at
from app.web.table.game_answers import rating_change
from app.web.table.lessons import coach, offer_at, tips_at
from app.web.table.record import StillSecret, check_secret
from app.web.table.refusals import describe_refusal, offered_votes
from app.web.table.remark_lines import lines, remark_views
from app.web.table.seat_views import seat_views
from app.web.templating import templates

router = APIRouter(include_in_schema=False, dependencies=[Depends(get_caller)])

_PLY: TypeAdapter[int] = TypeAdapter(Annotated[int, Field(ge=0)])

HtmxRequest = Annotated[bool, Header(alias="HX-Request")]

MOVED_ON = "the game has moved on: this is the current position"
"""Notice for a move on an earlier position, for example from a second tab."""

OVER = "the game is over: this is the result"
"""Notice for a move on an earlier position of a game that has ended since."""

NO_POSITION = "that move was for no position of this game: try again"
"""Notice for a move whose ply is not a number."""


async def form_fields(request: Request) -> dict[str, str]:
    """The text fields of a submitted form."""
    return {name: value for name, value in (await read_form(request)).items() if isinstance(value, str)}


FormFields = Annotated[dict[str, str], Depends(form_fields)]


@router.get("/games/{game_id}")
def table_page(game_id: str, request: Request, services: ServicesDep, player: Player) -> Response:
    """The page of a game, for players and watchers."""
    table = services.games.load_or_read(game_id, services.clock())
    return show_table(request, services, table, player)


@router.get("/games/{game_id}/table")
def table_now(
    game_id: str,
    request: Request,
    services: ServicesDep,
    player: Player,
    seen: Annotated[str, Query(max_length=40)] = "",
) -> Response:
    """The table fragment, or 204 if its version is the one the page has ``seen``."""
    table = services.games.load_or_read(game_id, services.clock())
    if seen == table.version:
        return Response(status_code=204)
    return show_table(request, services, table, player, fragment=True)


@router.get("/games/{game_id}/events")
async def page_events(
    game_id: str, request: Request, services: ServicesDep, player: Player, caller: CallerDep
) -> EventSourceResponse:
    """The event stream of the page, which contains the fragment after another player's move.

    The stream for programs is at ``/api/games/{game_id}/events``.
    """

    def show(table: Table) -> bytes | None:
        # A browser that has been signed out has to request the page, and gets a watcher's view.
        if services.guests.identify(request) != player:
            return None
        try:
            return bytes(show_table(request, services, table, player, fragment=True).body)
        except StillSecret:
            return None

    return await listening_to(game_id, services, player, caller, show)


@router.post("/games/{game_id}/moves")
def make_move(
    game_id: str,
    fields: FormFields,
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """Make a move and show the table, with a notice if the move was refused."""
    given = fields.pop("ply", "")

    def read(table: Table) -> Any:
        room = services.rooms[table.kind]
        return room.read_move(room.with_logged_ending(fields), table)

    def move() -> Table:
        try:
            ply = _ply(given)
        except RequestValidationError:
            if is_htmx:
                raise IllegalMove(NO_POSITION) from None
            raise
        return services.games.play_as_read(game_id, caller.player, read, services.clock(), ply)

    return act(request, services, caller, game_id, move, fragment=is_htmx)


@router.post("/games/{game_id}/bots")
def add_bot(
    game_id: str,
    level: Annotated[int, Form(ge=1, le=5)],
    request: Request,
    services: ServicesDep,
    caller: CallerDep,
    seat: Annotated[int | None, Form(ge=0, le=5)] = None,
    free: Annotated[int | None, Form(ge=1, le=5)] = None,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """Put a bot on a free seat."""

    def add() -> Table:
        return services.seating.add_bot(game_id, caller.player, level, services.clock(), seat, free)

    return act(request, services, caller, game_id, add, fragment=is_htmx)


def act(
    request: Request,
    services: Services,
    caller: Caller,
    game_id: str,
    action: Callable[[], Table],
    *,
    fragment: bool = False,
    stale_notice: str = MOVED_ON,
) -> Response:
    """Call ``action`` and show the table, with a notice if the action was refused.

    Starts the analysis if the game has ended.
    """
    notice, status, words = "", 200, None
    try:
        table = action()
    except StalePly as stale:
        table, status = stale.table, 409
        notice = stale_notice if table.finished_at is None else OVER
    except Refused as refused:
        table, notice, status = refused.table, str(refused), 409
    except (IllegalMove, NotYourSeat, Sanctioned, TooEarly, TooMuch) as refused:
        table, notice = services.games.load(game_id, services.clock()), str(refused)
        status = STATUSES.get(type(refused), 422)
        if isinstance(refused, NotAWord):
            words = refused.words
            notice = describe_refusal(words)
    if table.finished_at is not None:
        services.analyst.prepare(table, caller)
    if fragment or notice:
        return show_table(
            request,
            services,
            table,
            caller.player,
            notice=notice,
            status=status,
            fragment=fragment,
            refused=words,
        )
    return RedirectResponse(f"/games/{table.id}", status_code=303)


def show_table(
    request: Request,
    services: Services,
    table: Table,
    player: str | None,
    *,
    notice: str = "",
    status: int = 200,
    fragment: bool = False,
    found: Any = None,
    refused: tuple[str, ...] | None = None,
) -> Response:
    """The page of a table, or its fragment; ``refused`` are words of a move that are not in the list.

    A fragment always has status 200, and the page's script reads a refusal from ``data-notice``: with 4xx,
    the browser would log a network error for every refused word. Forms without script get ``status``.
    """
    shared = table_context(services, table, player)
    rated = rating_change(services, table, player)
    context = {
        "analysis": found,
        "searches_on": services.analyst.searches_on(table.id),
        "fragment": fragment,
        "notice": notice[:1].upper() + notice[1:],
        "title": "Daily" if table.day else shared["mode_title"],
        "now": services.clock(),
        "daily_day": table.day,
        "in_lobby": table.settings.listed and services.clock() - table.created_at < LISTED_FOR,
        "rematch": services.rematches.of(table, player),
        "awaited": services.rematches.missing_players(table, player),
        "challenge_state": _challenge(services, table, player),
        "refusals": offered_votes(services, table, player, shared["view"], refused),
        "offers_phrase": offers_phrase(services, table, player),
        "feats": feats_at(services, table, player),
        "rating_change": rated,
        "unplayed": rated is None and _is_unplayed(services, table),
        "coach": None if fragment else coach(services, table),
        "tips": [] if fragment else tips_at(services, table, player),
        "offered": None if fragment else offer_at(services, table, player),
        **shared,
    }
    return templates.TemplateResponse(
        request,
        f"{table.kind}/table.html",
        context,
        status_code=200 if fragment else status,
        headers={"Cache-Control": "no-store"},
    )


def _is_unplayed(services: Services, table: Table) -> bool:
    """Whether a game was not rated because a player made no move."""
    ended = table.finished_at is not None and table.settings.rated
    return ended and not services.results.all_have_played(table)


def table_context(services: Services, table: Table, player: str | None) -> dict[str, Any]:
    """The template context shared by the pages of all games. Raises StillSecret; see ``check_secret``."""
    check_secret(services, table, player)
    seat = table.seat_of(player)
    view = table.view(player)
    return {
        "room": services.rooms[table.kind],
        "view": view,
        "mode_title": services.rooms[table.kind].title_of(view),
        "game": {
            "id": table.id,
            "kind": table.kind,
            "created_at": table.created_at,
            "finished": table.finished_at is not None,
            "watching": seat is None,
            "waiting": not table.is_full and table.finished_at is None,
            "live": table.finished_at is None or (seat is not None and _has_other_people(table)),
            "version": table.version,
            "closable": seat in table.closers and table.may_be_closed,
            "rated": table.settings.rated,
            "claimable_at": table.claimable_at,
            "waits_for_erased": table.waits_for_erased,
            "skip": f"/games/{table.id}/skip"
            if seat is not None and table.bot_to_move is not None and table.has_one_person
            else None,
            "invitation": f"/games/{table.id}/join/{table.invitation}"
            if table.invitation and seat is not None and not table.is_full
            else None,
        },
        "seats": seat_views(table, player, services.ratings.shown_at(table, player, services.clock())),
        "several": len(table.seats) > 1,
        "nameless": seat is not None and table.seats[seat].nickname is None,
        "talk": {"lines": lines(), "said": remark_views(services, table, player)}
        if _has_other_people(table)
        else None,
        "bots": table.game.bots,
        "outcome": table.game.outcome(table.state),
    }


def _challenge(services: Services, table: Table, player: str | None) -> Literal["make", "see"] | None:
    """Whether the player of a finished game can make a challenge of it, or see the one it belongs to."""
    if not services.challenges.may_open(table, player, services.clock()):
        return None
    return "make" if services.challenges.of_game(table.id) is None else "see"


def _has_other_people(table: Table) -> bool:
    """Whether more than one seat is for people, taken or free."""
    return sum(seat.bot_level is None for seat in table.seats) > 1


def _ply(text: str) -> int | None:
    """Parse the form's ply. Raises RequestValidationError."""
    try:
        return _PLY.validate_strings(text) if text else None
    except ValidationError as error:
        errors = [each | {"loc": ("body", "ply")} for each in error.errors()]
        raise RequestValidationError(errors, body={"ply": text}) from None
