"""A player's profile: nickname, streaks, statistics and results."""

from app.store.results import Result
from app.store.statistics import ModeStatistics
from app.web.model import Documented
from app.web.services import Services
from app.web.site.daily_calendar import daily_rooms


class Streak(Documented):
    """Consecutive days with a finished daily."""

    now: int
    """Up to today, or yesterday if today's is not finished yet."""
    longest: int


class Profile(Documented):
    """A player's nickname, statistics and finished games."""

    nickname: str | None
    streaks: dict[str, Streak]
    """By kind of game, for kinds whose daily the player has finished at least once."""
    statistics: list[ModeStatistics]
    games: list[Result]
    """Latest first, up to the number requested."""


def profile(services: Services, player: str | None, most: int | None = None) -> Profile:
    """A player's profile with all finished games or the latest ``most``; empty without a player."""
    if player is None:
        return Profile(nickname=None, streaks={}, statistics=[], games=[])
    return Profile(
        nickname=services.players.nickname(player),
        streaks=streaks(services, player),
        statistics=services.results.statistics(player),
        games=services.results.of_player(player, most),
    )


def streaks(services: Services, player: str) -> dict[str, Streak]:
    """The player's streaks by kind of game, for kinds whose daily they have finished at least once."""
    today, found = services.today(), {}
    for kind in daily_rooms(services.rooms):
        dailies = services.dailies.for_kind(kind)
        if longest := dailies.longest_streak(player):
            found[kind] = Streak(now=dailies.streak(player, today), longest=longest)
    return found
