"""Base model of the API, strict JSON bodies, and rendering answers outside the event loop."""

import json
from collections.abc import Mapping
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, TypeVar

from fastapi import Response
from pydantic import (
    BaseModel,
    ConfigDict,
    GetJsonSchemaHandler,
    ModelWrapValidatorHandler,
    PrivateAttr,
    TypeAdapter,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    computed_field,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

T = TypeVar("T")


class Documented(BaseModel):
    """A model whose attributes' docstrings are their descriptions in /openapi.json."""

    model_config = ConfigDict(use_attribute_docstrings=True)


def read_strictly(adapter: TypeAdapter[T], value: Any) -> T:
    """Validate a JSON value without type coercion. Raises ValidationError.

    By default Pydantic accepts ``true`` for 1 and ``"5"`` for 5, as forms and queries need.
    """
    try:
        text = json.dumps(value)
    except RecursionError:
        raise ValueError("the value is nested too deeply") from None
    return adapter.validate_json(text, strict=True)


def rendered(answer: BaseModel, *, without_none: bool = False) -> Response:
    """A response with ``answer`` as JSON, serialised in the calling thread.

    FastAPI would serialise it on the event loop and block all other requests. Large answers are rendered in
    the engine pool instead.
    """
    content = answer.model_dump_json(by_alias=True, exclude_none=without_none)
    return Response(content, media_type="application/json")


if TYPE_CHECKING:
    JsonBody = Annotated[T, ...]
else:

    class JsonBody:
        """A request body validated strictly: ``body: JsonBody[SolveRequest]``."""

        def __class_getitem__(cls, model: Any) -> Any:
            """``model``, validated by :func:`read_strictly`."""
            adapter = TypeAdapter(model)

            def read(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
                # Bytes are a body that is not JSON; let Pydantic refuse it.
                return validate(value) if isinstance(value, bytes) else read_strictly(adapter, value)

            return Annotated[model, WrapValidator(read)]


class Renamed(Documented):
    """A request with fields that had other names before; the old ones are accepted for one more version."""

    old_names: ClassVar[Mapping[str, str]] = {}
    """Current name by old name."""

    _old_names_used: bool = PrivateAttr(default=False)

    @property
    def old_names_used(self) -> bool:
        """Whether the caller does not know the current names, and so needs the old ones in long answers."""
        return self._old_names_used

    @model_validator(mode="wrap")
    @classmethod
    def _accept_old_names(cls, given: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(given, Mapping):
            return handler(given)
        fields = dict(given)
        for old, new in cls.old_names.items():
            if old in fields:
                if new in fields:
                    raise ValueError(f"{old} is the old name of {new}: give only one of them")
                fields[new] = fields.pop(old)
        try:
            request = handler(fields)
        except ValidationError as error:
            raise cls._with_given_names(error, given) from None
        request._old_names_used = fields.keys() != given.keys()
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
