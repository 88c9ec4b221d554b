"""Study boards of Wibble: a position, and the words and powers played from it.

The tiles that replace those of a word are unknown, like new gems and bonuses, until they are entered. Words
that are not in the list are reported, not refused.
"""

import re
from math import isqrt
from typing import Annotated, ClassVar, Final, Literal, NamedTuple, NoReturn

from pydantic import Field, field_validator

from app.games.game import Frozen
from app.games.grid import grid
from app.games.study_tree import BadStudy, Played, StudyRules, collecting_faults, raise_all
from app.games.wibble.modes import ModeRules, modes
from app.games.wibble.options import LARGEST, SMALLEST, Choices, Power
from app.games.wibble.rules import Wibble
from app.games.wibble.scoring import Scoring, points
from app.games.wibble.state import Board, Bonus
from app.games.wibble.teams import team_of
from app.grammar import format_count, format_range, numbered
from app.validation import quote, shorten
from app.words.letters import letter_values
from app.words.library import Library

UNKNOWN: Final = "."
"""The letter of an unknown tile, which no path can use."""
PASS: Final = "pass"  # noqa: S105 - the move
SHUFFLE: Final = "shuffle"
HINT: Final = "hint"
RESIGN: Final = "resign"
SWAP: Final = "swap"
_WORD: Final = re.compile(r"([a-z]+)(\*?)")

Cells = Annotated[tuple[int, ...], Field(max_length=LARGEST**2)]
Numbers = Annotated[tuple[Annotated[int, Field(ge=0, le=100_000)], ...], Field(max_length=6)]
StudyMode = Literal["classic", "versus", "teams", "zen", "blitz"]


class StudyPosition(Frozen):
    """A position of Wibble in any mode but Adventure."""

    mode: StudyMode = "classic"
    board: Annotated[str, Field(pattern=r"^[a-z.]+$", max_length=LARGEST**2)]
    """The letters, row by row, ``.`` for an unknown one; 4x4 to 7x7."""
    gems: Cells = ()
    """The cells with a gem, ascending."""
    dl: int | None = None
    """The cell that counts double."""
    tl: int | None = None
    """The cell that counts triple."""
    x2: int | None = None
    """The cell that doubles the word."""
    round: Annotated[int, Field(ge=1, le=10_000)] = 1
    """The current round; after the last round of a mode the game is over."""
    scores: Numbers = ()
    """Per seat; by default 0, for the mode's minimum number of players."""
    held: Numbers = ()
    """The gems of each seat; by default those at the start."""
    to_move: Annotated[int, Field(ge=0, le=5)] = 0
    left: Annotated[tuple[int, ...], Field(max_length=6)] = ()
    """The seats that have left the game."""
    played: Annotated[tuple[Annotated[str, Field(pattern="^[a-z]{2,49}$")], ...], Field(max_length=500)] = ()
    """The words so far, in modes in which each word counts once."""
    values: Literal["scrabble", "spellcast"] | None = None
    """The table of letter values; None for the mode's."""
    lexicon: Annotated[str, Field(max_length=32)] = Library.default

    @field_validator("board", mode="before")
    @classmethod
    def _one_text(cls, given: object) -> object:
        if isinstance(given, list | tuple) and all(isinstance(row, str) for row in given):
            given = "".join(given)
        return "".join(given.lower().split()) if isinstance(given, str) else given

    @field_validator("board")
    @classmethod
    def _a_square(cls, board: str) -> str:
        side = isqrt(len(board))
        if side**2 != len(board) or not SMALLEST <= side <= LARGEST:
            raise ValueError(f"{format_count(len(board), 'letter')}; accepted: 16, 25, 36 or 49")
        return board

    @property
    def size(self) -> int:
        """Tiles to a side."""
        return isqrt(len(self.board))

    @property
    def rules(self) -> ModeRules:
        """The rules of the mode."""
        return modes()[self.mode]

    @property
    def scoring(self) -> Scoring:
        """How words are scored."""
        rules = self.rules
        table = letter_values(self.values or rules.values)
        return Scoring(table, rules.long_word_length, rules.long_word_bonus)

    @property
    def tiles(self) -> Board:
        """The board with its gems and bonuses."""
        letter = Bonus(cell=self.dl, factor=2) if self.dl is not None else None
        letter = Bonus(cell=self.tl, factor=3) if self.tl is not None else letter
        word = None if self.x2 is None else Bonus(cell=self.x2, factor=2)
        return Board(letters=self.board, gems=self.gems, letter_bonus=letter, word_bonus=word)

    @property
    def unknown(self) -> int:
        """The number of unknown tiles."""
        return self.board.count(UNKNOWN)


class WibbleStudy(StudyRules[StudyPosition]):
    """Moves are written as follows; cells are numbered row by row from 0.

    ``FUSSY 3 4 10 11 2`` is a word with its cells; without them it takes its best path. ``swap 10 S`` swaps a
    tile, ``swap 10 S FUSSY 3 4 10 11 2`` plays a word with it. ``XQZ* 3 4 5`` is a chain in Zen that is not
    a word, whose tiles are replaced. The others are ``pass``, ``shuffle``, ``hint``, ``resign`` and, out of
    turn, ``resign 2``.
    """

    kind: ClassVar[str] = Wibble.kind
    position_type: ClassVar[type[Frozen]] = StudyPosition
    known: ClassVar[frozenset[str]] = frozenset({"board", "gems", "dl", "tl", "x2"})

    def seats(self, position: StudyPosition) -> int:
        return len(position.scores)

    def checked(self, game: Wibble, position: StudyPosition) -> StudyPosition:
        rules = position.rules
        faults: list[BadStudy] = []
        for name in ("gems", "dl", "tl", "x2"):
            with collecting_faults(faults):
                _check_cells(position, rules, name)
        gems = tuple(sorted(set(position.gems)))
        most = rules.gems.on_board if rules.gems else 0
        if len(gems) > most:
            cells = format_count(len(gems), "cell")
            faults.append(BadStudy(f"gems: {cells}: a board of {rules.title} has up to {most}", "gems"))
        if rules.rounds and position.round > rules.rounds + 1:
            after_end = f"round: {position.round} is after the end: there are {rules.rounds}"
            faults.append(BadStudy(after_end, "round"))
        position = _with_seats(position.model_copy(update={"gems": gems}), rules, faults)
        raise_all(faults)
        return position

    def play(self, game: Wibble, position: StudyPosition, move: str) -> Played:
        first, *rest = re.split(r"[\s,;]+", move.strip().lower()) or [""]
        if first == RESIGN and len(rest) <= 1:
            return _resigned(position, rest)
        if first == SWAP and len(rest) > 1 and re.fullmatch("[a-z]", rest[1]):
            return _swapped(game, position, rest)
        if not rest and first in (PASS, "-"):
            if not position.rules.rounds:
                raise BadStudy(f"{position.rules.title} has no turns to pass")
            return Played(_next_turn(position), PASS)
        if not rest and first == HINT:
            return Played(_paid(position, "hint"), HINT)
        if not rest and first == SHUFFLE:
            cells = tuple(range(len(position.board)))
            hidden = {"board": UNKNOWN * len(cells), "gems": (), "dl": None, "tl": None, "x2": None}
            return Played(_paid(position, "shuffle").model_copy(update=hidden), SHUFFLE, detail=cells)
        return _word(game, position, [first, *rest])

    def ending(self, position: StudyPosition) -> str | None:
        rules, seats = position.rules, len(position.scores)
        if rules.rounds and position.round > rules.rounds:
            return f"all {rules.rounds} rounds are played"
        teams = {team_of(rules, seat) for seat in range(seats) if seat not in position.left}
        return "all others resigned" if seats > 1 and len(teams) <= 1 else None


class _Chain(NamedTuple):
    """A word on its path."""

    word: str
    cells: tuple[int, ...]
    counts: bool
    """Whether it is played as a word."""

    @property
    def text(self) -> str:
        """The move as it is stored."""
        return word_text(self.word, self.cells, counts=self.counts)


def word_text(word: str, cells: tuple[int, ...], *, counts: bool = True) -> str:
    """Return a word as it is stored."""
    return " ".join([word.upper() + ("" if counts else "*"), *map(str, cells)])


def swap_text(swaps: tuple[tuple[int, str], ...]) -> str:
    """Return swaps as they are stored."""
    return " ".join([SWAP, *(f"{cell} {letter.upper()}" for cell, letter in swaps)])


def _check_cells(position: StudyPosition, rules: ModeRules, name: str) -> None:
    """Check the cells of the gems or of a bonus. Raises BadStudy."""
    if name == "tl" and position.dl is not None and position.tl is not None:
        raise BadStudy("tl: a board has one letter bonus, DL or TL", "tl")
    accepted = {"dl": 2 in rules.letter_bonus_factors, "tl": 3 in rules.letter_bonus_factors}
    accepted["x2"] = rules.word_bonus_factor == 2
    value = getattr(position, name)
    for cell in value if isinstance(value, tuple) else (value,):
        if cell is not None and not 0 <= cell < len(position.board):
            _refuse_cell(position, cell, f"{name}: ", name)
    if value is not None and not accepted.get(name, True):
        raise BadStudy(f"{name}: {rules.title} has no such bonus", name)


def _with_seats(position: StudyPosition, rules: ModeRules, faults: list[BadStudy]) -> StudyPosition:
    """Return the position with scores and gems for every seat; add its errors to ``faults``."""
    accepted = Wibble.seats(Choices(mode=position.mode))
    scores = position.scores or (0,) * (len(position.held) or accepted[0])
    held = position.held or (rules.gems.start if rules.gems else 0,) * len(scores)
    if len(scores) not in accepted:
        given, seats = format_count(len(scores), "score"), format_range(accepted, "player")
        faults.append(BadStudy(f"scores: {given}: {rules.title} is for {seats}", "scores"))
        return position  # the other fields depend on the number of players
    most = rules.gems.most if rules.gems else 0
    if len(held) != len(scores):
        players = format_count(len(scores), "player")
        numbers = format_count(len(held), "number")
        faults.append(BadStudy(f"held: {numbers} of gems for {players}", "held"))
    elif max(held) > most:
        gems = format_count(max(held), "gem")
        faults.append(BadStudy(f"held: {gems}: a player of {rules.title} has up to {most}", "held"))
    for seat in position.left:
        if not 0 <= seat < len(scores):
            no_seat = f"left: there is no seat {seat}: {numbered(len(scores), 'seat')}"
            faults.append(BadStudy(no_seat, "left"))
    if position.to_move >= len(scores) or position.to_move in position.left:
        faults.append(BadStudy(f"to_move: player {position.to_move + 1} does not play", "to_move"))
    left = tuple(dict.fromkeys(position.left))
    return position.model_copy(update={"scores": scores, "held": held, "left": left})


def _refuse_cell(position: StudyPosition, cell: int | str, where: str = "", *location: str) -> NoReturn:
    last = len(position.board) - 1
    raise BadStudy(f"{where}cell {cell} is not on the board: cells are 0 to {last}", *location)


def _paid(position: StudyPosition, power: Power, count: int = 1) -> StudyPosition:
    """Return the position after the side to move has paid for a power. Raises BadStudy."""
    cost, held = position.rules.costs.get(power), position.held[position.to_move]
    if cost is None:
        raise BadStudy(f"{position.rules.title} has no {power}")
    if held < cost * count:
        needed = format_count(cost * count, "gem")
        raise BadStudy(f"{format_count(count, power)}: this costs {needed}, the player has {held}")
    return _with_held(position, held - cost * count)


def _with_held(position: StudyPosition, held: int) -> StudyPosition:
    return position.model_copy(update={"held": _replaced(position.held, position.to_move, held)})


def _replaced(numbers: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    return (*numbers[:place], number, *numbers[place + 1 :])


def _next_turn(position: StudyPosition) -> StudyPosition:
    """Return the position in the next player's turn, whose bonuses are unknown."""
    seat, round_ = position.to_move, position.round
    while True:
        seat += 1
        if seat == len(position.scores):
            seat, round_ = 0, round_ + 1
        if seat not in position.left:
            break
    turn = {"to_move": seat, "round": round_, "dl": None, "tl": None, "x2": None}
    return position.model_copy(update=turn)


def _resigned(position: StudyPosition, named: list[str]) -> Played:
    """Return the position after a player has left; the others play on."""
    seats = len(position.scores)
    text = named[0] if named else str(position.to_move + 1)
    if seats == 1:
        raise BadStudy("resign is a move of games for several players, and this one is for one")
    if not text.isdecimal() or not 1 <= int(text) <= seats or int(text) - 1 in position.left:
        raise BadStudy(f"player {quote(text)} cannot resign: players are 1 to {seats}, those who play on")
    seat = int(text) - 1
    reached = position.model_copy(update={"left": (*position.left, seat)})
    if seat == position.to_move:
        reached = _next_turn(reached) if len(reached.left) < seats else reached
    return Played(reached, f"{RESIGN} {seat + 1}")


def _swapped(game: Wibble, position: StudyPosition, rest: list[str]) -> Played:
    """Return the position after swaps, and after the word with them if there is one."""
    board, swaps = list(position.board), list[tuple[int, str]]()
    while len(rest) > 1 and rest[0].isdecimal() and re.fullmatch("[a-z]", rest[1]):
        cell, letter, *rest = int(rest[0]), rest[1], *rest[2:]
        if cell >= len(board):
            _refuse_cell(position, cell)
        if board[cell] == UNKNOWN:
            raise BadStudy(f"cell {cell} is unknown: enter its letter first")
        if board[cell] == letter:
            raise BadStudy(f"cell {cell} is {letter.upper()} already: choose another letter")
        board[cell] = letter
        swaps.append((cell, letter))
    if not swaps:
        raise BadStudy(f"{quote(rest[0])} is not a cell: a swap is written as swap 10 S")
    paid = _paid(position, "swap", len(swaps)).model_copy(update={"board": "".join(board)})
    text = swap_text(tuple(swaps))
    if not rest:
        return Played(paid, text, cells=tuple(cell for cell, _ in swaps))
    step = _word(game, paid, rest)
    return step._replace(move=f"{text} {step.move}")


def _word(game: Wibble, position: StudyPosition, parts: list[str]) -> Played:
    """Return the position after a word, or in Zen after a chain that is not a word."""
    chain = _chain(game, position, parts)
    rules, seat = position.rules, position.to_move
    board = "".join(UNKNOWN if cell in chain.cells else each for cell, each in enumerate(position.board))
    gems = tuple(cell for cell in position.gems if cell not in chain.cells)
    replaced = position.model_copy(update={"board": board, "gems": gems})
    fresh = tuple(sorted(chain.cells))
    if not chain.counts:
        if position.mode != "zen":
            raise BadStudy(f"{chain.word.upper()}*: only in Zen tiles of other chains may be replaced")
        return Played(replaced, chain.text, cells=chain.cells, detail=fresh)
    if rules.once_per_word and chain.word in position.played:
        raise BadStudy(f"{chain.word.upper()} was played already: in {rules.title} a word counts once")
    scored = points(position.tiles, chain.cells, position.scoring)
    held = position.held[seat] + len(position.gems) - len(gems)
    scores = _replaced(position.scores, seat, position.scores[seat] + scored)
    played = (*position.played, chain.word) if rules.once_per_word else position.played
    paid = _with_held(replaced, min(held, rules.gems.most) if rules.gems else held)
    reached = _next_turn(paid.model_copy(update={"scores": scores, "played": played}))
    unlisted = () if chain.word in game.lexicon else (chain.word.upper(),)
    return Played(reached, chain.text, scored, unlisted, chain.cells, fresh)


def _chain(game: Wibble, position: StudyPosition, parts: list[str]) -> _Chain:
    """Parse a word, with its cells if they are given. Raises BadStudy."""
    match = _WORD.fullmatch(parts[0])
    if match is None:
        given = quote(" ".join(parts))
        raise BadStudy(f"{given} is not a move; accepted: a word, swap 10 S, shuffle, hint and pass")
    word, counts = match[1], not match[2]
    if len(word) == 1:
        raise BadStudy(f"{word.upper()} has 1 letter: a word has 2 or more")
    if len(parts) == 1:
        found = game.solver.best_path(position.tiles, position.size, position.scoring, word)
        if found is None:
            raise BadStudy(f"{word.upper()} cannot be traced on this board")
        return _Chain(word, found.cells, counts)
    cells = _path(position, parts[1:])
    if (spelled := "".join(position.board[cell] for cell in cells)) != word:
        raise BadStudy(f"these cells spell {spelled.upper()}, not {word.upper()}")
    return _Chain(word, cells, counts)


def _path(position: StudyPosition, texts: list[str]) -> tuple[int, ...]:
    """Parse the cells of a word. Raises BadStudy."""
    near, cells = grid(position.size, position.size), list[int]()
    for text in texts:
        if not text.isdecimal() or len(text) > 2 or int(text) >= len(position.board):
            _refuse_cell(position, shorten(text))
        cell = int(text)
        if position.board[cell] == UNKNOWN:
            raise BadStudy(f"cell {cell} is unknown: enter its letter first")
        if cell in cells:
            raise BadStudy(f"cell {cell} is used twice: each tile counts once in a word")
        if cells and not near.touch(cells[-1], cell):
            raise BadStudy(
                f"cell {cell} does not touch cell {cells[-1]}: each tile must touch the one before"
            )
        cells.append(cell)
    return tuple(cells)
