"""What a player has done here, as a program gets it."""

from app.store.results import Result
from app.store.statistics import ModeStatistics
from app.web.days import with_daily
from app.web.model import Documented
from app.web.services import Services


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


def profile(house: Services, player: str | None, most: int | None = None) -> Profile:
    """The profile of a player with all finished games, or ``most``; an empty one for somebody never seen."""
    if player is None:
        return Profile(nickname=None, streaks={}, statistics=[], games=[])
    return Profile(
        nickname=house.players.nickname(player),
        streaks=streaks(house, player),
        statistics=house.results.statistics(player),
        games=house.results.of_player(player, most),
    )


def streaks(house: Services, player: str) -> dict[str, Streak]:
    """The player's streaks by kind of game, of those whose daily they have ever finished."""
    today, found = house.today(), {}
    for kind in with_daily():
        dailies = house.dailies.of(kind)
        if longest := dailies.longest_streak(player):
            found[kind] = Streak(now=dailies.streak(player, today), longest=longest)
    return found
