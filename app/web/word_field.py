"""Words as the web is asked about them."""

from typing import Annotated

from pydantic import AfterValidator, Field


def _lower(word: str) -> str:
    if not (word.isascii() and word.isalpha()):
        raise ValueError(f"{word!r} is no word: only the letters a to z are accepted")
    return word.lower()


Letters = Annotated[
    str, Field(max_length=64, json_schema_extra={"pattern": "^[a-zA-Z]+$"}), AfterValidator(_lower)
]
"""A word, or just letters: a to z in either case, taken as lower case."""
