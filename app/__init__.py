"""Wibble: a browser-playable word-game table with engines behind it.

Four layers, each importing only those below it (see ``docs/architecture.md``):

``words``  letters, lexicons and the structures that are searched
``games``  the rules and the engine of each game; pure
``store``  players, games and moves in a database
``web``    pages, the JSON API and security
"""

__version__ = "0.2.0"
