"""The player's own page: nickname, statistics, export and erasing all data."""

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from app.grammar import format_duration
from app.store.players import RECOVERY_SECONDS, BadNickname, clean_nickname
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
    votes = services.word_votes.of_player(player) if player else []
    challenges = services.challenges.of_player(player) if player else []
    devices = services.devices.of_player(player) if player else []
    content = profile(services, player).model_dump(mode="json") | {
        "word_votes": [asdict(vote) for vote in votes],
        "levels": [asdict(each) for each in services.levels.of_player(player)],
        "challenges": [asdict(each) for each in challenges],
        "direct_challenges": [
            each._asdict() for each in services.direct_challenges.of_player(player, services.clock())
        ],
        "circles": [circle.name for circle in services.circles.of_player(player)] if player else [],
        "ratings": ratings_export(services, player),
        "mail_address": services.mail_addresses.of_player(player) if player else None,
        "notifications": see_notifications(services, player).model_dump(exclude={"available", "push_key"}),
        "blocks": [
            {"nickname": block.nickname, "created_at": block.created_at}
            for block in services.blocks.of_player(player)
        ],
        "reports": [
            {name: getattr(report, name) for name in _EXPORTED_OF_REPORTS}
            for report in (services.reports.by_player(player) if player else [])
        ],
        "cards": [
            card.key._asdict() | card.schedule._asdict() | {"reps": card.reps, "lapses": card.lapses}
            for card in services.cards.of_player(player)
        ],
        "puzzles": {
            "ratings": {
                kind: {
                    "rating": standing.rating.value,
                    "attempts": standing.attempts,
                    "solved": standing.solved,
                }
                for kind, standing in services.puzzles.standings(player).items()
            },
            "answers": [asdict(each) for each in services.puzzles.attempts(player)],
            "rushes": [asdict(each) for each in services.rushes.of_player(player)],
            "mistakes": [
                {"kind": each.kind, "game_id": each.game_id, "ply": each.ply, "solved": each.solved}
                for each in services.own_puzzles.of_player(player)
            ],
        },
        "boards": [
            {
                "id": info.id,
                "kind": info.kind,
                "title": info.title,
                "kept": info.kept,
                "changed_at": info.changed_at,
            }
            | {
                "tree": services.study_boards.board(info.id).tree.model_dump(
                    mode="json", exclude_defaults=True
                )
            }
            for info in services.study_boards.of_player(player)
        ],
        "bots": [
            {"nickname": bot.nickname, "created_at": bot.created_at}
            for bot in (services.bot_accounts.of_player(player) if player else [])
        ],
        "tokens": [
            {
                "name": token.name,
                "scopes": token.scopes,
                "created_at": token.created_at,
                "expires_at": token.expires_at,
                "used_at": token.used_at,
            }
            for token in (services.tokens.of_player(player) if player else [])
        ],
        "devices": [
            {"name": device.name, "created_at": device.created_at, "used_at": device.used_at}
            for device in devices
        ],
    }
    return JSONResponse(content, headers={"Content-Disposition": name})


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
