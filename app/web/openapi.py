"""The OpenAPI document at /openapi.json, with readable schema names, problem documents and links."""

import json
import re
import tomllib
from collections.abc import Sequence
from threading import Lock
from typing import Any, Final

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from fastapi.routing import iter_route_contexts
from starlette.routing import BaseRoute

from app.renamed import Renamed
from app.resources import resource
from app.web.examples import add_examples
from app.web.guard.guests import COOKIE
from app.web.guard.problems import Problem
from app.web.services import Services

_SCHEMAS: Final = "#/components/schemas/"
_LOCK: Final = Lock()
"""FastAPI fails if two threads build the document at once."""
_OPENED: Final = {"$ref": f"{_SCHEMAS}GameAnswer"}
_SECURITY_SCHEMES: Final = {
    "player": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "Set when you open or join your first game; it identifies you as its player.",
    },
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "An API token, made at ``/me/programs`` or by ``POST /api/me/tokens``, instead of "
        "the cookie, which does not count then. An operation needs the scope ``read``, ``play`` or "
        "``engine``. A token that is wrong, revoked or expired gets 401, one without the scope 403.",
    },
    "operatorToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "For operators: the setting ``WIBBLE_ADMIN_TOKEN``. Players with an operator account "
        "need none.",
    },
    "metricsToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "For ``/metrics``: the setting ``WIBBLE_METRICS_TOKEN``; not needed on the "
        "server's own machine.",
    },
}

router = APIRouter(include_in_schema=False)


class Application(FastAPI):
    """FastAPI with a customised OpenAPI document."""

    document: bytes | None = None
    """The serialised document, once it has been requested."""

    def openapi(self) -> dict[str, Any]:
        """The document, built on the first call."""
        with _LOCK:
            if self.openapi_schema is None:
                services: Services = self.state.services
                with services.kinds.documented():
                    document = get_openapi(
                        title=self.title,
                        version=self.version,
                        description=self.description,
                        routes=self.routes,
                    )
                schemas = document["components"]["schemas"]
                schemas.pop("BaseModel", None)  # of answers documented as those of all rooms
                _define_problem(schemas)
                document["components"]["securitySchemes"] = _SECURITY_SCHEMES
                _name_old_parameters(document["paths"], self.routes)
                _declare_json_parameters(document)
                _link_games(document["paths"])
                _rename(document)
                _describe(document)
                add_examples(document)
                self.openapi_schema = document
            return self.openapi_schema


@router.get("/openapi.json")
def document(request: Request) -> Response:
    """The OpenAPI document. A sync route, so that it is built in a thread and not on the event loop."""
    app: Application = request.app
    if app.document is None:
        app.document = json.dumps(app.openapi(), separators=(",", ":")).encode()
    return Response(app.document, media_type="application/json")


def _define_problem(schemas: dict[str, Any]) -> None:
    problem = Problem.model_json_schema(ref_template=f"{_SCHEMAS}{{model}}")
    schemas |= problem.pop("$defs") | {Problem.__name__: problem}


def _name_old_parameters(paths: dict[str, Any], routes: Sequence[BaseRoute]) -> None:
    """Add the old names of query parameters; those of bodies are in the schemas."""
    for route in iter_route_contexts(routes):
        dependant = getattr(route.original_route, "dependant", None)
        for field in dependant.query_params if dependant else ():
            model = field.field_info.annotation
            if route.path_format not in paths or not (isinstance(model, type) and issubclass(model, Renamed)):
                continue
            parameters = paths[route.path_format]["get"]["parameters"]
            current = {parameter["name"]: parameter for parameter in parameters}
            for old, new in model.old_names.items():
                note = {"name": old, "deprecated": True, "description": f"Old name of `{new}`."}
                parameters.append(current[new] | note | {"required": False})


def _declare_json_parameters(document: dict[str, Any]) -> None:
    """Declare parameters that are objects as JSON text; the default for objects is a parameter per field."""
    schemas = document["components"]["schemas"]
    for methods in document["paths"].values():
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                types = parameter["schema"].get("anyOf", [parameter["schema"]])
                objects = [each for each in types if each.get("type") != "null"]
                names = [each.get("$ref", "").removeprefix(_SCHEMAS) for each in objects]
                if all(schemas.get(name, {}).get("type") == "object" for name in names):
                    del parameter["schema"]
                    parameter["content"] = {"application/json": {"schema": objects[0]}}


def _link_games(paths: dict[str, Any]) -> None:
    """Add OpenAPI links from answers that open a game to the operations with a ``game_id``."""
    operations = [
        (path, operation["operationId"], operation)
        for path, methods in paths.items()
        for operation in methods.values()
    ]
    links = {
        name: {"operationId": name, "parameters": {"game_id": "$response.body#/id"}}
        for path, name, _ in operations
        if "{game_id}" in path
    }
    for path, _, operation in operations:
        for status, answer in operation["responses"].items():
            schema = answer.get("content", {}).get("application/json", {}).get("schema")
            if status.startswith("2") and "{game_id}" not in path and schema == _OPENED:
                answer["links"] = links


def _rename(document: dict[str, Any]) -> None:
    """Prefix ambiguous schema names with the name of their game.

    Pydantic names 61 of the 155 schemas by module path, and FastAPI has no option for that. Takes 4 ms, once.
    Raises ValueError if two names are still equal.
    """
    schemas = document["components"]["schemas"]
    names = {name: _readable(name) for name in schemas}
    if len(set(names.values())) < len(names):
        raise ValueError(f"two schemas have the same name: {sorted(names.values())}")
    document["components"]["schemas"] = {
        names[name]: schema | {"title": names[name]} for name, schema in schemas.items()
    }
    references = {_SCHEMAS + old: _SCHEMAS + new for old, new in names.items()}
    for member, part in document.items():
        document[member] = _with_references(part, references)


def _describe(document: dict[str, Any]) -> None:
    """Describe fields and parameters without a description, from ``data/api/glossary.toml``.

    What the glossary says of null is for fields that may be null. Docstrings say None where JSON has null.
    """
    glossary = tomllib.loads((resource("data") / "api" / "glossary.toml").read_text(encoding="utf-8"))
    for model, schema in document["components"]["schemas"].items():
        for name, field in schema.get("properties", {}).items():
            if "description" not in field and (text := glossary.get(f"{model}.{name}", glossary.get(name))):
                nullable = {"type": "null"} in field.get("anyOf", ())
                field["description"] = text if nullable else re.sub("; null [^.]*", "", text)
        for part in (schema, *schema.get("properties", {}).values()):
            if "description" in part:
                part["description"] = re.sub(r"\bNone\b", "null", part["description"])
    for methods in document["paths"].values():
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                if "description" not in parameter and (text := glossary.get(parameter["name"])):
                    parameter["description"] = text


def _readable(name: str) -> str:
    """``WibbleView`` for ``app__games__wibble__state__View``, Pydantic's name for an ambiguous class."""
    *path, plain = name.split("__")
    return path[-2].title() + plain if path else name


def _with_references(part: Any, names: dict[str, str]) -> Any:
    """A part of the document with its references renamed, including those in discriminators."""
    if isinstance(part, dict):
        return {key: _with_references(value, names) for key, value in part.items()}
    if isinstance(part, list):
        return [_with_references(value, names) for value in part]
    return names.get(part, part) if isinstance(part, str) else part
