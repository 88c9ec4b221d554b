"""The lesson of Letterpress: its goals, and words that meet them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

import numpy as np

from app.games.game import AnyGame
from app.games.letterpress.bot import bots
from app.games.letterpress.rules import Letterpress, why_closed
from app.games.letterpress.state import Play, State
from app.games.letterpress.territory import NEIGHBOURS, Territory, cells_of, lay, mask_of, protected
from app.web.lesson import LEARNER, Attempt, Goal, Lesson, Played, Step, known_first
from app.words.vocabulary import suggested_words

EASIEST: Final = 5
"""The length of the words suggested first."""
SHORTEST_CLOSED: Final = 3
"""Minimum length of a closed word that is pointed out."""
THEIRS: Final = 1 - LEARNER
CORNERS: Final = tuple(mask_of([cell]) | NEIGHBOURS[cell] for cell in (0, 4, 20, 24))
"""Masks of the corners with their neighbours."""


def played_word(_game: AnyGame, played: Played) -> bool:
    """Whether the move was a word."""
    return isinstance(played.move, Play)


def took_tiles(_game: AnyGame, played: Played) -> bool:
    """Whether the move took tiles of the opponent."""
    before, after = played.before.owned[THEIRS], played.after.owned[THEIRS]
    return bool(after.bit_count() < before.bit_count())


def locked_tile(_game: AnyGame, played: Played) -> bool:
    """Whether the player has more protected tiles than before."""
    before, after = (protected(state.owned[LEARNER]) for state in (played.before, played.after))
    return after.bit_count() > before.bit_count()


def closed_word(game: AnyGame, played: Played) -> bool:
    """Whether the move closed another word of at least SHORTEST_CLOSED letters."""
    return isinstance(played.move, Play) and bool(_closed(game, played.before, played.after.turns[-1].word))


class LetterpressLesson(Lesson):
    """A game on a prepared board against the weakest bot."""

    kind: ClassVar[str] = Letterpress.kind
    goals: ClassVar[Mapping[str, Goal]] = {
        "word": played_word,
        "take": took_tiles,
        "protect": locked_tile,
        "close": closed_word,
    }

    def attempts(self, game: Letterpress, state: State, step: Step) -> Iterator[Attempt]:
        words = [word for word in step.examples if not Counter(word) - Counter(state.board)]
        yield from self._placed(game, state, step, words)
        yield from self._placed(game, state, step, known_first(game.lexicon, _words(game, state), EASIEST))

    def facts(self, state: State) -> dict[str, str]:
        latest = state.turns[-1] if state.turns else None
        name = bots()[self.script.bots[0] - 1].name
        answer = f"{name} played {latest.word.upper()}." if latest and latest.word else ""
        return {"answer": answer if latest and latest.seat == THEIRS else ""}

    def _placed(self, game: Letterpress, state: State, step: Step, words: list[str]) -> Iterator[Attempt]:
        """The words that may be played, placed on tiles that meet the goal."""
        territory = Territory(ours=state.owned[LEARNER], theirs=state.owned[THEIRS])
        for word in words:
            if why_closed(word, state.played):
                continue
            closed = _closed(game, state, word)
            if step.goal == "close" and not closed:
                continue
            cells = lay(word, state.board, territory)
            if step.goal == "protect":
                found = _locking(word, state.board, territory)
                if found is None:
                    continue
                cells = found
            elif step.goal == "take" and not mask_of(cells) & territory.theirs & ~protected(territory.theirs):
                continue
            yield Attempt(Play(cells=cells), word=word.upper(), cells=cells, facts={"closed": closed.upper()})


def _words(game: Letterpress, state: State) -> list[str]:
    """The well-known words of the board, or all of its words if there are few."""
    lexicon, tiles = game.lexicon, Counter(state.board)
    letters = mask_of(ord(letter) - ord("a") for letter in tiles)
    spelled = (lexicon.letter_masks & ~np.uint32(letters)) == 0
    for level in ("basic", "everything"):
        indices = np.flatnonzero(spelled & (suggested_words(lexicon, level) == 1))
        words = [word for index in indices if not Counter(word := lexicon[int(index)]) - tiles]
        if len(words) >= len(state.played) + EASIEST:
            break
    return [word for word in words if len(word) > 1]


def _closed(game: AnyGame, state: State, word: str) -> str:
    """The longest other word that the word begins with and that may still be played; empty if none."""
    for length in range(len(word) - 1, SHORTEST_CLOSED - 1, -1):
        start = word[:length]
        if start in game.lexicon and not why_closed(start, state.played):
            return start
    return ""


def _locking(word: str, board: str, territory: Territory) -> tuple[int, ...] | None:
    """Cells for the word that protect a corner; None if it does not have the letters."""
    for corner in CORNERS:
        missing = corner & ~territory.ours
        if not missing or missing & protected(territory.theirs):
            continue
        wanted = Counter(board[cell] for cell in cells_of(missing))
        if wanted - Counter(word):
            continue
        free, cells = list(cells_of(missing)), []
        for letter in word:
            cell = next((cell for cell in free if board[cell] == letter), None)
            if cell is not None:
                free.remove(cell)
            cells.append(cell)
        taken = {cell for cell in cells if cell is not None}
        rest = lay_rest(word, board, territory, cells, taken)
        if rest is not None:
            return rest
    return None


def lay_rest(
    word: str, board: str, territory: Territory, cells: list[int | None], taken: set[int]
) -> tuple[int, ...] | None:
    """The cells with the open ones filled in, preferably with the opponent's tiles; None if impossible."""
    order = sorted(range(len(board)), key=lambda cell: -(territory.theirs >> cell & 1))
    found: list[int] = []
    for letter, cell in zip(word, cells, strict=True):
        chosen = cell
        if chosen is None:
            chosen = next((one for one in order if board[one] == letter and one not in taken), None)
        if chosen is None:
            return None
        taken.add(chosen)
        found.append(chosen)
    return tuple(found)
