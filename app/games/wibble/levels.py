"""The levels of Adventure, from ``data/wibble/adventure.toml``, and the measurements of them.

A layout has a row of cells per line. A cell is ``#`` (a wall), or a letter, or ``.`` for a letter that is
drawn. The letter may be followed by the tile's obstacle: ``*`` to ``***`` (one to three layers of ice), ``=``
(fixed), ``+`` (marked) or ``!7`` (a bomb that goes off with the seventh word).

The rules are explained in ``adventure.py``.
"""

import re
import tomllib
from collections.abc import Iterable
from functools import cache, cached_property
from typing import Annotated, Final, Literal, NamedTuple, Self

from pydantic import Field, TypeAdapter, model_validator

from app.games.game import Frozen, UnknownLevel
from app.grammar import format_count
from app.resources import resource
from app.validation import quote

WALL: Final = "."
"""The letter of a cell that no word can use: a wall, or for the solver a frozen tile."""
SIDES: Final = range(4, 8)
Obstacle = Literal["wall", "frozen", "fixed", "bomb", "marked"]
GoalType = Literal["points", "words", "gems", "frozen", "marked", "bombs"]

_CELL: Final = re.compile(r"(#|[a-z.])(\*{1,3}|=|\+|!(\d{1,2}))?")


class Cell(NamedTuple):
    """A cell of a layout."""

    letter: str
    """WALL for a wall; empty if the letter is drawn."""
    obstacle: Obstacle | None = None
    amount: int = 0
    """Layers of ice, or words until the bomb goes off."""


class Goal(Frozen):
    """Something to be done in a level."""

    type: GoalType
    count: Annotated[int, Field(ge=1, le=10_000)] | None = None
    """Points, words or gems; None for all frozen tiles, marked tiles or bombs of the layout."""
    length: Annotated[int, Field(ge=2, le=25)] | None = None
    """For a goal of words: the minimum length of words that count."""

    @model_validator(mode="after")
    def _counted(self) -> Self:
        if (self.count is None) != (self.type in ("frozen", "marked", "bombs")):
            raise ValueError("points, words and gems have a count; frozen, marked and bombs mean all of them")
        if self.length is not None and self.type != "words":
            raise ValueError("only words have a length")
        return self


class Costs(Frozen):
    """The cost of each power in gems; None if the level does not have the power."""

    shuffle: Annotated[int, Field(ge=0, le=20)] | None = None
    swap: Annotated[int, Field(ge=0, le=20)] | None = None
    hint: Annotated[int, Field(ge=0, le=20)] | None = None


class LevelGems(Frozen):
    """The gems of a level."""

    start: Annotated[int, Field(ge=0, le=20)] = 0
    most: Annotated[int, Field(ge=0, le=20)] = 10
    on_board: Annotated[int, Field(ge=0, le=25)] = 0


class Level(Frozen):
    """A level. Games store a copy of it, so that changes of the data do not affect them."""

    name: Annotated[str, Field(pattern="^[a-z][a-z-]{1,31}$")]
    """The name in addresses and the API."""
    title: Annotated[str, Field(max_length=40)]
    story: Annotated[str, Field(max_length=120)]
    layout: Annotated[tuple[str, ...], Field(min_length=SIDES[0], max_length=SIDES[-1])]
    """A text per row, with spaces between the cells."""
    moves: Annotated[int, Field(ge=1, le=99)]
    """Words that may be played."""
    goals: Annotated[tuple[Goal, ...], Field(min_length=1, max_length=4)]
    gems: LevelGems | None = None
    costs: Costs = Costs()
    min_words: Annotated[int, Field(ge=0, le=100)] = 15
    """The minimum number of common words that can be played after each word, as on any board."""
    stars: tuple[int, int] | None = None
    """The most words of a win with three stars, and with two; other wins have one. None until measured."""

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if any(len(row.split()) != self.size for row in self.layout):
            raise ValueError(f"{self.name}: each of the {self.size} rows has {self.size} cells")
        present = {cell.obstacle for cell in self.cells}
        needed: dict[str, Obstacle] = {"frozen": "frozen", "marked": "marked", "bombs": "bomb"}
        for goal in self.goals:
            if goal.type in needed and needed[goal.type] not in present:
                raise ValueError(f"{self.name}: a goal is {goal.type}, and the layout has none")
            if goal.type == "gems" and not (self.gems and self.gems.on_board):
                raise ValueError(f"{self.name}: a goal is gems, and there are none on the board")
        if len({goal.type for goal in self.goals if goal.type != "words"}) < sum(
            goal.type != "words" for goal in self.goals
        ):
            raise ValueError(f"{self.name}: a type of goal appears twice")
        if self.stars is not None and not 1 <= self.stars[0] <= self.stars[1] <= self.moves:
            raise ValueError(f"{self.name}: thresholds of stars ascend, up to the number of moves")
        return self

    @property
    def size(self) -> int:
        """The side of the board."""
        return len(self.layout)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The layout, cell by cell. Raises ValueError for a cell that cannot be read."""
        return tuple(_cell(text) for row in self.layout for text in row.split())

    def at(self, obstacle: Obstacle) -> tuple[int, ...]:
        """Return the cells that have this obstacle at the start, ascending."""
        return tuple(number for number, cell in enumerate(self.cells) if cell.obstacle == obstacle)

    def counts(self, obstacle: Obstacle) -> tuple[tuple[int, int], ...]:
        """Return the cells that have this obstacle at the start, each with its count."""
        return tuple((number, self.cells[number].amount) for number in self.at(obstacle))

    def target(self, goal: Goal) -> int:
        """Return the number that reaches the goal: points, words, gems, layers of ice or tiles."""
        if goal.count is not None:
            return goal.count
        if goal.type == "frozen":
            return sum(layers for _, layers in self.counts("frozen"))
        return len(self.at("marked" if goal.type == "marked" else "bomb"))

    def describe(self, goal: Goal) -> str:
        """Return the goal in a few words: ``2 words of 5 letters or more``."""
        target = self.target(goal)
        match goal.type:
            case "points":
                return f"Score {format_count(target, 'point')}"
            case "words":
                least = f" of {goal.length} letters or more" if goal.length else ""
                return f"Play {format_count(target, 'word')}{least}"
            case "gems":
                return f"Collect {format_count(target, 'gem')}"
            case "frozen":
                return "Melt all the ice"
            case "marked":
                return f"Use {format_count(target, 'marked letter')}"
            case "bombs":
                return f"Defuse {format_count(target, 'bomb')}"

    def stars_for(self, moves: int) -> int:
        """Return the stars of a win in ``moves`` words: 1 to 3."""
        three, two = self.stars or (0, 0)
        return 3 if moves <= three else 2 if moves <= two else 1


class Progress(Frozen):
    """The progress of a level."""

    moves: int = 0
    """Words played."""
    frozen: tuple[tuple[int, int], ...] = ()
    """The cells still frozen, each with its layers of ice."""
    bombs: tuple[tuple[int, int], ...] = ()
    """The cells with a bomb, each with the words left until it goes off; 0 if it has gone off."""
    marked: tuple[int, ...] = ()
    """The marked tiles not yet used."""


class GoalView(Frozen):
    """A goal as players see it."""

    type: GoalType
    text: str
    """The goal in a few words."""
    reached: int
    """The progress, up to ``target``."""
    target: int
    """Points, words, gems, layers of ice, marked tiles or bombs."""


class LevelView(Frozen):
    """The level of a game of Adventure."""

    name: str
    """The name for addresses and requests."""
    title: str
    story: str
    """One sentence."""
    number: int | None
    """None if the level no longer exists."""
    next: str | None
    """The name of the level after it; None for the last."""
    goals: tuple[GoalView, ...]
    """All of them have to be reached."""
    moves: int
    """Words that may be played."""
    moves_left: int
    """Words that may still be played."""
    stars_within: tuple[int, int]
    """The most words for three stars, and for two; 0 for none."""
    won: bool | None
    """None while the game is running."""
    stars: int
    """0 to 3; 0 unless it is won."""


class Measured(Frozen):
    """What bots achieved in a level."""

    runs: int
    """Games that each bot played."""
    won: tuple[float, ...]
    """The share that each bot won, weakest bot first."""
    stars: tuple[int, int]

    @property
    def ease(self) -> float:
        """The share of all games that the bots won, 0 to 1. The levels are sorted by it, easiest first."""
        # Whole games: sums of these shares differ by rounding, also between versions of Python.
        return sum(round(share * self.runs) for share in self.won) / (self.runs * len(self.won))


class Chapter(Frozen):
    """Levels under one title."""

    title: str
    levels: tuple[Level, ...]


@cache
def chapters() -> tuple[Chapter, ...]:
    """Return the levels by chapter, in order, with their measured thresholds of stars."""
    text = (resource("data") / "wibble" / "adventure.toml").read_text(encoding="utf-8")
    found = TypeAdapter(tuple[Chapter, ...]).validate_python(tomllib.loads(text)["chapter"])
    return tuple(
        chapter.model_copy(update={"levels": tuple(_with_stars(level) for level in chapter.levels)})
        for chapter in found
    )


@cache
def measured() -> dict[str, Measured]:
    """Return the measurements of each level, by name; see ``data/build/adventure.py``."""
    file = resource("data") / "wibble" / "adventure-measured.toml"
    return TypeAdapter(dict[str, Measured]).validate_python(tomllib.loads(file.read_text(encoding="utf-8")))


@cache
def levels() -> dict[str, Level]:
    """Return all levels by name, in order."""
    return {level.name: level for chapter in chapters() for level in chapter.levels}


def find_level(name: str) -> Level:
    """Return a level by its name or its number, from 1. Raises UnknownLevel."""
    found = levels()
    if name in found:
        return found[name]
    if name.isascii() and name.isdecimal() and len(name) < 4 and 1 <= int(name) <= len(found):
        return [*found.values()][int(name) - 1]
    raise UnknownLevel(f"there is no level {quote(name)}: levels are 1 to {len(found)}, or their names")


def number_of(name: str) -> int | None:
    """Return the number of a level, from 1; None if there is none of this name."""
    return next((number for number, other in enumerate(levels(), start=1) if other == name), None)


def level_after(name: str) -> str | None:
    """Return the name of the level after this one; None for the last, or a level that no longer exists."""
    number, names = number_of(name), list(levels())
    return names[number] if number is not None and number < len(names) else None


def without(letters: str, cells: Iterable[int]) -> str:
    """Return the letters of a board with WALL at ``cells``, so that no word is found there."""
    marked = list(letters)
    for cell in cells:
        marked[cell] = WALL
    return "".join(marked)


def _with_stars(level: Level) -> Level:
    known = measured().get(level.name)
    return level.model_copy(update={"stars": known.stars}) if known else level


def _cell(text: str) -> Cell:
    found = _CELL.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not a cell of a layout")
    letter, sign, left = found[1], found[2] or "", found[3]
    if letter == "#":
        if sign:
            raise ValueError(f"{text!r}: a wall cannot have an obstacle")
        return Cell(WALL, "wall")
    drawn = "" if letter == "." else letter
    if sign.startswith("*"):
        return Cell(drawn, "frozen", len(sign))
    if left:
        return Cell(drawn, "bomb", int(left))
    kinds: dict[str, Obstacle | None] = {"": None, "=": "fixed", "+": "marked"}
    return Cell(drawn, kinds[sign])
