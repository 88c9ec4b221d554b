"""All that is kept of a player, as a program gets it."""

from pydantic import BaseModel

from app.store.results import Result
from app.store.statistics import ModeStatistics, by_mode
from app.web.services import Services


class Profile(BaseModel):
    """A player's nickname, statistics and finished games."""

    nickname: str | None
    streak: int
    """Days in a row with a finished daily, up to today or yesterday."""
    longest_streak: int
    statistics: list[ModeStatistics]
    games: list[Result]


def profile(house: Services, player: str | None) -> Profile:
    """The profile of a player; an empty one for somebody never seen."""
    if player is None:
        return Profile(nickname=None, streak=0, longest_streak=0, statistics=[], games=[])
    results = house.results.of_player(player)
    return Profile(
        nickname=house.players.nickname(player),
        streak=house.dailies.streak(player, house.today()),
        longest_streak=house.dailies.longest_streak(player),
        statistics=by_mode(results),
        games=results,
    )
