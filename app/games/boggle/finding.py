"""Find them all: the common words of a board are the goal, all others a bonus; hints have a budget."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, Literal, TypeAlias

from pydantic import Field

from app.games.boggle.solver import FoundWord
from app.games.game import Frozen, IllegalMove
from app.resources import resource
from app.words.lexicon import Lexicon
from app.words.vocabulary import is_common

MODE: Final = "find_all"
"""The mode's name in statistics."""
DAILY: Final = "find-them-all"
"""The name of its daily."""
Kind: TypeAlias = Literal["counts", "letter"]


class HintRules(Frozen):
    """What hints cost, from ``data/boggle/game.toml``."""

    budget: int = Field(ge=0)
    counts: int = Field(ge=0)
    """The cost of the counts by length and first letter."""
    letter: int = Field(ge=0)
    """The cost of one letter."""

    def cost(self, kind: Kind) -> int:
        """Return the cost of a hint."""
        return self.counts if kind == "counts" else self.letter


@cache
def hint_rules() -> HintRules:
    """Return the rules of hints."""
    table = tomllib.loads((resource("data") / "boggle" / "game.toml").read_text(encoding="utf-8"))
    return HintRules.model_validate(table["hints"])


class Clue(Frozen):
    """The first letters of a word, as hints have shown them."""

    word: str
    shown: int
    """The number of letters shown."""


class Hints(Frozen):
    """The hints that a seat has taken."""

    spent: int = 0
    counts: bool = False
    """Whether the counts by length and first letter are shown; they follow the words found."""
    clues: tuple[Clue, ...] = ()
    """In the order begun."""


class LengthProgress(Frozen):
    """The common words of one length."""

    letters: int
    """Their length."""
    found: int
    """How many are found."""
    total: int
    """How many the board has."""


class LetterCounts(Frozen):
    """The common words still to find that start with one letter."""

    letter: str
    """The first letter."""
    counts: tuple[int, ...]
    """The number of words of each length, in the order of ``Progress.lengths``."""


class ClueView(Frozen):
    """A word that hints have begun to spell."""

    start: str
    """The letters shown."""
    letters: int
    """The length of the word."""
    found: bool
    """Whether the seat has found it since."""


class Progress(Frozen):
    """A seat's progress on a board, and its hints. Contains no letter that a hint has not shown."""

    common: int
    """Common words found."""
    common_total: int
    """Common words on the board."""
    bonus: int
    """Other words found."""
    percent: float
    """Common words found as a percentage of all."""
    lengths: tuple[LengthProgress, ...]
    """Ascending by length."""
    hints_left: int
    """The part of the budget that is left."""
    hints_spent: int
    """The cost of the hints taken."""
    counts: tuple[LetterCounts, ...] | None
    """In alphabetical order; None until this hint is taken."""
    clues: tuple[ClueView, ...]
    """Words that hints have begun to spell, in the order begun."""


def common_of(words: Iterable[FoundWord], lexicon: Lexicon) -> tuple[FoundWord, ...]:
    """Return the common ones of a board's words, shortest and best known first: the order of hints."""
    common = [word for word in words if is_common(lexicon, word.entry)]
    common.sort(key=lambda word: (len(word.word), int(lexicon.ranks[word.entry]), word.word))
    return tuple(common)


def take_hint(hints: Hints, kind: Kind, common: Sequence[str], found: Iterable[str]) -> Hints:
    """Return the hints after another one. Raises IllegalMove if it is not available.

    A letter belongs to the word begun last, until it is found or complete; then the next word is begun.
    """
    rules, known = hint_rules(), set(found)
    spent = hints.spent + rules.cost(kind)
    if spent > rules.budget:
        raise IllegalMove(f"not enough hints left: {rules.budget - hints.spent} of {rules.budget}")
    if kind == "counts":
        if hints.counts:
            raise IllegalMove("the counts are shown already")
        return hints.model_copy(update={"spent": spent, "counts": True})
    begun = {clue.word for clue in hints.clues}
    last = hints.clues[-1] if hints.clues else None
    if last and last.word not in known and last.shown < len(last.word):
        clues = (*hints.clues[:-1], Clue(word=last.word, shown=last.shown + 1))
    else:
        word = next((word for word in common if word not in known and word not in begun), None)
        if word is None:
            raise IllegalMove("there is no word left to hint at")
        clues = (*hints.clues, Clue(word=word, shown=1))
    return hints.model_copy(update={"spent": spent, "clues": clues})


def progress(hints: Hints, common: Sequence[str], found: Sequence[str]) -> Progress:
    """Return the progress of a seat that has ``found`` these words."""
    known = set(found)
    left = [word for word in common if word not in known]
    totals, missing = Counter(map(len, common)), Counter(map(len, left))
    lengths = tuple(sorted(totals))
    cells = Counter((word[0], len(word)) for word in left)
    number = len(common) - len(left)
    return Progress(
        common=number,
        common_total=len(common),
        bonus=len(known) - number,
        percent=percent(number, len(common)),
        lengths=tuple(
            LengthProgress(letters=length, found=totals[length] - missing[length], total=totals[length])
            for length in lengths
        ),
        hints_left=hint_rules().budget - hints.spent,
        hints_spent=hints.spent,
        counts=tuple(
            LetterCounts(letter=letter, counts=tuple(cells[letter, length] for length in lengths))
            for letter in sorted({word[0] for word in left})
        )
        if hints.counts
        else None,
        clues=tuple(
            ClueView(start=clue.word[: clue.shown], letters=len(clue.word), found=clue.word in known)
            for clue in hints.clues
        ),
    )


def percent(found: int, total: int) -> float:
    """Return the share of common words found; 100 on a board without any."""
    return 100 * found / total if total else 100.0
