"""The lesson of Scrabblet: its goals, and words that meet them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from app.games.game import AnyGame
from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.state import Guess, Hint, State
from app.grammar import format_count
from app.web.lesson import Attempt, Goal, Lesson, Played, Step, known_first

EASIEST: Final = 5
"""The length of the words suggested first."""


def scored(_game: AnyGame, played: Played) -> bool:
    """Whether the move scored a word."""
    return len(played.after.found) > len(played.before.found)


def repeated(game: AnyGame, played: Played) -> bool:
    """Whether a scored word uses a letter more often than it occurs in the hand."""
    if not scored(game, played):
        return False
    return repeats(played.after.found[-1].word, played.after.hand)


def repeats(word: str, hand: str) -> bool:
    """Whether a letter occurs more often in the word than in the hand."""
    return bool(Counter(word) - Counter(hand))


def used_every_tile(game: AnyGame, played: Played) -> bool:
    """Whether a scored word is a pangram."""
    return scored(game, played) and bool(played.after.found[-1].pangram)


def hinted(_game: AnyGame, played: Played) -> bool:
    """Whether the move showed the hints."""
    return isinstance(played.move, Hint)


class ScrabbletLesson(Lesson):
    """A prepared hand with a well-known pangram."""

    kind: ClassVar[str] = Scrabblet.kind
    goals: ClassVar[Mapping[str, Goal]] = {
        "word": scored,
        "repeat": repeated,
        "pangram": used_every_tile,
        "hint": hinted,
    }

    def attempts(self, game: Scrabblet, state: State, step: Step) -> Iterator[Attempt]:
        if step.goal == "hint":
            yield Attempt(Hint(), controls=("power-hint",))
            return
        known = {found.word for found in state.found}
        words = [one.word for one in game.goal(state).words.listed("length") if one.word not in known]
        if step.goal == "repeat":
            words = [word for word in words if repeats(word, state.hand)]
        elif step.goal == "pangram":
            words = [word for word in words if set(state.hand) - {"?"} <= set(word)]
        prepared = [word for word in step.examples if word not in known]
        for word in (*prepared, *known_first(game.lexicon, words, EASIEST)):
            cells = tuple(state.hand.index(letter) for letter in dict.fromkeys(word) if letter in state.hand)
            yield Attempt(Guess(word=word), word=word.upper(), cells=cells)

    def facts(self, state: State) -> dict[str, str]:
        found = state.found
        latest = f"{found[-1].word.upper()}: {format_count(found[-1].points, 'point')}." if found else ""
        return {"scored": latest}
