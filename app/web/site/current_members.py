"""JSON values without the members that their schema in the OpenAPI document marks as deprecated."""

from collections.abc import Iterator
from typing import Any, TypeAlias

JSON: TypeAlias = dict[str, Any]


def without_deprecated(value: Any, schema: JSON, schemas: JSON) -> Any:
    """The value without deprecated members; ``schemas`` has the document's named types."""
    fitting = [each for each in _alternatives(schema, schemas) if _fits(value, each)]
    if not fitting:
        return value
    chosen = fitting[0]
    if isinstance(value, list):
        return [without_deprecated(each, chosen.get("items", {}), schemas) for each in value]
    if isinstance(value, dict):
        properties, other = chosen.get("properties", {}), chosen.get("additionalProperties")
        others = other if isinstance(other, dict) else {}
        return {
            name: without_deprecated(each, properties.get(name, others), schemas)
            for name, each in value.items()
            if not properties.get(name, {}).get("deprecated")
        }
    return value


def _alternatives(schema: JSON, schemas: JSON) -> Iterator[JSON]:
    """The schema itself, or the alternatives that it combines or refers to."""
    if "$ref" in schema:
        yield from _alternatives(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    elif joined := schema.get("anyOf") or schema.get("oneOf"):
        for each in joined:
            yield from _alternatives(each, schemas)
    else:
        yield schema


def _fits(value: Any, schema: JSON) -> bool:
    """Whether the schema allows a value like this: a list, or an object with these members."""
    if isinstance(value, list):
        return schema.get("type") == "array"
    if isinstance(value, dict):
        known = schema.get("properties", {})
        required = set(schema.get("required", ()))
        return schema.get("type") == "object" and (not known or required <= value.keys() <= known.keys())
    return True
