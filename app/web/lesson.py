"""Lessons: first games that teach the rules.

A lesson is a stored game on a prepared deal, and a list of steps from ``data/<kind>/lesson.toml``. The
player's current step is computed from the game's moves and the steps skipped: a step with a goal ends with
the first move that meets it, and any step ends when the player skips it.
"""

import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, ClassVar, Final, NamedTuple

from pydantic import Field, field_validator

from app.games.game import AnyGame, Frozen, IllegalMove
from app.resources import resource
from app.words.lexicon import Lexicon
from app.words.vocabulary import suggested_words

LEARNER: Final = 0
"""The player's seat."""
NO_BREAK: Final = "\N{NON-BREAKING HYPHEN}"
MOST_ATTEMPTS: Final = 200
"""Most moves tried to find one that meets a goal."""


class Played(NamedTuple):
    """A move of the player."""

    before: Any
    """The state before it."""
    move: Any
    after: Any


Goal = Callable[[AnyGame, Played], bool]
"""Whether a move meets the goal of a step."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A move to suggest to the player."""

    move: Any
    word: str = ""
    """The word it plays, if any, in capitals."""
    cells: tuple[int, ...] = ()
    """The cells to highlight, in order."""
    letters: str = ""
    """The letters to show on those cells, where they are still empty."""
    typed: str = ""
    """What to type to make the move without a pointer; by default the word."""
    controls: tuple[str, ...] = ()
    """The IDs of the buttons to press one after the other, if they make the move."""
    facts: Mapping[str, str] | None = None
    """Further values for the step's texts, by name."""


class Step(Frozen):
    """One step of a lesson. ``news`` and ``attempt`` may have placeholders such as ``{word}``."""

    goal: str = ""
    """The name of the room's goal; empty for a step that is only read."""
    news: str = ""
    """What has just happened."""
    text: str
    """What the player learns."""
    attempt: str = ""
    """How to make the suggested move; left out if there is none."""
    not_yet: str = ""
    """Shown while no move meets the goal, before the suggestion of an earlier step."""
    examples: tuple[str, ...] = ()
    """Words to suggest first, if they meet the goal."""


class Start(Frozen):
    """A button that starts a game after the lesson."""

    label: str
    address: str
    fields: Mapping[str, str] = Field(default_factory=dict)


class Tip(Frozen):
    """A hint shown once to each player at an ordinary table."""

    name: str = Field(pattern="^[a-z]{1,16}$")
    text: str
    when: str
    """A CSS selector: the hint is shown when an element of the table matches."""
    says: str = ""
    """Text that the element must contain."""
    pointer: bool = False
    """Whether the hint is only for players with a mouse who have not typed yet."""


class Script(Frozen):
    """A lesson as data."""

    seed: str
    """The seed of the deal."""
    options: Mapping[str, Any] = Field(default_factory=dict)
    """As in the setup; ``none`` stands for None."""
    bots: tuple[int, ...] = ()
    """The levels of the bots in the other seats."""
    intro: str
    """What the game is about, in one or two sentences."""
    waiting: str = ""
    """The text while a bot is to move."""
    end: str
    """The text after the last step."""
    steps: tuple[Step, ...]
    starts: tuple[Start, ...]
    """What to play next."""
    tips: tuple[Tip, ...] = ()
    """Hints at ordinary tables."""

    @field_validator("options")
    @classmethod
    def _none(cls, options: Mapping[str, Any]) -> Mapping[str, Any]:
        return {name: None if value == "none" else value for name, value in options.items()}


@dataclass(frozen=True, slots=True)
class Progress:
    """The player's progress in a lesson, as shown on the page."""

    number: int
    """The step, from 1; the number of steps if the lesson is over."""
    steps: int
    text: str
    tip: str = ""
    """How to make the suggested move; empty without one."""
    attempt: Attempt | None = None
    reading: bool = False
    """Whether the step is only to be read."""
    over: bool = False
    """Whether the last step is done."""


class Lesson(ABC):
    """A room's additions to its script: the meaning of the goals, and moves that meet them."""

    kind: ClassVar[str]
    """The kind of game, which names the folder of the script."""
    goals: ClassVar[Mapping[str, Goal]]
    """The goals that the script may name."""

    @cached_property
    def script(self) -> Script:
        """The lesson's data."""
        text = (resource("data") / self.kind / "lesson.toml").read_text(encoding="utf-8")
        return Script.model_validate(tomllib.loads(text))

    @abstractmethod
    def attempts(self, game: Any, state: Any, step: Step) -> Iterator[Attempt]:
        """Moves that may meet the step's goal, the best to suggest first: its examples, then the engine's."""

    def facts(self, state: Any) -> dict[str, str]:  # noqa: ARG002 - rooms add theirs
        """Values of the position for the texts of steps, by name."""
        return {}

    def progress(
        self, game: AnyGame, states: Sequence[Any], log: Sequence[Any], skips: Sequence[int]
    ) -> Progress:
        """The player's progress.

        ``states`` are the states before each move of the ``log`` and the latest one; ``skips`` has the ply of
        each skipped step.
        """
        steps, state = self.script.steps, states[-1]
        reached = self._reached(game, states, log, skips)
        over = reached >= len(steps) or game.outcome(state) is not None
        facts = self.facts(state)
        if over:
            text = self.script.end.format_map(facts)
            return Progress(len(steps), len(steps), text, over=True)
        step = steps[reached]
        waiting = game.to_move(state) != LEARNER
        attempt, tip = None, ""
        # After a skipped step, its move may have to come first.
        possible = reversed(steps[: reached + 1]) if step.goal and not waiting else ()
        for each in possible:
            attempt = self.suggest(game, state, each)
            if attempt is not None:
                tip = each.attempt.format_map(facts | _facts_of(attempt))
                if each is not step:
                    tip = f"{step.not_yet} {tip}".strip()
                break
        text = " ".join(filter(None, (step.news.format_map(facts), step.text)))
        if waiting and step.goal:
            text = self.script.waiting.format_map(facts)
        return Progress(reached + 1, len(steps), text, tip, attempt, reading=not step.goal)

    def suggest(self, game: AnyGame, state: Any, step: Step) -> Attempt | None:
        """A move that meets the step's goal; None if there is no goal, or no such move."""
        if not step.goal:
            return None
        for attempt in islice(self.attempts(game, state, step), MOST_ATTEMPTS):
            try:
                after = game.apply(state, LEARNER, attempt.move, 0.0)
            except IllegalMove:
                continue
            if self.goals[step.goal](game, Played(state, attempt.move, after)):
                return attempt
        return None

    def _reached(self, game: AnyGame, states: Sequence[Any], log: Sequence[Any], skips: Sequence[int]) -> int:
        """The index of the player's step; the number of steps after the last."""
        steps, reached = self.script.steps, 0
        for ply, before in enumerate(states):
            reached += skips.count(ply)
            if ply + 1 >= len(states) or ply >= len(log) or log[ply].seat != LEARNER:
                continue
            if reached < len(steps) and (goal := steps[reached].goal):
                reached += self.goals[goal](game, Played(before, log[ply].move, states[ply + 1]))
        return min(reached, len(steps))


def known_first(lexicon: Lexicon, words: Iterable[str], length: int) -> list[str]:
    """The words that may be suggested: basic ones first, then by how near their length is to ``length``."""
    family, basic = suggested_words(lexicon), suggested_words(lexicon, "basic")
    found = [(word, index) for word in words if (index := lexicon.index(word)) is not None and family[index]]
    return [
        word for word, _ in sorted(found, key=lambda each: (not basic[each[1]], abs(len(each[0]) - length)))
    ]


def spelled(word: str) -> str:
    """A word letter by letter, joined by non-breaking hyphens."""
    return NO_BREAK.join(word.upper())


def _facts_of(attempt: Attempt) -> dict[str, str]:
    return {
        "word": attempt.word,
        "letters": spelled(attempt.word),
        "typed": attempt.typed or attempt.word,
        **(attempt.facts or {}),
    }
