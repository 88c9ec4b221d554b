"""What is wrong with a value, in plain English."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.validation import first_fault


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")

    letters: Annotated[str, Field(pattern="^[a-z]{25}$")] | None = None
    word: Annotated[str, Field(pattern="^[a-z]{1,4}$")] = "word"
    tiles: Annotated[str, Field(pattern="^[A-Z?]+$")] = "A"
    letter: Annotated[str, Field(pattern="^[A-Za-z]$")] = "a"
    rate: Annotated[str, Field(pattern="^(off|on)$")] = "off"
    cells: tuple[Annotated[int, Field(ge=0, le=8)], ...] = ()
    mode: Literal["long", "short"] = "long"


@pytest.mark.parametrize(
    ("value", "name", "message"),
    [
        ({"letters": "abc"}, "letters", "25 letters a to z expected, 'abc' given"),
        ({"word": "words"}, "word", "1 to 4 letters a to z expected, 'words' given"),
        ({"tiles": "a"}, "tiles", "characters A to Z and ? expected, 'a' given"),
        ({"letter": "1"}, "letter", "one letter A to Z or a to z expected, '1' given"),
        ({"rate": "1"}, "rate", "text matching ^(off|on)$ expected, '1' given"),
        ({"cells": [0, 9]}, "cells.1", "8 or less expected, 9 given"),
        ({"cells": [0, "x" * 99]}, "cells.1", f"a whole number expected, '{'x' * 59}... given"),
        ({"mode": None}, "mode", "'long' or 'short' expected, null given"),
        ({"size": 1}, "size", "there is no such field"),
    ],
)
def test_the_first_fault_says_what_is_accepted(value: dict[str, Any], name: str, message: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Model.model_validate(value)
    assert first_fault(refused.value) == (name, message)
