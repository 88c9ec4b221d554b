"""The page for a player's programs: their API tokens and bot accounts."""

from contextlib import suppress
from typing import Annotated, Final

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from app.store.bot_accounts import UnknownBot
from app.store.models import TooMuch
from app.store.players import LONGEST_NICKNAME, BadNickname
from app.store.tokens import LONGEST_NAME, MOST_TOKENS, SCOPES, BadToken, Scope, UnknownToken
from app.web.guard.limits import limited
from app.web.services import Player, Services, ServicesDep
from app.web.site.open_games import ago
from app.web.site.tokens_api import USUAL_DAYS
from app.web.templating import templates

router = APIRouter(prefix="/me/programs", include_in_schema=False)

LIFETIMES: Final = (7, 30, USUAL_DAYS, 365)
"""Lifetimes in days that the page offers."""
MEANINGS: Final[dict[Scope, str]] = {
    "read": "See your games and profile",
    "play": "Play, and change your name and settings",
    "engine": "Use the solvers",
}

Days = Annotated[int, Form()]
Scopes = Annotated[list[Scope] | None, Form()]


@router.get("")
def programs(request: Request, services: ServicesDep, player: Player) -> Response:
    """The page."""
    return _show(request, services, player)


@router.post("/tokens", dependencies=[limited("names")])
def make_token(
    request: Request,
    services: ServicesDep,
    player: Player,
    name: Annotated[str, Form(max_length=200)] = "",
    scopes: Scopes = None,
    days: Days = USUAL_DAYS,
    bot: Annotated[str, Form(max_length=32)] = "",
) -> Response:
    """Make a token and show it, only once; ``bot`` is the ID of a bot account, or empty for the player.

    Raises UnknownBot.
    """
    if player is None or not services.players.exists(player):
        return RedirectResponse("/me/programs", status_code=303)
    if bot:
        services.bot_accounts.find(player, bot)
    try:
        secret, _ = services.tokens.make(player, name, scopes or (), days, services.clock(), bot or None)
    except (BadToken, TooMuch) as refused:
        status = 422 if isinstance(refused, BadToken) else 429
        typed = {"name": name, "scopes": scopes or [], "days": days, "bot": bot}
        return _show(request, services, player, notice=str(refused), typed=typed, status=status)
    return _show(request, services, player, secret=secret)


@router.post("/bots", dependencies=[limited("names")])
def make_bot(
    request: Request,
    services: ServicesDep,
    player: Player,
    nickname: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Make a bot account. Raises Sanctioned."""
    if player is None or not services.players.exists(player):
        return RedirectResponse("/me/programs", status_code=303)
    try:
        services.bot_accounts.make(player, nickname, services.clock())
    except (BadNickname, TooMuch) as refused:
        status = 422 if isinstance(refused, BadNickname) else 429
        return _show(request, services, player, bot_notice=str(refused), bot_name=nickname, status=status)
    return RedirectResponse("/me/programs#bots", status_code=303)


@router.post("/bots/{bot_id}/delete")
def delete_bot(bot_id: str, services: ServicesDep, player: Player) -> Response:
    """Erase a bot account, with its results and tokens."""
    if player is not None:
        with suppress(UnknownBot):  # pressed twice
            services.bot_accounts.erase(player, bot_id, services.clock())
        services.known_tokens.forget()
    return RedirectResponse("/me/programs#bots", status_code=303)


@router.post("/tokens/{token_id}/revoke")
def revoke_token(token_id: str, services: ServicesDep, player: Player) -> Response:
    """Revoke a token."""
    if player is not None:
        with suppress(UnknownToken):  # pressed twice
            services.tokens.revoke(player, token_id)
        services.known_tokens.forget()
    return RedirectResponse("/me/programs", status_code=303)


def _show(
    request: Request,
    services: Services,
    player: str | None,
    *,
    secret: str | None = None,
    notice: str | None = None,
    typed: dict[str, object] | None = None,
    bot_notice: str | None = None,
    bot_name: str = "",
    status: int = 200,
) -> Response:
    now = services.clock()
    known = player is not None and services.players.exists(player)
    bots = services.bot_accounts.of_player(player) if player else []
    context = {
        "known": known,
        "bots": [{"bot": each, "made": ago(now - each.created_at)} for each in bots],
        "names_of_bots": {each.id: each.nickname or "a bot account" for each in bots},
        "bot_notice": bot_notice,
        "bot_name": bot_name,
        "longest_nickname": LONGEST_NICKNAME,
        "tokens": [
            {
                "token": each,
                "used": None if each.used_at is None else ago(now - each.used_at),
                "days": max(0, round((each.expires_at - now) / 86400)),
                "expired": now >= each.expires_at,
            }
            for each in (services.tokens.of_player(player) if player else [])
        ],
        "secret": secret,
        "notice": notice,
        "typed": typed or {"name": "", "scopes": list(SCOPES), "days": USUAL_DAYS, "bot": ""},
        "scope_meanings": MEANINGS,
        "lifetimes": LIFETIMES,
        "longest_name": LONGEST_NAME,
        "most_tokens": MOST_TOKENS,
    }
    return templates.TemplateResponse(request, "site/programs.html", context, status_code=status)
