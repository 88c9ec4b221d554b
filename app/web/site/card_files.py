"""Cards as files: a table (CSV) that keeps their schedule, and notes for Anki.

No cell of such a file can be a spreadsheet formula: words are letters, and everything else is names, numbers
and times.
"""

import csv
import html
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Final, Self

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from app.grammar import format_count
from app.store.card_schedule import CardState, Schedule, new_schedule
from app.store.cards import MOST_CARDS, MOST_LETTERS, Card, CardKey
from app.validation import quote
from app.web.guard.fields import FieldError, field_errors
from app.words.library import DamagedLexicon, Library, UnknownLexicon
from app.words.recall import Question, RecallKind

MOST_BYTES: Final = 2_000_000
"""Most bytes of a file to import, twice as many as MOST_CARDS cards take."""
ANKI_COLUMNS: Final = ("Question", "Answer", "Word", "Ask", "List", "Tags")
_ERRORS_SHOWN: Final = 10
_LAST_TIME: Final = datetime(2300, 1, 1, tzinfo=UTC)
_SEPARATORS: Final = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " ", "colon": ":"}
_TAG: Final = re.compile("<[^<>]*>")
"""Has no ``<`` inside: a run of them would take quadratic time."""

WordExists = Callable[[str, str], bool]
"""Whether a list, given by its name, has a word. Raises UnknownLexicon."""


class BadCards(ValueError):
    """A file of cards cannot be imported; ``errors`` name line and column."""

    def __init__(self, errors: list[FieldError]) -> None:
        shown = [error.message for error in errors[:_ERRORS_SHOWN]]
        more = len(errors) - len(shown)
        super().__init__("; ".join([*shown, f"and {more} more errors"] if more else shown))
        self.errors = errors[:_ERRORS_SHOWN]


def _read_time(text: str) -> datetime:
    """The time in a cell of a table. Raises ValueError."""
    with suppress(ValueError):
        at = datetime.fromisoformat(text.strip())
        if at.tzinfo is not None:
            return at
    raise ValueError(f"a time such as 2026-11-25T07:53:41+00:00 expected, {quote(text)} given")


_Number = Annotated[int, Field(ge=0, le=1_000_000)]
_Time = Annotated[
    AwareDatetime, BeforeValidator(_read_time), Field(ge=datetime.fromtimestamp(0, UTC), le=_LAST_TIME)
]


class CardRow(BaseModel):
    """A line of the table. Without ``state``, the card is new."""

    model_config = ConfigDict(extra="forbid")

    word: Annotated[str, BeforeValidator(lambda text: str(text).strip().lower())] = Field(
        min_length=1, max_length=MOST_LETTERS, pattern="^[a-z]+$"
    )
    ask: RecallKind
    lexicon: str = Library.default
    state: CardState | None = None
    step: Annotated[int, Field(ge=0, le=1)] | None = None
    stability: Annotated[float, Field(ge=0.001, le=1_000_000, allow_inf_nan=False)] | None = None
    difficulty: Annotated[float, Field(ge=1, le=10, allow_inf_nan=False)] | None = None
    due: _Time | None = None
    last_review: _Time | None = None
    reps: _Number | None = None
    lapses: _Number | None = None
    created_at: _Time | None = None

    @model_validator(mode="after")
    def _is_a_schedule(self) -> Self:
        if self.state is None:
            return self
        learned = (self.stability, self.difficulty, self.last_review)
        missing = any(value is None for value in learned)
        if self.due is None:
            raise ValueError("due: required where there is a state")
        if missing and (self.state != "learning" or learned != (None, None, None)):
            raise ValueError("stability, difficulty and last_review: all or, in a new card, none of them")
        if (self.step is None) is not (self.state == "review"):
            raise ValueError("step: 0 or 1 in learning and relearning, empty in review")
        return self

    def card(self, at: float) -> Card:
        """The card; a new one is due at ``at``."""
        schedule = new_schedule(at)
        if self.state is not None and self.due is not None:
            last = self.last_review.timestamp() if self.last_review else None
            schedule = Schedule(
                self.state, self.step, self.stability, self.difficulty, self.due.timestamp(), last
            )
        created = self.created_at.timestamp() if self.created_at else at
        key = CardKey(self.lexicon, self.word, self.ask)
        return Card(key, schedule, self.reps or 0, self.lapses or 0, created)


COLUMNS: Final = tuple(CardRow.model_fields)


def write_table(cards: Iterable[Card]) -> str:
    """The cards as a table with a header. Times are in UTC, as in ISO 8601."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for card in cards:
        schedule = card.schedule
        writer.writerow(
            (
                card.key.word,
                card.key.ask,
                card.key.lexicon,
                schedule.state,
                schedule.step,
                schedule.stability,
                schedule.difficulty,
                _time(schedule.due),
                _time(schedule.last_review),
                card.reps,
                card.lapses,
                _time(card.created_at),
            )
        )
    return text.getvalue()


def write_notes(questions: Iterable[tuple[CardKey, Question | None]]) -> str:
    """The cards as notes in a text that Anki imports, without cards that have no question."""
    text = io.StringIO()
    head = ("#separator:tab", "#html:false", "#columns:" + "\t".join(ANKI_COLUMNS))
    text.write("\n".join((*head, f"#tags column:{len(ANKI_COLUMNS)}", "")))
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    for key, question in questions:
        if question is not None:
            tags = f"wibble {key.ask} {key.lexicon}"
            writer.writerow((_prompt(question), question.solution, key.word, key.ask, key.lexicon, tags))
    return text.getvalue()


def read_cards(text: str, ask: RecallKind, lexicon: str, at: float, exists: WordExists) -> list[Card]:
    """Read either kind of file. ``ask`` and ``lexicon`` are for notes without these fields.

    Raises BadCards, which names line and column, if anything in it is wrong.
    """
    text = text.removeprefix("\ufeff")
    lines = _notes(text, ask, lexicon) if text.startswith("#") else _table(text)
    cards: list[Card] = []
    errors: list[FieldError] = []
    for rows, (number, fields) in enumerate(lines, start=1):
        if rows > MOST_CARDS:
            errors.append(_error(number, "", f"more than {MOST_CARDS:,} cards: so many are kept"))
            break
        card = _read_card(number, fields, at, exists)
        if isinstance(card, Card):
            cards.append(card)
        else:
            errors += card
    if not cards and not errors:
        errors = [_error(1, "", "no cards: expected a table with the columns word and ask, or Anki's notes")]
    if errors:
        raise BadCards(errors)
    return cards


def _read_card(
    number: int, fields: Mapping[str, str], at: float, exists: WordExists
) -> Card | list[FieldError]:
    """The card in the line with this number, or the line's errors."""
    try:
        card = CardRow.model_validate(fields).card(at)
        if card.key.ask == "validity" or exists(card.key.lexicon, card.key.word):
            return card
    except ValidationError as invalid:
        return [
            _error(number, str(fault.location[1]) if len(fault.location) > 1 else "", fault.message)
            for fault in field_errors(invalid.errors(), root="body")
        ]
    except (UnknownLexicon, DamagedLexicon) as unknown:
        return [_error(number, "lexicon", str(unknown))]
    return [_error(number, "word", f"{card.key.word!r} is not in the list {card.key.lexicon}")]


def _table(text: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    rows = _rows(text.splitlines(keepends=True), separator)
    header = [name.strip().lower() for name in next(rows, (1, [""]))[1]]
    for name in header:
        if name not in COLUMNS or header.count(name) > 1:
            message = (
                f"{quote(name)} is not a column, or is there twice: the columns are {', '.join(COLUMNS)}"
            )
            raise BadCards([_error(1, "", message)])
    for name in ("word", "ask"):
        if name not in header:
            raise BadCards([_error(1, name, "this column is required")])
    for number, row in rows:
        if len(row) != len(header):
            raise BadCards(
                [_error(number, "", f"{format_count(len(row), 'column')}: expected {len(header)}")]
            )
        yield number, {name: cell for name, cell in zip(header, row, strict=True) if cell.strip()}


def _notes(text: str, ask: RecallKind, lexicon: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The notes in a text exported from Anki, or for import into it."""
    lines = text.splitlines(keepends=True)
    settings: dict[str, str] = {}
    while len(settings) < len(lines) and lines[len(settings)].startswith("#"):
        name, _, value = lines[len(settings)][1:].rstrip("\r\n").partition(":")
        settings[f"{len(settings)} {name.lower()}"] = value
    head = {name.partition(" ")[2]: value for name, value in settings.items()}
    said = head.get("separator", "tab")
    separator = _SEPARATORS.get(said.lower(), said)
    if len(separator) != 1:
        raise BadCards([_error(1, "", f"separator {quote(said)}: expected tab, comma, semicolon or pipe")])
    columns = [name.lower() for name in head.get("columns", "").split(separator)]
    words = head.get("html", "true").strip() != "false"
    for number, row in _rows(lines[len(settings) :], separator, len(settings)):
        fields = dict(zip(columns, row, strict=False))
        word = fields.get("word", row[0])
        if words:
            word = _without_markup(word)
        yield (
            number,
            {"word": word, "ask": fields.get("ask", ask), "lexicon": fields.get("list", lexicon)},
        )


def _without_markup(cell: str) -> str:
    """The text of a cell of HTML; unchanged if it has a character reference with thousands of digits."""
    try:
        return html.unescape(_TAG.sub("", cell))
    except ValueError:  # from ``int``
        return cell


def _rows(lines: Iterable[str], separator: str, before: int = 0) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, each with the number of its line."""
    reader = csv.reader(lines, delimiter=separator, strict=True)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield before + reader.line_num, row
    except csv.Error as error:
        raise BadCards([_error(before + reader.line_num, "", str(error))]) from None


def _prompt(question: Question) -> str:
    asks = {
        "anagram": "Anagrams of",
        "hooks": "Hooks of",
        "validity": "Is it a word?",
        "definition": "Which word is this?",
    }
    clue = f" ({question.clue})" if question.clue else ""
    return f"{asks[question.kind]} {question.prompt}{clue}"


def _time(at: float | None) -> str:
    return "" if at is None else datetime.fromtimestamp(at, UTC).isoformat()


def _error(line: int, column: str, message: str) -> FieldError:
    place = f"line {line}, column {column}" if column else f"line {line}"
    return FieldError(location=["body", line, *([column] if column else [])], message=f"{place}: {message}")
