"""Leaderboards API."""

from datetime import date
from typing import Annotated

from app.store.rankings import RANKING_DAYS
from app.store.ratings import Speed
from app.web.model import Documented
from app.web.router import api_router, limit_of_results
from app.web.services import Player, Services, ServicesDep
from app.web.site.daily_api import StandingAnswer, standing_answers
from app.web.site.daily_calendar import daily_rooms

router = api_router("/api", "leaderboards")


class DailyLeaders(Documented):
    """Today's leaderboard of one kind of game."""

    kind: str
    finished: int
    """Number of players who have finished it."""
    leaderboard: list[StandingAnswer]


class WinnerAnswer(Documented):
    """A player's wins against other people.

    A game counts if each player has three words, and only the first per day against the same player.
    """

    rank: int
    nickname: str | None
    you: bool
    won: int
    """Outright wins; draws and shared wins do not count."""
    games: int


class Winners(Documented):
    """The players with the most wins in one kind of game."""

    kind: str
    leaderboard: list[WinnerAnswer]


class RatedLeader(Documented):
    """A player's rating, if it is not provisional and not hidden."""

    rank: int
    nickname: str
    you: bool
    rating: float
    """The rating after the latest game."""
    deviation: float
    """The true strength is within two deviations of the rating with a probability of 95%."""
    games: int
    """Number of rated games."""


class RatedLeaders(Documented):
    """The players with the highest ratings in one kind of game at one speed."""

    kind: str
    speed: Speed

    leaderboard: list[RatedLeader]


class Leaderboards(Documented):
    """All leaderboards."""

    day: date
    dailies: list[DailyLeaders]
    ratings: list[RatedLeaders]
    """The highest ratings by kind of game and speed, without empty lists."""
    bots: list[RatedLeaders]
    """The highest ratings of bot accounts, which are rated among themselves."""
    winning_days: int
    """Number of days for which a win counts."""
    winners: list[Winners]
    """The most wins by kind of game, without kinds that have none."""


@router.get("/leaderboards", response_model=Leaderboards, summary="Get all leaderboards")
def see_leaderboards(
    services: ServicesDep, player: Player, limit: Annotated[int, limit_of_results(10, 100)]
) -> Leaderboards:
    """Today's daily leaderboards, the highest ratings, and the most wins against other people."""
    day = services.today()
    return Leaderboards(
        day=day,
        dailies=[
            DailyLeaders(
                kind=kind,
                finished=services.dailies.for_kind(kind).rank(day, 0)[1],
                leaderboard=standing_answers(services, kind, day, limit, player),
            )
            for kind in daily_rooms(services.rooms)
        ],
        ratings=_rated(services, player, limit),
        bots=_rated(services, player, limit, bots=True),
        winning_days=RANKING_DAYS,
        winners=[
            Winners(
                kind=kind,
                leaderboard=[
                    WinnerAnswer(
                        rank=line.rank,
                        nickname=line.nickname,
                        you=line.player_id == player,
                        won=line.won,
                        games=line.games,
                    )
                    for line in lines
                ],
            )
            for kind, lines in services.rankings.winners(services.rooms, services.clock(), limit).items()
        ],
    )


def _rated(services: Services, player: str | None, limit: int, *, bots: bool = False) -> list[RatedLeaders]:
    """The people, or the bot accounts, with the highest ratings."""
    leaders = services.ratings.leaders(services.rooms, services.clock(), limit, bots=bots)
    return [
        RatedLeaders(
            kind=kind,
            speed=speed,
            leaderboard=[
                RatedLeader(
                    rank=line.rank,
                    nickname=line.nickname,
                    you=line.player_id == player,
                    rating=line.value,
                    deviation=line.deviation,
                    games=line.games,
                )
                for line in lines
            ],
        )
        for kind, tops in leaders.items()
        for speed, lines in tops.items()
    ]
