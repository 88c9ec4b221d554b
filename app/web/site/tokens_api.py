"""The API of tokens: listing, making and revoking them. Not possible with a token itself."""

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
"""Default lifetime of a token, in days."""
NO_PROFILE: Final = "play a game or choose a name first: there is no profile in this browser yet"


def own_player(services: ServicesDep, player: Player) -> str:
    """The player of the request. Raises HTTPException (401) if there is none."""
    if player is None or not services.players.exists(player):
        raise HTTPException(401, NO_PROFILE, {"WWW-Authenticate": "Cookie"})
    return player


OwnPlayer = Annotated[str, Depends(own_player)]


class NewToken(Documented):
    """A token to make."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"name": "my bot", "scopes": ["read", "play"], "days": 30}]},
    )

    name: Annotated[str, Field(max_length=200)]
    """A name of up to 40 characters for the token; only you can see it."""
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=len(SCOPES))]
    """What the token allows. ``read``: see everything you can see. ``play``: open and play games, take part
    in pairing and challenges, make remarks, and change your data. ``engine``: use the engines."""
    days: Annotated[int, Field(ge=1, le=LONGEST_DAYS)] = USUAL_DAYS
    """Days until it expires."""
    bot: Annotated[str | None, Field(max_length=32)] = None
    """ID of one of your bot accounts that the token acts as; by default it acts as you."""


class TokenAnswer(Documented):
    """One of your tokens."""

    token_id: str
    """Identifies the token, to revoke it."""
    name: str
    scopes: list[Scope]
    """What the token allows."""
    created_at: float
    expires_at: float
    """When it expires; it is still listed for 30 days after that."""
    used_at: float | None
    """When it was last used, up to an hour late; null if never."""
    bot: str | None
    """ID of the bot account that the token acts as; null if it acts as you."""


class NewTokenAnswer(TokenAnswer):
    """A new token, with its text."""

    token: str
    """The text that a program sends as ``Authorization: Bearer``. It is shown only once."""


@router.get("", response_model=list[TokenAnswer], responses=describe(401), summary="List your API tokens")
def list_tokens(services: ServicesDep, player: OwnPlayer) -> list[TokenAnswer]:
    """Your tokens and those of your bot accounts, the latest first, without their texts."""
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
    """Make a token with which a program acts as you or one of your bot accounts, within your limits.

    A program sends it as ``Authorization: Bearer wib_...`` instead of the cookie, which is then ignored. A
    token cannot change how you sign in, make other tokens or erase your data. A player may have 20. Signing
    out everywhere else revokes all of them.
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
    """Revoke one of your tokens. Other server processes refuse it within ten seconds."""
    services.tokens.revoke(player, token_id)
    services.known_tokens.forget()


def _fields(token: Token) -> dict[str, object]:
    fields = token._asdict()
    return {"token_id": fields.pop("id"), "bot": fields.pop("bot_id"), **fields}
