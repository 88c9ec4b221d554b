"""Terminal games: shared code, and the interface by which a room's game is shown, played and replayed."""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from app.terminal.display import Display
    from app.terminal.record_renderer import RecordRenderer


class Terminal(NamedTuple):
    """How a game is shown in the terminal."""

    display: "Display"
    """Shows a player's view and parses typed moves."""
    renderer: "type[RecordRenderer[Any, Any]]"
    """Shows recorded games."""
