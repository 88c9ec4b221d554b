"""Leaderboards API."""

from datetime import date
from typing import Annotated

from app.store.rankings import RANKING_DAYS
from app.web.model import Documented
from app.web.router import api_router, limit_of_results
from app.web.services import Player, ServicesDep
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
    """Outright wins; a draw or shared win does not count."""
    games: int


class Winners(Documented):
    """The players with the most wins in one kind of game."""

    kind: str
    leaderboard: list[WinnerAnswer]


class Leaderboards(Documented):
    """All leaderboards."""

    day: date
    dailies: list[DailyLeaders]
    winning_days: int
    """Days for which a win counts."""
    winners: list[Winners]
    """By kind of game, without kinds that have no wins."""


@router.get("/leaderboards", response_model=Leaderboards, summary="Get all leaderboards")
def see_leaderboards(
    services: ServicesDep, player: Player, limit: Annotated[int, limit_of_results(10, 100)]
) -> Leaderboards:
    """Today's daily leaderboards, and the most wins against other people, for each kind of game."""
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
