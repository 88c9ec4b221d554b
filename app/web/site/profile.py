"""What a player has done here, as a program gets it."""

from app.store.results import Result
from app.store.statistics import ModeStatistics
from app.web.model import Documented
from app.web.services import Services
from app.web.site.daily_calendar import with_daily


class Streak(Documented):
    """Days in a row with a finished daily."""

    now: int
    """Up to today or, while today is open, to yesterday."""
    longest: int


class Profile(Documented):
    """A player's nickname, statistics and finished games."""

    nickname: str | None
    streaks: dict[str, Streak]
    """By kind of game, of those whose daily the player has ever finished."""
    statistics: list[ModeStatistics]
    games: list[Result]
    """The latest first; not all of them where only so many were asked for."""


def profile(services: Services, player: str | None, most: int | None = None) -> Profile:
    """The profile of a player with all finished games, or ``most``; an empty one for somebody never seen."""
    if player is None:
        return Profile(nickname=None, streaks={}, statistics=[], games=[])
    return Profile(
        nickname=services.players.nickname(player),
        streaks=streaks(services, player),
        statistics=services.results.statistics(player),
        games=services.results.of_player(player, most),
    )


def streaks(services: Services, player: str) -> dict[str, Streak]:
    """The player's streaks by kind of game, of those whose daily they have ever finished."""
    today, found = services.today(), {}
    for kind in with_daily():
        dailies = services.dailies.of(kind)
        if longest := dailies.longest_streak(player):
            found[kind] = Streak(now=dailies.streak(player, today), longest=longest)
    return found
