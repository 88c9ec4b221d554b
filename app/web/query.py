"""Requests as query parameters: the fields of a JSON body in a URL."""

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

from fastapi import Query
from pydantic import BaseModel, create_model, model_validator

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
