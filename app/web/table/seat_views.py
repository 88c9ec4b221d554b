"""The seats of a table as shown on pages and in the API."""

from collections.abc import Mapping
from typing import Literal

from app.games.glicko import Rating
from app.grammar import round_half_up
from app.store.models import Table
from app.web.model import Documented


class SeatView(Documented):
    """A seat at a table, as shown to everybody."""

    seat: int
    occupant: Literal["player", "bot", "free"]
    name: str
    you: bool
    bot_level: int | None
    bot: bool = False
    """Whether a program plays: one of the game's bots, or a player's bot account."""
    rating: int | None = None
    """The rating at a rated table, for bots and for players who do not hide it; null in lists of games."""
    provisional: bool = False
    """Whether the rating is based on few games, or on old ones."""


def seat_views(
    table: Table, player_id: str | None, ratings: Mapping[int, Rating] | None = None
) -> list[SeatView]:
    """All seats with display names, and their ``ratings`` by seat. Player IDs are not included."""
    views = []
    levels = [taken.bot_level for taken in table.seats]
    for seat, taken in enumerate(table.seats):
        you = player_id is not None and taken.player_id == player_id
        if taken.bot_level is not None:
            name = table.game.bots[taken.bot_level - 1]
            if levels.count(taken.bot_level) > 1:
                name = f"{name} {levels[: seat + 1].count(taken.bot_level)}"
        elif taken.player_id is None:
            name = "Free seat" if table.finished_at is None else f"Player {seat + 1}"
        else:
            name = taken.nickname or ("You" if you else f"Player {seat + 1}")
        rating = ratings.get(seat) if ratings else None
        views.append(
            SeatView(
                seat=seat,
                occupant="bot" if taken.bot_level else "player" if taken.player_id else "free",
                name=name,
                you=you,
                bot_level=taken.bot_level,
                bot=taken.bot_level is not None or taken.is_bot,
                rating=None if rating is None else round_half_up(rating.value),
                provisional=rating is not None and rating.is_provisional,
            )
        )
    return views
