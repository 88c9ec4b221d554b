"""Values for the parameters of routes, and the requests made of them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from benchmarks.flooding.material import Material
from benchmarks.flooding.requests import Request, get, listen, send, submit, text

Values = Mapping[str, Any] | str
"""The parameters of a path and the fields of a query, form or JSON body; or the text of a body."""
Make = Callable[[Material], Iterable[Values]]
"""Makes the values of each request from the test data."""
Row = tuple[str, Make, *tuple[str, ...]]
"""A name, the values and the routes that take them; a route may end in a constant query."""

_VARIANTS: Final = 60
"""Number of distinct requests where caching must not help."""


def request(route: str, values: Values, cookie: str) -> Request:
    """Return a request to a route such as ``GET /games/{game_id}``."""
    method, path = route.split(" ")
    if isinstance(values, str):
        return text(path, values)
    fields = {name: value for name, value in values.items() if f"{{{name}}}" not in path}
    path = path.format_map(values)
    if path.endswith("/events"):
        return listen(path, cookie)
    if method == "GET":
        return get(path, cookie, **fields)
    if method == "DELETE" or "?" in path:
        return Request(method, path, cookie=cookie)
    if path.startswith("/api/") or path.endswith("/preview"):
        return send(path, fields, cookie, method)
    return submit(path, cookie, **fields)


def once(**fields: Any) -> Make:
    """Return the same values for every request."""
    return lambda _: [fields]


def varied(make: Callable[[int], Values]) -> Make:
    """Make distinct values from a number."""
    return lambda _: [make(number) for number in range(_VARIANTS)]


def thinking(make: Callable[[int, int], Values]) -> Make:
    """Make distinct values from a number and the time limit of the engine in milliseconds."""
    return lambda material: [make(number, material.budget_ms) for number in range(_VARIANTS)]


def games(*names: str, **fields: Any) -> Make:
    """Return values for each game in these fields of the test data."""

    def make(material: Material) -> Iterable[Values]:
        for name in names:
            found = getattr(material, name)
            for game in [found] if isinstance(found, str) else found:
                yield {"game_id": game, **fields}

    return make


def plies(material: Material) -> Iterable[Values]:
    """Return plies of long games far apart, so that caching does not help."""
    most = min(material.plies, 850)
    found = [*material.boggles, *material.zens]
    for number in range(_VARIANTS):
        yield {"game_id": found[number % len(found)], "ply": most - 1 - 7 * number % most}


def yesterday(**fields: Any) -> Make:
    """Return values for the last finished daily."""
    return lambda material: [{"day": material.yesterday, **fields}]


def challenge(material: Material) -> Iterable[Values]:
    """Return the challenge that is finished."""
    return [{"challenge_id": material.challenge}]
