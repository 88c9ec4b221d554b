"""Terminal displays by kind of game: render a player's view and parse typed moves."""

from app.commands.displays.boggle import BoggleDisplay
from app.commands.displays.fribble import FribbleDisplay
from app.commands.displays.letterpress import LetterpressDisplay
from app.commands.displays.scrabblet import ScrabbletDisplay
from app.commands.displays.wibble import WibbleDisplay
from app.terminal.display import Display

DISPLAYS: dict[str, Display] = {
    "wibble": WibbleDisplay(),
    "letterpress": LetterpressDisplay(),
    "boggle": BoggleDisplay(),
    "fribble": FribbleDisplay(),
    "scrabblet": ScrabbletDisplay(),
}
"""Displays by kind of game."""
