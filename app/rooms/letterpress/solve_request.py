"""A request with a Letterpress position and search options: parsing, and validation as a whole."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, ClassVar, Final

from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from app.games.letterpress.move_order import Order
from app.games.letterpress.solver import MoveConstraints, Position
from app.games.letterpress.territory import CELLS, EVERY, Territory, cells_of, mask_of
from app.grammar import plural, spell_number, there_are
from app.renamed import Renamed
from app.rooms.letterpress.tile_text import parse_tiles
from app.validation import quote
from app.web.guard.fields import invalid_field
from app.web.model import Documented
from app.words.letters import ALPHABET
from app.words.library import Library
from app.words.vocabulary import Level

_WANTED: Final = f"accepted: cells 0 to {CELLS - 1}, or letters a to z"
OURS, THEIRS = "o", "t"
_TERRITORY: Final = re.compile(r"[.ot]+", re.IGNORECASE)
_NUMBERS: Final = re.compile(r"\s*-?\d{1,12}\s*(,\s*-?\d{1,12}\s*)*")
_A_CELL: Final[dict[str, Any]] = {"minimum": 0, "maximum": CELLS - 1}
_ACCEPTED: Final = (
    f'a list of cells 0 to {CELLS - 1}, {CELLS} characters of . o t, or {{"mask": 0 to {EVERY}}}; '
    "in a query also cells:0,1,5 or mask:35"
)
_MASK_NAMES: Final = ("ours_bit_mask", "theirs_bit_mask")
"""Fields in which a single number can only be a mask."""


class Mask(Documented):
    """Tiles as a mask."""

    model_config = ConfigDict(extra="forbid")

    mask: Annotated[int, Field(ge=0, le=EVERY)]
    """Bit i is set for cell i."""


Owned = (
    Mask
    | Annotated[int, Field(json_schema_extra={"minimum": 0, "maximum": EVERY, "deprecated": True})]
    | list[Annotated[int, Field(json_schema_extra=_A_CELL)]]
    | Annotated[
        str,
        Field(
            json_schema_extra={
                "pattern": rf"^\s*(([.otOT]\s*){{{CELLS}}}|mask\s*:\s*\d+|"
                r"(cells\s*:)?\s*\d+\s*(,\s*\d+\s*)*)$"
            }
        ),
    ]
)
"""A side's tiles: ``{"mask": n}``, a list of cells, or the board as text (
``.`` free, ``o`` ours, ``t`` theirs).

In a query: ``cells:0,1,5``, ``mask:35``, or the text. A number in JSON is a mask."""


class SolveRequest(Renamed):
    """A position and search options."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "board": "bnbda etgre liegb cnhdl xmhoi",
                    "ours": {"mask": 6655},
                    "theirs": {"mask": 32499200},
                    "played": ["indeterminable", "helminthoid", "bedighting", "childbearing"],
                    "plies": 2,
                    "limit": 5,
                }
            ]
        },
    )

    old_names: ClassVar[Mapping[str, str]] = {"top": "limit"}

    board: str = Field(max_length=200, json_schema_extra={"pattern": r"^\s*([a-zA-Z]\s*){25}$"})
    """25 letters in either case, row by row; spaces and line breaks are ignored."""
    ours: Owned = Field(default=[])
    """Tiles of the side to move: a list of cells, ``{"mask": n}``, or 25 characters of . o t.

    In a query: ``cells:0,1,5``, ``mask:35``, or the 25 characters. Without ``cells:`` or ``mask:``, several
    numbers are cells, a number above 24 is a mask, 0 is no tiles, and a single number from 1 to 24 is
    refused, because it could be either. A text with ``t`` gives the opponent's tiles as well."""
    theirs: Owned = Field(default=[])
    """The opponent's tiles, in any of these forms."""
    ours_bit_mask: Owned | None = Field(default=None, alias="oursBitMask")
    """Alias of `ours`, the name in LetterPwn's README. Here a single number in a query is a mask, too, and
    several are refused without ``cells:``."""
    theirs_bit_mask: Owned | None = Field(default=None, alias="theirsBitMask")
    """Alias of `theirs`, the name in LetterPwn's README. Here a single number in a query is a mask, too, and
    several are refused without ``cells:``."""
    played: list[str] = Field(default=[], max_length=500)
    """Words already played by either side, in order."""
    passed: bool = False
    """Whether the opponent has just passed, so that our pass would end the game."""
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    """Number of moves to list, or of words with `group`."""
    plies: Annotated[int, Field(ge=1, le=3)] = 2
    """1: LetterPwn's ranking of the board after our move. 2: after the best reply, over all placements.

    3: after our next move, for the 32 best moves at two plies, or for all listed moves if there are more.
    """
    group: bool = False
    """List each word once, with its best placement; its next best placements are in `others`.

    Anagrams count as one word, because they use the same tiles.
    """
    sort: Order = "value"
    """Order of the list; it does not affect which moves are listed.

    `tiles` and `protection`: by our lead after the move, in tiles or protected tiles, largest first.
    `vulnerability`: smallest first. `length`: longest word first. Ties are ordered by `value`.
    """
    budget_ms: Annotated[int, Field(ge=1, le=10_000)] = 150
    """Time budget in milliseconds; after it, the best moves found so far are returned."""
    proof_ms: Annotated[int, Field(ge=0, le=10_000)] = 20
    """Maximum part of the budget for proving the outcome, in milliseconds, if the search leaves it undecided.

    A proof is tried with up to 10 free tiles; 1,000 ms decide most positions with up to 7. 0: no proof.
    """
    lexicon: str = Library.default
    vocabulary: Level = "everything"
    """Suggest only words known at this level."""
    opponent_vocabulary: Level = "everything"
    """Assume that the opponent knows only words of this level."""
    family: bool = False
    """Suggest no profanity. Off by default, to find the best moves."""
    must_use: list[Annotated[int, Field(json_schema_extra=_A_CELL)]] | str = Field(default=[])
    """Cells that our word must use; or letters that it must contain, with repetitions."""
    min_length: Annotated[int, Field(ge=0, le=CELLS)] = 0
    """Minimum length of our word."""

    @field_validator("board")
    @classmethod
    def _has_25_letters(cls, board: str) -> str:
        letters = "".join(board.lower().split())
        for position, letter in enumerate(letters):
            if letter not in ALPHABET:
                raise ValueError(f"letter {position} is {letter!r}: only a to z are tiles")
        if len(letters) != CELLS:
            raise ValueError(f"{CELLS} letters a-z expected, {len(letters)} given")
        return letters

    @field_validator("ours", "theirs", "ours_bit_mask", "theirs_bit_mask", mode="before")
    @classmethod
    def _parse_owned(cls, given: Any, info: ValidationInfo) -> Any:
        """Parse query text: ``mask:35``, ``cells:5``, numbers, or the board."""
        names_masks = info.field_name in _MASK_NAMES
        if given is None and names_masks:
            return None
        if isinstance(given, bool) or not isinstance(given, int | list | str | dict | Mask):
            raise ValueError(f"{quote(given)} is not understood; accepted: {_ACCEPTED}")
        text = _joined(given)
        if text is None:
            return given
        tiles = parse_tiles(text, number_is_mask=names_masks)
        return text if tiles is None else tiles

    @field_validator("must_use", mode="before")
    @classmethod
    def _parse_must_use(cls, given: Any) -> Any:
        """Parse query text: numbers are cells, even a single one."""
        wanted = _parse_numbers(given)
        if isinstance(wanted, list):
            for position, cell in enumerate(wanted):
                if isinstance(cell, bool) or not isinstance(cell, int):
                    raise ValueError(f"position {position} has {quote(cell)}; {_WANTED}")
        elif not isinstance(wanted, str):
            raise ValueError(f"{quote(wanted)} is not understood; {_WANTED}")
        return wanted

    @field_validator("played", mode="before")
    @classmethod
    def _split_played(cls, given: Any) -> Any:
        """Split words given in one query field, separated by commas or spaces."""
        if isinstance(given, list) and len(given) == 1 and isinstance(given[0], str) and given[0]:
            given = given[0]
        return given.replace(",", " ").split() if isinstance(given, str) else given

    @field_validator("played")
    @classmethod
    def _check_played(cls, played: list[str]) -> list[str]:
        words = [word.strip().lower() for word in played]
        for position, word in enumerate(words):
            if not (word.isascii() and word.isalpha()):
                raise ValueError(
                    f"position {position} is {quote(played[position])}: words are letters a to z"
                )
        return words

    @field_validator("ours", "theirs", "ours_bit_mask", "theirs_bit_mask")
    @classmethod
    def _check_owned(cls, owned: Owned | None) -> Owned | None:
        if owned is None or isinstance(owned, Mask):
            return owned
        if isinstance(owned, int):
            if not 0 <= owned <= EVERY:
                raise ValueError(f"the mask {owned} is out of range; accepted: {_ACCEPTED}")
        elif isinstance(owned, list):
            _check_cells(owned)
        else:
            owned = "".join(owned.lower().split())
            for position, character in enumerate(owned):
                if not _TERRITORY.fullmatch(character):
                    raise ValueError(f"character {position} is {character!r}; accepted: {_ACCEPTED}")
            if len(owned) != CELLS:
                raise ValueError(f"{there_are(len(owned), 'character')}; accepted: {_ACCEPTED}")
        return owned

    @field_validator("ours_bit_mask", "theirs_bit_mask")
    @classmethod
    def _check_alias(cls, alias: Owned | None, info: ValidationInfo) -> Owned | None:
        name, side = ("ours", OURS) if info.field_name == "ours_bit_mask" else ("theirs", THEIRS)
        given = owned_mask(info.data.get(name, []), side)
        if alias is not None and given not in (0, owned_mask(alias, side)):
            raise ValueError(f"this is an alias of {name}, which has another value: give only one of them")
        return alias

    @field_validator("must_use")
    @classmethod
    def _check_must_use(cls, wanted: list[int] | str) -> list[int] | str:
        if isinstance(wanted, list):
            _check_cells(wanted)
            return wanted
        letters = "".join(wanted.lower().replace(",", " ").split())
        for position, letter in enumerate(letters):
            if letter not in ALPHABET:
                raise ValueError(f"character {position} is {letter!r}; {_WANTED}")
        return letters

    @cached_property
    def territory(self) -> Territory:
        """The tiles of both sides. Raises RequestValidationError if two fields contradict each other."""
        ours = self._tiles("ours", OURS, self.ours, self.ours_bit_mask, self.theirs)
        theirs = self._tiles("theirs", THEIRS, self.theirs, self.theirs_bit_mask, self.ours)
        return Territory(ours=ours, theirs=theirs)

    def _tiles(self, name: str, side: str, own: Owned, alias: Owned | None, other: Owned) -> int:
        """A side's tiles, from its own field or from the other side's text."""
        given = owned_mask(own, side) | owned_mask(alias or 0, side)
        from_text = owned_mask(other, side) if isinstance(other, str) else 0
        if given and from_text and given != from_text:
            differing = _name(cells_of(given ^ from_text))
            raise invalid_field(
                f"the text of the other side has other tiles: they differ in {differing}", name
            )
        return given | from_text

    def position(self) -> Position:
        """Validate the position as a whole. Raises RequestValidationError."""
        ours, theirs = self.territory.ours, self.territory.theirs
        if ours & theirs:
            shared = cells_of(ours & theirs)
            be = plural(len(shared), "is", "are")
            raise invalid_field(f"{_name(shared)} {be} in ours as well: a tile has one owner", "theirs")
        if ours | theirs == EVERY:
            raise invalid_field("with ours, every tile has an owner: the game is over", "theirs")
        for index, word in enumerate(self.played):
            lacking = next((letter for letter in word if word.count(letter) > self.board.count(letter)), None)
            if lacking is not None:
                has, needs = self.board.count(lacking), word.count(lacking)
                raise invalid_field(
                    f"the board cannot make {quote(word)} (played, position {index}): "
                    f"it has {spell_number(has)} {lacking!r}; the word has {spell_number(needs)}",
                    "played",
                    index,
                )
        return Position(
            board=self.board,
            territory=self.territory,
            played=tuple(self.played),
            passed=self.passed,
        )

    def constraints(self) -> MoveConstraints:
        """The constraints on our word."""
        letters = self.must_use if isinstance(self.must_use, str) else ""
        cells = self.must_use if isinstance(self.must_use, list) else []
        return MoveConstraints(cells=mask_of(cells), letters=letters, min_length=self.min_length)


def owned_mask(owned: Owned, side: str) -> int:
    """Convert a side's tiles from any accepted form to a mask."""
    if isinstance(owned, Mask):
        return owned.mask
    if isinstance(owned, int):
        return owned
    if isinstance(owned, list):
        return mask_of(owned)
    return mask_of(cell for cell, owner in enumerate(owned) if owner == side)


def link_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """A query of the API from a link to the solver page, where a single number is always a mask."""
    return {
        name: f"mask:{text}" if name in ("ours", "theirs") and text.isdecimal() else text
        for name, text in fields.items()
    }


def _joined(given: Any) -> str | None:
    """Text, or texts as repeated query parameters, joined with commas; None for anything else."""
    texts = [given] if isinstance(given, str) else given
    is_text = isinstance(texts, list) and texts and all(isinstance(text, str) for text in texts)
    return ",".join(texts) if is_text else None


def _parse_numbers(given: Any) -> Any:
    """Join strings with commas, and convert comma-separated numbers to a list of integers."""
    text = _joined(given)
    if text is None:
        return given
    return [int(number) for number in text.split(",")] if _NUMBERS.fullmatch(text) else text


def _name(cells: Sequence[int]) -> str:
    return f"{plural(len(cells), 'cell')} {', '.join(map(str, cells))}"


def _check_cells(cells: list[int]) -> None:
    for position, cell in enumerate(cells):
        if not 0 <= cell < CELLS:
            raise ValueError(f"position {position} has cell {cell}: cells are 0 to {CELLS - 1}")
