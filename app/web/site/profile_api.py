"""The API of the player's own profile: results, statistics and nickname."""

from typing import Annotated, Final

from fastapi import Request, Response
from pydantic import ConfigDict, Field

from app.store.players import clean_nickname
from app.web.guard.limits import limited
from app.web.model import Documented, JsonBody
from app.web.router import api_router, limit_of_results
from app.web.services import Player, ServicesDep
from app.web.site.profile import Profile, profile

router = api_router("/api", "profile")

GAMES: Final = 100
"""Default number of finished games in a profile."""


class Nickname(Documented):
    """A new nickname."""

    model_config = ConfigDict(extra="forbid")

    nickname: str = Field(max_length=200)


@router.get("/me", response_model=Profile, summary="Get your profile")
def see_me(
    services: ServicesDep, player: Player, limit: Annotated[int, limit_of_results(GAMES, 1000)]
) -> Profile:
    """Nickname, statistics of all finished games, the latest ``limit`` games, and sanctions."""
    return profile(services, player, limit)


@router.put(
    "/me",
    response_model=Profile,
    summary="Set your nickname",
    dependencies=[limited("names", "guests")],
)
def rename_me(
    body: JsonBody[Nickname], request: Request, response: Response, services: ServicesDep
) -> Profile:
    """Set the nickname that is shown at tables and on leaderboards."""
    clean_nickname(body.nickname)  # check it before creating a guest
    now = services.clock()
    player_id = services.guests.welcome(request, response, now)
    services.players.rename(player_id, body.nickname, now)
    return profile(services, player_id, GAMES)


@router.delete("/me", status_code=204, response_class=Response, summary="Erase your data")
def erase_me(request: Request, response: Response, services: ServicesDep, player: Player) -> None:
    """Delete your results, daily attempts and nickname, clear your seats, and delete the cookie.

    Your tables that have not begun are closed. In games in progress, the other players can claim the game
    when it is your turn; no result is stored for you.
    """
    if player is not None:
        services.results.erase(player, services.clock())
        services.known_tokens.forget()
        services.guests.forget(request, response)
