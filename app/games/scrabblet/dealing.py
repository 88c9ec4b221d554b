"""Dealing: a hand is drawn again until it is one to play with."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Final, Literal, TypeAlias

from app.games.game import Frozen
from app.games.scrabblet.bag import draw
from app.games.scrabblet.goal import Goal
from app.games.scrabblet.hand import Hand
from app.games.scrabblet.modes import ModeRules
from app.grammar import format_count

DRAWS: Final = 10_000
"""Hands that are drawn before it is believed that there is none like that."""

Flaw: TypeAlias = Literal["Vowel Count", "Letter Count", "Word Count", "Required Count", "Pangram Count"]


class Redraw(Frozen):
    """A hand that was put back, and why: there was too much or too little of this."""

    hand: str
    reason: Flaw
    count: int


@dataclass(frozen=True, slots=True)
class Terms:
    """What a dealt hand must be like."""

    size: int
    max_vowels: int
    min_words: int
    mode: ModeRules

    def __str__(self) -> str:
        wanted = [
            f"at most {format_count(self.max_vowels, 'vowel')}",
            f"at least {format_count(self.min_words, 'word')}",
        ]
        if self.mode.required:
            wanted.append("{} to {} required words".format(*self.mode.required))
        if self.mode.pangrams:
            wanted.append(f"at least {self.mode.pangrams} with every letter")
        different = " different letters" if self.mode.distinct else " tiles"
        return f"{self.size}{different}, {', '.join(wanted)}"


@dataclass(frozen=True, slots=True)
class Deal:
    """A hand to play with, and those that were drawn before it."""

    hand: Hand
    words: int
    redraws: tuple[Redraw, ...]


@dataclass(frozen=True, slots=True)
class DrawnHand:
    """A hand that was drawn, and what the dealer says to it."""

    hand: Hand
    words: int | None
    """How many it holds; None where it was put back without counting."""
    redraw: Redraw | None
    """None for a hand to play with."""


class NoSuchHand(ValueError):
    """No hand was drawn that keeps the terms; the text names them."""


def deal(random: Random, terms: Terms, goal_of: Callable[[Hand], Goal]) -> Deal:
    """Draw hands from the whole bank until one keeps the terms. Raises NoSuchHand after DRAWS of them."""
    redraws: list[Redraw] = []
    for drawn in islice(draw_hands(random, terms, goal_of), DRAWS):
        if drawn.redraw is None:
            return Deal(drawn.hand, drawn.words or 0, tuple(redraws))
        redraws.append(drawn.redraw)
    raise NoSuchHand(f"of {DRAWS:,} hands drawn none has {terms}: ask for less")


def draw_hands(random: Random, terms: Terms, goal_of: Callable[[Hand], Goal]) -> Iterator[DrawnHand]:
    """Hands drawn from the whole bank one after another without end, those to play with among them."""
    while True:
        hand = Hand(draw(random, terms.size))
        words, flaw = None, _obvious_flaw(hand, terms)
        if flaw is None:
            goal = goal_of(hand)
            words, flaw = len(goal.words), _flaw(goal, terms)
        redraw = Redraw(hand=hand.tiles, reason=flaw[0], count=flaw[1]) if flaw else None
        yield DrawnHand(hand, words, redraw)


def _obvious_flaw(hand: Hand, terms: Terms) -> tuple[Flaw, int] | None:
    """What can be seen without looking for words."""
    if hand.vowels > terms.max_vowels:
        return "Vowel Count", hand.vowels
    if terms.mode.distinct and len(hand.letters) < terms.size:
        return "Letter Count", len(hand.letters)
    return None


def _flaw(goal: Goal, terms: Terms) -> tuple[Flaw, int] | None:
    if len(goal.words) < terms.min_words:
        return "Word Count", len(goal.words)
    if terms.mode.required:
        fewest, most = terms.mode.required
        if not fewest <= len(goal.required) <= most:
            return "Required Count", len(goal.required)
    if terms.mode.pangrams and goal.pangrams < terms.mode.pangrams:
        return "Pangram Count", goal.pangrams
    return None
