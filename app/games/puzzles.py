"""Puzzles: positions with one clearly best answer, with its verification.

A puzzle states the values of the best answer and of the second best. An answer is right if its value is above
the latter: then it is the solution, or the solution laid out in another way that still beats every other
answer. ``verify`` recomputes all of it.

The form of a position, the value of an answer and the source of positions differ by game: see PuzzleRules.
"""

from abc import ABC, abstractmethod
from base64 import b32encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, TypeAlias, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from app import __version__
from app.games.game import AnyGame, Frozen, IllegalMove, LexiconRef
from app.games.glicko import MEAN, Rating
from app.validation import first_fault
from app.words.lexicon import Lexicon
from app.words.vocabulary import LEVELS, Level, level_of

Theme: TypeAlias = Literal[
    "bingo", "hook", "steal", "block", "out-play", "gem plan", "last word", "swap", "long word"
]
Outcome: TypeAlias = Literal["win", "loss"]
LONG_WORD: Final = 8
"""Letters of a long word."""
MOST_PER_GAME: Final = 2
"""Maximum number of puzzles from one game, so that a set is varied."""
TOLERANCE: Final = 0.01
"""Values that differ by less are equal."""

_DIGITS: Final = 8
ID_PATTERN: Final = f"^[a-z][a-z0-9-]{{0,31}}-[a-z2-7]{{{_DIGITS}}}$"

T = TypeVar("T")


class Given(Frozen):
    """An answer as a player gives it: typed, or by cells."""

    word: Annotated[str, Field(max_length=80)] = ""
    """The word, in either case; in Fribble with its square, such as ``8H WORD``."""
    cells: Annotated[tuple[int, ...], Field(max_length=225)] = ()
    """The cells of the word in order; in Fribble the squares of the tiles laid. Empty if it is typed."""
    tiles: Annotated[str, Field(max_length=7)] = ""
    """Fribble: the tile on each of the squares, lower case for a blank."""

    @property
    def is_empty(self) -> bool:
        """Whether no answer is given."""
        return not self.word.strip() and not self.cells


class Answer(Frozen):
    """A complete answer."""

    word: str
    """Lower case; in Fribble the main word."""
    cells: tuple[int, ...] = ()
    """The cells in the order of the word; in Fribble the squares of the tiles laid. Empty in Scrabblet."""
    tiles: str = ""
    """Fribble: the tiles laid, lower case for a blank."""
    text: str = ""
    """Fribble: the move in standard notation."""


class Judged(NamedTuple):
    """An answer and its value."""

    answer: Answer
    value: float
    exact: bool = True
    """False if the value is an estimate, because the search would take too long."""


class Solved(NamedTuple):
    """The best answer and the best other answer of a position."""

    best: Judged
    second: Judged
    themes: tuple[Theme, ...]
    words: tuple[str, ...]
    """All words that the best answer shows, lower case."""


class Puzzle(Frozen):
    """A position with one clearly best answer."""

    id: Annotated[str, Field(pattern=ID_PATTERN)]
    """Its kind, and a hash of the position and the lexicon."""
    kind: str
    lexicon: LexiconRef
    position: dict[str, Any]
    """See the game's PuzzleRules."""
    solution: Answer
    value: float
    """The value of the solution, in points."""
    second: Answer
    """The best other answer."""
    second_value: float
    themes: tuple[Theme, ...]
    level: Level
    """The vocabulary level of the rarest word of the solution."""
    engine: str
    """The engine that verified it."""
    version: str
    """The version of Wibble that verified it."""

    @property
    def margin(self) -> float:
        """The value of the solution minus that of the best other answer."""
        return round(self.value - self.second_value, 2)

    def settled(self, judged: Judged) -> Judged:
        """Return an answer with its value as known by the puzzle; estimates count as second best at most."""
        same = judged.answer.cells == self.solution.cells and judged.answer.word == self.solution.word
        if same and judged.answer.tiles.upper() == self.solution.tiles.upper():
            return Judged(judged.answer, self.value)
        return judged if judged.exact else Judged(judged.answer, min(judged.value, self.second_value))

    def is_solved_by(self, judged: Judged) -> bool:
        """Whether an answer is right: better than every other one."""
        return judged.value > self.second_value + TOLERANCE

    @property
    def first_rating(self) -> Rating:
        """The rating before the first attempt, estimated from the solution."""
        rarity = {"basic": 0, "common": 120}.get(self.level, 300)
        length = 40 * (min(len(self.solution.word), 10) - 6)
        planned = 60 * len({"block", "gem plan", "out-play", "swap"} & set(self.themes))
        return Rating(MEAN - 200 + rarity + length + planned, deviation=200.0)


class PuzzleRules(ABC):
    """The game-specific part of puzzles. Stateless; ``game`` is the game over the puzzle's lexicon."""

    kind: ClassVar[str]
    engine: ClassVar[str]
    """The engine that computes the values."""
    position_type: ClassVar[type[BaseModel]]
    task: ClassVar[str]
    """What to find, in a few words."""
    hardest: ClassVar[Level]
    """The rarest vocabulary level allowed in a solution."""
    clear_margin: ClassVar[float]
    """The minimum margin of a solution that is clearly best."""
    earliest: ClassVar[int] = 0
    """Puzzles are made only from states after this many turns, which are more varied."""

    @abstractmethod
    def states(self, game: Any, seed: str) -> Iterator[Any]:
        """Yield the states of a game of bots, or of several deals. Deterministic for a seed."""

    @abstractmethod
    def position_of(self, game: Any, state: Any) -> Any | None:
        """Return the part of a state that a puzzle shows; None if the state makes no puzzle."""

    def state_before(self, states: Sequence[Any], ply: int) -> Any | None:
        """Return the state in which a review's turn at this ply was decided; None if unknown."""
        return next((state for state in states if state.ply == ply), None)

    def better_move(self, turn: Mapping[str, Any], *, is_final: bool = False) -> Mapping[str, Any] | None:  # noqa: ARG002
        """Return the better answer named in the stored review of a turn; None if there was none to find.

        None, too, if a deeper search is likely to name another, unless the review ``is_final``.
        """
        return None

    def review_values(
        self,
        position: Any,  # noqa: ARG002
        turn: Mapping[str, Any],  # noqa: ARG002
        better: float,
    ) -> tuple[float, float | None]:
        """Return the values of ``better_move`` and of the turn in the review; None for a turn to be judged.

        ``better`` is the value of ``better_move`` as judged.
        """
        return better, None

    def is_proven(self, turn: Mapping[str, Any]) -> bool:  # noqa: ARG002 - few reviews prove anything
        """Whether the review has proven that no move is better than ``better_move``."""
        return False

    @abstractmethod
    def solve(self, game: Any, position: Any) -> Solved | None:
        """Return the best two answers; None if there are fewer, or they are not exact."""

    @abstractmethod
    def judge(self, game: Any, position: Any, given: Given) -> Judged:
        """Return the complete answer and its value. Raises IllegalMove if it is not possible."""

    def included(self, position: Any) -> str:  # noqa: ARG002 - few values include anything
        """What values include besides the points of the move on the score sheet, such as ``with gems``."""
        return ""

    def outcome(self, value: float) -> Outcome | None:  # noqa: ARG002 - few values decide the game
        """The outcome of the game that a value means; None if it does not decide the game."""
        return None

    def is_common(self, puzzle: "Puzzle") -> bool:
        """Whether the solution has no word rarer than ``hardest``."""
        return LEVELS.index(puzzle.level) <= LEVELS.index(self.hardest)

    def is_fit(self, game: Any, position: Any) -> bool:  # noqa: ARG002 - few positions show words
        """Whether every word that the position shows may be shown."""
        return True

    def lexicon(self, game: type[AnyGame]) -> str:
        """The name of the default lexicon."""
        name: str = game.setup_type().lexicon
        return name


class WrongPuzzle(ValueError):
    """A puzzle that is not correct; the message says which and why."""


def puzzle_id(kind: str, lexicon: str, position: BaseModel) -> str:
    """Return the ID of the puzzle with this position over the lexicon with this hash."""
    digest = sha256(f"{kind} {lexicon} {position.model_dump_json()}".encode()).digest()
    return f"{kind}-{b32encode(digest).decode().lower()[:_DIGITS]}"


def make(rules: PuzzleRules, game: AnyGame, states: Iterable[Any]) -> Iterator[Puzzle]:
    """Yield the puzzles in the states of a game, in order, at most MOST_PER_GAME of a bot game."""
    made = 0
    for state in states:
        early = rules.earliest and len(state.turns) < rules.earliest
        position = None if early else rules.position_of(game, state)
        puzzle = None if position is None else puzzle_of(rules, game, position)
        if puzzle is not None and rules.is_common(puzzle):
            yield puzzle
            made += 1
            if made == MOST_PER_GAME:
                return


def puzzle_of(rules: PuzzleRules, game: AnyGame, position: Any) -> Puzzle | None:
    """Return the puzzle of a position; None if no answer is clearly best, or a word may not be shown.

    The solution may have words of any rarity.
    """
    if not rules.is_fit(game, position):
        return None
    solved = rules.solve(game, position)
    if solved is None or solved.best.value - solved.second.value < rules.clear_margin:
        return None
    if not all(is_shown(game.lexicon, word) for word in solved.words):
        return None
    if not _is_decent(game.lexicon, solved.second.answer.word):
        return None
    rarest = max(solved.words, key=lambda word: _rank(game.lexicon, word))
    return Puzzle(
        id=puzzle_id(rules.kind, game.lexicon.sha256, position),
        kind=rules.kind,
        lexicon=LexiconRef.of(game.lexicon),
        position=position.model_dump(mode="json"),
        solution=solved.best.answer,
        value=round(solved.best.value, 2),
        second=solved.second.answer,
        second_value=round(solved.second.value, 2),
        themes=solved.themes,
        level=level_of(game.lexicon, rarest),
        engine=rules.engine,
        version=__version__,
    )


def verify(rules: PuzzleRules, game: AnyGame, puzzle: Puzzle) -> None:
    """Recompute a puzzle and compare. Raises WrongPuzzle."""
    compare(rules, game, puzzle, puzzle_of(rules, game, position_in(rules, puzzle)))


def compare(rules: PuzzleRules, game: AnyGame, puzzle: Puzzle, again: Puzzle | None) -> None:
    """Compare a puzzle with the one recomputed from its position. Raises WrongPuzzle."""
    if again is None:
        raise WrongPuzzle(f"{puzzle.id}: no answer is clearly best")
    position = position_in(rules, puzzle)
    judged = rules.judge(game, position, given_of(puzzle.solution))
    own = round(judged.value, 2) if judged.exact else None
    for name, stated, found in (
        ("id", puzzle.id, again.id),
        ("solution", puzzle.solution.word, again.solution.word),
        ("value", puzzle.value, again.value),
        ("value of the solution as an answer", puzzle.value if judged.exact else None, own),
        ("second value", puzzle.second_value, again.second_value),
        ("themes", puzzle.themes, again.themes),
    ):
        if stated != found and not _are_near(stated, found):
            raise WrongPuzzle(f"{puzzle.id}: the {name} is {found}, not {stated}")


def position_in(rules: PuzzleRules, puzzle: Puzzle) -> Any:
    """Return the position of a puzzle. Raises WrongPuzzle."""
    try:
        return rules.position_type.model_validate(puzzle.position)
    except ValidationError as error:
        raise WrongPuzzle(f"{puzzle.id}: {first_fault(error, 'position')}") from None


def given_of(answer: Answer) -> Given:
    """Return a complete answer as one that a player gives."""
    return Given(word=answer.word, cells=answer.cells, tiles=answer.tiles)


def read_puzzles(text: str) -> Iterator[Puzzle]:
    """Yield the puzzles of a file of JSON lines. Raises WrongPuzzle, naming line and field."""
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            yield _PUZZLE.validate_json(line)
        except ValidationError as error:
            raise WrongPuzzle(f"line {number}: {first_fault(error)}") from None


def is_shown(lexicon: Lexicon, word: str) -> bool:
    """Whether a word is in the lexicon and neither profanity nor a name."""
    index = lexicon.index(word)
    return index is not None and not lexicon.names[index] and _is_decent(lexicon, word)


def _is_decent(lexicon: Lexicon, word: str) -> bool:
    """Whether a word is not profanity; words that are not in the lexicon pass."""
    index = lexicon.index(word)
    return index is None or bool(lexicon.family[index])


def bot_game(
    game: AnyGame, options: Any, levels: tuple[int, ...], seed: str, most_turns: int
) -> Iterator[Any]:
    """Yield the states of a game between bots of these levels, one per seat, while a seat is to move."""
    state = game.start(options, len(levels), seed)
    for move in game.opening(options):
        state = game.apply(state, 0, move, 0.0)
    for _ in range(most_turns):
        seat = game.to_move(state)
        if seat is None:
            return
        yield state
        try:
            state = game.apply(state, seat, game.bot(state, seat, levels[seat]).move, 0.0)
        except IllegalMove:  # a bot that has nothing left to play
            return


_PUZZLE: Final = TypeAdapter(Puzzle)


def _rank(lexicon: Lexicon, word: str) -> int:
    index = lexicon.index(word)
    return 0 if index is None else int(lexicon.ranks[index])


def _are_near(stated: object, found: object) -> bool:
    numbers = isinstance(stated, float | int) and isinstance(found, float | int)
    return numbers and abs(float(stated) - float(found)) <= TOLERANCE  # type: ignore[arg-type]
