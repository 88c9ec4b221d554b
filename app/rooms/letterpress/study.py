"""Letterpress's study boards: letters, owners, and the solver's moves."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from app.games.letterpress.lines import DECIDED, WIN
from app.games.letterpress.puzzles import Position as PuzzlePosition
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.state import State
from app.games.letterpress.study import LetterpressStudy, StudyPosition, owners_of, text_of, tree_of_game
from app.games.study_tree import BadStudy, Played, StudyRules, StudyTree, collecting_faults, read_position
from app.grammar import format_change, format_count
from app.rooms.letterpress.board_tiles import board_tiles
from app.rooms.letterpress.solve_request import SolveRequest, link_fields
from app.validation import message_of
from app.web.guard.rates import Caller
from app.web.services import Services
from app.web.study.study_room import EngineAnswer, EngineLine, Fields, StudyRoom
from app.words.library import Library

if TYPE_CHECKING:
    from app.rooms.letterpress.api import MoveAnswer

_EXAMPLE = "bnbdaetgreliegbcnhdlxmhoi"


class LetterpressStudyRoom(StudyRoom):
    """The 25 tiles with their owners; player 1 is blue."""

    rules: ClassVar[StudyRules[Any]] = LetterpressStudy()
    address: ClassVar[str] = "/boards/new/letterpress"
    styles: ClassVar[tuple[str, ...]] = ("letterpress/letterpress.css", "letterpress/study.css")
    script: ClassVar[str] = "letterpress/study.js"
    engines: ClassVar[tuple[tuple[str, str], ...]] = (
        ("2", "2 moves ahead"),
        ("1", "1 move ahead"),
        ("3", "3 moves ahead"),
    )
    move_hint: ClassVar[str] = "a word, tapped or typed; or pass"

    def label(self, move: str) -> str:
        """The word without its cells."""
        return move.partition(" ")[0]

    def context(self, position: StudyPosition, step: Played, names: Sequence[str]) -> dict[str, Any]:
        sides = position.owned(0), position.owned(1)
        counts = [side.bit_count() for side in sides]
        over = self.rules.ending(position)
        leader = names[0 if counts[0] > counts[1] else 1]
        return {
            "tiles": board_tiles(position.board, *sides),
            "counts": counts,
            "latest": step.cells,
            "verdict": ("It is a draw." if counts[0] == counts[1] else f"{leader} won.") if over else None,
        }

    def setup_fields(self, position: StudyPosition) -> dict[str, str]:
        return {
            "board": " ".join(position.board[row : row + 5] for row in range(0, 25, 5)),
            "owners": " ".join(position.owners[row : row + 5] for row in range(0, 25, 5)),
            "played": " ".join(position.played),
            "to_move": str(position.to_move + 1),
            "passes": str(position.passes),
            "lexicon": position.lexicon,
        }

    def read_setup(self, fields: Fields, services: Services) -> StudyTree:
        """The fields of ``setup_fields``, or the URL parameters of the solver page."""
        given = {name: text.strip() for name, text in fields.items() if text.strip()}
        values: dict[str, Any] = {
            "board": given.get("board", _EXAMPLE),
            "played": given.get("played", "").lower().replace(",", " ").split(),
            "lexicon": given.get("lexicon", Library.default),
            "to_move": 1 if given.get("to_move") == "2" or given.get("turn") == "theirs" else 0,
            "passes": 1 if given.get("passes") == "1" or given.get("passed") == "true" else 0,
        }
        faults: list[BadStudy] = []
        if "owners" in given:
            values["owners"] = given["owners"]
        elif "ours" in given or "theirs" in given:
            with collecting_faults(faults):
                values["owners"] = _owners(given)
        start = read_position(self.rules, values, faults)
        return StudyTree(start=start.model_dump(mode="json"))

    def best(self, services: Services, caller: Caller, step: Played, engine: str) -> EngineAnswer:
        """The solver's best words, each with the expected reply."""
        # Rooms are imported by the terminal, too, which needs no web pages.
        from app.rooms.letterpress.api import solved  # noqa: PLC0415

        position: StudyPosition = step.position
        sides = position.territory
        request = SolveRequest.model_validate(
            {
                "board": position.board,
                "ours": {"mask": sides.ours},
                "theirs": {"mask": sides.theirs},
                "played": list(position.played),
                "passed": position.passes > 0,
                "plies": int(engine),
                "budget_ms": min(150, services.longest_budget_ms),
                "group": True,
                "lexicon": position.lexicon,
            }
        )
        answer = solved(request, services, caller)
        lines = tuple(_line(move) for move in answer.moves)
        proven = f"Proven: a {answer.outcome} in {answer.plies_to_end}. " if answer.outcome else ""
        words = f"{proven}{format_count(answer.stats.word_count, 'word')}"
        counts = "The value is the lead in tiles plus three times the lead in protected tiles."
        return EngineAnswer(lines, f"{words}. {counts}")

    def tree_of_game(self, game: Letterpress, states: Sequence[State], names: Sequence[str]) -> StudyTree:
        return tree_of_game(states, names)

    def start_of_puzzle(self, position: PuzzlePosition, lexicon: str) -> dict[str, Any]:
        return {
            "board": position.board,
            "owners": owners_of(position.ours, position.theirs),
            "played": list(position.played),
            "lexicon": lexicon,
        }


def _owners(given: Fields) -> str:
    """The owners in the notations that the solver accepts. Raises BadStudy."""
    asked = link_fields({name: given[name] for name in ("board", "ours", "theirs") if name in given})
    try:
        territory = SolveRequest.model_validate({"board": _EXAMPLE} | asked).territory
    except (ValidationError, RequestValidationError) as error:
        first = error.errors()[0]
        raise BadStudy(f"{first['loc'][0]}: {message_of(first)}", "owners") from None
    if territory.ours & territory.theirs:
        raise BadStudy("owners: a tile has one owner, some have two", "owners")
    return owners_of(territory.ours, territory.theirs)


def _line(move: "MoveAnswer") -> EngineLine:
    """The list entry of a move."""
    if abs(move.value) > DECIDED:
        left = WIN - abs(move.value)
        value = f"{'wins' if move.value > 0 else 'loses'} {'now' if left == 1 else f'in {left}'}"
    else:
        value = format_change(move.value)
    details = [f"{move.tiles.ours} : {move.tiles.theirs}"]
    if move.reply:
        details.append(f"reply {move.reply.word.upper() or 'pass'}")
    return EngineLine(
        move=text_of(move.word, move.cells),
        place="",
        title=move.word.upper() or "Pass",
        value=value,
        details=tuple(details),
        cells=tuple(move.cells),
        letters=move.word,
    )
