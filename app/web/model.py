"""Base model of the API, strict JSON bodies, and rendering answers outside the event loop."""

import json
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from fastapi import Response
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidatorFunctionWrapHandler, WrapValidator

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
