"""The lesson of Boggle: its goals, and words that meet them."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from app.games.boggle.rules import Boggle
from app.games.boggle.state import Finish, State, Word
from app.games.game import AnyGame
from app.grammar import format_count
from app.web.lesson import LEARNER, Attempt, Goal, Lesson, Played, Step, known_first

EASIEST: Final = 4
"""The length of the words suggested first."""
LONG: Final = 5
"""Minimum length of a word that scores more than the shortest words."""


def scored(_game: AnyGame, played: Played) -> bool:
    """Whether the move scored a word."""
    before, after = (state.rounds[LEARNER].found for state in (played.before, played.after))
    return len(after) > len(before)


def scored_long(game: AnyGame, played: Played) -> bool:
    """Whether the move scored a word of five letters or more."""
    return scored(game, played) and len(played.after.rounds[LEARNER].found[-1].word) >= LONG


def finished(_game: AnyGame, played: Played) -> bool:
    """Whether the move ended the round."""
    return isinstance(played.move, Finish)


class BoggleLesson(Lesson):
    """A round without a clock on a prepared board."""

    kind: ClassVar[str] = Boggle.kind
    goals: ClassVar[Mapping[str, Goal]] = {
        "word": scored,
        "again": scored,
        "long": scored_long,
        "finish": finished,
    }

    def attempts(self, game: Boggle, state: State, step: Step) -> Iterator[Attempt]:
        if step.goal == "finish":
            yield Attempt(Finish(), controls=("power-finish", "finish-confirm"))
            return
        words = {word.word: word.cells for word in game.reveal(state).solution or ()}
        known = {found.word for found in state.rounds[LEARNER].found}
        if step.goal == "long":
            words = {word: cells for word, cells in words.items() if len(word) >= LONG}
        for word in (*step.examples, *known_first(game.lexicon, words, EASIEST)):
            if word in words and word not in known:
                yield Attempt(Word(cells=words[word]), word=word.upper(), cells=words[word])

    def facts(self, state: State) -> dict[str, str]:
        found = state.rounds[LEARNER].found
        latest = f"{found[-1].word.upper()}: {format_count(found[-1].points, 'point')}." if found else ""
        return {"scored": latest}
