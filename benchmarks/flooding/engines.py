"""The most expensive valid inputs of engines and word studies."""

import random
import string
from collections.abc import Iterable
from typing import Any, Final

from benchmarks.flooding.material import BOGGLE, RACK, Material
from benchmarks.flooding.values import Row, Values, once, thinking, varied

_CHANCE: Final = random.Random(15)
_FRIBBLE: Final = [*["." * 15] * 7, ".......FRIBBLE.", *["." * 15] * 7]
_LARGE_HANDS: Final = {"size": 15, "max_vowels": 15, "min_words": 10_000, "min_pangrams": 0}
_RARE_HANDS: Final = {"size": 15, "max_vowels": 1, "min_words": 5000, "min_pangrams": 0}


def _board(letters: int) -> str:
    """Return random letters with many words."""
    drawn = _CHANCE.choices("aeiou", k=letters * 2 // 5) + _CHANCE.choices(
        string.ascii_lowercase, k=letters - letters * 2 // 5
    )
    return "".join(_CHANCE.sample(drawn, letters))


def _letterpress(budget_ms: int) -> dict[str, Any]:
    return {"board": _board(25), "plies": 3, "budget_ms": budget_ms, "limit": 100, "group": True}


def _simulation(budget_ms: int) -> dict[str, Any]:
    rack = "".join(_CHANCE.choices("AEIOUNRSTLDG", k=5)) + "??"
    return {"rack": rack, "strategy": "simulating", "budget_ms": budget_ms, "limit": 100}


def _rows(number: int) -> list[str]:
    """Return a board of Boggle of 8x8 with many words, one of eight."""
    return [*BOGGLE[number % 8 :], *BOGGLE[: number % 8]]


def _patterns(_: Material) -> Iterable[Values]:
    for letter in _CHANCE.sample(string.ascii_lowercase, 26):
        yield {"study": "pattern", "letters": "*".join(["", *[f"[^{letter}]"] * 4, ""])}


ENGINE_INPUTS: Final[tuple[Row, ...]] = (
    (
        "7x7 with three swaps",
        varied(lambda _: {"board": _board(49), "swaps": 3, "limit": 5000}),
        "POST /api/wibble/solve",
        "GET /api/wibble/solve",
    ),
    ("7x7 with three swaps", varied(lambda _: {"board": _board(49)}), "GET /wibble/solver"),
    (
        "three plies",
        thinking(lambda _, most: _letterpress(most)),
        "POST /api/solve",
        "GET /api/solve",
        "GET /letterpress/solver",
    ),
    (
        "100 boards",
        thinking(
            lambda _, most: {"boards": [_letterpress(3 * most // 100) | {"limit": 10} for _ in range(100)]}
        ),
        "POST /api/solve/batch",
    ),
    ("any", once(), "GET /letterpress/solver/random"),
    (
        "8x8, all paths",
        varied(lambda number: {"rows": _rows(number), "min_length": 2, "paths": "all"}),
        "POST /api/boggle/solve",
    ),
    (
        "8x8, all paths",
        varied(lambda number: {"board": " ".join(_rows(number)), "min_length": 2, "paths": "all"}),
        "GET /api/boggle/solve",
    ),
    (
        "8x8",
        varied(lambda number: {"rows": " ".join(_rows(number)), "min_length": 2}),
        "GET /boggle/board",
    ),
    (
        "other boards of 8x8",
        varied(lambda _: {"board": " ".join(_board(8) for _ in range(8))}),
        "GET /boggle/board/preview.png",
    ),
    (
        "6 boards of 8x8 with words",
        varied(lambda number: {"size": "8x8", "count": 6, "words": "true", "min_length": 2, "seed": number}),
        "GET /api/boggle",
    ),
    (
        "1000 boards of 8x8",
        varied(lambda number: {"size": "8x8", "count": 1000, "min_length": 2, "seed": number}),
        "GET /api/boggle",
    ),
    (
        "60 boards of 8x8",
        varied(lambda number: {"size": "8x8", "count": 60, "min_length": 2, "seed": number}),
        "GET /boggle/generator",
    ),
    (
        "a climb",
        thinking(
            lambda number, most: {"size": "8x8", "algorithm": "climb", "budget_ms": most, "seed": number}
        ),
        "GET /api/boggle",
        "GET /boggle/generator",
    ),
    ("eight tiles", once(board=" ".join(_FRIBBLE), rack=RACK, move="H8 .RITES"), "GET /api/fribble/score"),
    (
        "a game as GCG",
        lambda material: [{"board": material.gcg, "rack": material.rack, "move": material.placement}],
        "POST /api/fribble/score",
    ),
    (
        "simulations",
        thinking(lambda _, most: {"board": " ".join(_FRIBBLE)} | _simulation(most)),
        "GET /api/fribble/moves",
    ),
    (
        "simulations",
        thinking(lambda _, most: {"board": _FRIBBLE} | _simulation(most)),
        "POST /api/fribble/moves",
    ),
    (
        "simulations",
        once(turns="8H FRIBBLE\npass", rack=RACK, engine="simulating-long", at=2),
        "GET /fribble/board",
    ),
    ("a game as GCG", lambda material: [{"do": "setup", "position": material.gcg}], "POST /fribble/board"),
    (
        "15 tiles with two blanks",
        varied(lambda _: {"rack": _board(13) + "??", "min_length": 2}),
        "GET /api/scrabblet/words",
    ),
    (
        "15 tiles with two blanks",
        varied(lambda _: {"hand": _board(13) + "??", "min_length": 2}),
        "POST /api/scrabblet/words",
    ),
    (
        "15 tiles with two blanks",
        varied(lambda number: {"hand": _board(13) + "??", "min_length": 2, "page": number + 1}),
        "GET /scrabblet/player",
    ),
    (
        "very rare hands",
        varied(lambda number: _RARE_HANDS | {"seed": f"seed {number}"}),
        "GET /api/scrabblet/deal",
        "POST /api/scrabblet/deal",
    ),
    (
        "100 hands of 15",
        varied(lambda number: _LARGE_HANDS | {"count": 100, "seed": f"seed {number}"}),
        "GET /api/scrabblet/gamesetup",
        "POST /api/scrabblet/gamesetup",
    ),
    (
        "hands of 15",
        varied(lambda number: _LARGE_HANDS | {"min_length": 2, "seed": number}),
        "GET /scrabblet/gamesetup",
    ),
    ("long words", varied(lambda _: {"word": _board(15)}), "GET /api/scrabblet/signature/{word}"),
    # words
    (
        "many letters",
        varied(lambda _: {"letters": _board(20), "min_length": 2, "limit": 1000}),
        "GET /api/words/studies/anagrams",
    ),
    (
        "many wildcards",
        lambda _: [
            {"pattern": pattern}
            for pattern in ("*[^z]*[^z]*[^z]*[^z]*", "*a*e*i*o*", "*[^qx]*s", "??*[^aeiou]*ing")
        ],
        "GET /api/words/studies/patterns",
    ),
    ("one letter", varied(lambda _: {"word": _board(1), "limit": 1000}), "GET /api/words/studies/hooks"),
    ("all", once(limit=1000), "GET /api/words/studies/stems", "GET /api/words/studies/beginnings"),
    ("all", once(name="all", order="frequency", limit=1000), "GET /api/words/studies/lists/{name}"),
    ("bingo stems", once(name="bingo-stems", limit=1000), "GET /api/words/studies/lists/{name}"),
    ("six letters", varied(lambda _: {"stem": _board(6)}), "GET /api/words/studies/bingos"),
    ("any", once(), "GET /api/words/studies/statistics"),
    ("100 words", once(word=["set"] * 100), "GET /api/words/studies/definitions"),
    ("patterns", _patterns, "GET /words"),
    (
        "anagrams of many letters",
        varied(lambda _: {"study": "anagrams", "letters": _board(20), "shortest": 2}),
        "GET /words",
    ),
    ("statistics", once(study="statistics"), "GET /words"),
    ("all by frequency", once(study="lists", list="all", order="frequency"), "GET /words"),
    ("short words", lambda _: [{"word": word} for word in ("a", "e", "s", "un", "re")], "GET /words/{word}"),
    ("long words", varied(lambda _: {"word": _board(15)}), "GET /api/words/{word}"),
    (
        "other words",
        varied(lambda _: {"word": _board(12), "lexicon": "letterpress", "valid": True}),
        "POST /words/{word}/votes",
        "POST /api/words/{word}/votes",
    ),
    ("hooks", once(list="all", kind="hooks", questions=50), "POST /quiz"),
    ("forged", varied(lambda number: {"token": f"{'x' * 500}{number}"}), "GET /quiz/{token}"),
    (
        "forged",
        varied(lambda number: {"token": f"{'x' * 500}{number}", "answer": "x" * 200}),
        "POST /quiz/{token}",
    ),
)
