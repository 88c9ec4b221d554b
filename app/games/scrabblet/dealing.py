"""Deals a hand: draws hands until one meets the terms."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from math import inf
from random import Random
from typing import Final, Literal, TypeAlias

from app.games.game import Frozen
from app.games.scrabblet.bag import draw
from app.games.scrabblet.goal import Goal
from app.games.scrabblet.hand import Hand
from app.games.scrabblet.modes import ModeRules
from app.grammar import format_count

DRAWS: Final = 100_000
"""Hands drawn before giving up."""
SEARCHES: Final = 10_000
"""Hands searched for words before giving up."""

Flaw: TypeAlias = Literal["Vowel Count", "Letter Count", "Word Count", "Required Count", "Pangram Count"]


class Redraw(Frozen):
    """A rejected hand and the reason: what it had too many or too few of."""

    hand: str
    reason: Flaw
    count: int


@dataclass(frozen=True, slots=True)
class Terms:
    """The requirements for a dealt hand."""

    size: int
    max_vowels: int
    min_words: int
    min_required: int
    min_pangrams: int
    mode: ModeRules

    @property
    def required(self) -> tuple[int, float]:
        """The minimum and maximum number of required words: those of the mode and of the options."""
        fewest, most = self.mode.required or (0, inf)
        return max(fewest, self.min_required), most

    @property
    def pangrams(self) -> int:
        """The minimum number of required words with every letter."""
        return max(self.mode.pangrams, self.min_pangrams)

    def __str__(self) -> str:
        wanted = [
            f"at most {format_count(self.max_vowels, 'vowel')}",
            f"at least {format_count(self.min_words, 'word')}",
        ]
        fewest, most = self.required
        if most < inf:
            wanted.append(f"{fewest} to {most} required words")
        elif fewest:
            wanted.append(f"at least {format_count(fewest, 'required word')}")
        if self.pangrams:
            wanted.append(f"at least {self.pangrams} with every letter")
        different = " different letters" if self.mode.distinct else " tiles"
        return f"{self.size}{different}, {', '.join(wanted)}"


@dataclass(frozen=True, slots=True)
class Deal:
    """A dealt hand, and the hands rejected before it."""

    hand: Hand
    words: int
    redraws: tuple[Redraw, ...]


@dataclass(frozen=True, slots=True)
class DrawnHand:
    """A hand drawn, and whether it was accepted."""

    hand: Hand
    words: int | None
    """The number of words; None if rejected without counting."""
    redraw: Redraw | None
    """None for an accepted hand."""


class NoSuchHand(ValueError):
    """No hand meets the terms; the message lists them."""


def deal(
    random: Random,
    terms: Terms,
    goal_of: Callable[[Hand], Goal],
    has_pangram: Callable[[Hand], bool],
    stop: Callable[[], bool] = lambda: False,
) -> Deal:
    """Draw hands from the full bank until one meets the terms.

    Raises NoSuchHand after DRAWS or SEARCHES, or once ``stop`` returns true.
    """
    redraws: list[Redraw] = []
    searches = 0
    for drawn in islice(draw_hands(random, terms, goal_of, has_pangram), DRAWS):
        if drawn.redraw is None:
            return Deal(drawn.hand, drawn.words or 0, tuple(redraws))
        redraws.append(drawn.redraw)
        searches += drawn.words is not None
        if searches == SEARCHES or stop():
            break
    raise NoSuchHand(f"of {len(redraws):,} hands drawn, none has {terms}: ask for less")


def draw_hands(
    random: Random, terms: Terms, goal_of: Callable[[Hand], Goal], has_pangram: Callable[[Hand], bool]
) -> Iterator[DrawnHand]:
    """Yield hands drawn from the full bank, accepted or not, without end.

    ``has_pangram`` is a quick test whether any required word has every letter: most large hands have none.
    """
    while True:
        hand = Hand(draw(random, terms.size))
        words, flaw = None, _obvious_flaw(hand, terms)
        if flaw is None and terms.pangrams and not has_pangram(hand):
            flaw = "Pangram Count", 0
        if flaw is None:
            goal = goal_of(hand)
            words, flaw = len(goal.words), _flaw(goal, terms)
        redraw = Redraw(hand=hand.tiles, reason=flaw[0], count=flaw[1]) if flaw else None
        yield DrawnHand(hand, words, redraw)


def _obvious_flaw(hand: Hand, terms: Terms) -> tuple[Flaw, int] | None:
    """Return a flaw that is visible without searching for words, if any."""
    if hand.vowels > terms.max_vowels:
        return "Vowel Count", hand.vowels
    if terms.mode.distinct and len(hand.letters) < terms.size:
        return "Letter Count", len(hand.letters)
    return None


def _flaw(goal: Goal, terms: Terms) -> tuple[Flaw, int] | None:
    if len(goal.words) < terms.min_words:
        return "Word Count", len(goal.words)
    fewest, most = terms.required
    if not fewest <= len(goal.required) <= most:
        return "Required Count", len(goal.required)
    if goal.pangrams < terms.pangrams:
        return "Pangram Count", goal.pangrams
    return None
