"""The texts of messages."""

from dataclasses import dataclass
from typing import Final

from app.grammar import format_count, format_duration
from app.store.message_content import Content, GameNotice
from app.store.notices import Stage
from app.web.room import Rooms

_MOST_LISTED: Final = 20
"""Most games named in a message."""
_URGENT_FIRST: Final[tuple[Stage, ...]] = ("tenth", "half", "turn")


@dataclass(frozen=True, slots=True)
class Text:
    """The texts of a message."""

    title: str
    lines: tuple[str, ...]
    """One line for each game."""
    path: str
    """Path of the page that the message links to."""


def text_of(content: Content, rooms: Rooms) -> Text:
    """The text of a message, the most urgent games first."""
    if content["kind"] == "test":
        return Text("A test message", ("If you read this, Wibble can reach you here.",), "/me/notifications")
    games = sorted(content["games"], key=lambda game: _URGENT_FIRST.index(game["stage"]))
    lines = tuple(_line(game, rooms) for game in games[:_MOST_LISTED])
    if len(games) > _MOST_LISTED:
        lines = (*lines, f"and {format_count(len(games) - _MOST_LISTED, 'more game', 'more games')}")
    only = games[0] if len(games) == 1 else None
    return Text(
        f"Your turn in {rooms[only['kind']].title}" if only else f"Your turn in {len(games)} games",
        lines,
        f"/games/{only['game_id']}" if only else "/lobby",
    )


def _line(game: GameNotice, rooms: Rooms) -> str:
    names = [name or "a guest" for name in game["against"]]
    against = (
        f" against {names[0]}" if len(names) == 1 else f" against {', '.join(names[:-1])} and {names[-1]}"
    )
    line = rooms[game["kind"]].title + against
    if game["left"] is None:
        return line
    left = format_duration(game["left"])
    return f"{line}: only {left} left" if game["stage"] == "tenth" else f"{line}: {left} left"
