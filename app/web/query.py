"""Requests as query parameters: the fields of a JSON body in a URL."""

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeGuard, TypeVar, get_args, get_origin

from fastapi import Query
from pydantic import BaseModel, create_model, model_validator

from app.renamed import Renamed

T = TypeVar("T")

_NUMBER: Final = re.compile(r"-?\d+")


class _FromQuery(BaseModel):
    """Reads lists and objects from JSON text, and a single text where a list is accepted."""

    @model_validator(mode="before")
    @classmethod
    def _read(cls, given: Any) -> Any:
        return {name: _parsed(value) for name, value in given.items()} if isinstance(given, dict) else given


def _parsed(value: Any) -> Any:
    text = value[0] if isinstance(value, list) and len(value) == 1 else value
    if not isinstance(text, str) or _NUMBER.fullmatch(text):
        return value
    if text.startswith(("[", "{")):
        with suppress(ValueError, RecursionError):
            return json.loads(text)
    return text


if TYPE_CHECKING:
    QueryFields = Annotated[T, ...]
else:

    class QueryFields:
        """A request's fields as query parameters: ``query: QueryFields[SolveRequest]``."""

        def __class_getitem__(cls, model: Any) -> Any:
            """``model``, read by :class:`_FromQuery`."""
            query_model = create_model(model.__name__, __base__=(_FromQuery, model), __doc__=model.__doc__)
            return Annotated[query_model, Query()]


def is_model(annotation: Any) -> TypeGuard[type[BaseModel]]:
    """Whether a parameter's type is a model, whose fields are the parameters."""
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


def is_list(annotation: Any) -> bool:
    """Whether a parameter of this type may be a list, whose items are given one by one."""
    return get_origin(annotation) is list or any(map(is_list, get_args(annotation)))


def list_parameters(model: type[BaseModel]) -> set[str]:
    """The names of a query's parameters that may be lists, with their old names."""
    names = {name for name, field in model.model_fields.items() if is_list(field.annotation)}
    aliases = {model.model_fields[name].alias or name for name in names}
    old = model.old_names if issubclass(model, Renamed) else {}
    return names | aliases | {name for name, new in old.items() if new in names}
