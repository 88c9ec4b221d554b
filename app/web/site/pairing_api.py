"""The API of "Play now": wait for a game against a player of similar strength."""

from typing import Annotated, Literal

from fastapi import Request, Response
from pydantic import ConfigDict, Field

from app.store.pairing import NotOffered
from app.store.waiting_players import Pool, Wait
from app.web.guard.fields import invalid_field
from app.web.guard.limits import CallerDep, limited
from app.web.model import Documented, JsonBody
from app.web.router import api_router
from app.web.services import Player, Services, ServicesDep

router = api_router("/api/pairing", "games")


class PairingRequest(Documented):
    """The game to wait for."""

    model_config = ConfigDict(extra="forbid")

    rated: bool = True
    """Whether the game should change both ratings. Only players with the same choice are paired."""
    kind: Annotated[str, Field(max_length=32)]
    """The kind of game: wibble, letterpress, boggle or fribble."""
    speed: Literal["blitz", "rapid"]
    """``blitz`` or ``rapid``; Boggle only has ``blitz``."""


class PairingAnswer(Documented):
    """Whether you are waiting for a game, or have been paired."""

    state: Literal["idle", "waiting", "paired"]
    """``idle`` if you are not waiting."""
    kind: str | None = None
    speed: Literal["blitz", "rapid"] | None = None
    """Null if idle."""
    rated: bool | None = None
    """Null if idle."""
    seconds: float | None = None
    """How long you have waited; null unless waiting."""
    window: float | None = None
    """Largest accepted difference between your rating and an opponent's; null for no limit."""
    bot: int | None = None
    """Level of the bot closest to you in strength, offered after 20 seconds; null before."""
    game: str | None = None
    """ID of the game that has begun, with the opponent or the bot; null otherwise."""


@router.post(
    "",
    response_model=PairingAnswer,
    summary="Wait for an opponent",
    dependencies=[limited("games", "guests")],
)
def wait_for_game(
    body: JsonBody[PairingRequest],
    request: Request,
    response: Response,
    services: ServicesDep,
    caller: CallerDep,
) -> PairingAnswer:
    """Wait for a game against a player of similar strength who waits for the same game.

    The cookie in the answer identifies you. You are paired only while you poll: get ``/api/pairing``
    every few seconds, at least every ten. The game begins at once, with seats assigned at random. You also
    get the event ``paired``. You can wait for one game at a time: a new request replaces the one before.
    """
    wait = begin_waiting(services, request, response, caller.player, body)
    return pairing_answer(services, wait, services.clock())


@router.get("", response_model=PairingAnswer, summary="See whether you are paired")
def see_pairing(services: ServicesDep, player: Player) -> PairingAnswer:
    """Whether you are waiting for a game, or have been paired. The request also keeps you waiting.

    After ten seconds without a request you are not paired, and the next one restarts your wait.
    """
    now = services.clock()
    return pairing_answer(services, services.pairing.ask(player, now), now)


@router.delete("", status_code=204, response_class=Response, summary="Stop waiting")
def stop_waiting(services: ServicesDep, player: Player) -> None:
    """Stop waiting. No effect on a game that has begun, or if you are not waiting."""
    services.pairing.stop(player)


def begin_waiting(
    services: Services,
    request: Request,
    response: Response,
    player: str | None,
    wanted: PairingRequest,
    field: str = "kind",
) -> Wait:
    """Start waiting, and create a guest if the caller has no profile, unless the request is refused.

    Raises RequestValidationError, naming ``field``, and Sanctioned, TooMuch.
    """
    now = services.clock()
    try:
        services.pairing.check(player, wanted.kind, wanted.speed, now)
    except NotOffered as refused:
        raise invalid_field(str(refused), "body", field) from None
    player_id = services.guests.welcome(request, response, now)
    return services.pairing.wait(player_id, Pool(wanted.kind, wanted.speed, wanted.rated), now)


def pairing_answer(services: Services, wait: Wait | None, at: float) -> PairingAnswer:
    """The answer for a player who is waiting, has been paired, or neither (None)."""
    if wait is None:
        return PairingAnswer(state="idle")
    pool = wait.pool
    terms = {"kind": pool.kind, "speed": pool.speed, "rated": pool.rated}
    if wait.game_id is not None:
        return PairingAnswer.model_validate({"state": "paired", "game": wait.game_id, **terms})
    waited = {"seconds": round(wait.seconds(at), 1), "window": wait.window(at)}
    bot = services.pairing.bot_level(wait, at)
    return PairingAnswer.model_validate({"state": "waiting", "bot": bot, **terms, **waited})
