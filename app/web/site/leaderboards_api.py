"""Who leads in each room, over HTTP."""

from datetime import date
from typing import Annotated

from fastapi import Query

from app.store.rankings import RANKING_DAYS
from app.web.model import Documented
from app.web.router import api_router
from app.web.services import Player, ServicesDep
from app.web.site.daily_api import StandingAnswer, standing_answers
from app.web.site.daily_calendar import with_daily
from app.web.site.standings import winners

router = api_router("/api", "life")


class DailyLeaders(Documented):
    """Who leads in today's daily of one kind of game."""

    kind: str
    finished: int
    """How many have finished it."""
    leaderboard: list[StandingAnswer]


class WinnerAnswer(Documented):
    """What a player has won against other people.

    A game counts once each player has three words, and only the first of a day against the same player.
    """

    rank: int
    nickname: str | None
    you: bool
    won: int
    """Alone: a draw, or a win that is shared, is not won."""
    games: int


class Winners(Documented):
    """Who has won most games of one kind."""

    kind: str
    leaderboard: list[WinnerAnswer]


class Leaderboards(Documented):
    """All leaderboards of the house."""

    day: date
    dailies: list[DailyLeaders]
    winning_days: int
    """Days back from now that a game counts among those won."""
    winners: list[Winners]
    """By kind of game, without those of which nobody has won any."""


@router.get("/leaderboards", response_model=Leaderboards, summary="All leaderboards")
def see_leaderboards(
    services: ServicesDep, player: Player, top: Annotated[int, Query(ge=1, le=100)] = 10
) -> Leaderboards:
    """Who leads in each room's daily of today, and who wins most against other people."""
    day = services.today()
    return Leaderboards(
        day=day,
        dailies=[
            DailyLeaders(
                kind=kind,
                finished=services.dailies.of(kind).rank(day, 0)[1],
                leaderboard=standing_answers(services, kind, day, top, player),
            )
            for kind in with_daily()
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
            for kind, lines in winners(services, top).items()
        ],
    )
