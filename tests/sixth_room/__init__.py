"""A sixth room outside of ``app``: a game is added by registering its package."""

from typing import Final

from app.rooms import ROOMS

WITH_GHOST: Final = ROOMS.including("tests.sixth_room.ghost")
