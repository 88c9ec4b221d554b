"""Data for the page with Scrabblet's rules: modes, ranks and an example, from the game's own settings."""

from typing import Any, Final

from app.games.scrabblet.bag import bank, tile_score
from app.games.scrabblet.hand import LARGEST, Hand
from app.games.scrabblet.modes import ModeRules, modes
from app.games.scrabblet.ranks import rank_of, ranks
from app.games.scrabblet.state import Choices
from app.grammar import format_count
from app.web.rules import DrawnTile, letter_groups, spoken
from app.words.letters import ALPHABET

_HAND: Final = "crpeint"
_WORDS: Final = ("pier", "piece", "recipient", "precinct")
_EXAMPLE_TOTAL: Final = 200
_EXAMPLE_POINTS: Final = 90


def rules_data() -> dict[str, Any]:
    """The context of the template."""
    usual, hand = Choices(), Hand(_HAND)
    tiles = [DrawnTile(letter, tile_score(letter)) for letter in _HAND]
    return {
        "size": usual.size,
        "largest": LARGEST,
        "min_length": usual.min_length,
        "max_vowels": usual.max_vowels,
        "min_required": usual.min_required,
        "min_pangrams": usual.min_pangrams,
        "blanks": bank().blanks,
        "values": letter_groups({letter: tile_score(letter) for letter in ALPHABET}),
        "modes": [{"title": rules.title, "facts": _facts(rules, usual)} for rules in modes().values()],
        "ranks": ranks(),
        "rank_example": {
            "points": _EXAMPLE_POINTS,
            "total": _EXAMPLE_TOTAL,
            "name": ranks()[rank_of(_EXAMPLE_POINTS, _EXAMPLE_TOTAL)].name,
        },
        "example": {
            "tiles": tiles,
            "columns": len(_HAND),
            "label": f"A hand: {spoken(tiles)}",
            "words": [
                {
                    "word": word.upper(),
                    "sum": " + ".join(str(tile_score(letter)) for letter in word),
                    "points": hand.score(word),
                    "pangram": set(word) == set(_HAND),
                }
                for word in _WORDS
            ],
        },
    }


def _facts(rules: ModeRules, usual: Choices) -> list[tuple[str, str | None]]:
    penalty = rules.penalty.get(usual.penalize, 0)
    required = rules.required
    return [
        ("Tiles", "All different, no blanks" if rules.distinct else "Drawn from the bag"),
        ("Common words", f"{required[0]} to {required[1]}" if required else None),
        ("Pangrams", f"At least {rules.pangrams}" if rules.pangrams else None),
        ("Wrong guess", f"\N{MINUS SIGN}{format_count(penalty, 'point')}" if penalty else "Free"),
        ("Clock", "None"),
    ]
