"""The content of the pages at /docs, read from the OpenAPI document."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, TypeAlias

from markupsafe import Markup, escape

from app.web.examples import Exchange, operation_examples, problem_examples
from app.web.guard.problems import meaning_of
from app.web.site.current_members import without_deprecated

JSON: TypeAlias = dict[str, Any]

TYPES: Final = "types"
PROBLEMS: Final = "problems"
TITLES: Final = {
    "engines": "Engines",
    "games": "Games",
    "daily": "Dailies",
    "leaderboards": "Leaderboards",
    "profile": "Profile",
    "programs": "Programs",
    "puzzles": "Puzzles",
    "boards": "Study boards",
    "words": "Words",
    "moderation": "Moderation",
    "health": "Health",
}
"""Titles of the OpenAPI tags, in the order of the pages."""
_CODE: Final = re.compile(r"``(.+?)``|`(.+?)`", re.DOTALL)


@dataclass(frozen=True)
class Field:
    """A parameter, or a member of a JSON object."""

    name: str
    place: str
    """``path`` or ``query`` for a parameter; empty for a member."""
    type: Markup
    required: bool
    default: str | None
    """The default as JSON; None if there is none."""
    deprecated: bool
    description: Markup


@dataclass(frozen=True)
class Shape:
    """A named type: its members, or its alternatives."""

    name: str
    description: Markup
    fields: tuple[Field, ...]
    type: Markup | None
    """The type, unless it is an object with members."""


@dataclass(frozen=True)
class Operation:
    """An operation of the API."""

    name: str
    method: str
    path: str
    summary: str
    description: Markup
    deprecated: bool
    credentials: tuple[str, ...]
    """Names of the cookie and tokens that it reads, any of which will do."""
    schemes: tuple[str, ...]
    """The names of their security schemes."""
    needs_credentials: bool
    parameters: tuple[Field, ...]
    body: Shape | None
    answer: Shape | None
    statuses: tuple[int, ...]
    """Statuses of its problems."""
    example: Exchange | None


@dataclass(frozen=True)
class Section:
    """The operations with one tag."""

    name: str
    title: str
    operations: tuple[Operation, ...]


@dataclass(frozen=True)
class ProblemKind:
    """A status of refused requests, with examples."""

    status: int
    title: str
    meanings: tuple[Markup, ...]
    examples: tuple[Exchange, ...]


@dataclass(frozen=True)
class Credential:
    """A cookie or a token that identifies the caller."""

    name: str
    description: Markup


@dataclass(frozen=True)
class Reference:
    """The content of all pages."""

    version: str
    description: Markup
    credentials: tuple[Credential, ...]
    sections: tuple[Section, ...]
    shapes: tuple[Shape, ...]
    problems: tuple[ProblemKind, ...]


def read_reference(document: JSON) -> Reference:
    """The reference of an OpenAPI document."""
    schemas = document["components"]["schemas"]
    schemes = document["components"].get("securitySchemes", {})
    operations = [
        (method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    tags = dict.fromkeys([*TITLES, *(operation["tags"][0] for _, _, operation in operations)])
    sections = tuple(
        Section(
            tag,
            TITLES.get(tag, tag.capitalize()),
            tuple(
                _operation(method, path, operation, schemas, schemes)
                for method, path, operation in operations
                if operation["tags"][0] == tag
            ),
        )
        for tag in tags
    )
    return Reference(
        version=document["info"]["version"],
        description=prose(document["info"]["description"]),
        credentials=tuple(
            Credential(_credential(scheme), prose(scheme.get("description", "")))
            for scheme in schemes.values()
        ),
        sections=tuple(section for section in sections if section.operations),
        shapes=tuple(_shape(name, schemas[name]) for name in sorted(schemas, key=str.lower)),
        problems=tuple(_problems(operation for _, _, operation in operations)),
    )


def prose(text: str) -> Markup:
    """A description as paragraphs, with ``code`` as elements."""
    paragraphs = (paragraph.strip() for paragraph in text.split("\n\n"))
    return Markup("").join(
        Markup("<p>{}</p>").format(_with_code(paragraph)) for paragraph in paragraphs if paragraph
    )


def type_of(schema: JSON) -> Markup:
    """A schema in words, with links to its named types."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return Markup('<a href="/docs/{}#{}">{}</a>').format(TYPES, name, name)
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    if values:
        return _alternatives(map(_code, values))
    if joined := schema.get("anyOf") or schema.get("oneOf"):
        by_game = any("title" in part for part in joined)  # see Kinds
        return _alternatives(map(_type_of_game if by_game else type_of, joined), "; " if by_game else " or ")
    return _plain_type(schema)


def _type_of_game(schema: JSON) -> Markup:
    title = schema.get("title")
    return Markup("for {}: {}").format(title, type_of(schema)) if title else type_of(schema)


def _plain_type(schema: JSON) -> Markup:
    match schema.get("type", "anything"):
        case "array" if "prefixItems" in schema:
            return Markup("[{}]").format(Markup(", ").join(map(type_of, schema["prefixItems"])))
        case "array":
            return Markup("list of {}{}").format(type_of(schema.get("items", {})), _bounds(schema, "Items"))
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return Markup("object of {}").format(type_of(schema["additionalProperties"]))
        case "integer" | "number" as number:
            return escape(number + _range(schema))
        case "string":
            return escape("text" + _bounds(schema, "Length"))
        case other:
            return escape(other)


def _alternatives(types: Iterable[Markup], between: str = " or ") -> Markup:
    return escape(between).join(dict.fromkeys(types))


def _operation(method: str, path: str, operation: JSON, schemas: JSON, schemes: JSON) -> Operation:
    statuses = operation["responses"]
    alternatives = operation.get("security", [])
    good: JSON = next((answer for status, answer in statuses.items() if status.startswith("2")), {})
    return Operation(
        name=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        description=prose(operation["description"]),
        deprecated=operation.get("deprecated", False),
        credentials=tuple(
            _credential(schemes[name]) + "".join(f" with the scope {scope}" for scope in scopes)
            for each in alternatives
            for name, scopes in each.items()
        ),
        schemes=tuple(name for each in alternatives for name in each),
        needs_credentials=bool(alternatives) and {} not in alternatives,
        parameters=tuple(
            _field(
                parameter["name"],
                _schema_of(parameter) | {"description": parameter.get("description", "")},
                required=parameter["required"],
                place=parameter["in"],
            )
            for parameter in operation.get("parameters", [])
            if parameter["in"] in ("path", "query")
        ),
        body=_content(operation.get("requestBody", {}), schemas),
        answer=_content(good, schemas),
        statuses=tuple(sorted(int(status) for status in statuses if not status.startswith("2"))),
        example=_example(operation["operationId"], good, schemas),
    )


def _schema_of(parameter: JSON) -> JSON:
    """The schema of a parameter, which one that is JSON text has in ``content``."""
    schema: JSON = parameter.get("content", {}).get("application/json", parameter)["schema"]
    return schema


def _example(name: str, answer: JSON, schemas: JSON) -> Exchange | None:
    """The operation's example, its answer without the members that are deprecated."""
    example, schema = operation_examples().get(name), {}
    if example is None:
        return None
    for content in answer.get("content", {}).values():
        schema = content.get("schema", {})
    return example.model_copy(update={"answer": without_deprecated(example.answer, schema, schemas)})


def _credential(scheme: JSON) -> str:
    """The cookie or header of a security scheme: ``cookie wibble_player``."""
    return f"{scheme['in']} {scheme['name']}" if scheme["type"] == "apiKey" else f"{scheme['scheme']} token"


def _content(part: JSON, schemas: JSON) -> Shape | None:
    """The type of a body or an answer; None if there is no content."""
    for media, content in part.get("content", {}).items():
        schema = content.get("schema", {})
        if "json" not in media:
            return Shape(media, prose(schema.get("description", "")), (), escape(media))
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            return _shape(name, schemas[name])
        return Shape("", Markup(), (), type_of(schema))
    return None


def _shape(name: str, schema: JSON) -> Shape:
    required = schema.get("required", [])
    fields = tuple(
        _field(member, each, required=member in required)
        for member, each in schema.get("properties", {}).items()
    )
    described = prose(schema.get("description", ""))
    return Shape(name, described, fields, None if fields else type_of(schema))


def _field(name: str, schema: JSON, *, required: bool, place: str = "") -> Field:
    return Field(
        name=name,
        place=place,
        type=type_of(schema),
        required=required,
        default=_json(schema["default"]) if schema.get("default") is not None else None,
        deprecated=schema.get("deprecated", False),
        description=prose(schema.get("description", "")),
    )


def _problems(operations: Iterable[JSON]) -> Iterable[ProblemKind]:
    examples: dict[int, list[Exchange]] = {}
    for example in problem_examples().values():
        examples.setdefault(example.status, []).append(example)
    meanings: dict[int, dict[str, None]] = {status: {} for status in examples}
    for operation in operations:
        for status, answer in operation["responses"].items():
            if not status.startswith("2"):
                meanings.setdefault(int(status), {})[answer["description"]] = None
    for status in sorted(meanings):
        yield ProblemKind(
            status,
            HTTPStatus(status).phrase,
            tuple(map(prose, meanings[status] or [meaning_of(status)])),
            tuple(examples.get(status, [])),
        )


def _range(schema: Mapping[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f" {low:,.10g} to {high:,.10g}"
    if low is not None:
        return f", at least {low:,.10g}"
    return f", at most {high:,.10g}" if high is not None else ""


def _bounds(schema: Mapping[str, Any], kind: str) -> str:
    low, high = schema.get(f"min{kind}"), schema.get(f"max{kind}")
    unit = " characters" if kind == "Length" else ""
    if low == high and low is not None:
        return f", {low:,}{unit}"
    if low and high:
        return f", {low:,} to {high:,}{unit}"
    if high:
        return f", at most {high:,}{unit}"
    return f", at least {low:,}{unit}" if low else ""


def _with_code(text: str) -> Markup:
    marked, end = Markup(), 0
    for code in _CODE.finditer(text):
        marked += escape(text[end : code.start()]) + Markup("<code>{}</code>").format(code[1] or code[2])
        end = code.end()
    return marked + escape(text[end:])


def _code(value: Any) -> Markup:
    return Markup("<code>{}</code>").format(_json(value))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
