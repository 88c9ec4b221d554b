"""Rooms: what the pages need to know about each kind of game besides its rules."""

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
"""All rooms by kind of game, in display order."""
