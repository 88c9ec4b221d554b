"""What the web knows of each game besides its rules: one room for each kind."""

from app.web.rooms.boggle import BoggleRoom
from app.web.rooms.fribble import FribbleRoom
from app.web.rooms.letterpress import LetterpressRoom
from app.web.rooms.room import Room
from app.web.rooms.scrabblet import ScrabbletRoom
from app.web.rooms.wibble import WibbleRoom

ROOMS: dict[str, Room] = {
    room.kind: room
    for room in (WibbleRoom(), LetterpressRoom(), BoggleRoom(), FribbleRoom(), ScrabbletRoom())
}
"""Every room of the house by the kind of game played in it, in the order they are shown."""
