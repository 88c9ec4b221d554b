"""Renamed fields: the old names are accepted and answered for one more version, marked as deprecated."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, ClassVar, Final, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationError,
    computed_field,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from app.validation import field_fault

OLD_NAME: Final = Field(json_schema_extra={"deprecated": True})
"""For a dataclass field that repeats another under its old name; models use ``old_name``."""


class Renamed(BaseModel):
    """A request with fields that had other names before; the old ones are accepted for one more version."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    old_names: ClassVar[Mapping[str, str]] = {}
    """Current name by old name."""

    _old_names_used: bool = PrivateAttr(default=False)

    @property
    def old_names_used(self) -> bool:
        """Whether the caller used an old name, and so needs the old names in long answers too."""
        return self._old_names_used

    @model_validator(mode="wrap")
    @classmethod
    def _accept_old_names(cls, given: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(given, Mapping) or cls.old_names.keys().isdisjoint(given):
            return handler(given)
        fields = dict(given)
        for old, new in cls.old_names.items():
            if old in fields:
                if new in fields:
                    raise field_fault(old, f"this is the old name of {new}: give only one of them")
                fields[new] = fields.pop(old)
        try:
            request = handler(fields)
        except ValidationError as error:
            raise cls._with_given_names(error, given) from None
        request._old_names_used = True
        return request

    @classmethod
    def _with_given_names(cls, error: ValidationError, given: Mapping[Any, Any]) -> ValidationError:
        """The error with the old names that the caller used."""
        used = {new: old for old, new in cls.old_names.items() if old in given}
        if not used:
            return error
        faults: list[Any] = [
            each | {"loc": (used.get(str(each["loc"][0]), each["loc"][0]), *each["loc"][1:])}
            if each["loc"]
            else each
            for each in error.errors(include_url=False)
        ]
        for fault in faults:
            if fault["type"] in ("value_error", "assertion_error"):
                fault["ctx"] = {"error": ValueError(fault["msg"].removeprefix("Value error, "))}
            elif fault["type"] == "field":
                named = fault["ctx"]["field"]
                fault["type"] = field_fault(used.get(named, named), fault["ctx"]["reason"])
        return ValidationError.from_exception_data(error.title, faults)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """The schema with the old names as deprecated properties, none of them required."""
        document = handler(schema)
        fields = handler.resolve_ref_schema(document)
        for old, new in cls.old_names.items():
            field = {name: part for name, part in fields["properties"][new].items() if name != "default"}
            fields["properties"][old] = field | {"deprecated": True, "description": f"Old name of `{new}`."}
            if new in fields.get("required", ()):
                fields["required"] = [name for name in fields["required"] if name != new]
        return document


def old_name(new: str, annotation: Any) -> Any:
    """A deprecated member of an answer with the value of ``new``, for one more version."""
    return computed_field(
        return_type=annotation,
        description=f"Old name of `{new}`.",
        json_schema_extra={"deprecated": True},
        repr=False,
    )(property(attrgetter(new)))
