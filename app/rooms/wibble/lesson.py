"""The lesson of Wibble: its goals, and words that meet them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from app.games.game import AnyGame
from app.games.wibble.rules import Wibble
from app.games.wibble.solver import FoundWord
from app.games.wibble.state import Chain, Hint, Shuffle, State, Swap
from app.grammar import format_count
from app.web.lesson import LEARNER, Attempt, Goal, Lesson, Played, Step
from app.words.vocabulary import allowed_words

EASIEST: Final = 4
"""The length of the words suggested first."""


def scored(_game: AnyGame, played: Played) -> bool:
    """Whether the move scored a word."""
    report = played.after.report
    return report is not None and report.result == "scored"


def crossed_bonus(game: AnyGame, played: Played) -> bool:
    """Whether a scored word went through a bonus."""
    board = played.before.board
    bonuses = {bonus.cell for bonus in (board.letter_bonus, board.word_bonus) if bonus}
    return scored(game, played) and not bonuses.isdisjoint(played.after.turns[-1].cells)


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
            yield Attempt(Shuffle(), control="power-shuffle")
            return
        if state.board is None:
            return
        size, scoring = state.options.size, game.scoring(state.options)
        for word in step.examples:
            if found := game.solver.best_path(state.board, size, scoring, word):
                yield _drawn(found)
        words = game.solver.words(state.board, size, scoring)
        yield from map(_drawn, easiest_first(game, words))

    def facts(self, state: State) -> dict[str, str]:
        words = [turn for turn in state.turns if turn.word]
        latest = f"{words[-1].word.upper()} scored {words[-1].points}." if words else ""
        return {"scored": latest, "gems": f"You have {format_count(state.gems[LEARNER], 'gem')}."}


def easiest_first(game: Wibble, words: Sequence[FoundWord]) -> list[FoundWord]:
    """The words without profanity: well known ones first, of those the ones of a handy length."""
    family, basic = allowed_words(game.lexicon), allowed_words(game.lexicon, "basic")

    def known(found: FoundWord) -> tuple[bool, int]:
        return not basic[game.lexicon.index(found.word)], abs(len(found.word) - EASIEST)

    return sorted((found for found in words if family[game.lexicon.index(found.word)]), key=known)


def _drawn(found: FoundWord) -> Attempt:
    return Attempt(Chain(cells=found.cells), word=found.word.upper(), cells=found.cells)
