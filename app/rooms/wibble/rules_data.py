"""Data for the page with Wibble's rules: modes, letter values, powers and an example."""

from typing import Any, Final, Literal, NamedTuple, get_args

from app.games.wibble.levels import levels
from app.games.wibble.modes import ModeRules, modes
from app.games.wibble.options import LARGEST, SMALLEST, Choices, Mode, Power
from app.games.wibble.scoring import Scoring, points
from app.games.wibble.state import Board, Bonus
from app.games.wibble.teams import MOST_SUGGESTIONS
from app.grammar import format_count, format_duration
from app.web.rules import TIMES, DrawnTile, letter_groups, spoken
from app.words.letters import ALPHABET, letter_values
from app.words.wordlist import SHORTEST

_EXAMPLE: Final = "shoecratlipgwens"
"""A board of 4x4 on which the path below spells CHAINS."""
_PATH: Final = (4, 1, 6, 9, 14, 15)
_LETTER_CELL: Final = 1
_WORD_CELL: Final = 9
_GEM_CELL: Final = 6
_TABLES: Final = {"scrabble": "Scrabble", "spellcast": "SpellCast"}


class Step(NamedTuple):
    """A step in the example's calculation."""

    text: str
    points: str


def rules_data() -> dict[str, Any]:
    """The context of the template."""
    turn_limits = get_args(get_args(Choices.model_fields["turn_seconds"].annotation)[0])
    return {
        "shortest": SHORTEST,
        "sizes": (SMALLEST, LARGEST),
        "size": Choices().size,
        "min_words": Choices().min_words,
        "turn_limits": [format_duration(seconds) for seconds in turn_limits],
        "modes": modes(),
        "suggestions": MOST_SUGGESTIONS,
        "levels": len(levels()),
        "facts": {mode: _facts(mode, rules) for mode, rules in modes().items()},
        "values": _values(),
        "powers": _powers(),
        "example": _example("classic"),
    }


def _facts(mode: Mode, rules: ModeRules) -> list[tuple[str, str | None]]:
    fewest, most = rules.seats
    gems, long_word = rules.gems, rules.long_word_length
    return [
        ("Players", str(fewest) if fewest == most else f"{fewest} to {most}"),
        (
            "Length",
            "A number of words"
            if mode == "adventure"
            else format_count(rules.rounds, "round")
            if rules.rounds
            else None
            if rules.seconds
            else "No limit",
        ),
        ("Clock", format_duration(rules.seconds) if rules.seconds else "None"),
        ("Letter values", _TABLES[rules.values]),
        ("Letter bonus", " or ".join(f"{factor}{TIMES}" for factor in rules.letter_bonus_factors) or None),
        ("Word bonus", _word_bonus(rules)),
        ("Long words", f"+{rules.long_word_bonus} from {long_word} letters" if long_word else None),
        (
            "Gems",
            f"{gems.start} at the start, up to {gems.most}; {gems.on_board} on the board"
            if gems
            else "In some levels"
            if mode == "adventure"
            else None,
        ),
        ("Repeats", "Each word counts once" if rules.once_per_word else None),
    ]


def _word_bonus(rules: ModeRules) -> str | None:
    if rules.word_bonus_factor is None:
        return None
    start = rules.word_bonus_from_round
    return f"{rules.word_bonus_factor}{TIMES}" + (f" from round {start}" if start > 1 else "")


def _values() -> list[dict[str, Any]]:
    """The tables of letter values, each with its modes."""
    used: dict[Literal["scrabble", "spellcast"], list[str]] = {}
    for rules in modes().values():
        used.setdefault(rules.values, []).append(rules.title)
    return [
        {"modes": titles, "groups": letter_groups(dict(zip(ALPHABET, letter_values(name), strict=True)))}
        for name, titles in used.items()
    ]


def _powers() -> list[dict[str, Any]]:
    """The cost of each power, by mode."""
    costs: dict[Power, list[tuple[str, str]]] = {}
    for rules in modes().values():
        for power, cost in rules.costs.items():
            costs.setdefault(power, []).append((rules.title, format_count(cost, "gem") if cost else "free"))
    return [{"power": power, "costs": modes_and_costs} for power, modes_and_costs in costs.items()]


def _example(mode: Mode) -> dict[str, Any]:
    """A word scored step by step by the engine, adding one rule at a time."""
    rules = modes()[mode]
    values = letter_values(rules.values)
    letter = max(rules.letter_bonus_factors, default=1)
    word = rules.word_bonus_factor or 1
    letter_bonus, word_bonus = Bonus(cell=_LETTER_CELL, factor=letter), Bonus(cell=_WORD_CELL, factor=word)
    plain = Scoring(values)
    whole = Scoring(values, rules.long_word_length, rules.long_word_bonus)
    board = Board(letters=_EXAMPLE, letter_bonus=letter_bonus, word_bonus=word_bonus)
    letters = points(Board(letters=_EXAMPLE), _PATH, plain)
    with_letter = points(Board(letters=_EXAMPLE, letter_bonus=letter_bonus), _PATH, plain)
    with_word, total = points(board, _PATH, plain), points(board, _PATH, whole)
    steps = [Step(" + ".join(_letter(cell, values) for cell in _PATH), str(letters))]
    if with_letter > letters:
        multiplied = _EXAMPLE[_LETTER_CELL].upper()
        steps.append(
            Step(f"{letter}{TIMES} letter on {multiplied}: +{with_letter - letters}", str(with_letter))
        )
    if with_word > with_letter:
        steps.append(Step(f"{word}{TIMES} word: {with_letter} {TIMES} {word}", str(with_word)))
    if total > with_word:
        steps.append(Step(f"{len(_PATH)} letters: +{total - with_word}", str(total)))
    tiles = [_tile(cell, values, letter, word, gems=rules.gems is not None) for cell in range(len(_EXAMPLE))]
    spelled = "".join(_EXAMPLE[cell] for cell in _PATH).upper()
    return {
        "mode": rules.title,
        "word": spelled,
        "tiles": tiles,
        "path": _PATH,
        "columns": 4,
        "label": f"A board with the path of {spelled}: {spoken(tiles)}",
        "steps": steps,
        "total": total,
        "gems": 1 if rules.gems else 0,
    }


def _letter(cell: int, values: tuple[int, ...]) -> str:
    return f"{_EXAMPLE[cell].upper()} {values[ALPHABET.index(_EXAMPLE[cell])]}"


def _tile(cell: int, values: tuple[int, ...], letter: int, word: int, *, gems: bool) -> DrawnTile:
    mark = ("DL" if letter == 2 else "TL") if cell == _LETTER_CELL and letter > 1 else ""
    mark = f"{word}{TIMES}" if cell == _WORD_CELL and word > 1 else mark
    return DrawnTile(
        letter=_EXAMPLE[cell],
        value=values[ALPHABET.index(_EXAMPLE[cell])],
        mark=mark,
        used=cell in _PATH,
        gem=gems and cell == _GEM_CELL,
    )
