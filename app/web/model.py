"""Base model of the API, strict JSON bodies, and rendering answers outside the event loop."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidatorFunctionWrapHandler, WrapValidator

T = TypeVar("T")

GIVEN_TWICE: Final = "given more than once: one value expected"


class Documented(BaseModel):
    """A model whose attributes' docstrings are their descriptions in /openapi.json."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class JsonRequest(Request):
    """A request in whose JSON no member may be given twice; Python would use the last one."""

    async def json(self) -> Any:
        """The body. Raises ValueError if it is not JSON, and RequestValidationError."""
        repeated: list[tuple[dict[str, Any], str]] = []

        def read_object(members: list[tuple[str, Any]]) -> dict[str, Any]:
            value = dict(members)
            if len(value) < len(members):
                ((name, _),) = Counter(name for name, _ in members).most_common(1)
                repeated.append((value, name))
            return value

        body = json.loads(await self.body(), object_pairs_hook=read_object)
        if repeated:
            value, name = repeated[-1]  # the object around others is read last, and may have lost them
            location = ["body", *map(_encodable, [*_place(value, body), name])]
            raise RequestValidationError([{"loc": location, "msg": GIVEN_TWICE}])
        return body


def _encodable(name: str | int) -> str | int:
    """A name without halves of surrogate pairs, which JSON can have and answers cannot."""
    return name.encode("utf-8", "replace").decode() if isinstance(name, str) else name


def _place(wanted: dict[str, Any], value: Any) -> list[str | int]:
    """Where in a JSON value an object is; empty if it is the value itself, or not in it."""
    place: list[str | int] = []
    levels = [_members(value)]
    while levels and value is not wanted:
        for name, each in levels[-1]:
            if each is wanted:
                return [*place, name]
            if isinstance(each, dict | list):
                place.append(name)
                levels.append(_members(each))
                break
        else:
            levels.pop()
            del place[-1:]
    return []


def _members(value: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(value, dict):
        return iter(value.items())
    return enumerate(value) if isinstance(value, list) else iter(())


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
