"""The company at a table: who joins from the lobby, what is said, and a game that was left lying."""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from app.store.tables import NotYourSeat, StalePly, Table, TooEarly, TooMuch
from app.web.limits import Asking, limited
from app.web.pages.home import ago, open_games
from app.web.pages.table import HtmxRequest, after_move, show_table, take_seat
from app.web.problems import STATUSES
from app.web.remarks import lines
from app.web.rooms import ROOMS
from app.web.services import House, Player
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

LISTED = 40
"""Tables that the lobby shows."""
FINISHED = 10
"""Finished games that it shows."""


@router.get("/lobby")
def lobby(request: Request, house: House, player: Player) -> Response:
    """Tables to join, one's own with whose turn it is, and those finished lately."""
    now = house.clock()
    mine = open_games(house, player, most=LISTED)
    results = house.results.of_player(player, FINISHED) if player else []
    context = {
        "joinable": [_joinable(table, player, now) for table in house.lobby.joinable(LISTED, now)],
        "open_games": mine,
        "turns": sum(game["your_turn"] and not game["waiting"] for game in mine),
        "finished": [{"result": result, "ago": ago(now - result.finished_at)} for result in results],
    }
    return templates.TemplateResponse(request, "lobby.html", context)


@router.post("/games/{game_id}/seats", dependencies=[limited("guests")])
def join(game_id: str, request: Request, house: House) -> Response:
    """Take a seat at a table that anybody may join."""
    now = house.clock()
    response = RedirectResponse(f"/games/{game_id}", status_code=303)
    table = house.games.load(game_id, now)
    table.admit(None)
    return take_seat(request, response, house, table, None)


@router.post("/games/{game_id}/claim")
def claim(
    game_id: str,
    request: Request,
    house: House,
    asking: Asking,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """End a game that the other left lying for longer than agreed."""
    now = house.clock()
    notice, status = None, 200
    try:
        table = house.seating.claim(game_id, asking.player, now)
    except StalePly as late:
        table, notice, status = late.table, "the move was made after all", 409
    except (TooEarly, NotYourSeat) as refused:
        table, notice, status = house.games.load(game_id, now), str(refused), STATUSES[type(refused)]
    return after_move(request, house, table, asking, notice=notice, status=status, fragment=is_htmx)


@router.post("/games/{game_id}/remarks")
def say(
    game_id: str,
    line: Annotated[int, Form(ge=0, lt=len(lines()))],
    request: Request,
    house: House,
    player: Player,
    is_htmx: HtmxRequest = False,  # noqa: FBT002 - a header
) -> Response:
    """Say one of the lines there are."""
    now = house.clock()
    notice, status = None, 200
    try:
        table = house.remarks.say(game_id, player, line, now)
    except (TooMuch, NotYourSeat) as refused:
        table, notice, status = house.games.load(game_id, now), str(refused), STATUSES[type(refused)]
    if is_htmx or notice:
        return show_table(request, house, table, player, notice=notice, status=status, fragment=is_htmx)
    return RedirectResponse(f"/games/{game_id}", status_code=303)


@router.post("/games/{game_id}/rematch", dependencies=[limited("games")])
def rematch(game_id: str, house: House, player: Player) -> Response:
    """Sit down with those of a finished game who want another, or wait for them at a new table."""
    table = house.rematches.join(game_id, player, house.clock())
    return RedirectResponse(f"/games/{table.id}", status_code=303)


@router.post("/games/{game_id}/close")
def close(game_id: str, request: Request, house: House, player: Player) -> Response:
    """Take away one's own table at which nobody else has sat down."""
    try:
        house.seating.close(game_id, player)
    except (TooEarly, NotYourSeat) as refused:
        table = house.games.load(game_id, house.clock())
        status = STATUSES[type(refused)]
        return show_table(request, house, table, player, notice=str(refused), status=status)
    return RedirectResponse("/lobby", status_code=303)


def _joinable(table: Table, player: str | None, now: float) -> dict[str, Any]:
    view, room = table.view(None), ROOMS[table.kind]
    host = table.seats[0]
    return {
        "id": table.id,
        "mine": table.seat_of(player) is not None,
        "room": room,
        "mode_title": room.title_of(view),
        "host": host.nickname or "A guest",
        "free": sum(seat.is_free for seat in table.seats),
        "turn_limit": table.company.turn_limit,
        "ago": ago(now - table.created_at),
    }
