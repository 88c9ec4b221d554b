"""Data for the page with Boggle's rules: points, options and examples, from the game's own settings."""

from typing import Any, Final

from app.games.boggle.deal import draws
from app.games.boggle.rules import MOST_SEATS
from app.games.boggle.scoring import classic_points, points_of
from app.games.boggle.state import Choices
from app.games.grid import LONGEST_SIDE, SHORTEST_SIDE
from app.grammar import format_duration
from app.rooms.boggle.room import ROOM
from app.web.rules import DrawnTile, spoken

_EXAMPLE: Final = "chosareiltndwges"
"""A board of 4x4 on which the path below spells GENERAL."""
_PATH: Final = (13, 14, 10, 6, 5, 4, 8)
_FINDS: Final = (("Ada", ("arch", "later", "general")), ("Ben", ("arch", "trend")))
"""Words of two players, one of them shared."""
_RICHNESS: Final = {"plain": "Few words", "fair": "Fair", "rich": "Many words"}


def rules_data() -> dict[str, Any]:
    """The context of the template."""
    usual = Choices()
    word = "".join(_EXAMPLE[cell] for cell in _PATH)
    tiles = [DrawnTile(letter, used=cell in _PATH) for cell, letter in enumerate(_EXAMPLE)]
    return {
        "min_length": usual.min_length,
        "size": (usual.rows, usual.columns),
        "sides": (SHORTEST_SIDE, LONGEST_SIDE),
        "clock": format_duration(usual.seconds) if usual.seconds else None,
        "most_players": MOST_SEATS,
        "points": ROOM.points_by_length(usual.min_length),
        "richness": [(_RICHNESS[name], number) for name, number in draws().items()],
        "daily": ROOM.daily_terms,
        "hints": ROOM.hint_rules,
        "example": {
            "word": word.upper(),
            "points": points_of(word, classic_points()),
            "tiles": tiles,
            "path": _PATH,
            "columns": 4,
            "label": f"A board with the path of {word.upper()}: {spoken(tiles)}",
        },
        "shared": _shared(),
    }


def _shared() -> list[dict[str, Any]]:
    """The scores of each player's words when shared words cancel out."""
    table = classic_points()
    everyone = [word for _, words in _FINDS for word in words]
    return [
        {
            "player": player,
            "words": [
                {
                    "word": word.upper(),
                    "points": points_of(word, table),
                    "cancelled": everyone.count(word) > 1,
                }
                for word in words
            ],
            "total": sum(points_of(word, table) for word in words if everyone.count(word) == 1),
        }
        for player, words in _FINDS
    ]
