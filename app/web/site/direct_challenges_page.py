"""Pages of direct challenges: the form to challenge a player, and accepting, declining and withdrawing."""

from collections.abc import Callable
from typing import Annotated, Any, Final

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from app.games.clock import BEGIN_WITHIN
from app.games.game import IllegalMove, Setup
from app.store.bot_accounts import BotAccount
from app.store.direct_challenges import BadChallenge, NewGame, NotTaken
from app.store.models import TableSettings, TooMuch, UnknownChallenge, UnknownPlayer
from app.store.ratings import speed_of
from app.store.sanctions import Sanctioned
from app.web.guard.limits import limited
from app.web.room import Room
from app.web.services import Player, Services, ServicesDep
from app.web.site.open_games import ago
from app.web.site.other_players import Named, members_of, players_at
from app.web.templating import templates

router = APIRouter(include_in_schema=False)

DAY: int = 86_400

_NO_PLAYER: Final = "this link has no player: press Challenge beside a player of your game or circle"

Where = Annotated[str, Query(max_length=32)]
FormWhere = Annotated[str, Form(max_length=32)]


@router.get("/challenges/new")
def new_challenge(
    request: Request,
    services: ServicesDep,
    player: Player,
    game: Where = "",
    circle: Where = "",
    bot: Where = "",
    number: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> Response:
    """The form to challenge the player at a seat of a game, a member of a circle, or a bot account."""
    opponent = _opponent(services, player, game, circle, bot, number)
    return _show(request, services, opponent, {"game": game, "circle": circle, "bot": bot, "number": number})


@router.post("/challenges/new", dependencies=[limited("games")])
def send(
    request: Request,
    services: ServicesDep,
    player: Player,
    wanted: Annotated[str, Form(pattern=r"^[a-z]{1,32} (blitz|rapid|days)$")],
    game: FormWhere = "",
    circle: FormWhere = "",
    bot: FormWhere = "",
    number: Annotated[int, Form(ge=0, le=2**31 - 1)] = 0,
    rated: Annotated[bool, Form()] = False,  # noqa: FBT002 - a box that is not ticked sends nothing
) -> Response:
    """Send the challenge."""
    opponent = _opponent(services, player, game, circle, bot, number)
    asked = {"game": game, "circle": circle, "bot": bot, "number": number}
    chosen = next((each for each in _games(services) if each["value"] == wanted), None)
    try:
        if chosen is None:
            raise BadChallenge("there is no such game: choose one of those shown")
        new = NewGame(chosen["room"].kind, chosen["setup"], TableSettings(chosen["turn_limit"], rated=rated))
        services.direct_challenges.send(player or "", opponent.player_id, new, services.clock())
    except (BadChallenge, NotTaken, TooMuch, IllegalMove, Sanctioned) as refused:
        return _show(
            request,
            services,
            opponent,
            asked,
            notice=str(refused).removeprefix("opponent: "),
            wanted=wanted,
            rated=rated,
        )
    return RedirectResponse("/lobby#challenges-title", status_code=303)


@router.post("/challenges/{challenge_id}/accept", dependencies=[limited("games")])
def accept(challenge_id: str, services: ServicesDep, player: Player) -> Response:
    """Accept a challenge and go to the game, also if it was accepted before."""
    try:
        game_id = services.direct_challenges.accept(player, challenge_id, services.clock()).id
    except UnknownChallenge as closed:
        if closed.game_id is None:
            raise
        game_id = closed.game_id
    return RedirectResponse(f"/games/{game_id}", status_code=303)


@router.post("/challenges/{challenge_id}/decline")
def decline(challenge_id: str, services: ServicesDep, player: Player) -> Response:
    """Decline a challenge."""
    return _closed(services.direct_challenges.decline, challenge_id, services, player)


@router.post("/challenges/{challenge_id}/withdraw")
def withdraw(challenge_id: str, services: ServicesDep, player: Player) -> Response:
    """Withdraw a challenge."""
    return _closed(services.direct_challenges.withdraw, challenge_id, services, player)


def _closed(
    close: Callable[[str | None, str, float], None], challenge_id: str, services: Services, player: str | None
) -> Response:
    """Close a challenge and go to the lobby, or to its game if it has been accepted meanwhile."""
    try:
        close(player, challenge_id, services.clock())
    except UnknownChallenge as closed:  # pressed twice, or answered or withdrawn
        if closed.game_id is not None:
            return RedirectResponse(f"/games/{closed.game_id}", status_code=303)
    return RedirectResponse("/lobby", status_code=303)


def listed_challenges(services: Services, player: str | None, now: float) -> list[dict[str, Any]]:
    """The open challenges of a player for the lobby."""
    found = []
    for each in services.direct_challenges.of_player(player, now):
        room = services.rooms[each.kind]
        setup = room.game.setup_type.model_validate(each.options)
        settings = TableSettings(each.turn_limit, rated=each.rated)
        found.append(
            {
                "challenge": each,
                "room": room,
                "title": room.mode_title(getattr(setup, "mode", each.kind)),
                "speed": speed_of(setup, settings),
                "ago": ago(now - each.created_at),
            }
        )
    return found


def _opponent(services: Services, player: str | None, game: str, circle: str, bot: str, number: int) -> Named:
    """The player in the URL.

    Raises UnknownBot, UnknownPlayer, UnknownGame, NotYourSeat or UnknownCircle, or BadChallenge if there is
    no player in it.
    """
    if bot:
        account: BotAccount = services.bot_accounts.find(player or "", bot)
        return Named(0, account.id, f"{account.nickname or 'A guest'} (bot)")
    if not (game or circle):
        raise BadChallenge(_NO_PLAYER)
    others = members_of(services, circle, player) if circle else players_at(services, game, player)
    found = next((each for each in others if each.number == number), None)
    if found is None:
        raise UnknownPlayer("the player is no longer there: choose another one from the game or circle")
    return found


def _games(services: Services) -> list[dict[str, Any]]:
    """The games that the page offers: the quick games, and games with a day for each turn."""
    offered = []
    for room in services.rooms.values():
        for quick in room.quick_games:
            setup = room.game.setup_type.model_validate(quick.options)
            offered.append(_offer(room, quick.speed, quick.terms, setup, BEGIN_WITHIN))
        plain = room.game.setup_type()
        if room.quick_games and speed_of(plain, TableSettings(DAY)) == "days" and 2 in room.game.seats(plain):
            offered.append(_offer(room, "days", "a day for each turn", plain, DAY))
    return offered


def _offer(room: Room, speed: str, terms: str, setup: Setup, turn_limit: int) -> dict[str, Any]:
    return {
        "value": f"{room.kind} {speed}",
        "room": room,
        "terms": terms,
        "speed": speed,
        "setup": setup,
        "turn_limit": turn_limit,
    }


def _show(
    request: Request,
    services: Services,
    opponent: Named,
    asked: dict[str, Any],
    *,
    notice: str | None = None,
    wanted: str = "",
    rated: bool = False,
) -> Response:
    context = {
        "opponent": opponent,
        "asked": asked,
        "games": _games(services),
        "notice": notice,
        "wanted": wanted,
        "rated": rated,
    }
    return templates.TemplateResponse(
        request,
        "site/new_challenge.html",
        context,
        status_code=422 if notice else 200,
        headers={"Cache-Control": "no-store"},
    )
