"""API tokens, for programs: listing, making and revoking them. A token cannot do so itself."""

from typing import Annotated, Final

from fastapi import Depends, HTTPException, Response
from pydantic import ConfigDict, Field

from app.store.tokens import LONGEST_DAYS, SCOPES, Scope, Token
from app.web.guard.limits import limited
from app.web.guard.problems import describe
from app.web.model import Documented, JsonBody
from app.web.router import api_router
from app.web.services import Player, ServicesDep

router = api_router("/api/me/tokens", "programs")

USUAL_DAYS: Final = 90
"""Lifetime of a token if none is given."""
NOBODY: Final = "play a game or choose a name first: there is no profile in this browser yet"


def own_player(services: ServicesDep, player: Player) -> str:
    """The player of the request. Raises HTTPException (401) if there is none."""
    if player is None or not services.players.exists(player):
        raise HTTPException(401, NOBODY, {"WWW-Authenticate": "Cookie"})
    return player


OwnPlayer = Annotated[str, Depends(own_player)]


class NewToken(Documented):
    """A token to make."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"name": "my bot", "scopes": ["read", "play"], "days": 30}]},
    )

    name: Annotated[str, Field(max_length=200)]
    """What the token is for, in up to 40 characters; only you see it."""
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=len(SCOPES))]
    """What it is good for. ``read``: to see what you see. ``play``: to open and play games, take part in
    pairing and challenges, make remarks, and change what is yours. ``engine``: to use the engines."""
    days: Annotated[int, Field(ge=1, le=LONGEST_DAYS)] = USUAL_DAYS
    """Days until it expires."""
    bot: Annotated[str | None, Field(max_length=32)] = None
    """ID of a bot account of yours for which it stands; by default it stands for you."""


class TokenAnswer(Documented):
    """A token of yours."""

    token_id: str
    """Names the token when it is revoked."""
    name: str
    scopes: list[Scope]
    """What it is good for."""
    created_at: float
    expires_at: float
    """Afterwards it is refused; it stays listed for 30 days."""
    used_at: float | None
    """Its last use, up to an hour late; null if it was never used."""
    bot: str | None
    """ID of the bot account for which it stands; null if it stands for you."""


class NewTokenAnswer(TokenAnswer):
    """A new token of yours, with its text."""

    token: str
    """What a program sends as ``Authorization: Bearer``. It is shown this once."""


@router.get("", response_model=list[TokenAnswer], responses=describe(401), summary="List your API tokens")
def list_tokens(services: ServicesDep, player: OwnPlayer) -> list[TokenAnswer]:
    """The tokens of you and your bot accounts, the latest first, without their texts."""
    return [TokenAnswer(**_fields(each)) for each in services.tokens.of_player(player)]


@router.post(
    "",
    response_model=NewTokenAnswer,
    status_code=201,
    responses=describe(401, 404),
    summary="Make an API token",
    dependencies=[limited("names")],
)
def make_token(body: JsonBody[NewToken], services: ServicesDep, player: OwnPlayer) -> NewTokenAnswer:
    """Make a token with which a program acts as you or as a bot account of yours, within your limits.

    A program sends it as ``Authorization: Bearer wib_...`` in place of the cookie, which does not count then.
    A token never changes how you sign in, makes no other tokens and does not erase your data. A player may
    have 20. Signing out everywhere else revokes all of them.
    """
    if body.bot is not None:
        services.bot_accounts.find(player, body.bot)
    secret, made = services.tokens.make(player, body.name, body.scopes, body.days, services.clock(), body.bot)
    return NewTokenAnswer(token=secret, **_fields(made))


@router.delete(
    "/{token_id}",
    status_code=204,
    response_class=Response,
    responses=describe(401),
    summary="Revoke an API token",
)
def revoke_token(token_id: str, services: ServicesDep, player: OwnPlayer) -> None:
    """Make one of your tokens void. Other server processes refuse it within ten seconds."""
    services.tokens.revoke(player, token_id)
    services.known_tokens.forget()


def _fields(token: Token) -> dict[str, object]:
    fields = token._asdict()
    return {"token_id": fields.pop("id"), "bot": fields.pop("bot_id"), **fields}
