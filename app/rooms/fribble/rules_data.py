"""Data for the page with Fribble's rules: the presets' boards, tiles and bonuses, and a scored play."""

from typing import Any, Final

from app.games.fribble.board import COLUMNS, Board
from app.games.fribble.layout import CENTRE, SIDE
from app.games.fribble.placement import Placement
from app.games.fribble.presets import Preset, presets
from app.games.fribble.scoring import score
from app.games.fribble.tileset import BLANK, RACK
from app.grammar import format_count
from app.web.rules import TIMES, DrawnTile, letter_groups
from app.words.letters import ALPHABET

MARKS: Final = {"=": "TW", "-": "DW", '"': "TL", "'": "DL"}
"""Marks of the premium squares."""
_NAMES: Final = {"TW": "triple word", "DW": "double word", "TL": "triple letter", "DL": "double letter"}
STAR: Final = "★"
_WORD: Final = "FRIBBLE"
"""An opening play with all seven tiles, from the centre to the right."""


def rules_data() -> dict[str, Any]:
    """The context of the template."""
    return {
        "rack": RACK,
        "side": SIDE,
        "marks": [(DrawnTile(mark=mark), name) for mark, name in _NAMES.items()],
        "presets": [_preset(preset) for preset in presets().values()],
    }


def _preset(preset: Preset) -> dict[str, Any]:
    tiles = preset.tiles
    fewest, most = preset.seats
    zero = "" if preset.scoreless_from_zero else ", unless every score is 0"
    exchange = preset.exchange_minimum
    needed = f"With {exchange} or more tiles in the bag" if exchange > 1 else "As many as the bag holds"
    values = letter_groups({letter: tiles.value(letter.upper()) for letter in ALPHABET})
    blanks = tiles.counts.get(BLANK, 0)
    marks = _squares(preset)
    return {
        "title": preset.title,
        "squares": marks,
        "premiums": [(name, _places(marks, mark)) for mark, name in _NAMES.items()],
        "facts": [
            ("Players", str(fewest) if fewest == most else f"{fewest} to {most}"),
            ("Tiles", f"{len(tiles.full_bag)}, with {format_count(blanks, 'blank')}"),
            (f"All {RACK} tiles", f"+{preset.bingo}"),
            ("Exchange", needed),
            ("Scoreless", f"{preset.scoreless_turns} turns in a row end the game{zero}"),
        ],
        "lexicon": preset.lexicon,
        "values": [
            (group.points, [(letter, tiles.counts.get(letter, 0)) for letter in group.letters])
            for group in values
        ],
        "example": _example(preset),
    }


def _squares(preset: Preset) -> list[str]:
    """The mark of each square; the centre has a star if it is not a premium square."""
    marks = [MARKS.get(sign, "") for row in preset.layout.rows for sign in row]
    marks[CENTRE] = marks[CENTRE] or STAR
    return marks


def _places(marks: list[str], mark: str) -> str:
    """Where a mark is, for a text alternative: ``1D, 1L``."""
    cells = [divmod(cell, SIDE) for cell, each in enumerate(marks) if each == mark]
    return ", ".join(f"{row + 1}{COLUMNS[column]}" for row, column in cells)


def _example(preset: Preset) -> dict[str, Any]:
    """An opening play: its tiles on their squares, and its score."""
    cells = tuple(range(CENTRE, CENTRE + len(_WORD)))
    found = score(Board(), Placement(cells=cells, tiles=_WORD), preset)
    letters, words = preset.layout.letter_multipliers, preset.layout.word_multipliers
    signs = "".join(preset.layout.rows)
    tiles = [
        DrawnTile(letter, preset.tiles.value(letter), mark=MARKS.get(signs[cell], ""), used=True)
        for cell, letter in zip(cells, _WORD, strict=True)
    ]
    terms = [
        str(preset.tiles.value(letter)) + (f"{TIMES}{letters[cell]}" if letters[cell] > 1 else "")
        for cell, letter in zip(cells, _WORD, strict=True)
    ]
    factors = [int(words[cell]) for cell in cells if words[cell] > 1]
    steps = [
        (f"({' + '.join(terms)})" + "".join(f" {TIMES} {factor}" for factor in factors), found.points[0])
    ]
    if found.bonus:
        steps.append((f"All {RACK} tiles", found.bonus))
    return {
        "word": _WORD,
        "tiles": tiles,
        "columns": len(_WORD),
        "label": f"{_WORD} from the centre to the right",
        "steps": steps,
        "total": found.total,
    }
