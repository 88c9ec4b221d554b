"""The choice of a clock in the forms for opening a game."""

from typing import Any, Final, Literal

from pydantic import BaseModel, model_validator

from app.validation import field_fault

_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "turn": ("turn_seconds",),
    "player": ("clock_seconds", "increment_seconds"),
}
"""Fields of the game's options, by the clock they belong to."""


class ClockFields(BaseModel):
    """Form fields for choosing a clock, for a form that has a game's options."""

    clock: Literal["none", "turn", "player"] | None = None
    """The clock whose fields count; without it, all fields that are not empty count."""

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
            raise field_fault(needed, "required for this clock")
        return kept
