"""The API of direct challenges: challenge another player, accept, decline, withdraw."""

from typing import Annotated, Any, Final, TypeAlias

from fastapi import Response
from fastapi.exceptions import RequestValidationError
from pydantic import ConfigDict, Discriminator, Field, Tag

from app.store.direct_challenges import DirectChallenge, NewGame
from app.store.models import BadField, BadTable, TableSettings
from app.web.guard.limits import limited
from app.web.guard.problems import describe
from app.web.model import Documented, JsonBody
from app.web.router import api_router
from app.web.services import Player, Services, ServicesDep
from app.web.site.other_players import CircleMember, PlayerAtSeat, find_player
from app.web.site.tokens_api import OwnPlayer
from app.web.table.game_answers import GameAnswer, game_answer
from app.web.table.kinds import UnreadNewGame
from app.words.library import DamagedLexicon, UnknownLexicon

router = api_router("/api/challenges", "games")

_SEATS: Final = 2


class BotOpponent(Documented):
    """A bot account."""

    model_config = ConfigDict(extra="forbid")

    bot: Annotated[str, Field(max_length=32)]
    """ID of the bot account, which its owner gets from ``/api/me/bots``."""


def _way(body: object) -> str:
    """The discriminator of the ways to name an opponent."""
    given = body.keys() if isinstance(body, dict) else getattr(body, "model_fields_set", ())
    if "bot" in given:
        return "bot"
    return "seat" if {"circle", "member"}.isdisjoint(given) else "member"


Opponent: TypeAlias = Annotated[
    Annotated[PlayerAtSeat, Tag("seat")]
    | Annotated[CircleMember, Tag("member")]
    | Annotated[BotOpponent, Tag("bot")],
    Discriminator(_way),
]


class NewDirectChallenge(Documented):
    """A challenge to another player."""

    model_config = ConfigDict(extra="forbid")

    opponent: Opponent
    """Whom to challenge: the player in a ``seat`` of a ``game`` that you play or have played, a ``member`` of
    one of your circles, or a ``bot``."""
    game: UnreadNewGame
    """The game, as for ``POST /api/games``: with two seats, without bots or a seed, and not listed."""


class DirectChallengeAnswer(Documented):
    """An open challenge that you sent or received."""

    id: str
    sent: bool
    """True if you sent it, false if you received it."""
    name: str | None
    """The other player's name; null if they have none."""
    bot: bool
    """Whether the other player is a bot account."""
    kind: str
    options: dict[str, Any]
    turn_limit: int | None
    rated: bool
    """Whether the game would change both players' ratings."""
    created_at: float
    expires_at: float
    """When the challenge expires if it is not answered: a day after it was sent."""


@router.post(
    "",
    response_model=DirectChallengeAnswer,
    status_code=201,
    responses=describe(401, 404),
    summary="Challenge a player",
    dependencies=[limited("games")],
)
def send_challenge(
    body: JsonBody[NewDirectChallenge], services: ServicesDep, player: OwnPlayer
) -> DirectChallengeAnswer:
    """Challenge another player to a game. They get the event ``challenge``; it expires after a day.

    Once they accept, the game has begun, and the event ``paired`` has its ID. You get ``challenge_over`` when
    the challenge is accepted or declined. Seats are assigned at random. You can have ten open challenges, at
    most one to each player. Games between people and bot accounts must be casual. 403 if the player cannot be
    challenged now.
    """
    wanted = _new_game(services, body.game)
    if isinstance(body.opponent, BotOpponent):
        opponent = services.bot_accounts.check(body.opponent.bot)
    else:
        opponent = find_player(services, body.opponent, player)
    now = services.clock()
    try:
        challenge_id = services.direct_challenges.send(player, opponent, wanted, now)
    except BadTable as refused:
        raise BadField(refused.reason, "game", *refused.location) from None
    except (UnknownLexicon, DamagedLexicon) as error:
        raise BadField(str(error), "game", "options", "lexicon") from None
    sent = services.direct_challenges.of_player(player, now)
    return _answer(next(each for each in sent if each.id == challenge_id))


@router.get("/direct", response_model=list[DirectChallengeAnswer], summary="List direct challenges")
def list_direct_challenges(services: ServicesDep, player: Player) -> list[DirectChallengeAnswer]:
    """The open challenges that you sent or received, the latest first."""
    return [_answer(each) for each in services.direct_challenges.of_player(player, services.clock())]


@router.post(
    "/{challenge_id}/accept",
    response_model=GameAnswer,
    summary="Accept a direct challenge",
    dependencies=[limited("games")],
)
def accept_challenge(challenge_id: str, services: ServicesDep, player: Player) -> GameAnswer:
    """Accept a challenge that you received, and begin the game. It can be accepted once."""
    return game_answer(
        services, services.direct_challenges.accept(player, challenge_id, services.clock()), player
    )


@router.post(
    "/{challenge_id}/decline",
    status_code=204,
    response_class=Response,
    summary="Decline a direct challenge",
)
def decline_challenge(challenge_id: str, services: ServicesDep, player: Player) -> None:
    """Decline a challenge that you received. Its sender gets the event ``challenge_over``."""
    services.direct_challenges.decline(player, challenge_id, services.clock())


@router.delete(
    "/{challenge_id}", status_code=204, response_class=Response, summary="Withdraw a direct challenge"
)
def withdraw_challenge(challenge_id: str, services: ServicesDep, player: Player) -> None:
    """Withdraw a challenge that you sent and that has not been answered."""
    services.direct_challenges.withdraw(player, challenge_id, services.clock())


def _new_game(services: Services, body: dict[str, Any]) -> NewGame:
    """The requested game of two seats. Raises RequestValidationError."""
    new = services.kinds.read_new_game({"seats": _SEATS} | body, ("body", "game"))
    faults = {
        "seats": new.seats != _SEATS and f"{new.seats} given; a challenge is for {_SEATS}",
        "bots": new.bots and "a challenge is to a player: leave it out",
        "listed": new.listed and "a challenge is to one player: leave it out",
        "seed": new.seed is not None and "with opponents the seed is secret: leave it out",
    }
    errors = [{"loc": ("body", "game", name), "msg": text} for name, text in faults.items() if text]
    if errors:
        raise RequestValidationError(errors, body={"game": body})
    return NewGame(new.kind, new.options, TableSettings(new.turn_limit, rated=new.rated))


def _answer(challenge: DirectChallenge) -> DirectChallengeAnswer:
    fields = challenge._asdict()
    return DirectChallengeAnswer(bot=fields.pop("is_bot"), **fields)
