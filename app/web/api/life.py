"""What is around the games over HTTP: the daily and the player's own profile."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from app.store.dailies import UnknownDay
from app.web.api.games import GameAnswer, game_answer
from app.web.days import ApiRoom, check_day
from app.web.problems import describe
from app.web.profile import Profile, profile
from app.web.services import House, Player, Services

router = APIRouter(prefix="/api", tags=["life"], responses=describe(422))


class StandingAnswer(BaseModel):
    """A line of the leaderboard."""

    rank: int
    nickname: str | None
    you: bool
    score: int
    accuracy: float | None


class DayAnswer(BaseModel):
    """A day's game: how who asks stands, and who leads."""

    day: date
    running: bool
    """Whether it is today's, so that a ranked attempt can still be begun."""
    game_id: str | None
    """The ranked attempt of who asks, if it was begun."""
    score: int | None
    """Of that attempt, once it is finished."""
    rank: int | None
    finished: int
    """How many have finished the day's game."""
    streak: int
    leaderboard: list[StandingAnswer]


class Nickname(BaseModel):
    """What a player wants to be called."""

    model_config = ConfigDict(extra="forbid")

    nickname: str = Field(max_length=200)


@router.get("/daily", response_model=DayAnswer, summary="Today's daily")
def today(
    room: ApiRoom, house: House, player: Player, top: Annotated[int, Query(ge=1, le=100)] = 20
) -> DayAnswer:
    """Today's game, by UTC: one for everybody, with one ranked attempt each."""
    return _day(house, room.kind, player, house.today(), top)


@router.post("/daily", response_model=GameAnswer, responses=describe(403, 503), summary="Play today's daily")
def play_today(room: ApiRoom, request: Request, response: Response, house: House) -> GameAnswer:
    """The ranked attempt of who asks: opened the first time, the same game ever after."""
    now = house.clock()
    player_id = house.guests.welcome(request, response, now)
    return game_answer(house.dailies.of(room.kind).attempt(house.today(), player_id, now), player_id)


@router.get("/daily/{day}", response_model=DayAnswer, responses=describe(404, 422), summary="A day's daily")
def see_day(
    day: date, room: ApiRoom, house: House, player: Player, top: Annotated[int, Query(ge=1, le=100)] = 20
) -> DayAnswer:
    """The game of a day and its leaderboard."""
    check_day(house, room.kind, day)
    return _day(house, room.kind, player, day, top)


@router.post(
    "/daily/{day}/rehearsals",
    status_code=201,
    response_model=GameAnswer,
    responses=describe(403, 404, 422, 503),
    summary="Play a past daily, unranked",
)
def rehearse(day: date, room: ApiRoom, request: Request, response: Response, house: House) -> GameAnswer:
    """Open the game of a past day; it counts for nothing."""
    if day >= house.today():
        raise UnknownDay(f"{day.isoformat()} is not over: only past days are played unranked")
    now = house.clock()
    player_id = house.guests.welcome(request, response, now)
    return game_answer(house.dailies.of(room.kind).rehearse(day, player_id, now), player_id)


@router.get("/me", response_model=Profile, summary="Everything kept of who asks")
def see_me(house: House, player: Player) -> Profile:
    """Nickname, statistics and finished games."""
    return profile(house, player)


@router.put("/me", response_model=Profile, responses=describe(403, 413, 422, 503), summary="Take a nickname")
def rename_me(body: Nickname, request: Request, response: Response, house: House) -> Profile:
    """Be called something; shown at the table and on leaderboards."""
    player_id = house.guests.welcome(request, response, house.clock())
    house.players.rename(player_id, body.nickname)
    return profile(house, player_id)


@router.delete("/me", status_code=204, responses=describe(403, 503), summary="Erase what is kept of who asks")
def erase_me(response: Response, house: House, player: Player) -> None:
    """Forget results, daily attempts and nickname, and take the cookie back."""
    if player is not None:
        house.results.erase(player)
        house.guests.forget(response)


def _day(house: Services, kind: str, player: str | None, day: date, top: int) -> DayAnswer:
    dailies = house.dailies.of(kind)
    attempt = dailies.attempt_of(day, player) if player else None
    score = attempt.score if attempt else None
    rank, finished = dailies.rank(day, score or 0)
    return DayAnswer(
        day=day,
        running=day == house.today(),
        game_id=attempt.game_id if attempt else None,
        score=score,
        rank=rank if score is not None else None,
        finished=finished,
        streak=dailies.streak(player, house.today()) if player else 0,
        leaderboard=[
            StandingAnswer(
                rank=line.rank,
                nickname=line.nickname,
                you=line.player_id == player,
                score=line.score,
                accuracy=line.accuracy,
            )
            for line in dailies.leaderboard(day, top)
        ],
    )
