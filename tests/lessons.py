"""The rooms with lessons, and playing a lesson by the coach's suggestions."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from app.games.game import AnyGame
from app.games.rulebook import Rulebook
from app.rooms import ROOMS
from app.store.models import LoggedMove
from app.web.lesson import LEARNER, Lesson, Progress

LESSONS: Final[dict[str, Lesson]] = {kind: room.lesson for kind, room in ROOMS.items() if room.lesson}
EACH_LESSON: Final = pytest.mark.parametrize("kind", LESSONS)


@dataclass
class Pupil:
    """A lesson played by the rules alone."""

    lesson: Lesson
    game: AnyGame
    states: list[Any]
    log: list[LoggedMove] = field(default_factory=list)
    skips: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, kind: str, rulebook: Rulebook) -> "Pupil":
        """The beginning of a lesson."""
        script = LESSONS[kind].script
        options = rulebook.pin(kind, rulebook.games[kind].setup_type(**script.options))
        game = rulebook.game(kind, options.lexicon)
        pupil = cls(LESSONS[kind], game, [game.start(options, 1 + len(script.bots), script.seed)])
        for move in game.opening(options):
            pupil.play(move)
        return pupil

    @property
    def progress(self) -> Progress:
        return self.lesson.progress(self.game, self.states, self.log, self.skips)

    def play(self, move: Any, seat: int = LEARNER) -> None:
        """Make a move; a bot answers."""
        before = self.states[-1]
        self.states.append(self.game.apply(before, seat, move, 0.0))
        self.log.append(LoggedMove(before.ply, seat, move, 0.0))
        mover = self.game.to_move(self.states[-1])
        if mover is not None and mover != LEARNER:
            level = self.lesson.script.bots[mover - 1]
            self.play(self.game.bot(self.states[-1], mover, level).move, mover)

    def follow(self, choose: Callable[[Progress], Any] = lambda _: None) -> list[Progress]:
        """Play to the end by the suggestions, or by the moves that ``choose`` returns; return the steps."""
        seen = []
        for _ in range(60):
            progress = self.progress
            seen.append(progress)
            if progress.over:
                return seen
            other = choose(progress)
            if other is not None:
                self.play(other)
            elif progress.attempt is None:
                self.skips.append(self.states[-1].ply)
            else:
                self.play(progress.attempt.move)
        raise AssertionError("the lesson does not end")
