"""A room's additions to study boards. The template is ``_study.html`` in the room's folder."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from app.games.study_tree import BadStudy, Played, StudyRules, StudyTree
from app.validation import quote

if TYPE_CHECKING:
    from app.web.guard.rates import Caller
    from app.web.services import Services

Fields = Mapping[str, str]
"""Form fields or query parameters."""


@dataclass(frozen=True, slots=True)
class EngineLine:
    """A move that the engine proposes."""

    move: str
    """The move, in the board's notation."""
    place: str
    """Its position, in a few characters; empty in games where the word is enough."""
    title: str
    value: str
    """Its evaluation, in a few characters."""
    details: tuple[str, ...] = ()
    cells: tuple[int, ...] = ()
    """The cells of its tiles, for the preview on the board."""
    letters: str = ""
    """The letters that the preview shows there."""


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """The engine's evaluation of a position."""

    lines: tuple[EngineLine, ...] = ()
    """The best move first."""
    note: str = ""
    """A sentence below the lines."""
    missing: str = ""
    """What the player has to enter before the engine can search; empty if nothing is missing."""


@dataclass(frozen=True, slots=True)
class Download:
    """A file of a board."""

    name: str
    """The file name with its extension."""
    text: str


class StudyRoom(ABC):
    """The presentation of a room's study boards. Stateless."""

    rules: ClassVar[StudyRules[Any]]
    address: ClassVar[str]
    """The path of an empty board."""
    styles: ClassVar[tuple[str, ...]]
    script: ClassVar[str] = ""
    """The script for the board itself, if there is one."""
    engines: ClassVar[tuple[tuple[str, str], ...]]
    """The ways to evaluate, with their titles; the first is the default."""
    move_label: ClassVar[str] = "Move"
    move_hint: ClassVar[str]
    """A hint on the notation of moves."""
    most_seats: ClassVar[int] = 2
    """The most seats of a game that boards can show."""
    seat_fields: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The form fields of each seat, for fields of the position with a value per seat."""
    reads_text: ClassVar[bool] = False
    """Whether ``read_setup`` reads positions or games in text files, as the field ``position``."""
    formats: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Names and titles of downloads besides the board itself."""

    @abstractmethod
    def context(self, position: Any, step: Played, names: Sequence[str]) -> dict[str, Any]:
        """The variables of the room's template for a position, reached by ``step``."""

    @abstractmethod
    def setup_fields(self, position: Any) -> dict[str, str]:
        """The position as fields of the form that sets one up."""

    @abstractmethod
    def read_setup(self, fields: Fields, services: "Services") -> StudyTree:
        """The tree described by the fields; an empty board without any. Raises BadStudy naming the field."""

    def field_of(self, location: Sequence[str | int], fields: Collection[str]) -> str | None:
        """The one of these form fields that an error at this location is about; None if there is none."""
        for name, seat in pairwise(location):
            if name in self.seat_fields and isinstance(seat, int):
                return self.seat_fields[str(name)][seat]
        return next((str(part) for part in location if part in fields), None)

    def label(self, move: str) -> str:
        """The text of a stored move in lists."""
        return move

    def read_known(self, fields: Fields, position: Any) -> dict[str, Any]:  # noqa: ARG002 - some games need both
        """The facts that the player enters as known after a move. Raises BadStudy naming the field."""
        raise BadStudy("nothing can be set after a move of this game", "known")

    @abstractmethod
    def best(self, services: "Services", caller: "Caller", step: Played, engine: str) -> EngineAnswer:
        """The best moves of the position after ``step``. Raises PoolFull, TooOften."""

    def opens(self, view: Any) -> bool:  # noqa: ARG002 - most rooms open all games of up to ``most_seats``
        """Whether boards can show a finished game, by its view."""
        return True

    def tree_of_game(
        self,
        game: Any,  # noqa: ARG002 - not every room opens games
        states: Sequence[Any],  # noqa: ARG002
        names: Sequence[str],  # noqa: ARG002
    ) -> StudyTree:
        """The tree of a finished game. Raises BadStudy if boards cannot show it."""
        raise BadStudy("games of this kind cannot be opened on a study board")

    def node_of(self, states: Sequence[Any], ply: int) -> int:
        """The number of the node of a game's tree after ``ply`` moves."""
        return len(states[ply].turns)

    def start_of_puzzle(self, position: Any, lexicon: str) -> dict[str, Any]:  # noqa: ARG002 - as above
        """The start of a board for the position of a puzzle. Raises BadStudy if boards cannot show it."""
        raise BadStudy("puzzles of this kind cannot be opened on a study board")

    def download(
        self,
        name: str,
        tree: StudyTree,  # noqa: ARG002 - only rooms with formats need them
        steps: Sequence[Played],  # noqa: ARG002
        number: int,  # noqa: ARG002
    ) -> Download:
        """A file in one of ``formats`` of the node with this number. Raises BadStudy."""
        raise BadStudy(f"there is no format {quote(name)}; accepted: json", "download")
