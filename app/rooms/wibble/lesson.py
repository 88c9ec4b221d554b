"""The lesson of Wibble: its goals, and words that meet them."""

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from app.games.game import AnyGame
from app.games.wibble.moves import Chain, Hint, Shuffle, Swap
from app.games.wibble.rules import Wibble
from app.games.wibble.solver import FoundWord
from app.games.wibble.state import Board, State
from app.grammar import format_count
from app.web.lesson import LEARNER, Attempt, Goal, Lesson, Played, Step, known_first

EASIEST: Final = 4
"""The length of the words suggested first."""


def scored(_game: AnyGame, played: Played) -> bool:
    """Whether the move scored a word."""
    report = played.after.report
    return report is not None and report.result == "scored"


def crossed_bonus(game: AnyGame, played: Played) -> bool:
    """Whether a scored word went through a bonus."""
    bonuses = bonuses_of(played.before.board)
    return scored(game, played) and not bonuses.isdisjoint(played.after.turns[-1].cells)


def bonuses_of(board: Board) -> set[int]:
    """The cells with a bonus."""
    return {bonus.cell for bonus in (board.letter_bonus, board.word_bonus) if bonus}


def collected_gem(game: AnyGame, played: Played) -> bool:
    """Whether a scored word collected a gem."""
    return scored(game, played) and played.after.turns[-1].gems > 0


def used_power(_game: AnyGame, played: Played) -> bool:
    """Whether the move used a power."""
    return isinstance(played.move, Shuffle | Swap | Hint)


class WibbleLesson(Lesson):
    """Classic's five rounds, with a prepared first board."""

    kind: ClassVar[str] = Wibble.kind
    goals: ClassVar[Mapping[str, Goal]] = {
        "word": scored,
        "bonus": crossed_bonus,
        "gem": collected_gem,
        "power": used_power,
    }

    def attempts(self, game: Wibble, state: State, step: Step) -> Iterator[Attempt]:
        if step.goal == "power":
            yield Attempt(Shuffle(), controls=("power-shuffle",))
            return
        if state.board is None:
            return
        size, scoring = state.options.size, game.scoring(state.options)
        for word in step.examples:
            if found := game.solver.best_path(state.board, size, scoring, word):
                yield _drawn(found)
        board, words = state.board, {}
        for found in game.solver.words(board, size, scoring):
            if step.goal == "gem" and not found.gems:
                continue
            if step.goal == "bonus" and bonuses_of(board).isdisjoint(found.cells):
                continue
            words[found.word] = found
        yield from (_drawn(words[word]) for word in known_first(game.lexicon, words, EASIEST))

    def facts(self, state: State) -> dict[str, str]:
        words = [turn for turn in state.turns if turn.word]
        latest = f"{words[-1].word.upper()} scored {words[-1].points}." if words else ""
        return {"scored": latest, "gems": f"You have {format_count(state.gems[LEARNER], 'gem')}."}


def _drawn(found: FoundWord) -> Attempt:
    return Attempt(Chain(cells=found.cells), word=found.word.upper(), cells=found.cells)
