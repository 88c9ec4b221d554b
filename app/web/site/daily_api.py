"""What is around the games over HTTP: the daily and the player's own profile."""

from datetime import date
from typing import Annotated, Final

from fastapi import Query, Request, Response
from pydantic import ConfigDict, Field

from app.store.players import clean_nickname
from app.web.guard.limits import limited
from app.web.guard.problems import describe
from app.web.model import Documented, JsonBody
from app.web.router import api_router
from app.web.services import Player, Services, ServicesDep
from app.web.site.daily_calendar import ApiRoom, check_day
from app.web.site.profile import Profile, profile
from app.web.table.api import GameAnswer, game_answer
from app.web.table.remark_lines import lines

router = api_router("/api", "life")

GAMES: Final = 100
"""Finished games that a profile lists, where nothing else is asked for."""


class StandingAnswer(Documented):
    """A line of the leaderboard."""

    rank: int
    nickname: str | None
    you: bool
    score: int
    accuracy: float | None
    """0 to 100, as the game's Analysis defines it; null until the game is analysed."""


class DayAnswer(Documented):
    """A day's game: how who asks stands, and who leads."""

    day: date
    running: bool
    """Whether it is today's, so that a ranked attempt can still be begun."""
    game_id: str | None
    """The caller's ranked attempt; null before it is begun, and once its game is no longer kept."""
    score: int | None
    """Of that attempt, once it is finished."""
    rank: int | None
    finished: int
    """How many have finished the day's game."""
    streak: int
    leaderboard: list[StandingAnswer]


class Nickname(Documented):
    """What a player wants to be called."""

    model_config = ConfigDict(extra="forbid")

    nickname: str = Field(max_length=200)


@router.get("/remarks", summary="What can be said at a table")
def list_remarks() -> list[str]:
    """The lines by their numbers, from 0: see ``POST /api/games/{game_id}/remarks``."""
    return list(lines())


@router.get("/daily", response_model=DayAnswer, responses=describe(404), summary="Today's daily")
def see_today(
    room: ApiRoom, services: ServicesDep, player: Player, top: Annotated[int, Query(ge=1, le=100)] = 20
) -> DayAnswer:
    """Today's game, by UTC: one for everybody, with one ranked attempt each."""
    return _day(services, room.kind, player, services.today(), top)


@router.post(
    "/daily",
    response_model=GameAnswer,
    responses=describe(404),
    summary="Play today's daily",
    dependencies=[limited("games", "guests")],
)
def play_today(room: ApiRoom, request: Request, response: Response, services: ServicesDep) -> GameAnswer:
    """The ranked attempt of who asks: opened the first time, the same game ever after."""
    now = services.clock()
    player_id = services.guests.welcome(request, response, now)
    return game_answer(
        services, services.dailies.of(room.kind).attempt(services.today(), player_id, now), player_id
    )


@router.get("/daily/{day}", response_model=DayAnswer, summary="A day's daily")
def see_day(
    day: date,
    room: ApiRoom,
    services: ServicesDep,
    player: Player,
    top: Annotated[int, Query(ge=1, le=100)] = 20,
) -> DayAnswer:
    """The game of a day and its leaderboard."""
    check_day(services, room.kind, day)
    return _day(services, room.kind, player, day, top)


@router.post(
    "/daily/{day}/rehearsals",
    status_code=201,
    response_model=GameAnswer,
    summary="Play a past daily, unranked",
    dependencies=[limited("games", "guests")],
)
def rehearse(
    day: date, room: ApiRoom, request: Request, response: Response, services: ServicesDep
) -> GameAnswer:
    """Open the game of a past day; it counts for nothing."""
    now, dailies = services.clock(), services.dailies.of(room.kind)
    dailies.check_past(day, now)
    player_id = services.guests.welcome(request, response, now)
    return game_answer(services, dailies.rehearse(day, player_id, now), player_id)


@router.get("/me", response_model=Profile, summary="What who asks has done here")
def see_me(
    services: ServicesDep, player: Player, top: Annotated[int, Query(ge=1, le=1000)] = GAMES
) -> Profile:
    """Nickname, statistics of all finished games, and the latest ``top`` of these."""
    return profile(services, player, top)


@router.put(
    "/me",
    response_model=Profile,
    summary="Take a nickname",
    dependencies=[limited("names", "guests")],
)
def rename_me(
    body: JsonBody[Nickname], request: Request, response: Response, services: ServicesDep
) -> Profile:
    """Be called something; shown at the table and on leaderboards."""
    clean_nickname(body.nickname)  # a refusal makes no guest
    player_id = services.guests.welcome(request, response, services.clock())
    services.players.rename(player_id, body.nickname)
    return profile(services, player_id, GAMES)


@router.delete("/me", status_code=204, response_class=Response, summary="Erase what is kept of who asks")
def erase_me(request: Request, response: Response, services: ServicesDep, player: Player) -> None:
    """Forget results, daily attempts, nickname and whose seats they were, and take the cookie back.

    A game that goes on is played to its end, and nothing is kept for who asks then.
    """
    if player is not None:
        services.results.erase(player, services.clock())
        services.guests.forget(request, response)


def _day(services: Services, kind: str, player: str | None, day: date, top: int) -> DayAnswer:
    dailies = services.dailies.of(kind)
    attempt = dailies.attempt_of(day, player) if player else None
    score = attempt.score if attempt else None
    rank, finished = dailies.rank(day, score or 0)
    return DayAnswer(
        day=day,
        running=day == services.today(),
        game_id=attempt.game_id if attempt and attempt.kept else None,
        score=score,
        rank=rank if score is not None else None,
        finished=finished,
        streak=dailies.streak(player, services.today()) if player else 0,
        leaderboard=standing_answers(services, kind, day, top, player),
    )


def standing_answers(
    services: Services, kind: str, day: date, top: int, player: str | None
) -> list[StandingAnswer]:
    """The best ``top`` of a day, as ``player`` is told."""
    return [
        StandingAnswer(
            rank=line.rank,
            nickname=line.nickname,
            you=line.player_id == player,
            score=line.score,
            accuracy=line.accuracy,
        )
        for line in services.dailies.of(kind).leaderboard(day, top)
    ]
