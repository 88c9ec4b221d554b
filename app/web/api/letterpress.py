"""The Letterpress engine over HTTP, without a game: the best moves of a position, and what comes of them."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from fastapi import Query, Response
from fastapi.exceptions import RequestValidationError
from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from app.games.letterpress.listing import Order, sort_choices
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
"""Moves of all answers of a batch together, with ``group`` six for each word: about 1.5 MB."""

_WANTED: Final = f"accepted are cells 0 to {CELLS - 1}, or letters a to z"
OURS, THEIRS = "o", "t"
_TERRITORY: Final = re.compile(r"[.ot]+", re.IGNORECASE)
_NUMBERS: Final = re.compile(r"\s*-?\d{1,12}\s*(,\s*-?\d{1,12}\s*)*")
_A_CELL: Final[dict[str, Any]] = {"minimum": 0, "maximum": CELLS - 1}
_ACCEPTED: Final = f"0 to {EVERY} as a mask, a list of cells 0 to {CELLS - 1}, or {CELLS} characters of . o t"

Owned = (
    Annotated[int, Field(json_schema_extra={"minimum": 0, "maximum": EVERY})]
    | list[Annotated[int, Field(json_schema_extra=_A_CELL)]]
    | Annotated[
        str, Field(json_schema_extra={"pattern": rf"^\s*(([.otOT]\s*){{{CELLS}}}|\d+\s*(,\s*\d+\s*)*)$"})
    ]
)
"""A side's tiles: a mask, or cells, or the whole board as text with ``.`` (free), ``o`` (ours), ``t``."""


class SolveRequest(Documented):
    """A position, and what is wanted of the answer."""

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
                    "top": 5,
                }
            ]
        },
    )

    board: str = Field(max_length=200, json_schema_extra={"pattern": r"^\s*([a-zA-Z]\s*){25}$"})
    """25 letters row by row; spaces and line breaks between them are fine, capitals too."""
    ours: Owned = 0
    """Who is to move: a mask with bit i for cell i; or a list of cells; or 25 characters of . o t."""
    theirs: Owned = 0
    """The opponent's tiles, in the same forms."""
    ours_bit_mask: Owned | None = Field(default=None, alias="oursBitMask")
    """Alias of `ours`, the name in LetterPwn's README."""
    theirs_bit_mask: Owned | None = Field(default=None, alias="theirsBitMask")
    """Alias of `theirs`, the name in LetterPwn's README."""
    played: list[str] = Field(default=[], max_length=500)
    """The words played before by either side, in order."""
    passed: bool = False
    """Whether the opponent has just passed, so that our pass would end the game."""
    top: Annotated[int, Field(ge=1, le=100)] = 10
    """How many moves to list; with `group`, how many words."""
    plies: Annotated[int, Field(ge=1, le=3)] = 2
    """1: LetterPwn's ranking of the board after our move. 2: after the best reply, over all placements.

    3: after our third move, for the best 32 moves to two plies, or for all that are listed if they are more.
    """
    group: bool = False
    """List each word once, with its best placement, and its next best placements in `others`.

    Anagrams count as one word: they lie on the same tiles.
    """
    sort: Order = "value"
    """The order of the list; which moves are listed does not depend on it.

    `tiles` and `protection`: our lead after the move, in tiles and in protected tiles, the greatest first.
    `vulnerability`: the smallest first. `length`: the longest word first. Ties stay in the order of `value`.
    """
    budget_ms: Annotated[int, Field(ge=1, le=10_000)] = 150
    """Milliseconds after which the best found so far is the answer."""
    lexicon: str = Library.default
    vocabulary: Level = "everything"
    """Suggest only words people of this level know."""
    opponent_vocabulary: Level = "everything"
    """Expect only replies with words of this level."""
    family: bool = False
    """Suggest no profanity. Off unless asked for: whoever solves a position wants the best move there is."""
    must_use: list[Annotated[int, Field(json_schema_extra=_A_CELL)]] | str = Field(default=[])
    """Cells that our word must use; or letters that it must have, each as often as it is written."""
    min_length: Annotated[int, Field(ge=0, le=CELLS)] = 0
    """How many letters our word must have at least."""

    @field_validator("board")
    @classmethod
    def _has_25_letters(cls, board: str) -> str:
        letters = "".join(board.lower().split())
        for position, letter in enumerate(letters):
            if letter not in ALPHABET:
                raise ValueError(f"letter {position} is {letter!r}: only a to z are tiles")
        if len(letters) != CELLS:
            raise ValueError(f"{there_are(len(letters), 'letter')}: a board has {CELLS}")
        return letters

    @field_validator("ours", "theirs", "ours_bit_mask", "theirs_bit_mask", mode="before")
    @classmethod
    def _owned_in_query(cls, given: Any, info: ValidationInfo) -> Any:
        """In a query all is text: one number is a mask, several are cells."""
        if given is None and info.field_name in ("ours_bit_mask", "theirs_bit_mask"):
            return None
        if isinstance(given, bool) or not isinstance(given, int | list | str):
            raise ValueError(f"{given!r} is not understood: accepted are {_ACCEPTED}")
        told = _in_query(given)
        return told[0] if isinstance(told, list) and told is not given and len(told) == 1 else told

    @field_validator("must_use", mode="before")
    @classmethod
    def _wanted_in_query(cls, given: Any) -> Any:
        """Here a number is a cell, also if it is the only one."""
        wanted = _in_query(given)
        if isinstance(wanted, list):
            for position, cell in enumerate(wanted):
                if isinstance(cell, bool) or not isinstance(cell, int):
                    raise ValueError(f"position {position} has {cell!r}: {_WANTED}")
        elif not isinstance(wanted, str):
            raise ValueError(f"{wanted!r} is not understood: {_WANTED}")
        return wanted

    @field_validator("played", mode="before")
    @classmethod
    def _in_one_text(cls, given: Any) -> Any:
        """A query may have all words in one field, with commas or spaces between them."""
        if isinstance(given, list) and len(given) == 1 and isinstance(given[0], str) and given[0]:
            given = given[0]
        return given.replace(",", " ").split() if isinstance(given, str) else given

    @field_validator("played")
    @classmethod
    def _are_words(cls, played: list[str]) -> list[str]:
        words = [word.strip().lower() for word in played]
        for position, word in enumerate(words):
            if not (word.isascii() and word.isalpha()):
                raise ValueError(f"position {position} is {played[position]!r}: words are letters a to z")
        return words

    @field_validator("ours", "theirs", "ours_bit_mask", "theirs_bit_mask")
    @classmethod
    def _is_on_the_board(cls, owned: Owned | None) -> Owned | None:
        if owned is None:
            return None
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
    def _agrees(cls, alias: Owned | None, info: ValidationInfo) -> Owned | None:
        name, side = ("ours", OURS) if info.field_name == "ours_bit_mask" else ("theirs", THEIRS)
        given = owned_mask(info.data.get(name, 0), side)
        if alias is not None and given not in (0, owned_mask(alias, side)):
            raise ValueError(f"it is an alias of {name}, which has another value: give one of them")
        return alias

    @field_validator("must_use")
    @classmethod
    def _can_be_used(cls, wanted: list[int] | str) -> list[int] | str:
        if isinstance(wanted, list):
            _check_cells(wanted)
            return wanted
        letters = "".join(wanted.lower().replace(",", " ").split())
        for position, letter in enumerate(letters):
            if letter not in ALPHABET:
                raise ValueError(f"character {position} is {letter!r}: {_WANTED}")
        return letters

    @property
    def territory(self) -> Territory:
        """The tiles of both sides, in whichever form and under whichever name they came."""
        return Territory(
            ours=owned_mask(self.ours, OURS) | owned_mask(self.ours_bit_mask or 0, OURS),
            theirs=owned_mask(self.theirs, THEIRS) | owned_mask(self.theirs_bit_mask or 0, THEIRS),
        )

    def position(self) -> Position:
        """The position, once its parts fit together. Raises RequestValidationError where they do not."""
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
        """What our word must be like."""
        letters = self.must_use if isinstance(self.must_use, str) else ""
        cells = self.must_use if isinstance(self.must_use, list) else []
        return MoveConstraints(cells=mask_of(cells), letters=letters, min_length=self.min_length)


class Sides(Documented):
    """A number for each side."""

    ours: int
    theirs: int


class ReplyAnswer(Documented):
    """A word and where it lies."""

    word: str
    cells: list[int]
    """In the order of the word."""
    mask: int


class PlacedMove(Documented):
    """A move and what comes of it."""

    word: str
    """Empty for a pass."""
    cells: list[int]
    """In the order of the word."""
    mask: int
    ours: int
    """Our tiles after the move, as a mask."""
    theirs: int
    tiles: Sides
    protected: Sides
    """How many tiles cannot be taken."""
    vulnerability: int
    """LetterPwn's figure: for each of our tiles the tiles beside it that are not ours, added up."""
    outcome: Literal["win", "loss"] | None
    """How the game ends after this move, now or as far as the search looks; null where that is open."""
    value: int
    """Tiles plus three times protected tiles, ours less theirs, as the search leaves them.

    A game won in n plies has the value 1000 - n, a game lost n - 1000. Two passes in a row end a game: to two
    plies, too, our pass counts that wins after theirs.
    """
    depth: int
    """The plies to which the value is exact; fewer than asked for where time ran out.

    Values of different depths cannot be compared, so moves searched deeper come first; games won come before
    and games lost after all others.
    """
    reply: ReplyAnswer | None
    """What the opponent will answer; null after one ply, at the end, and where they pass."""


class MoveAnswer(PlacedMove):
    """A move of the list."""

    others: list[PlacedMove] | None
    """The next best placements of the word, at most five, best first; null without `group`.

    They may be fewer where time ran out.
    """
    ways: int | None
    """In how many ways the word can be laid; null without `group`."""


class Stats(Documented):
    """What there was to search, and what was searched."""

    words: int
    placements: int
    """In how many ways the words can be laid."""
    positions: int
    """How many were evaluated."""
    depth: int
    """The plies to which the answer is exact; three are for the best candidates only."""
    exact: bool
    """Whether that is as deep as was asked for."""
    milliseconds: float


class SolveAnswer(Documented):
    """The best moves, in the order asked for: best first unless `sort` says otherwise."""

    moves: list[MoveAnswer]
    stats: Stats


class BatchRequest(Documented):
    """Several positions at once."""

    model_config = ConfigDict(extra="forbid")

    boards: Annotated[list[SolveRequest], Field(min_length=1, max_length=MOST_BOARDS)]
    """Together they may ask for up to 6,000 moves: the sum of `top`, six times that where `group` is true."""

    @field_validator("boards")
    @classmethod
    def _is_one_answer(cls, boards: list[SolveRequest]) -> list[SolveRequest]:
        moves = sum(board.top * (1 + OTHERS * board.group) for board in boards)
        if moves > MOST_LISTED:
            raise ValueError(
                f"together they ask for {moves:,} moves (top, with group six times as many): "
                f"one answer lists up to {MOST_LISTED:,}"
            )
        return boards


class BatchAnswer(Documented):
    """An answer for each position, in order."""

    answers: list[SolveAnswer]


@router.post("", response_model=SolveAnswer, summary="Solve a Letterpress board")
def solve_letterpress(body: JsonBody[SolveRequest], services: ServicesDep, caller: CallerDep) -> SolveAnswer:
    """The best moves of a position, what the opponent will answer, and why."""
    return solved(body, services, caller)


@router.get("", response_model=SolveAnswer, summary="Solve Letterpress")
def solve_letterpress_by_address(
    query: Annotated[SolveRequest, Query()], services: ServicesDep, caller: CallerDep
) -> SolveAnswer:
    """The same with the fields in the query; lists are written with commas."""
    return solved(query, services, caller)


@router.post("/batch", response_model=BatchAnswer, summary="Solve up to 100 boards")
def solve_letterpress_batch(
    body: JsonBody[BatchRequest], services: ServicesDep, caller: CallerDep
) -> Response:
    """An answer for each board; all are checked before the first is solved."""
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


def solved(asked: SolveRequest, services: Services, caller: Caller) -> SolveAnswer:
    """The answer to a request, computed in the pool. Raises RequestValidationError and PoolFull."""
    position, rules = _checked(asked, services)

    def search() -> tuple[Solution, float]:
        solver = rules.solver  # built by whoever is the first to ask
        began = time.perf_counter()
        is_over = services.pool.deadline(asked.budget_ms)
        solution = solver.solve(
            position,
            top=asked.top,
            plies=asked.plies,
            allowed=allowed_words(rules.lexicon, asked.vocabulary, family_only=asked.family),
            their_allowed=allowed_words(rules.lexicon, asked.opponent_vocabulary, family_only=False),
            constraints=asked.constraints(),
            grouped=asked.group,
            stop=lambda _: is_over(),
        )
        return solution, 1000 * (time.perf_counter() - began)

    with _refusing():
        solution, milliseconds = services.pool.run(caller, "letterpress", search)
    solution = replace(solution, choices=sort_choices(solution.choices, asked.sort))
    return solve_answer(solution, position, asked.plies, milliseconds)


def solve_answer(solution: Solution, position: Position, plies: int, milliseconds: float) -> SolveAnswer:
    """A solution as JSON has it."""
    return SolveAnswer(
        moves=[_listed(choice, position.board, grouped=solution.grouped) for choice in solution.choices],
        stats=Stats(
            words=solution.words,
            placements=solution.placements,
            positions=solution.positions,
            depth=solution.depth,
            exact=solution.depth == plies,
            milliseconds=round(milliseconds, 2),
        ),
    )


def _checked(asked: SolveRequest, services: Services) -> tuple[Position, Letterpress]:
    """The position that is asked about, and the rules. Raises RequestValidationError."""
    check_budget(services, asked.budget_ms)
    position = asked.position()
    with _refusing():
        return position, services.rulebook.rules(Letterpress, services.rulebook.ref(asked.lexicon))


@contextmanager
def _refusing(*inside: str | int) -> Iterator[None]:
    """Raise what is wrong with a request as RequestValidationError, located ``inside`` of that field."""
    try:
        yield
        return
    except RequestValidationError as refused:
        errors = refused.errors()
    except (UnknownLexicon, DamagedLexicon) as missing:
        errors = [{"loc": ("lexicon",), "msg": str(missing)}]
    except TooManyPlacements as refused:
        errors = [{"loc": ("board",), "msg": str(refused)}]
    raise RequestValidationError([one | {"loc": (*inside, *one["loc"])} for one in errors])


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
    """A side's tiles as a mask, in whichever form they came."""
    if isinstance(owned, int):
        return owned
    if isinstance(owned, list):
        return mask_of(owned)
    return mask_of(cell for cell, owner in enumerate(owned) if owner == side)


def _in_query(given: Any) -> Any:
    """What came as one text or as several: a list where it is numbers with commas between them."""
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
