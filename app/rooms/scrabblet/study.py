"""Scrabblet's study boards: a hand, the words made from it, and the remaining words."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy as np

from app.games.scrabblet.bag import tile_score
from app.games.scrabblet.goal import Goal
from app.games.scrabblet.hand import Hand, mask_of
from app.games.scrabblet.puzzles import Position as PuzzlePosition
from app.games.scrabblet.rules import Scrabblet
from app.games.scrabblet.solver import SHORTEST
from app.games.scrabblet.state import State, TileView
from app.games.scrabblet.study import ScrabbletStudy, StudyPosition, cells_of, node_of, tree_of_game
from app.games.study_tree import Played, StudyRules, StudyTree, read_position
from app.grammar import format_count, plural
from app.web.guard.rates import Caller
from app.web.services import Services
from app.web.study.study_room import EngineAnswer, EngineLine, Fields, StudyRoom
from app.words.library import Library
from app.words.vocabulary import allowed_words

_EXAMPLE: Final = "crpei"
_LISTED: Final = 30
"""Maximum number of words that the engine lists."""
_ALL, _COMMON = "all", "common"


class ScrabbletStudyRoom(StudyRoom):
    """The tiles of the hand, which are tapped to make words."""

    rules: ClassVar[StudyRules[Any]] = ScrabbletStudy()
    address: ClassVar[str] = "/boards/new/scrabblet"
    styles: ClassVar[tuple[str, ...]] = ("scrabblet/scrabblet.css", "scrabblet/study.css")
    script: ClassVar[str] = "scrabblet/study.js"
    engines: ClassVar[tuple[tuple[str, str], ...]] = ((_ALL, "All words"), (_COMMON, "Common words"))
    move_label: ClassVar[str] = "Word"
    move_hint: ClassVar[str] = "tapped or typed; letters may repeat"
    most_seats: ClassVar[int] = 1

    def context(self, position: StudyPosition, step: Played, names: Sequence[str]) -> dict[str, Any]:
        hand = Hand(position.rack)
        return {
            "tiles": [TileView(letter=tile, score=tile_score(tile)) for tile in position.rack],
            "latest": step.cells,
            "lengths": [(str(length), f"{length} letters") for length in range(2, 16)],
            "words": [(word, hand.score(word), hand.blanked(word)) for word in position.found],
        }

    def setup_fields(self, position: StudyPosition) -> dict[str, str]:
        return {
            "rack": position.rack.upper(),
            "min_length": str(position.min_length),
            "found": " ".join(position.found),
            "lost": str(position.lost),
            "lexicon": position.lexicon,
        }

    def read_setup(self, fields: Fields, services: Services) -> StudyTree:
        """The fields of ``setup_fields``; the tiles also as ``hand``, their name in player mode."""
        given = {name: text.strip() for name, text in fields.items() if text.strip()}
        values = {
            "rack": given.get("rack") or given.get("hand", _EXAMPLE),
            "min_length": given.get("min_length", SHORTEST),
            "found": given.get("found", "").lower().replace(",", " ").split(),
            "lost": given.get("lost", 0),
            "lexicon": given.get("lexicon", Library.default),
        }
        start = read_position(self.rules, values)
        return StudyTree(start=start.model_dump(mode="json"))

    def best(self, services: Services, caller: Caller, step: Played, engine: str) -> EngineAnswer:
        """The words that have not been made, most points first."""
        position: StudyPosition = step.position
        game: Scrabblet = services.rulebook.rules(Scrabblet, services.rulebook.ref(position.lexicon))
        return services.pool.run(caller, "scrabblet", lambda: _answer(game, position, engine))

    def tree_of_game(self, game: Scrabblet, states: Sequence[State], names: Sequence[str]) -> StudyTree:
        return tree_of_game(states, names)

    def node_of(self, states: Sequence[State], ply: int) -> int:
        return node_of(states, ply)

    def start_of_puzzle(self, position: PuzzlePosition, lexicon: str) -> dict[str, Any]:
        return {"rack": position.rack, "lexicon": lexicon}


def _answer(game: Scrabblet, position: StudyPosition, engine: str) -> EngineAnswer:
    """The listed remaining words."""
    hand, lexicon = Hand(position.rack), game.lexicon
    words = game.solver.find(hand, position.min_length)
    if engine == _COMMON:
        words = Goal(words).required
    found = [index for word in position.found if (index := lexicon.index(word)) is not None]
    left = words.where((allowed_words(lexicon)[words.indices] == 1) & ~np.isin(words.indices, found))
    if not len(left):
        return EngineAnswer(note="Every word has been found.")
    lines = tuple(
        EngineLine(
            move=word.word.upper(),
            place="",
            title=word.word.upper(),
            value=str(word.score),
            details=("uses every letter",) if mask_of(word.word) & hand.mask == hand.mask else (),
            cells=cells_of(hand, word.word),
            letters=word.word,
        )
        for word in left.listed("score", _LISTED)
    )
    pangrams = int(left.pangrams.sum())
    note = f"{format_count(len(left), 'word')} left, worth {format_count(left.total, 'point')}."
    every = f" {pangrams} {plural(pangrams, 'uses', 'use')} every letter." if pangrams else ""
    return EngineAnswer(lines, note + every)
