"""Validation messages in plain English instead of Pydantic's: what is wrong and what is accepted."""

import re
from collections.abc import Iterable, Mapping, Sized
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

_LONGEST: Final = 60
"""Most characters of a wrong value that a message repeats."""
_WHOLE, _NUMBER, _TRUTH, _LIST, _OBJECT = "a whole number", "a number", "true or false", "a list", "an object"
_DATE: Final = "a date such as 2026-11-22"
_EXPECTED: Final = {
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": "a smaller number",
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": _NUMBER,
    "bool_type": _TRUTH,
    "bool_parsing": _TRUTH,
    "string_type": "text",
    "string_unicode": "text in UTF-8",
    "list_type": _LIST,
    "tuple_type": _LIST,
    "dict_type": _OBJECT,
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "dataclass_type": _OBJECT,
    "date_type": _DATE,
    "date_parsing": _DATE,
    "date_from_datetime_parsing": _DATE,
    "date_from_datetime_inexact": _DATE,
    "greater_than_equal": "{ge} or more",
    "greater_than": "more than {gt}",
    "less_than_equal": "{le} or less",
    "less_than": "less than {lt}",
    "literal_error": "{expected}",
    "enum": "{expected}",
    "string_pattern_mismatch": "{pattern}",
    "string_too_short": "{min_length} or more characters",
    "string_too_long": "{max_length} or fewer characters",
    "too_short": "{min_length} or more items",
    "too_long": "{max_length} or fewer items",
    "union_tag_invalid": "{expected_tags}",
}
"""What is accepted, by Pydantic's type of error."""
_FIXED_MESSAGES: Final = {
    "missing": "required",
    "missing_argument": "required",
    "extra_forbidden": "there is no such field",
}
_CHARACTERS: Final = re.compile(r"\^\[((?:[^]\\-]-[^]\\-]|[^]\\^-])+-?)\](\+|\{\d+(?:,\d+)?\})?\$")
"""Matches a pattern of one character class with an optional count."""


def field_fault(field: str, reason: str) -> PydanticCustomError:
    """An error of a whole object that belongs to one of its fields: see ``location_of``."""
    return PydanticCustomError("field", "{field}: {reason}", {"field": field, "reason": reason})


def location_of(error: Mapping[str, Any]) -> tuple[int | str, ...]:
    """The path to the wrong value, with the field that a ``field_fault`` names."""
    own = (error["ctx"]["field"],) if error.get("type") == "field" else ()
    return (*error["loc"], *own)


def accepted(error: Mapping[str, Any]) -> str | None:
    """What is accepted instead of a value, such as ``2 or more``; None if the error's own message says it."""
    kind = error.get("type", "")
    if kind not in _EXPECTED:
        return None
    context = {name: _plain(part) for name, part in error.get("ctx", {}).items()}
    if "expected_tags" in context:
        context["expected_tags"] = " or ".join(context["expected_tags"].rsplit(", ", 1))
    if "pattern" in context:
        context["pattern"] = _text_of(context["pattern"])
    text = _EXPECTED[kind].format(**context)
    return text.replace(" items", " characters") if isinstance(error.get("input"), str) else text


def given(error: Mapping[str, Any]) -> str:
    """The wrong value, shortened; its length if that is what is wrong."""
    kind, context = str(error.get("type", "")), error.get("ctx", {})
    value = error.get("input")
    if kind == "union_tag_invalid" and isinstance(value, Mapping):  # Pydantic's own tag is always a text
        value = value.get(context["discriminator"].strip("'"), context["tag"])
    if kind.endswith(("too_short", "too_long")):
        length = context.get("actual_length") or (len(value) if isinstance(value, Sized) else "more")
        return str(length)
    if isinstance(value, Mapping):
        return _OBJECT
    if isinstance(value, list | tuple):
        return _LIST
    if isinstance(value, bytes):
        return "other bytes"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return shorten(str(value)) if kind.startswith(("less_than", "greater_than")) else quote(value)


def quote(value: object) -> str:
    """A wrong value for a message: as Python writes it, shortened."""
    return repr(shorten(value)) if isinstance(value, str) else shorten(repr(value))


def shorten(text: str) -> str:
    """The text, or its beginning with ``...``."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def expectation(alternatives: Iterable[str], value: str) -> str:
    """A message that names what is accepted and the value given."""
    return f"{' or '.join(alternatives)} expected, {value} given"


def message_of(error: Mapping[str, Any]) -> str:
    """What is wrong with one value, without its name, such as ``2 or more expected, 1 given``."""
    expected = accepted(error)
    if expected is not None:
        return expectation((expected,), given(error))
    kind, context = error.get("type", ""), error.get("ctx", {})
    if kind == "json_invalid":
        reason = context.get("error", "")
        return f"not JSON: {'nested too deeply' if reason.startswith('recursion limit') else reason}"
    if kind == "union_tag_not_found":
        return f"{context['discriminator']} is required".replace("'", "")
    if kind == "field":
        return str(context["reason"])
    return _FIXED_MESSAGES.get(kind) or str(error["msg"]).removeprefix("Value error, ")


def first_fault(error: ValidationError, *places: str) -> str:
    """What is wrong with the first wrong value, after its name: ``cells.3: 8 or less expected, 9 given``.

    ``places`` are prepended to the name.
    """
    return fault_of(error.errors()[0], *places)


def fault_of(error: Mapping[str, Any], *places: str) -> str:
    """What is wrong with one value, after its name; ``places`` are prepended to the name."""
    name = ".".join(map(str, (*places, *location_of(error))))
    return f"{name}: {message_of(error)}" if name else message_of(error)


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _text_of(pattern: str) -> str:
    """What matches a pattern: ``1 to 25 letters a to z``."""
    found = _CHARACTERS.fullmatch(pattern)
    if found is None:
        return f"text matching {pattern}"
    kinds = [re.sub("(.)-(.)", r"\1 to \2", kind) for kind in re.findall(".-.|.", found[1])]
    noun = "letter" if re.fullmatch("(A-Z|a-z)+", found[1]) else "character"
    if found[2] is None:
        return f"one {noun} {' or '.join(kinds)}"
    which = f"{', '.join(kinds[:-1])} and {kinds[-1]}" if len(kinds) > 1 else kinds[0]
    count = " to ".join(found[2].strip("{}").split(",")) + " " if found[2] != "+" else ""
    return f"{count}{noun}s {which}"
