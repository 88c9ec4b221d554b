"""The API of the player's ratings."""

from typing import Annotated, Any

from fastapi import HTTPException, Path, Query
from pydantic import ConfigDict

from app.store.ratings import RatedGame, Speed
from app.web.guard.limits import limited
from app.web.guard.problems import describe
from app.web.model import Documented, JsonBody
from app.web.router import api_router
from app.web.services import Player, Services, ServicesDep

router = api_router("/api/me/ratings", "profile")

SHOWN = 100
EXPORTED = 10_000
"""Most rated games of one kind and speed in an export."""


class RatingAnswer(Documented):
    """Your rating in one kind of game at one speed."""

    kind: str
    speed: Speed
    rating: float
    """The current rating."""
    deviation: float
    """The true strength is within two deviations of the rating with a probability of 95%."""
    provisional: bool
    """Whether the rating is based on few games, or on old ones."""
    games: int
    """Number of rated games."""


class RatingsAnswer(Documented):
    """Your ratings."""

    hidden: bool
    """Whether your ratings are hidden from others."""
    ratings: list[RatingAnswer]
    """Your ratings, the most played first."""


class RatedOpponent(Documented):
    """Another seat of a rated game."""

    nickname: str | None
    bot_level: int | None
    rating: float | None
    """The opponent's rating before the game; null if hidden."""
    place: int
    """1 for the winner; equal places for a draw."""


class RatedGameAnswer(Documented):
    """One of your rated games."""

    number: int
    """Number for paging: ``before`` gets the games before this one."""
    game_id: str
    kept: bool
    """Whether the game is still stored."""
    at: float
    """When it ended, in seconds since the epoch."""
    place: int
    """1 for the winner; equal places for a draw."""
    before: float
    """Your rating before the game."""
    after: float
    """Your rating after the game."""
    deviation: float
    """The deviation of your rating after the game."""
    opponents: list[RatedOpponent]
    """The other seats; in a team game, those of the other team."""


class HiddenRatings(Documented):
    """Whether to hide your ratings from others."""

    model_config = ConfigDict(extra="forbid")

    hidden: bool
    """Whether your ratings are hidden from others."""


@router.get("", response_model=RatingsAnswer, summary="Get your ratings")
def see_ratings(services: ServicesDep, player: Player) -> RatingsAnswer:
    """Your ratings by kind of game and speed, most played first."""
    return ratings_answer(services, player)


@router.put("", response_model=RatingsAnswer, summary="Hide your ratings", dependencies=[limited("names")])
def hide_ratings(body: JsonBody[HiddenRatings], services: ServicesDep, player: Player) -> RatingsAnswer:
    """Hide your ratings from others, at tables and on leaderboards, or show them.

    Your games are still rated.
    """
    services.ratings.hide(player, hidden=body.hidden)
    return ratings_answer(services, player)


@router.get(
    "/{kind}/{speed}",
    response_model=list[RatedGameAnswer],
    responses=describe(404),
    summary="List your rated games",
)
def see_rated_games(
    kind: Annotated[str, Path(max_length=32)],
    speed: Speed,
    services: ServicesDep,
    player: Player,
    limit: Annotated[int, Query(ge=1, le=1000, description="Number of results.")] = SHOWN,
    before: Annotated[
        int | None, Query(ge=1, le=2**62, description="Only games before this `number`.")
    ] = None,
) -> list[RatedGameAnswer]:
    """Your rated games of one kind and speed, latest first, or those before a ``number``."""
    check_kind(services, kind)
    return [_game(each) for each in services.ratings.history(player, kind, speed, limit, before)]


def check_kind(services: Services, kind: str) -> None:
    """Raise a 404 for an unknown kind of game."""
    if kind not in services.rooms:
        raise HTTPException(404, f"there is no game {kind!r}: choose one of {', '.join(services.rooms)}")


def ratings_answer(services: Services, player: str | None) -> RatingsAnswer:
    """A player's ratings."""
    return RatingsAnswer(
        hidden=services.ratings.is_hidden(player),
        ratings=[
            RatingAnswer(
                kind=each.kind,
                speed=each.speed,
                rating=each.rating.value,
                deviation=each.rating.deviation,
                provisional=each.rating.is_provisional,
                games=each.games,
            )
            for each in services.ratings.of_player(player, services.clock())
        ],
    )


def _game(each: RatedGame) -> RatedGameAnswer:
    return RatedGameAnswer(
        number=each.number,
        game_id=each.game_id,
        kept=each.kept,
        at=each.at,
        place=each.place,
        before=each.before,
        after=each.after,
        deviation=each.deviation,
        opponents=[
            RatedOpponent(
                nickname=other.nickname, bot_level=other.bot_level, rating=other.value, place=other.place
            )
            for other in each.opponents
        ],
    )


def ratings_export(services: Services, player: str | None) -> list[dict[str, Any]]:
    """A player's ratings with their rated games, for the export of the profile."""
    return [
        each.model_dump()
        | {
            "rated_games": [
                _game(game).model_dump()
                for game in services.ratings.history(player, each.kind, each.speed, EXPORTED)
            ]
        }
        for each in ratings_answer(services, player).ratings
    ]
