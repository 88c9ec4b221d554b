"""Boggle's study boards: a board, the words that each player has found, and the remaining words."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from app.games.boggle.puzzles import Position as PuzzlePosition
from app.games.boggle.rules import Boggle
from app.games.boggle.state import BoardWord, State
from app.games.boggle.study import BoggleStudy, StudyPosition, node_of, text_of, tree_of_game
from app.games.study_tree import BadStudy, Played, StudyRules, StudyTree, read_position
from app.grammar import format_count
from app.validation import quote
from app.web.guard.rates import Caller
from app.web.services import Services
from app.web.study.study_room import EngineAnswer, EngineLine, Fields, StudyRoom
from app.words.library import Library

_EXAMPLE: Final = "chos arei ltnd wges"
_LISTED: Final = 30
"""Maximum number of words that the engine lists."""
_ALL, _COMMON = "all", "common"
_FOUND: Final[tuple[str, ...]] = ("found", "found_2")
"""The form fields with the players' words."""
_SCORINGS: Final = {
    "length": "Points by length",
    "cancel": "By length, shared words cancel",
    "find_all": "1 point per common word",
}


class BoggleStudyRoom(StudyRoom):
    """A board for tracing words, and each player's points."""

    rules: ClassVar[StudyRules[Any]] = BoggleStudy()
    address: ClassVar[str] = "/boards/new/boggle"
    styles: ClassVar[tuple[str, ...]] = ("table/board.css", "boggle/boggle.css", "boggle/study.css")
    script: ClassVar[str] = "boggle/study.js"
    engines: ClassVar[tuple[tuple[str, str], ...]] = ((_ALL, "All words"), (_COMMON, "Common words"))
    seat_fields: ClassVar[dict[str, tuple[str, ...]]] = {"found": _FOUND}
    move_label: ClassVar[str] = "Word"
    move_hint: ClassVar[str] = "tapped or typed"

    def label(self, move: str) -> str:
        """The word without its cells."""
        player, colon, rest = move.rpartition(": ")
        return player + colon + rest.partition(" ")[0]

    def context(self, position: StudyPosition, step: Played, names: Sequence[str]) -> dict[str, Any]:
        return {
            "latest": step.cells,
            "found": position.found,
            "lengths": [(str(length), f"{length} letters") for length in range(2, 9)],
            "scorings": list(_SCORINGS.items()),
        }

    def setup_fields(self, position: StudyPosition) -> dict[str, str]:
        scoring = "find_all" if position.find_all else "cancel" if position.cancel else "length"
        words = zip(_FOUND, position.found, strict=False)
        return {
            "board": " ".join(position.board),
            "qu": str(position.qu).lower(),
            "min_length": str(position.min_length),
            "scoring": scoring,
            "players": str(len(position.found)),
            "found": "",
            "found_2": "",
            "lexicon": position.lexicon,
        } | {field: " ".join(found) for field, found in words}

    def read_setup(self, fields: Fields, services: Services) -> StudyTree:
        """The fields of ``setup_fields``, or the URL parameters of the board page."""
        given = {name: text.strip() for name, text in fields.items() if text.strip()}
        scoring = given.get("scoring", "length")
        faults = []
        if scoring not in _SCORINGS:
            accepted = ", ".join(_SCORINGS)
            faults.append(BadStudy(f"scoring: {quote(scoring)} is unknown; accepted: {accepted}", "scoring"))
        words = [given.get(field, "").lower().replace(",", " ").split() for field in _FOUND]
        values: dict[str, Any] = {
            "board": given.get("board", _EXAMPLE),
            "min_length": given.get("min_length", 3),
            "qu": given.get("qu", False),
            "cancel": scoring == "cancel",
            "find_all": scoring == "find_all",
            "found": words if words[1] or given.get("players") == "2" else words[:1],
            "lexicon": given.get("lexicon", Library.default),
        }
        start = read_position(self.rules, values, faults)
        return StudyTree(start=start.model_dump(mode="json"))

    def read_known(self, fields: Fields, position: StudyPosition) -> dict[str, Any]:
        """The player who finds the next word."""
        number = fields.get("turn", "")
        if number not in {str(each) for each in range(1, len(position.found) + 1)}:
            raise BadStudy(f"turn: {quote(number)} is not a player of this board", "known")
        return {"turn": int(number) - 1}

    def best(self, services: Services, caller: Caller, step: Played, engine: str) -> EngineAnswer:
        """The words that the next player has not found, most points first."""
        position: StudyPosition = step.position
        game: Boggle = services.rulebook.rules(Boggle, services.rulebook.ref(position.lexicon))

        def search() -> EngineAnswer:
            solved = game.boards.solve(
                position.board, min_length=position.min_length, qu=position.qu, find_all=position.find_all
            )
            found = position.found[position.turn]
            left = [
                word
                for word in solved.shown.values()
                if word.word not in found and (engine == _ALL or word.common)
            ]
            return _answer(position, left)

        return services.pool.run(caller, "boggle", search)

    def tree_of_game(self, game: Boggle, states: Sequence[State], names: Sequence[str]) -> StudyTree:
        return tree_of_game(states, names)

    def node_of(self, states: Sequence[State], ply: int) -> int:
        return node_of(states, ply)

    def start_of_puzzle(self, position: PuzzlePosition, lexicon: str) -> dict[str, Any]:
        return {"board": list(position.rows), "lexicon": lexicon}


def _answer(position: StudyPosition, left: Sequence[BoardWord]) -> EngineAnswer:
    """The listed words left to the next player."""
    players = len(position.found)
    others = {
        word for player, words in enumerate(position.found) if player != position.turn for word in words
    }
    gains = {word.word: 0 if position.cancel and word.word in others else word.points for word in left}
    best = sorted(left, key=lambda word: -gains[word.word])[:_LISTED]
    lines = tuple(
        EngineLine(
            move=text_of(position.turn, word.word, word.cells, players),
            place="",
            title=word.word.upper(),
            value=str(gains[word.word]),
            details=("found by the other player",) if word.word in others else (),
            cells=word.cells,
            letters=word.word,
        )
        for word in best
    )
    if not left:
        return EngineAnswer(note="Every word has been found.")
    points = format_count(sum(gains.values()), "point")
    return EngineAnswer(lines, f"{format_count(len(left), 'word')} left, worth {points}.")
