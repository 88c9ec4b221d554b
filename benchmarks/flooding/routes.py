"""The most expensive valid inputs of each route; cheap_routes.toml has the routes without expensive inputs.

A test compares both with the router: a new route must be added to one of them.
"""

import tomllib
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from fastapi.routing import RouteContext, iter_route_contexts

from benchmarks.flooding.engines import ENGINE_INPUTS
from benchmarks.flooding.material import Material
from benchmarks.flooding.requests import Requests
from benchmarks.flooding.values import Make, Row, challenge, games, once, plies, request, varied, yesterday

_BY_GUESTS: Final[tuple[Row, ...]] = (
    # games
    (
        "a rich board of 8x8",
        once(kind="boggle", options={"rows": 8, "columns": 8, "richness": "rich", "min_length": 2}),
        "POST /api/games",
    ),
    (
        "a hand of 15 with many words",
        once(kind="scrabblet", options={"size": 15, "min_words": 2000, "min_pangrams": 0}),
        "POST /api/games",
    ),
    (
        "a large board of Wibble",
        once(options={"mode": "zen", "size": 7, "min_words": 100}),
        "POST /api/games",
    ),
    ("bots against each other", once(kind="fribble", bots=[5, 5]), "POST /api/games"),
    ("listed tables", once(kind="letterpress", listed=True), "POST /api/games"),
    (
        "finished Boggle of 8x8",
        games("boggles"),
        "GET /api/games/{game_id}",
        "GET /games/{game_id}",
        "GET /games/{game_id}/table",
    ),
    ("bots of level 5", games("bots"), "GET /api/games/{game_id}", "GET /games/{game_id}"),
    (
        "long games",
        plies,
        "GET /api/games/{game_id}/plies/{ply}",
        "GET /games/{game_id}/plies/{ply}",
        "GET /games/{game_id}/plies/{ply}/preview.png",
    ),
    (
        "all finished games",
        games("boggles", "zens", "finished"),
        "GET /api/games/{game_id}/record",
        "GET /games/{game_id}/record",
        "GET /api/games/{game_id}/analysis",
        "GET /games/{game_id}/analysis",
        "GET /games/{game_id}/analysis/progress?searched=0",
        "GET /games/{game_id}/preview.png",
    ),
    ("long games", lambda material: material.records, "POST /api/games/import"),
    ("long games", lambda material: [{"text": record} for record in material.records], "POST /import"),
    ("finished games", games("fribbles"), "GET /games/{game_id}/gcg"),
    (
        "opened and closed",
        games("unfinished", "bots"),
        "GET /api/games/{game_id}/events",
        "GET /games/{game_id}/events",
    ),
    ("new guests", games("waiting"), "POST /api/games/{game_id}/seats", "POST /games/{game_id}/seats"),
    ("watchers", lambda material: material.invitations, "GET /games/{game_id}/join/{invitation}"),
    ("new guests", lambda material: material.invitations, "POST /games/{game_id}/join/{invitation}"),
    ("any", challenge, "GET /challenges/{challenge_id}/preview.png"),
    (
        "new guests",
        challenge,
        "POST /api/challenges/{challenge_id}/game",
        "POST /challenges/{challenge_id}/play",
    ),
    # forms that open a game
    ("a large board", once(mode="zen", size=7, min_words=100), "POST /play"),
    ("the first level, which is open", once(level=1), "POST /wibble/adventure/{level}"),
    ("a bot of level 5", once(opponent=5), "POST /letterpress/play"),
    ("three bots of level 5", once(preset="standard", opponent=5, players=4), "POST /fribble/play"),
    ("two bots of level 5", once(first=5, second=5), "POST /fribble/self"),
    ("many words", once(size=15, min_words=2000, min_pangrams=0), "POST /scrabblet/play"),
    ("a rich board of 8x8", once(size="8x8", richness="rich", min_length=2), "POST /boggle/play"),
    # the daily
    ("new guests", once(), "POST /api/daily?kind=boggle", "POST /daily/play"),
    ("new guests", once(kind="boggle"), "POST /{kind}/daily/play"),
    ("new guests", yesterday(), "POST /api/daily/{day}/rehearsals?kind=boggle", "POST /daily/{day}/play"),
    ("new guests", yesterday(kind="boggle"), "POST /{kind}/daily/{day}/play"),
    ("yesterday", yesterday(), "GET /daily/{day}/preview.png"),
    ("yesterday", yesterday(kind="boggle"), "GET /{kind}/daily/{day}/preview.png"),
    # profile
    ("new guests", once(nickname="Flood"), "PUT /api/me", "POST /me/nickname"),
    (
        "without a session",
        once(),
        "DELETE /api/me",
        "POST /me/phrase/remove",
        "POST /me/phrase/decline",
        "POST /me/sign-out",
        "POST /me/sign-out-others",
        "POST /me/erase",
    ),
    ("new guests", once(kind="fribble"), "POST /learn/{kind}", "POST /learn/{kind}/decline"),
    ("invalid links", varied(lambda number: {"token": f"{number:022}"}), "POST /me/devices/{token}"),
    ("new guests", once(name="Flood"), "POST /circles", "POST /api/circles"),
    (
        "unknown circles",
        varied(lambda number: {"circle_id": number}),
        "GET /circles/{circle_id}",
        "GET /api/circles/{circle_id}",
    ),
    # monitoring and the reference of the API
    ("any", once(), "GET /readyz", "GET /metrics", "GET /openapi.json", "GET /docs"),
    ("the largest", once(name="types"), "GET /docs/{name}"),
)

_BY_PLAYER: Final[tuple[Row, ...]] = (
    # games
    (
        "long open games",
        games("unfinished"),
        "GET /api/games/{game_id}",
        "GET /games/{game_id}",
        "GET /games/{game_id}/table",
    ),
    ("words in a long game", games("boggle", type="word", word="q"), "POST /games/{game_id}/moves"),
    ("chains in a long game", games("zen", type="chain", cells="0,1,2"), "POST /games/{game_id}/moves"),
    (
        "words in a long game",
        games("boggle", move={"type": "word", "word": "q"}),
        "POST /api/games/{game_id}/moves",
    ),
    (
        "chains in a long game",
        games("zen", move={"type": "chain", "cells": [0, 1, 2]}),
        "POST /api/games/{game_id}/moves",
    ),
    ("long games", games("boggles", "zens", "unfinished"), "GET /api/games/{game_id}/moves"),
    (
        "all finished games",
        games("boggles", "zens", "finished"),
        "POST /api/games/{game_id}/keep",
        "POST /games/{game_id}/keep",
    ),
    (
        "a play of seven tiles",
        games("fribble", cells=list(range(15, 22)), tiles="AEINRST"),
        "POST /games/{game_id}/preview",
    ),
    ("opened and closed", once(), "GET /api/events"),
    ("a game of two", games("fribble"), "DELETE /api/games/{game_id}", "POST /games/{game_id}/close"),
    (
        "at a long game",
        games("zen", level=5),
        "POST /api/games/{game_id}/bots",
        "POST /games/{game_id}/bots",
    ),
    (
        "at a game of two",
        games("fribble", line=0),
        "POST /api/games/{game_id}/remarks",
        "POST /games/{game_id}/remarks",
    ),
    (
        "at a long game",
        games("zen"),
        "POST /api/games/{game_id}/claim",
        "POST /games/{game_id}/skip",
        "POST /games/{game_id}/claim",
    ),
    (
        "finished games",
        games("finished"),
        "POST /api/games/{game_id}/rematch",
        "POST /games/{game_id}/rematch",
    ),
    # challenges
    (
        "a long game",
        games("challenged"),
        "POST /api/games/{game_id}/challenge",
        "POST /games/{game_id}/challenge",
    ),
    ("long games", challenge, "GET /api/challenges/{challenge_id}", "GET /challenges/{challenge_id}"),
    # lists and front pages
    (
        "a player with many games",
        once(),
        "GET /api/games",
        "GET /api/challenges",
        "GET /lobby",
        "GET /",
        "GET /letterpress",
        "GET /fribble",
        "GET /boggle",
        "GET /scrabblet",
    ),
    ("the longest list", once(kind="boggle", top=100), "GET /api/daily"),
    ("the longest list", yesterday(kind="boggle", top=100), "GET /api/daily/{day}"),
    ("the longest lists", once(top=100), "GET /api/leaderboards"),
    ("a player with results", once(top=1000), "GET /api/me"),
    (
        "a player with results",
        once(),
        "GET /daily",
        "GET /daily/archive",
        "GET /me",
        "GET /me/export",
        "GET /circles",
        "GET /api/circles",
        "GET /leaderboards",
        "POST /me/devices",
        "POST /me/phrase",
    ),
    ("a player with results", once(kind="boggle"), "GET /{kind}/daily", "GET /{kind}/daily/archive"),
    ("a player with results", yesterday(), "GET /daily/{day}"),
    ("a player with results", yesterday(kind="boggle"), "GET /{kind}/daily/{day}"),
    ("a player with results", once(theme="dark"), "PUT /api/me/preferences", "POST /settings"),
    ("unknown devices", once(device="unknown"), "POST /me/sign-out/{device}"),
)


def _requests(route: str, make: Make, cookie_of: Callable[[Material], str], material: Material) -> Requests:
    return [request(route, values, cookie_of(material)) for values in make(material)]


def _inputs() -> dict[str, dict[str, Callable[[Material], Requests]]]:
    inputs: dict[str, dict[str, Callable[[Material], Requests]]] = defaultdict(dict)
    for rows, cookie_of in ((_BY_GUESTS + ENGINE_INPUTS, lambda _: ""), (_BY_PLAYER, attrgetter("cookie"))):
        for name, make, *routes in rows:
            for route in routes:
                inputs[route.partition("?")[0]][name] = partial(_requests, route, make, cookie_of)
    return dict(inputs)


INPUTS: Final = _inputs()
"""By route and input: functions that make the requests of a flood."""
CHEAP: Final = {
    route
    for routes in tomllib.loads(Path(__file__).with_name("cheap_routes.toml").read_text("utf-8")).values()
    for route in routes
}
"""Routes without expensive inputs."""


def routes_of(app: FastAPI) -> dict[str, RouteContext]:
    """Return every route of the router by its method and path; mounted files count as GET."""
    return {
        f"{method} {route.path_format or ''}": route
        for route in iter_route_contexts(app.routes)
        for method in sorted(route.methods or {"GET"})
    }


def family(route: RouteContext) -> str:
    """Return the subject of a route, such as ``boggle``."""
    module = str(getattr(route.endpoint, "__module__", "files"))
    return module.rpartition(".")[2].partition("_")[0]
