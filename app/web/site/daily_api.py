"""Daily games API."""

from datetime import date
from typing import Annotated

from fastapi import Request, Response

from app.web.guard.limits import limited
from app.web.guard.problems import describe
from app.web.model import Documented
from app.web.router import api_router, limit_of_results
from app.web.services import Player, Services, ServicesDep
from app.web.site.daily_calendar import ApiRoom, check_day
from app.web.table.game_answers import GameAnswer, game_answer

router = api_router("/api", "daily")


class StandingAnswer(Documented):
    """A row of the leaderboard."""

    rank: int
    nickname: str | None
    you: bool
    score: int
    accuracy: float | None
    """0 to 100, as defined by the game's analysis; null until the game is analysed."""


class DayAnswer(Documented):
    """A daily, with the caller's attempt and the leaderboard."""

    day: date
    running: bool
    """Whether it is today's daily, so that a ranked attempt can still be started."""
    game_id: str | None
    """The game of your ranked attempt; null before you start, and after the game is removed."""
    score: int | None
    """Score of that attempt, once it is finished."""
    rank: int | None
    finished: int
    """Number of players who have finished the daily."""
    streak: int
    leaderboard: list[StandingAnswer]


@router.get("/daily", response_model=DayAnswer, responses=describe(404), summary="Get today's daily")
def see_today(
    room: ApiRoom, services: ServicesDep, player: Player, limit: Annotated[int, limit_of_results(20, 100)]
) -> DayAnswer:
    """Today's game, by UTC: the same for everybody, with one ranked attempt per player."""
    return _day(services, room.daily_name, player, services.today(), limit)


@router.post(
    "/daily",
    response_model=GameAnswer,
    responses=describe(404),
    summary="Play today's daily",
    dependencies=[limited("games", "guests")],
)
def play_today(room: ApiRoom, request: Request, response: Response, services: ServicesDep) -> GameAnswer:
    """Your ranked attempt, opened on the first call; later calls return the same game."""
    now = services.clock()
    player_id = services.guests.welcome(request, response, now)
    return game_answer(
        services,
        services.dailies.for_kind(room.daily_name).attempt(services.today(), player_id, now),
        player_id,
    )


@router.get("/daily/{day}", response_model=DayAnswer, summary="Get the daily of a day")
def see_day(
    day: date,
    room: ApiRoom,
    services: ServicesDep,
    player: Player,
    limit: Annotated[int, limit_of_results(20, 100)],
) -> DayAnswer:
    """The daily of a day and its leaderboard."""
    check_day(services, room.daily_name, day)
    return _day(services, room.daily_name, player, day, limit)


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
    """Open an unranked game of a past daily."""
    now, dailies = services.clock(), services.dailies.for_kind(room.daily_name)
    dailies.check_past(day, now)
    player_id = services.guests.welcome(request, response, now)
    return game_answer(services, dailies.rehearse(day, player_id, now), player_id)


def _day(services: Services, kind: str, player: str | None, day: date, limit: int) -> DayAnswer:
    dailies = services.dailies.for_kind(kind)
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
        streak=dailies.streak(player, services.clock()) if player else 0,
        leaderboard=standing_answers(services, kind, day, limit, player),
    )


def standing_answers(
    services: Services, kind: str, day: date, limit: int, player: str | None
) -> list[StandingAnswer]:
    """The best ``limit`` results of a day, as shown to ``player``."""
    return [
        StandingAnswer(
            rank=line.rank,
            nickname=line.nickname,
            you=line.player_id == player,
            score=line.score,
            accuracy=line.accuracy,
        )
        for line in services.dailies.for_kind(kind).leaderboard(day, limit)
    ]
