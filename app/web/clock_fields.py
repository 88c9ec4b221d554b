"""The choice of a clock in the forms that open a game."""

from typing import Any, Literal

from pydantic import BaseModel, model_validator
from pydantic_core import PydanticCustomError

_FIELDS: dict[Any, tuple[str, ...]] = {
    "turn": ("turn_seconds",),
    "player": ("clock_seconds", "increment_seconds"),
}
"""The fields of the game's options that belong to each clock."""


class ClockFields(BaseModel):
    """Form fields that choose among the clocks of a game, for a form that has its options."""

    clock: Literal["none", "turn", "player"] | None = None
    """Which of the clocks in the form counts; without it, all that are not empty."""

    @model_validator(mode="before")
    @classmethod
    def _only_the_chosen(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        chosen = given.get("clock")
        left_out = {name for clock, names in _FIELDS.items() if chosen and clock != chosen for name in names}
        empty = {name for names in _FIELDS.values() for name in names if given.get(name) == ""}
        kept = {name: value for name, value in given.items() if name not in left_out | empty}
        needed = _FIELDS[chosen][0] if chosen in _FIELDS else None
        if needed is not None and needed not in kept:
            raise PydanticCustomError("field", "required for this clock", {"field": needed})
        return kept
