"""A player's profile: nickname, streaks, statistics and results."""

from app.store.results import Result
from app.store.sanctions import SanctionKind
from app.store.statistics import ModeStatistics
from app.web.model import Documented
from app.web.services import Services
from app.web.site.daily_calendar import daily_rooms


class Streak(Documented):
    """Consecutive days with a finished daily."""

    now: int
    """The current streak; a day whose daily can still be finished does not end it."""
    longest: int


class SanctionAnswer(Documented):
    """A sanction that an operator has imposed on you."""

    kind: SanctionKind
    """``suspend``: no playing with others. ``mute``: no name and no remarks. ``name``: no new name."""
    since: float
    """Seconds since the epoch."""
    until: float | None
    """When it ends, in seconds since the epoch; null if it does not end."""
    reason: str
    """The reason that the operator gave."""
    meaning: str
    """The effect of the sanction, as a sentence."""


class Profile(Documented):
    """A player's nickname, statistics and finished games."""

    nickname: str | None
    streaks: dict[str, Streak]
    """Streaks by kind of game, for kinds whose daily the player has finished at least once."""
    statistics: list[ModeStatistics]
    games: list[Result]
    """Finished games, the latest first, up to the requested number."""
    sanctions: list[SanctionAnswer]
    """Sanctions in force, the strictest first."""


def profile(services: Services, player: str | None, most: int | None = None) -> Profile:
    """A player's profile with all finished games or the latest ``most``; empty without a player."""
    if player is None:
        return Profile(nickname=None, streaks={}, statistics=[], games=[], sanctions=[])
    return Profile(
        nickname=services.players.nickname(player),
        streaks=streaks(services, player),
        statistics=services.results.statistics(player),
        games=services.results.of_player(player, most),
        sanctions=sanctions_of(services, player),
    )


def sanctions_of(services: Services, player: str) -> list[SanctionAnswer]:
    """The player's sanctions in force, the strictest first."""
    found = services.sanctions.of_player(player, services.clock())
    return [SanctionAnswer.model_validate(each, from_attributes=True) for each in found]


def streaks(services: Services, player: str) -> dict[str, Streak]:
    """The player's streaks by kind of game, for kinds whose daily they have finished at least once."""
    found = {}
    for kind in daily_rooms(services.rooms):
        dailies = services.dailies.for_kind(kind)
        if longest := dailies.longest_streak(player):
            found[kind] = Streak(now=dailies.streak(player, services.clock()), longest=longest)
    return found
