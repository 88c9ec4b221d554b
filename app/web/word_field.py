"""The request field type for a word."""

from typing import Annotated

from pydantic import AfterValidator, Field


def _lower(word: str) -> str:
    if not (word.isascii() and word.isalpha()):
        raise ValueError(f"{word!r} is not a word: only the letters a to z are accepted")
    return word.lower()


Letters = Annotated[
    str, Field(max_length=64, json_schema_extra={"pattern": "^[a-zA-Z]+$"}), AfterValidator(_lower)
]
"""A word or other string of letters a to z in either case; converted to lower case."""
