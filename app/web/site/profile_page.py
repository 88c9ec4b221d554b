"""The player's own page: nickname, statistics, export and erasing all data."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from app.grammar import format_duration
from app.store.players import RECOVERY_SECONDS, BadNickname, clean_nickname
from app.store.study_boards import BoardInfo
from app.web.guard.limits import limited
from app.web.services import Player, Services, ServicesDep
from app.web.site.daily_calendar import daily_rooms
from app.web.site.notifications_api import see_notifications
from app.web.site.open_games import ago
from app.web.site.play_calendar import play_calendar
from app.web.site.profile import profile, sanctions_of, streaks
from app.web.site.ratings_api import ratings_export
from app.web.site.sign_in_methods import signed_in
from app.web.templating import templates

router = APIRouter(prefix="/me", include_in_schema=False)

GAMES_SHOWN = 20
CHALLENGES_SHOWN = 10
_EXPORTED_OF_REPORTS = ("subject", "text", "reason", "comment", "game_id", "circle_id", "at", "closed_at")
"""Without the ID of the reported player and the operator's action."""
_EXPORTED_OF_TOKENS = ("name", "scopes", "created_at", "expires_at", "used_at")


@router.get("")
def my_page(request: Request, services: ServicesDep, player: Player) -> Response:
    """The player's profile page."""
    return show_profile(request, services, player)


@router.post("/nickname", dependencies=[limited("names", "guests")])
def rename(
    nickname: Annotated[str, Form(max_length=200)],
    request: Request,
    services: ServicesDep,
    player: Player,
    back: Annotated[str, Form(pattern=r"^(/[a-z]+)?/(me|daily|lobby)$|^/games/[\w-]+$")] = "/me",
) -> Response:
    """Set the nickname and go back to the page with the form."""
    try:
        clean_nickname(nickname)  # validate before creating a guest
    except BadNickname as refused:
        return show_profile(request, services, player, notice=str(refused), status=422)
    response, now = RedirectResponse(back, status_code=303), services.clock()
    services.players.rename(services.guests.welcome(request, response, now), nickname, now)
    return response


@router.get("/export")
def export(services: ServicesDep, player: Player) -> Response:
    """Download the player's stored data as JSON: results, ratings, cards, tokens, devices and more.

    Moves are not included; each finished game can be downloaded as a record.
    """
    name = 'attachment; filename="wibble-statistics.json"'
    own = player or ""  # without a player there are no rows
    content = profile(services, player).model_dump(mode="json") | {
        "word_votes": [asdict(vote) for vote in services.word_votes.of_player(own)],
        "levels": [asdict(each) for each in services.levels.of_player(own)],
        "challenges": [asdict(each) for each in services.challenges.of_player(own)],
        "direct_challenges": [
            each._asdict() for each in services.direct_challenges.of_player(own, services.clock())
        ],
        "circles": [circle.name for circle in services.circles.of_player(own)],
        "ratings": ratings_export(services, player),
        "mail_address": services.mail_addresses.of_player(own),
        "notifications": see_notifications(services, player).model_dump(exclude={"available", "push_key"}),
        "blocks": [_fields(each, "nickname", "created_at") for each in services.blocks.of_player(own)],
        "reports": [_fields(each, *_EXPORTED_OF_REPORTS) for each in services.reports.by_player(own)],
        "cards": [
            card.key._asdict() | card.schedule._asdict() | {"reps": card.reps, "lapses": card.lapses}
            for card in services.cards.of_player(own)
        ],
        "puzzles": {
            "ratings": {
                kind: {"rating": each.rating.value, "attempts": each.attempts, "solved": each.solved}
                for kind, each in services.puzzles.standings(own).items()
            },
            "answers": [asdict(each) for each in services.puzzles.attempts(own)],
            "rushes": [asdict(each) for each in services.rushes.of_player(own)],
            "mistakes": [
                _fields(each, "kind", "game_id", "ply", "solved")
                for each in services.own_puzzles.of_player(own)
            ],
        },
        "boards": [_board(services, each) for each in services.study_boards.of_player(own)],
        "bots": [_fields(each, "nickname", "created_at") for each in services.bot_accounts.of_player(own)],
        "tokens": [_fields(each, *_EXPORTED_OF_TOKENS) for each in services.tokens.of_player(own)],
        "devices": [
            _fields(each, "name", "created_at", "used_at") for each in services.devices.of_player(own)
        ],
    }
    return JSONResponse(content, headers={"Content-Disposition": name})


def _fields(row: object, *names: str) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}


def _board(services: Services, info: BoardInfo) -> dict[str, Any]:
    tree = services.study_boards.board(info.id).tree.model_dump(mode="json", exclude_defaults=True)
    return _fields(info, "id", "kind", "title", "kept", "changed_at") | {"tree": tree}


@router.post("/erase")
def erase(request: Request, services: ServicesDep, player: Player) -> Response:
    """Erase the player's results, attempts, nickname, seats, votes and challenges, and delete the cookie."""
    response = RedirectResponse("/me", status_code=303)
    if player is not None:
        services.results.erase(player, services.clock())
        services.known_tokens.forget()
        services.guests.forget(request, response)
    return response


def show_profile(
    request: Request,
    services: Services,
    player: str | None,
    *,
    notice: str | None = None,
    device_link: str | None = None,
    device_notice: str | None = None,
    typed_address: str | None = None,
    status: int = 200,
) -> Response:
    """The player's page, with a notice about their name, a new device link, or a notice about signing in.

    ``typed_address`` is a refused mail address.
    """
    results = services.results.of_player(player, GAMES_SHOWN) if player else []
    context = {
        "nickname": services.players.nickname(player) if player else None,
        "sanctions": sanctions_of(services, player) if player else [],
        "statistics": services.results.statistics(player) if player else [],
        "streaks": streaks(services, player) if player else {},
        "daily_rooms": daily_rooms(services.rooms),
        "ratings": services.ratings.of_player(player, services.clock()),
        "ratings_hidden": services.ratings.is_hidden(player),
        "weeks": play_calendar(services, player),
        "games": [
            {"result": result, "ago": ago(services.clock() - result.finished_at)} for result in results
        ],
        "challenges": [
            {"challenge": each, "ago": ago(services.clock() - each.created_at)}
            for each in (services.challenges.of_player(player, CHALLENGES_SHOWN) if player else [])
        ],
        "blocks": [
            {"block": each, "ago": ago(services.clock() - each.created_at)}
            for each in services.blocks.of_player(player)
        ],
        "notice": notice,
        "device_link": device_link,
        "device_notice": device_notice,
        "notifies": services.push is not None,
        "typed_address": typed_address,
        **signed_in(request, services, player),
        "link_lasts": format_duration(RECOVERY_SECONDS),
    }
    return templates.TemplateResponse(request, "site/me.html", context, status_code=status)
