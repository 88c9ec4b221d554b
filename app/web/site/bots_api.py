"""The API of bot accounts: listing, making and deleting them."""

from typing import Annotated

from fastapi import Response
from pydantic import ConfigDict, Field

from app.store.bot_accounts import BotAccount
from app.web.guard.limits import limited
from app.web.guard.problems import describe
from app.web.model import Documented, JsonBody
from app.web.router import api_router
from app.web.services import ServicesDep
from app.web.site.tokens_api import OwnPlayer

router = api_router("/api/me/bots", "programs")


class NewBotAccount(Documented):
    """A bot account to make."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"nickname": "Robo"}]})

    nickname: Annotated[str, Field(max_length=200)]
    """The bot's name, up to 24 characters. Others see it with "(bot)" after it."""


class BotAccountAnswer(Documented):
    """One of your bot accounts."""

    bot_id: str
    """The ID, for making a token for the bot account or sending it a challenge."""
    nickname: str | None
    """The bot's name without "(bot)"; null if an operator has removed it."""
    created_at: float


@router.get(
    "", response_model=list[BotAccountAnswer], responses=describe(401), summary="List your bot accounts"
)
def list_bots(services: ServicesDep, player: OwnPlayer) -> list[BotAccountAnswer]:
    """Your bot accounts, the oldest first."""
    return [_answer(each) for each in services.bot_accounts.of_player(player)]


@router.post(
    "",
    response_model=BotAccountAnswer,
    status_code=201,
    responses=describe(401),
    summary="Make a bot account",
    dependencies=[limited("names")],
)
def make_bot(body: JsonBody[NewBotAccount], services: ServicesDep, player: OwnPlayer) -> BotAccountAnswer:
    """Make an account for your program, which acts with a token of it (``bot`` in ``POST /api/me/tokens``).

    It is marked as a bot wherever its name is shown, and its requests count towards your limits. It is rated
    separately from people, does not take part in the dailies and is not paired. A player may have 5.
    """
    return _answer(services.bot_accounts.make(player, body.nickname, services.clock()))


@router.delete(
    "/{bot_id}",
    status_code=204,
    response_class=Response,
    responses=describe(401),
    summary="Delete a bot account",
)
def delete_bot(bot_id: str, services: ServicesDep, player: OwnPlayer) -> None:
    """Erase one of your bot accounts, with its results and tokens."""
    services.bot_accounts.erase(player, bot_id, services.clock())
    services.known_tokens.forget()


def _answer(bot: BotAccount) -> BotAccountAnswer:
    return BotAccountAnswer(bot_id=bot.id, nickname=bot.nickname, created_at=bot.created_at)
