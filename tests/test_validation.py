"""Validation errors in plain English."""

from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.validation import first_fault


class Chain(BaseModel):
    type: Literal["chain"]


class Swap(BaseModel):
    type: Literal["swap"]


class Pass(BaseModel):
    type: Literal["pass"]


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")

    letters: Annotated[str, Field(pattern="^[a-z]{25}$")] | None = None
    word: Annotated[str, Field(pattern="^[a-z]{1,4}$")] = "word"
    tiles: Annotated[str, Field(pattern="^[A-Z?]+$")] = "A"
    letter: Annotated[str, Field(pattern="^[A-Za-z]$")] = "a"
    name: Annotated[str, Field(pattern="^[a-z0-9_-]+$")] = "a"
    rate: Annotated[str, Field(pattern="^(off|on)$")] = "off"
    cells: tuple[Annotated[int, Field(ge=0, le=8)], ...] = ()
    mode: Literal["long", "short"] = "long"
    move: Annotated[Chain | Swap | Pass, Field(discriminator="type")] | None = None


def fault(value: Any, *places: str) -> str:
    with pytest.raises(ValidationError) as refused:
        Model.model_validate(value)
    return first_fault(refused.value, *places)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"letters": "abc"}, "letters: 25 letters a to z expected, 'abc' given"),
        ({"word": "words"}, "word: 1 to 4 letters a to z expected, 'words' given"),
        ({"tiles": "a"}, "tiles: characters A to Z and ? expected, 'a' given"),
        ({"letter": "1"}, "letter: one letter A to Z or a to z expected, '1' given"),
        ({"name": "A b"}, "name: characters a to z, 0 to 9, _ and - expected, 'A b' given"),
        ({"rate": "1"}, "rate: text matching ^(off|on)$ expected, '1' given"),
        ({"cells": [0, 9]}, "cells.1: 8 or less expected, 9 given"),
        ({"cells": [0, "x" * 99]}, f"cells.1: a whole number expected, '{'x' * 60}...' given"),
        ({"mode": None}, "mode: 'long' or 'short' expected, null given"),
        ({"size": 1}, "size: there is no such field"),
        ({"move": {"type": "dance"}}, "move: 'chain', 'swap' or 'pass' expected, 'dance' given"),
        ({"move": {}}, "move: type is required"),
        ("x", "an object expected, 'x' given"),
    ],
)
def test_the_first_fault_says_where_it_is_and_what_is_accepted(value: Any, message: str) -> None:
    assert fault(value) == message


def test_the_place_of_a_fault_may_begin_elsewhere() -> None:
    assert fault({"cells": [9]}, "position") == "position.cells.0: 8 or less expected, 9 given"
    assert fault("x", "position") == "position: an object expected, 'x' given"


def test_text_that_is_no_json_is_called_so() -> None:
    with pytest.raises(ValidationError) as broken:
        Model.model_validate_json("{")
    assert first_fault(broken.value).startswith("not JSON: EOF")
