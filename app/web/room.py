"""A room: what the site needs to know about a kind of game besides its rules."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError, field_validator

from app.games.game import AnyGame, Game, IllegalMove, Measure, Setup
from app.games.puzzles import PuzzleRules
from app.grammar import format_count, format_rounded
from app.resources import resource
from app.store.models import Seat, Table, TableSettings
from app.store.ratings import Speed
from app.web.guard.fields import describe_errors, field_errors
from app.web.lesson import Lesson
from app.web.model import read_strictly
from app.web.puzzle_board import PuzzleBoard
from app.web.share.tiles import Tiles
from app.web.study.study_room import StudyRoom
from app.words.recall import RecallKind

if TYPE_CHECKING:
    from fastapi import APIRouter

Opponent = Literal["friend", "1", "2", "3", "4", "5"]
"""The player of another seat: an invited friend, or a bot of that level."""


_ENDINGS: Final = ("resign", "finish", "quit")
REQUIRED_TEMPLATES: Final = ("table.html", "replay.html", "_analysis.html")
"""The templates that every room has, in the folder named after its kind."""

T = TypeVar("T")

TurnLimit = Literal[600, 3600, 86_400, 259_200]
"""Seconds: ten minutes, an hour, a day, or three days."""


WordToLearn: TypeAlias = tuple[str, RecallKind]
"""A word in lower case, and what a card asks about it."""


@dataclass(frozen=True, slots=True)
class QuickGame:
    """A game for two that "Play now" opens."""

    speed: Literal["blitz", "rapid"]
    """The speed that follows from its clock: see ``app.store.ratings.speed_of``."""
    terms: str
    """How long it takes, in a few words."""
    options: Mapping[str, Any]
    """Options of the game."""


class Room(ABC):
    """A kind of game on the site.

    Its templates are in the folder named after the kind: ``table.html``, ``replay.html`` and
    ``_analysis.html`` are required.
    """

    game: ClassVar[type[AnyGame]]
    """The rules."""
    title: ClassVar[str]
    blurb: ClassVar[str]
    """One line about the game."""
    address: ClassVar[str]
    """Path of the page for starting a game."""
    invitation: ClassVar[str]
    """Text about the game on the invitation page."""
    daily: ClassVar[str | None] = None
    """Path of the daily, if there is one."""
    daily_terms: ClassVar[str] = ""
    """One sentence about the daily."""
    daily_board: ClassVar[tuple[int, int]] = (5, 5)
    """Rows and columns of the daily's board."""
    unit: ClassVar[str] = "point"
    """Unit of scores, singular."""
    bots_only: ClassVar[bool] = False
    """Whether bots may take every seat."""
    review_link: ClassVar[str] = "Show missed words"
    """Text of the link to the review of a finished game."""
    has_words_to_learn: ClassVar[bool] = False
    """Whether finished games offer words for the player's cards: see ``words_to_learn``."""
    examples: ClassVar[tuple[dict[str, Any], ...]] = ({},)
    """Examples of a request to open a game, without its ``kind``, for the API's documentation."""
    quick_games: ClassVar[tuple[QuickGame, ...]] = ()
    """The games that "Play now" offers, at most one of each speed; empty if the game is not for two."""
    lesson: ClassVar[Lesson | None] = None
    """A first game that teaches, if there is one."""
    puzzles: ClassVar[PuzzleRules | None] = None
    """How puzzles are made and judged, if there are any."""
    puzzle_board: ClassVar[PuzzleBoard | None] = None
    """How puzzles are shown, if there are any."""
    study: ClassVar[StudyRoom | None] = None
    """How study boards are shown, if there are any."""
    templates: ClassVar[Path | None] = None
    """A folder of templates besides the shipped one, for rooms outside this repository."""

    @property
    def kind(self) -> str:
        """The game's kind."""
        return self.game.kind

    def routers(self) -> "Iterable[APIRouter]":
        """Return the room's own routes: its pages and its engine's API."""
        return ()

    def load_custom(self, data_dir: Path) -> list[str]:  # noqa: ARG002 - few rooms have custom files
        """Load the user's files in the data folder. Returns a warning for each ignored file."""
        return []

    def title_of(self, view: Any) -> str:  # noqa: ARG002 - used by rooms with modes
        """The title of the game or mode at this table."""
        return self.title

    def mode_title(self, mode: str) -> str:  # noqa: ARG002 - likewise
        """The title of a mode, for statistics."""
        return self.title

    def measure(self, mode: str) -> Measure | None:
        """The definition of accuracy in a mode; None if there is only the score."""
        return self.game.measure(mode)

    def rules(self) -> dict[str, Any] | None:
        """The data of the template ``_rules.html``, which explains the game; None if there are no rules."""
        return None

    @property
    def daily_name(self) -> str:
        """The daily's name in addresses, the API and the store."""
        return self.kind

    def more_dailies(self) -> "tuple[Room, ...]":
        """Further dailies of the game, each a room of the same game with its own ``daily_name``."""
        return ()

    def daily_of(self, view: Any) -> str | None:  # noqa: ARG002 - few rooms have several dailies
        """The path of this game's daily, if it is a daily."""
        return self.daily

    @property
    def has_rules(self) -> bool:
        """Whether the room explains its rules."""
        return type(self).rules is not Room.rules

    def share(self, analysis: dict[str, Any], score: int) -> str:
        """The share text of a finished daily: one or two lines without spoilers."""
        accuracy = analysis["seats"][0]["accuracy"]
        scored = format_count(score, self.unit)
        return scored if accuracy is None else f"{scored}, {format_rounded(accuracy)}% accuracy"

    def deals_slowly(self, options: Any) -> bool:  # noqa: ARG002
        """Whether dealing a game may take seconds, and is left to the engine pool."""
        return False

    def has_review(self, view: Any) -> bool:
        """Whether a finished game has something to review: a turn, in games with turns."""
        return bool(getattr(view, "turns", True))

    def preview_tiles(self, view: Any) -> Tiles:  # noqa: ARG002 - rooms with boards use it
        """The board of a finished game for the picture of a shared link; empty for none."""
        return ()

    def words_to_learn(
        self,
        states: Sequence[Any],
        analysis: Mapping[str, Any],
        seat: int,
    ) -> Iterable[WordToLearn]:
        """What a seat can learn from a finished game, the most useful first: missed words, and wrong guesses.

        ``states`` are all of the game. Cards for wrong guesses ask whether the word is valid.
        """
        return (*wrong_guesses(states, seat), *missed_words(analysis, seat))

    @abstractmethod
    def describe_score(self, view: Any, seat: int) -> str:
        """The current score of an unfinished game in a few words, for a seat."""

    @property
    def move_type(self) -> Any:
        """The union of the game's moves in the API: as in the rules, but with another name for the ending."""
        return self.game.move_type

    def shown_move(self, move: BaseModel) -> BaseModel:
        """A logged move as returned by the API."""
        return move

    def with_logged_ending(self, move: Mapping[str, T]) -> Mapping[str, T | str]:
        """The fields of a move; if it ends the game, under any name, with the type that the log uses."""
        return {**move, "type": self.game.resignation.type} if move.get("type") in _ENDINGS else move

    typed_moves: ClassVar[tuple[type[BaseModel], ...]] = ()
    """Moves that ``read_json_move`` accepts besides the game's own, for the API's documentation."""

    @property
    def sent_moves(self) -> tuple[type[BaseModel], ...]:
        """The types of the moves that callers may send."""
        union, *_ = get_args(self.move_type)
        return tuple(each for each in (*get_args(union), *self.typed_moves) if each not in self.game.reserved)

    def read_json_move(self, move: Mapping[str, Any], table: Table) -> Any:
        """Parse a move from JSON. Raises ValidationError, IllegalMove."""
        try:
            return read_strictly(table.game.move_adapter, self.with_logged_ending(move))
        except ValidationError as error:
            raise self._listing_sent_types(error) from None

    def _listing_sent_types(self, error: ValidationError) -> ValidationError:
        """The error; that of an unknown type lists only what callers may send, by the current names."""
        fault: Any = error.errors(include_url=False)[0]
        if fault["type"] != "union_tag_invalid" or fault["loc"]:
            return error
        types = (repr(each.model_fields["type"].default) for each in self.sent_moves)
        fault["ctx"]["expected_tags"] = ", ".join(types)
        return ValidationError.from_exception_data(error.title, [fault])

    @abstractmethod
    def read_move(self, fields: Mapping[str, str], table: Table) -> Any:
        """Parse a move from a form. Raises IllegalMove."""


def check_room(kind: str, room: Room) -> None:
    """Raise TypeError naming what the room in the package ``kind`` lacks, before a page needs it."""
    if not isinstance(room, Room):
        raise TypeError(f"the package {kind!r} has a ROOM that is not an instance of Room: {room!r}")
    if getattr(room.game, "kind", kind) != kind:
        raise TypeError(f"the package {kind!r} has a game of the kind {room.kind!r}: both need the same name")
    rules = room.game
    lacking = [f"{rules.__name__}.{name}()" for name in sorted(rules.__abstractmethods__)]
    for base, own in ((Game, rules), (Room, type(room))):
        lacking += [f"{own.__name__}.{name}" for name in base.__annotations__ if not hasattr(own, name)]
    folders = [folder / kind for folder in (room.templates, resource("templates")) if folder]
    for name in REQUIRED_TEMPLATES:
        if not any((folder / name).is_file() for folder in folders):
            lacking.append(f"the template {folders[0] / name}")
    if lacking:
        raise TypeError(f"the room {kind!r} lacks {', '.join(lacking)}")


Rooms = Mapping[str, Room]
"""Rooms by kind of game, in display order; the first is the default of requests without a kind."""


def quick_setups(rooms: Rooms) -> dict[tuple[str, Speed], Setup]:
    """The options of every quick game, by kind and speed."""
    return {
        (room.kind, quick.speed): room.game.setup_type.model_validate(quick.options)
        for room in rooms.values()
        for quick in room.quick_games
    }


def checked(adapter: TypeAdapter[Any], fields: Mapping[str, Any]) -> Any:
    """Validate the fields of a move. Raises IllegalMove."""
    try:
        return adapter.validate_python(fields)
    except ValidationError as error:
        raise IllegalMove(describe_errors(field_errors(error.errors(), {"body": fields}, "body"))) from None


def mistakes_of(analysis: Mapping[str, Any], seat: int) -> list[Any]:
    """The turns of a seat that were inaccuracies or worse, the worst first."""
    wrong = ("inaccuracy", "mistake", "blunder")
    turns = analysis.get("turns", ())
    found = [turn for turn in turns if turn["seat"] == seat and turn.get("verdict") in wrong]
    return sorted(found, key=lambda turn: -turn["loss"])


def missed_words(analysis: Mapping[str, Any], seat: int) -> Iterator[WordToLearn]:
    """The best words of a seat's mistakes, then the words that no player found."""
    for turn in mistakes_of(analysis, seat):
        if turn["best"]["word"] != turn.get("word"):  # A shuffle was better than any word.
            yield turn["best"]["word"], "anagram"
    for missed in analysis.get("missed", ()):
        yield missed["word"], "anagram"


def wrong_guesses(states: Sequence[Any], seat: int) -> Iterator[WordToLearn]:
    """The words guessed by a seat that are not in the word list, if the game reports them."""
    for state in states:
        rounds = getattr(state, "rounds", None)
        report = rounds[seat].report if isinstance(rounds, tuple) else getattr(state, "report", None)
        if report is not None and report.result == "not_a_word" and getattr(report, "seat", seat) == seat:
            yield report.word, "validity"


def cell_numbers(text: str) -> tuple[int, ...]:
    """Parse comma-separated cells such as ``0,6,7``. Raises IllegalMove."""
    try:
        return tuple(int(cell) for cell in text.split(","))
    except ValueError:
        raise IllegalMove("a word is a list of cell numbers separated by commas, like 0,6,7") from None


def read_number(text: object) -> object:
    """A form's number as an int, None for an empty field; anything else unchanged, to be refused later."""
    return int(text) if isinstance(text, str) and _NUMBER.fullmatch(text) else text or None


_NUMBER: Final = re.compile("[0-9]{1,9}")


class OtherEnding(BaseModel):
    """An old name of the move that ends a game: now ``resign`` if it loses the game, else ``finish``."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"deprecated": True})

    type: Literal["resign", "finish", "quit"]


class TableSettingsFields(BaseModel):
    """Form fields for the settings of a new table."""

    turn_limit: TurnLimit | None = None
    """Seconds after which the game may be claimed from an idle seat."""
    listed: bool = False
    """Whether to list the table in the lobby."""
    rated: bool = False
    """Whether the result changes the players' ratings."""

    @field_validator("turn_limit", mode="before")
    @classmethod
    def _no_limit(cls, value: object) -> object:
        return read_number(value)

    def settings(self) -> TableSettings:
        """The table settings."""
        return TableSettings(self.turn_limit, self.listed, self.rated)


def seats(opponents: tuple[Opponent, ...]) -> list[Seat]:
    """The seats of a new table: a free one for the player who opens it, then one for each opponent."""
    others = [Seat() if each == "friend" else Seat(bot_level=int(each)) for each in opponents]
    return [Seat(), *others]
