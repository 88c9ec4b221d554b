"""Letterpress solver API: the best moves of a position, with replies and evaluation."""

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Annotated, Any, ClassVar, Final, Literal

from fastapi import Query, Response
from fastapi.exceptions import RequestValidationError
from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from app.games.letterpress.move_order import Order, sort_choices
from app.games.letterpress.placements import TooManyPlacements
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.search import OTHERS
from app.games.letterpress.solver import Advice, Choice, MoveConstraints, Position, Reply, Solution
from app.games.letterpress.territory import (
    CELLS,
    EVERY,
    Territory,
    cells_of,
    mask_of,
    protected,
    vulnerability,
)
from app.grammar import spell_number, there_are
from app.renamed import Renamed
from app.web.guard.limits import CallerDep, charge, check_budget
from app.web.guard.rates import Caller
from app.web.model import Documented, JsonBody, rendered
from app.web.router import api_router
from app.web.services import Services, ServicesDep
from app.words.letters import ALPHABET
from app.words.library import DamagedLexicon, Library, UnknownLexicon
from app.words.vocabulary import Level, allowed_words

router = api_router("/api/solve", "engines")

MOST_BOARDS: Final = 100
MOST_LISTED: Final = 6_000
"""Most moves in all answers of a batch, about 1.5 MB; with ``group``, a word counts as six."""

_WANTED: Final = f"accepted are cells 0 to {CELLS - 1}, or letters a to z"
OURS, THEIRS = "o", "t"
_TERRITORY: Final = re.compile(r"[.ot]+", re.IGNORECASE)
_NUMBERS: Final = re.compile(r"\s*-?\d{1,12}\s*(,\s*-?\d{1,12}\s*)*")
_A_CELL: Final[dict[str, Any]] = {"minimum": 0, "maximum": CELLS - 1}
_ACCEPTED: Final = (
    f'a list of cells 0 to {CELLS - 1}, {CELLS} characters of . o t, or {{"mask": 0 to {EVERY}}}'
)


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
        str, Field(json_schema_extra={"pattern": rf"^\s*(([.otOT]\s*){{{CELLS}}}|\d+\s*(,\s*\d+\s*)*)$"})
    ]
)
"""A side's tiles: ``{"mask": n}``, a list of cells, or the board as text (
``.`` free, ``o`` ours, ``t`` theirs).

A number is taken as a mask; in a query, a single number is a mask and several are cells."""


class SolveRequest(Renamed):
    """A position and search options."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "board": "bnbda etgre liegb cnhdl xmhoi",
                    "ours": 6655,
                    "theirs": 32499200,
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
    ours: Owned = 0
    """Tiles of the side to move: a list of cells, ``{"mask": n}``, or 25 characters of . o t.

    A text with a t gives the opponent's tiles as well."""
    theirs: Owned = 0
    """The opponent's tiles, in any of these forms."""
    ours_bit_mask: Owned | None = Field(default=None, alias="oursBitMask")
    """Alias of `ours`, the name in LetterPwn's README."""
    theirs_bit_mask: Owned | None = Field(default=None, alias="theirsBitMask")
    """Alias of `theirs`, the name in LetterPwn's README."""
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
    """Fewest letters of our word."""

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
        """Parse query text: a single number is a mask, several numbers are cells."""
        if given is None and info.field_name in ("ours_bit_mask", "theirs_bit_mask"):
            return None
        if isinstance(given, bool) or not isinstance(given, int | list | str | dict | Mask):
            raise ValueError(f"{given!r} is not understood: accepted are {_ACCEPTED}")
        value = _parse_numbers(given)
        return value[0] if isinstance(value, list) and value is not given and len(value) == 1 else value

    @field_validator("must_use", mode="before")
    @classmethod
    def _parse_must_use(cls, given: Any) -> Any:
        """Parse query text: numbers are cells, even a single one."""
        wanted = _parse_numbers(given)
        if isinstance(wanted, list):
            for position, cell in enumerate(wanted):
                if isinstance(cell, bool) or not isinstance(cell, int):
                    raise ValueError(f"position {position} has {cell!r}: {_WANTED}")
        elif not isinstance(wanted, str):
            raise ValueError(f"{wanted!r} is not understood: {_WANTED}")
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
                raise ValueError(f"position {position} is {played[position]!r}: words are letters a to z")
        return words

    @field_validator("ours", "theirs", "ours_bit_mask", "theirs_bit_mask")
    @classmethod
    def _check_owned(cls, owned: Owned | None) -> Owned | None:
        if owned is None or isinstance(owned, Mask):
            return owned
        if isinstance(owned, int):
            if not 0 <= owned <= EVERY:
                raise ValueError(f"the mask {owned} is out of range: accepted are {_ACCEPTED}")
        elif isinstance(owned, list):
            _check_cells(owned)
        else:
            owned = "".join(owned.lower().split())
            for position, character in enumerate(owned):
                if not _TERRITORY.fullmatch(character):
                    raise ValueError(f"character {position} is {character!r}: accepted are {_ACCEPTED}")
            if len(owned) != CELLS:
                raise ValueError(f"{there_are(len(owned), 'character')}: accepted are {_ACCEPTED}")
        return owned

    @field_validator("ours_bit_mask", "theirs_bit_mask")
    @classmethod
    def _check_alias(cls, alias: Owned | None, info: ValidationInfo) -> Owned | None:
        name, side = ("ours", OURS) if info.field_name == "ours_bit_mask" else ("theirs", THEIRS)
        given = owned_mask(info.data.get(name, 0), side)
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
                raise ValueError(f"character {position} is {letter!r}: {_WANTED}")
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
            cells = ", ".join(map(str, cells_of(given ^ from_text)))
            raise _refusal(name, f"the text of the other side has other tiles: they differ in cells {cells}")
        return given | from_text

    def position(self) -> Position:
        """Validate the position as a whole. Raises RequestValidationError."""
        ours, theirs = self.territory.ours, self.territory.theirs
        if ours & theirs:
            cells = ", ".join(map(str, cells_of(ours & theirs)))
            raise _refusal("theirs", f"cells {cells} are in ours as well: a tile has one owner")
        if ours | theirs == EVERY:
            raise _refusal("theirs", "with ours, every tile has an owner: the game is over")
        for index, word in enumerate(self.played):
            lacking = next((letter for letter in word if word.count(letter) > self.board.count(letter)), None)
            if lacking is not None:
                has, needs = self.board.count(lacking), word.count(lacking)
                raise _refusal(
                    "played",
                    f"the board cannot make {word!r} (played, position {index}): "
                    f"it has {spell_number(has)} {lacking!r}; the word has {spell_number(needs)}",
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


class Sides(Documented):
    """A number for each side."""

    ours: int
    theirs: int


class ReplyAnswer(Documented):
    """The opponent's reply."""

    word: str
    cells: list[int]
    """In word order."""
    mask: int


class PlacedMove(Documented):
    """A placement of a word and its evaluation."""

    word: str
    """Empty for a pass."""
    cells: list[int]
    """In word order."""
    mask: int
    ours: int
    """Our tiles after the move, as a mask."""
    theirs: int
    tiles: Sides
    protected: Sides
    """Number of tiles that cannot be taken."""
    vulnerability: int
    """LetterPwn's measure: the number of adjacent tiles that are not ours, summed over our tiles."""
    outcome: Literal["win", "loss"] | None
    """Forced result after this move, within the search depth; null if undecided."""
    value: int
    """Tiles plus three times protected tiles, ours minus theirs, at the end of the searched line.

    A win in n plies has the value 1000 - n, a loss n - 1000. Two passes in a row end the game: even at two
    plies, the search considers our winning pass after theirs.
    """
    depth: int
    """Plies to which the value is exact; fewer than requested if time ran out.

    Values of different depths are not comparable, so moves searched deeper come first, except that wins come
    before and losses after all others.
    """
    reply: ReplyAnswer | None
    """The opponent's best reply; null at one ply, at the end of the game, and for a pass."""


class MoveAnswer(PlacedMove):
    """A listed move."""

    others: list[PlacedMove] | None
    """Up to five next best placements of the word, best first; null without `group`.

    There may be fewer if time ran out.
    """
    ways: int | None
    """Number of placements of the word; null without `group`."""


class Stats(Documented):
    """Search statistics."""

    word_count: int
    """Number of words that we may play."""
    words: Annotated[int, Field(deprecated=True)]
    """Number of words of the board, whether we may play them or not."""
    placements: int
    """Number of placements of all words."""
    positions: int
    """Number of positions evaluated."""
    depth: int
    """Plies to which the answer is exact; at three plies, for the best candidates only."""
    exact: bool
    """Whether the requested depth was reached."""
    milliseconds: float
    """Time taken by the search."""


class SolveAnswer(Documented):
    """The best moves, ordered by `sort`."""

    moves: list[MoveAnswer]
    stats: Stats


class BatchRequest(Documented):
    """Several positions."""

    model_config = ConfigDict(extra="forbid")

    boards: Annotated[list[SolveRequest], Field(min_length=1, max_length=MOST_BOARDS)]
    """They may request up to 6,000 moves in total: the sum of `limit`, times six if `group` is true."""

    @field_validator("boards")
    @classmethod
    def _check_total(cls, boards: list[SolveRequest]) -> list[SolveRequest]:
        moves = sum(board.limit * (1 + OTHERS * board.group) for board in boards)
        if moves > MOST_LISTED:
            raise ValueError(
                f"together they ask for {moves:,} moves (limit, times six with group): "
                f"one answer lists up to {MOST_LISTED:,}"
            )
        return boards


class BatchAnswer(Documented):
    """An answer per position, in order."""

    answers: list[SolveAnswer]


@router.post("", response_model=SolveAnswer, summary="Solve a Letterpress board")
def solve_letterpress(body: JsonBody[SolveRequest], services: ServicesDep, caller: CallerDep) -> Response:
    """The best moves of a position, with the opponent's best replies and the evaluation."""
    return rendered(solved(body, services, caller))


@router.get("", response_model=SolveAnswer, summary="Solve a Letterpress board by URL")
def solve_letterpress_by_address(
    query: Annotated[SolveRequest, Query()], services: ServicesDep, caller: CallerDep
) -> Response:
    """As the POST request, with the fields as query parameters; lists are separated by commas."""
    return rendered(solved(query, services, caller))


@router.post("/batch", response_model=BatchAnswer, summary="Solve up to 100 Letterpress boards")
def solve_letterpress_batch(
    body: JsonBody[BatchRequest], services: ServicesDep, caller: CallerDep
) -> Response:
    """Solve several boards. All are validated before the first is solved."""
    rules = []
    for number, each in enumerate(body.boards):
        with _refusing("boards", number):
            rules.append(_checked(each, services)[1])
    check_budget(services, sum(each.budget_ms for each in body.boards), len(body.boards))
    charge(services, caller, "engines", len(body.boards) - 1)

    def check_placements() -> None:
        for number, each in enumerate(body.boards):
            with _refusing("boards", number):
                rules[number].solver.check(each.board)

    services.pool.run(caller, "letterpress", check_placements)
    return rendered(BatchAnswer(answers=[solved(each, services, caller) for each in body.boards]))


def solved(request: SolveRequest, services: Services, caller: Caller) -> SolveAnswer:
    """Solve a position in the engine pool. Raises RequestValidationError, PoolFull."""
    position, rules = _checked(request, services)

    def search() -> tuple[Solution, float]:
        solver = rules.solver  # built on first use
        began = time.perf_counter()
        is_over = services.pool.deadline(request.budget_ms)
        solution = solver.solve(
            position,
            top=request.limit,
            plies=request.plies,
            allowed=allowed_words(rules.lexicon, request.vocabulary, family_only=request.family),
            their_allowed=allowed_words(rules.lexicon, request.opponent_vocabulary, family_only=False),
            constraints=request.constraints(),
            grouped=request.group,
            stop=lambda _: is_over(),
        )
        return solution, 1000 * (time.perf_counter() - began)

    with _refusing():
        solution, milliseconds = services.pool.run(caller, "letterpress", search)
    solution = replace(solution, choices=sort_choices(solution.choices, request.sort))
    return solve_answer(solution, position, request.plies, milliseconds)


def solve_answer(solution: Solution, position: Position, plies: int, milliseconds: float) -> SolveAnswer:
    """Convert a solution to the API's answer."""
    return SolveAnswer(
        moves=[_listed(choice, position.board, grouped=solution.grouped) for choice in solution.choices],
        stats=Stats(
            word_count=solution.playable,
            words=solution.words,
            placements=solution.placements,
            positions=solution.positions,
            depth=solution.depth,
            exact=solution.depth == plies,
            milliseconds=round(milliseconds, 2),
        ),
    )


def _checked(request: SolveRequest, services: Services) -> tuple[Position, Letterpress]:
    """The validated position and the rules. Raises RequestValidationError."""
    check_budget(services, request.budget_ms)
    position = request.position()
    with _refusing():
        return position, services.rulebook.rules(Letterpress, services.rulebook.ref(request.lexicon))


@contextmanager
def _refusing(*inside: str | int) -> Iterator[None]:
    """Convert errors in the block to RequestValidationError, with ``inside`` prepended to the location."""
    try:
        yield
        return
    except RequestValidationError as refused:
        errors = refused.errors()
    except (UnknownLexicon, DamagedLexicon) as missing:
        errors = [{"loc": ("lexicon",), "msg": str(missing)}]
    except TooManyPlacements as refused:
        errors = [{"loc": ("board",), "msg": str(refused)}]
    raise RequestValidationError([each | {"loc": (*inside, *each["loc"])} for each in errors])


def _listed(choice: Choice, board: str, *, grouped: bool) -> MoveAnswer:
    return MoveAnswer(
        **vars(_placed(choice.best, board)),
        others=[_placed(other, board) for other in choice.others] if grouped else None,
        ways=choice.ways if grouped else None,
    )


def _placed(move: Advice, board: str) -> PlacedMove:
    territory = move.territory
    return PlacedMove(
        word=move.word,
        cells=list(move.cells(board)),
        mask=move.mask,
        ours=territory.ours,
        theirs=territory.theirs,
        tiles=Sides(ours=territory.ours.bit_count(), theirs=territory.theirs.bit_count()),
        protected=Sides(
            ours=protected(territory.ours).bit_count(), theirs=protected(territory.theirs).bit_count()
        ),
        vulnerability=vulnerability(territory.ours),
        outcome="win" if move.wins else "loss" if move.loses else None,
        value=move.value,
        depth=move.depth,
        reply=_reply(move.reply, board) if move.reply else None,
    )


def _reply(reply: Reply, board: str) -> ReplyAnswer:
    return ReplyAnswer(word=reply.word, cells=list(reply.cells(board)), mask=reply.mask)


def owned_mask(owned: Owned, side: str) -> int:
    """Convert a side's tiles from any accepted form to a mask."""
    if isinstance(owned, Mask):
        return owned.mask
    if isinstance(owned, int):
        return owned
    if isinstance(owned, list):
        return mask_of(owned)
    return mask_of(cell for cell, owner in enumerate(owned) if owner == side)


def _parse_numbers(given: Any) -> Any:
    """Join strings with commas, and convert comma-separated numbers to a list of integers."""
    texts = [given] if isinstance(given, str) else given
    if not (isinstance(texts, list) and texts and all(isinstance(text, str) for text in texts)):
        return given
    text = ",".join(texts)
    return [int(number) for number in text.split(",")] if _NUMBERS.fullmatch(text) else text


def _check_cells(cells: list[int]) -> None:
    for position, cell in enumerate(cells):
        if not 0 <= cell < CELLS:
            raise ValueError(f"position {position} has cell {cell}: cells are 0 to {CELLS - 1}")


def _refusal(field: str, message: str, *inside: int) -> RequestValidationError:
    return RequestValidationError([{"loc": (field, *inside), "msg": message}])
