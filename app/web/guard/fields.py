"""Validation errors in the API's terms: Pydantic's phrases and internal locations are translated.

On pages, fields are called by their labels in the forms.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, TypeAlias

from fastapi.exceptions import RequestValidationError
from pydantic import Field, ValidationError

from app.store.models import BadField
from app.validation import accepted, expectation, given, message_of, shorten
from app.web.model import Documented
from app.words.library import UnknownLexicon

Location: TypeAlias = list[str | int]

ROOTS: Final = ("body", "query", "path", "header", "cookie")
"""The parts of a request, with which a location begins."""
_LABELS: Final = {
    "clock_seconds": "time per player",
    "increment_seconds": "time added after each turn",
    "turn_seconds": "time per turn",
    "lexicon": "word list",
}
"""Labels on pages of the fields that players know by another name."""
_LABELLED: Final = re.compile(rf"\b(?:{'|'.join(_LABELS)})\b")
_EMPTY: Final = '""'
"""The name of a member without characters, which JSON and addresses can have."""
_MOST_DESCRIBED: Final = 20
"""Most errors in one line; a list of the wrong type has one for each of its items."""
_REQUIRED: Final = frozenset({"missing", "missing_argument", "union_tag_not_found"})


class FieldError(Documented):
    """An error in one field."""

    location: Location = Field(examples=[["body", "move", "cells", 3]])
    """Path to the field, outermost first; it begins with ``body``, ``query`` or ``path``."""
    message: str = Field(examples=["cell 7 does not touch cell 0: each tile must touch the one before"])

    def __str__(self) -> str:
        """The message after the field's name, such as ``move.cells[3]: ...``."""
        parts = self.location[1:]
        name = "".join(
            f"[{part}]" if isinstance(part, int) else f".{shorten(part) or _EMPTY}" for part in parts
        )
        return f"{name.removeprefix('.')}: {self.message}" if name else self.message


@dataclass(slots=True)
class _Fault:
    location: Location
    message: str
    expected: str | None
    """What is accepted, for messages that are built from it."""
    given: str
    alternative: bool
    """Whether the error is about one of several accepted types."""


def invalid_field(message: str, *location: str | int) -> RequestValidationError:
    """The validation error of the field at this location, such as ``"body", "words", 3``."""
    return RequestValidationError([{"loc": location, "msg": message}])


def field_errors(
    errors: Iterable[Any], request: Mapping[str, Any] | None = None, root: str | None = None
) -> list[FieldError]:
    """Convert Pydantic's errors.

    ``request`` has the values of ``body``, ``query`` and ``path``; parts of a location that are not members
    there are left out. ``root`` is put in front of locations that begin with none of ROOTS.
    """
    faults = [_fault(error, request, root) for error in errors if not _misses_wrong_items(error)]
    deepest = [fault for fault in faults if not (fault.alternative and _is_refined(fault, faults))]
    return [
        FieldError(location=location, message=_combined(list(group)))
        for location, group in groupby(deepest, key=lambda fault: fault.location)
    ]


def errors_by_field(errors: Iterable[Any], typed: Iterable[str] = ()) -> dict[str, str]:
    """The first error of each field of a page's form.

    An error of the whole form belongs to the field of ``typed`` that its message names, otherwise to ``""``.
    """
    found: dict[str, str] = {}
    for error in field_errors(errors):
        field = next((part for part in error.location if part not in ROOTS), None)
        if field is None:
            field = max((name for name in typed if name in error.message), key=len, default="")
        found.setdefault(str(field), error.message)
    return found


@contextmanager
def collecting_errors(errors: dict[str, str], typed: Iterable[str] = ()) -> Iterator[None]:
    """Add the errors of a form's fields in the block to ``errors``, by field, instead of raising them."""
    try:
        yield
    except (ValidationError, RequestValidationError) as invalid:
        found = errors_by_field(invalid.errors(), typed)
    except UnknownLexicon as missing:
        found = {"lexicon": str(missing)}
    except BadField as refused:
        found = {str(next(reversed(refused.location), "")): str(refused)}
    else:
        return
    for field, message in found.items():
        errors.setdefault(field, message)


def describe_errors(errors: Sequence[FieldError]) -> str:
    """All errors in one line; of many, the first."""
    more = len(errors) - _MOST_DESCRIBED
    return "; ".join([*map(str, errors[:_MOST_DESCRIBED]), *([f"and {more:,} more"] if more > 0 else ())])


def in_players_words(detail: str, errors: Iterable[FieldError]) -> str:
    """The detail of a problem with these errors, with labels instead of field names."""
    for error in errors:
        name = next((part for part in reversed(error.location[1:]) if isinstance(part, str)), "")
        label = _LABELS.get(name, name.replace("_", " "))
        message = _LABELLED.sub(lambda found: _LABELS[found[0]], error.message)
        detail = detail.replace(str(error), f"{label}: {message}" if label else message)
    return detail


def _misses_wrong_items(error: Any) -> bool:
    """Whether a list is called too short only because its wrong items, which have errors, do not count."""
    return bool(error.get("type") == "too_short" and len(error["input"]) >= error["ctx"]["min_length"])


def _fault(error: Any, request: Mapping[str, Any] | None, root: str | None) -> _Fault:
    kind, context = error.get("type", ""), error.get("ctx", {})
    location, alternative = _members(error, request, root)
    if kind == "json_invalid":
        place = f" (character {error['loc'][-1]})" if isinstance(error["loc"][-1], int) else ""
        location, message = location[:1], message_of(error) + place
    elif kind in _REQUIRED:
        message = "required" if len(location) > 1 or "discriminator" in context else "a body is required"
    else:
        message = message_of(error)
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        location = [*location, context["discriminator"].strip("'")]
    elif kind == "field":  # see field_fault
        location = [*location, context["field"]]
    return _Fault(location, message, accepted(error), given(error), alternative)


def _members(error: Any, request: Mapping[str, Any] | None, root: str | None) -> tuple[Location, bool]:
    """The location's parts that are members of the request, and whether the last part was not one."""
    parts: Location = list(error["loc"])
    if root is not None and (not parts or parts[0] not in ROOTS):
        parts = [root, *parts]
    if root == "query" and parts[0] == "body":
        parts[0] = root  # the same checks serve requests with the fields in the address
    if request is None:
        return parts, False
    members, value = parts[:1], request.get(str(parts[0]))
    is_member = True
    for number, part in enumerate(parts[1:], 2):
        is_member = True
        # The type of a move stands before its fields, one of which may have the same name.
        is_type = isinstance(value, Mapping) and value.get("type") == part and number < len(parts)
        if isinstance(value, Mapping) and part in value and not is_type:
            value = value[part]
        elif isinstance(part, int):
            value = value[part] if isinstance(value, list) and part < len(value) else None
        else:  # a missing member, or Pydantic's name of a type
            is_missing = error.get("type") == "missing" and number == len(parts)
            is_member = is_missing or "type" not in error
        if is_member:
            members.append(part)
    return members, not is_member


def _is_refined(fault: _Fault, faults: Iterable[_Fault]) -> bool:
    """Whether another error is deeper inside the same value, which was then nearly accepted."""
    length = len(fault.location)
    return any(len(other.location) > length and other.location[:length] == fault.location for other in faults)


def _combined(faults: Sequence[_Fault]) -> str:
    """One message for the errors of one value."""
    return "; ".join(_messages(faults))


def _messages(faults: Sequence[_Fault]) -> Iterator[str]:
    own = dict.fromkeys(fault.message for fault in faults if fault.expected is None)
    yield from own
    expected = dict.fromkeys(fault.expected for fault in faults if fault.expected is not None)
    if expected and not own:  # a message of its own is about a value whose type is accepted
        wrong = next(fault.given for fault in faults if fault.expected is not None)
        yield expectation(expected, wrong)
