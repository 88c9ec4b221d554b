"""What every model of the API has in common: how a body is read into one, and an answer is written."""

import json
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from fastapi import Response
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidatorFunctionWrapHandler, WrapValidator

T = TypeVar("T")


class Documented(BaseModel):
    """A model whose attributes' docstrings are their descriptions in /openapi.json."""

    model_config = ConfigDict(use_attribute_docstrings=True)


def read_strictly(adapter: TypeAdapter[T], value: Any) -> T:
    """``value``, as a JSON document holds it, in the types that its schema names and no others.

    Pydantic by itself takes ``true`` for 1 and ``"5"`` for 5, which forms and queries need and JSON does not.
    Raises ValidationError.
    """
    try:
        text = json.dumps(value)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return adapter.validate_json(text, strict=True)


def rendered(answer: BaseModel, *, without_none: bool = False) -> Response:
    """The response with ``answer`` as JSON, written in the thread that calls.

    FastAPI would write it on the event loop, where nobody else is served meanwhile: what may be large is
    rendered in the engine pool.
    """
    content = answer.model_dump_json(by_alias=True, exclude_none=without_none)
    return Response(content, media_type="application/json")


if TYPE_CHECKING:
    JsonBody = Annotated[T, ...]
else:

    class JsonBody:
        """The body of a request in the types that its schema names: ``body: JsonBody[SolveRequest]``."""

        def __class_getitem__(cls, model: Any) -> Any:
            """``model``, read by :func:`read_strictly`."""
            adapter = TypeAdapter(model)

            def read(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
                # Bytes are a body of another media type, which cannot be read as this one.
                return validate(value) if isinstance(value, bytes) else read_strictly(adapter, value)

            return Annotated[model, WrapValidator(read)]
