"""Rooms: pages, APIs and commands for each game's rules and engine. ``ROOMS`` is the only list of games.

A room is a package. Its module ``room`` has the ``ROOM`` (see ``app.web.room``). If the game can be played
and replayed in the terminal, ``terminal`` has its ``TERMINAL``; if the ``wibble`` command has a group for it,
``commands.group`` has the group's ``app``, and the package's docstring is its help.
"""

from typing import Final

from app.rooms.registry import Registry

ROOMS: Final = Registry(
    "app.rooms.wibble",
    "app.rooms.letterpress",
    "app.rooms.boggle",
    "app.rooms.fribble",
    "app.rooms.scrabblet",
)
"""All rooms by kind of game, in display order."""
