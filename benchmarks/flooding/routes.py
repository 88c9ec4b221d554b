"""The most expensive valid inputs of each route, or why a route needs none.

A test compares this with the router: a new route must be added here.
"""

import random
import string
from collections.abc import Callable, Mapping
from itertools import cycle, islice
from typing import Any, Final

from fastapi import FastAPI
from fastapi.routing import RouteContext, iter_route_contexts

from benchmarks.flooding.material import BOGGLE, RACK, Material
from benchmarks.flooding.requests import Request, Requests, get, listen, send, submit, text

Inputs = Mapping[str, Callable[[Material], Requests]]
"""By description: functions that make the requests from the test data."""

VARIANTS: Final = 60
"""Number of distinct requests where caching must not help."""
_CHANCE: Final = random.Random(15)

PLAIN: Final[Mapping[str, str]] = {
    "GET /static/{path}": "a file",
    "GET /vendor/htmx/{path}": "a file",
    "GET /favicon.ico": "a file",
    "GET /apple-touch-icon.png": "a file",
    "GET /robots.txt": "a file",
    "GET /manifest.webmanifest": "a constant",
    "GET /sw.js": "a constant",
    "GET /offline": "a page without a query",
    "GET /wibble": "a redirect",
    "GET /api/me/turns": "one query, which most pages make, too",
    "GET /import": "a form",
    "GET /me/devices/{token}": "a form",
    "GET /me/sign-in": "a form",
    "GET /me/programs": "up to twenty tokens",
    "POST /me/programs/tokens": "one token stored, at a limited rate",
    "POST /me/programs/tokens/{token_id}/revoke": "one row deleted by its key",
    "POST /me/programs/bots": "one player stored, at a limited rate",
    "POST /me/programs/bots/{bot_id}/delete": "one player erased, who may have results",
    "GET /api/me/bots": "up to five players",
    "POST /api/me/bots": "one player stored, at a limited rate",
    "DELETE /api/me/bots/{bot_id}": "one player erased, who may have results",
    "POST /api/challenges": "one game dealt, at a limited rate",
    "GET /api/challenges/direct": "up to thirty challenges",
    "POST /api/challenges/{challenge_id}/accept": "one game opened, at a limited rate",
    "POST /api/challenges/{challenge_id}/decline": "one row deleted by its key",
    "DELETE /api/challenges/{challenge_id}": "one row deleted by its key",
    "GET /challenges/new": "one game or circle",
    "POST /challenges/new": "one game dealt, at a limited rate",
    "POST /challenges/{challenge_id}/accept": "one game opened, at a limited rate",
    "POST /challenges/{challenge_id}/decline": "one row deleted by its key",
    "POST /challenges/{challenge_id}/withdraw": "one row deleted by its key",
    "GET /api/me/tokens": "up to twenty tokens",
    "POST /api/me/tokens": "one token stored, at a limited rate",
    "DELETE /api/me/tokens/{token_id}": "one row deleted by its key",
    "POST /me/sign-in": "one read by a digest; a merge needs the phrase, and happens once per guest",
    "GET /circles/{circle_id}/join/{invitation}": "one circle of up to fifty members",
    "POST /circles/{circle_id}/join/{invitation}": "one circle of up to fifty members",
    "POST /api/circles/{circle_id}/members": "one circle of up to fifty members",
    "DELETE /api/circles/{circle_id}/members/{number}": "one circle of up to fifty members",
    "POST /circles/{circle_id}/members/{number}/remove": "one circle of up to fifty members",
    "POST /circles/{circle_id}/leave": "one circle of up to fifty members",
    "POST /circles/{circle_id}/close": "one circle of up to fifty members",
    "DELETE /api/circles/{circle_id}": "one circle of up to fifty members",
    "POST /circles/{circle_id}/name": "one circle of up to fifty members",
    "PUT /api/circles/{circle_id}/name": "one circle of up to fifty members",
    "POST /circles/{circle_id}/invitation": "one circle of up to fifty members",
    "GET /games/{game_id}/people": "one game and up to 200 blocks",
    "POST /games/{game_id}/people/{seat}/{act}": "one game and up to 200 blocks, at a limited rate",
    "GET /circles/{circle_id}/people": "one circle of up to fifty members",
    "GET /games/{game_id}/report": "one game with up to 500 remarks, each text once",
    "POST /games/{game_id}/report": "up to twenty rows stored, at a limited rate",
    "GET /circles/{circle_id}/report": "one circle of up to fifty members",
    "POST /circles/{circle_id}/report": "up to twenty rows stored, at a limited rate",
    "POST /api/reports": "one row stored, at a limited rate",
    "GET /admin/sign-in": "404 without a token, else a form",
    "POST /admin/sign-in": "404 without a token, else one digest, at a limited rate",
    "POST /admin/sign-out": "a cookie deleted",
    "GET /admin/join/{token}": "one row by a digest",
    "POST /admin/join/{token}": "one row by a digest, at a limited rate",
    **dict.fromkeys(
        (
            "GET /admin",
            "POST /admin/reports/{report_id}/dismiss",
            "GET /admin/players",
            "GET /admin/players/{player_id}",
            "POST /admin/players/{player_id}/{action}",
            "GET /admin/games/{game_id}",
            "POST /admin/games/{game_id}/remove",
            "GET /admin/circles/{circle_id}",
            "POST /admin/circles/{circle_id}/rename",
            "GET /admin/audit",
            "GET /api/admin/reports",
            "POST /api/admin/reports/{report_id}/dismiss",
            "GET /api/admin/players",
            "GET /api/admin/players/{player_id}",
            "POST /api/admin/players/{player_id}/actions",
            "POST /api/admin/games/{game_id}/remove",
            "POST /api/admin/circles/{circle_id}/rename",
            "GET /api/admin/audit",
        ),
        "404 or 401 for anyone but operators",
    ),
    "POST /circles/{circle_id}/people/{number}/{act}": "one circle of up to fifty members",
    "POST /play-now": "those who wait for one game, at a limited rate",
    "GET /play-now": "those who wait for one game, once a second in each process",
    "POST /play-now/cancel": "one row deleted by its key",
    "POST /play-now/bot": "one game opened, at a limited rate",
    "POST /api/pairing": "those who wait for one game, at a limited rate",
    "GET /api/pairing": "those who wait for one game, once a second in each process",
    "DELETE /api/pairing": "one row deleted by its key",
    "GET /me/notifications": "up to ten channels and forty open games",
    "POST /me/notifications/webhooks": "one row stored, at a limited rate",
    "POST /me/notifications/mail": "one row stored, at a limited rate",
    "POST /me/notifications/channels/{channel_id}": "one row updated by its key",
    "POST /me/notifications/channels/{channel_id}/remove": "one row deleted by its key",
    "POST /me/notifications/channels/{channel_id}/test": "one row stored, at a limited rate",
    "POST /me/notifications/times": "one row stored, at a limited rate",
    "POST /me/notifications/games/{game_id}": "one row stored by its key",
    "GET /unsubscribe/{token}": "a signature",
    "POST /unsubscribe/{token}": "a signature, and one row deleted by its key",
    "GET /api/me/notifications": "up to ten channels, and the games with an own choice",
    "PUT /api/me/notifications/times": "one row stored, at a limited rate",
    "POST /api/me/notifications/channels": "one row stored, at a limited rate",
    "PUT /api/me/notifications/channels/{channel_id}": "one row updated by its key",
    "DELETE /api/me/notifications/channels/{channel_id}": "one row deleted by its key",
    "POST /api/me/notifications/channels/{channel_id}/test": "one row stored, at a limited rate",
    "PUT /api/me/notifications/games/{game_id}": "one row stored by its key",
    "GET /api/me/blocks": "up to 200 rows",
    "GET /games/{game_id}/turns/{number}/retry": "one position in the engine pool, at the engines' rate",
    "POST /games/{game_id}/turns/{number}/retry": "one position in the engine pool, at the engines' rate",
    "GET /fribble/team": "a redirect",
    "GET /play": "a redirect",
    "GET /letterpress/play": "a redirect",
    "GET /boggle/play": "a redirect",
    "GET /fribble/play": "a redirect",
    "GET /scrabblet/play": "a redirect",
    "GET /boggle/solver": "a redirect",
    "GET /api/boards": "up to 230 rows by an index",
    "POST /api/boards": "up to 400 moves replayed in the engine pool, at the engines' rate",
    "GET /api/boards/{board_id}": "up to 400 moves replayed in the engine pool, at the engines' rate",
    "PUT /api/boards/{board_id}": "up to 400 moves replayed in the engine pool, at the engines' rate",
    "DELETE /api/boards/{board_id}": "one row deleted by its key",
    "GET /boards": "up to 230 rows by an index",
    "POST /boards/open": "up to 400 moves replayed in the engine pool, at the engines' rate",
    "GET /boards/new/{kind}": "as the room's own board",
    "POST /boards/new/{kind}": "as the room's own board",
    "GET /boards/games/{game_id}": "a game replayed in the engine pool, at the engines' rate",
    "POST /boards/games/{game_id}": "a game replayed in the engine pool, at the engines' rate",
    "GET /boards/puzzles/{puzzle_id}": "one position, at the engines' rate",
    "POST /boards/puzzles/{puzzle_id}": "one position, at the engines' rate",
    "GET /boards/{board_id}": "a tree of up to 60,000 bytes, replayed once per change in the engine pool",
    "POST /boards/{board_id}": "up to 400 moves replayed in the engine pool, at the engines' rate",
    "POST /boards/{board_id}/delete": "one row deleted by its key",
    "GET /puzzles": "a few queries by an index, at the engines' rate",
    "GET /puzzles/next/{kind}": "some 300 ratings by their keys, at the engines' rate",
    "GET /puzzles/mistakes": "up to 500 rows, at the engines' rate",
    "POST /puzzles/mistakes": "ten games in the engine pool, at the engines' rate; each once",
    "GET /puzzles/{puzzle_id}": "one answer by its key, at the engines' rate",
    "POST /puzzles/{puzzle_id}": "one position judged in the engine pool, at the engines' rate",
    "GET /puzzles/{puzzle_id}/preview.png": "a picture in the engine pool, at the engines' rate",
    "POST /puzzles/rush": "sixty ratings by their keys, at the engines' rate",
    "GET /puzzles/rush/{rush_id}": "one row by its key, at the engines' rate",
    "POST /puzzles/rush/{rush_id}": "one position judged in the engine pool, at the engines' rate",
    "GET /api/puzzles": "a few queries by an index, at the engines' rate",
    "GET /api/puzzles/mistakes": "up to 500 rows, at the engines' rate",
    "POST /api/puzzles/mistakes": "as the page's",
    "POST /api/puzzles/rushes": "sixty ratings by their keys, at the engines' rate",
    "GET /api/puzzles/rushes/{rush_id}": "one row by its key, at the engines' rate",
    "POST /api/puzzles/rushes/{rush_id}/answer": "one position judged, as above",
    "GET /api/puzzles/{room}/today": "one answer by its key, at the engines' rate",
    "GET /api/puzzles/{room}/next": "some 300 ratings by their keys, at the engines' rate",
    "GET /api/puzzles/{puzzle_id}": "one answer by its key, at the engines' rate",
    "POST /api/puzzles/{puzzle_id}/answer": "one position judged in the engine pool, at the engines' rate",
    "GET /cards": "one card by an index, at the engines' rate",
    "GET /games/{game_id}/cards": "one finished game, replayed at the engines' rate",
    "POST /games/{game_id}/cards": "one finished game, replayed at the engines' rate",
    "GET /cards/all": "up to 5,000 rows, at the engines' rate",
    "GET /cards/export.csv": "up to 5,000 rows, at the engines' rate",
    "GET /cards/export.txt": "in the engine pool; twenty cards count as one engine request",
    "GET /api/cards": "up to 100 questions, at the engines' rate",
    "GET /api/cards/export": "as the pages' exports",
    "POST /cards": "up to 200 words looked up, at the engines' rate",
    "POST /api/cards": "up to 200 words looked up, at the engines' rate",
    "POST /cards/answer": "one word looked up, at the engines' rate",
    "POST /api/cards/answers": "one word looked up, at the engines' rate",
    "POST /cards/grade": "one row by an index, at the engines' rate",
    "POST /api/cards/grade": "one row by an index, at the engines' rate",
    "POST /cards/undo": "one row by an index, at the engines' rate",
    "POST /api/cards/undo": "one row by an index, at the engines' rate",
    "POST /cards/remove": "one row deleted by its key, at the engines' rate",
    "DELETE /api/cards/{lexicon}/{ask}/{word}": "one row deleted by its key, at the engines' rate",
    "POST /cards/import": "up to 2 MB read in the engine pool, at the rate of imports",
    "POST /api/cards/import": "up to 2 MB read in the engine pool, at the rate of imports",
    "POST /api/me/blocks": "one row stored, at a limited rate",
    "DELETE /api/me/blocks/{block_id}": "one row deleted by its key",
    "POST /me/blocks/{block_id}/remove": "one row deleted by its key",
    "GET /api/me/ratings": "a row per kind of game and speed",
    "PUT /api/me/ratings": "one row updated, at a limited rate",
    "POST /me/ratings/hidden": "one row updated, at a limited rate",
    "GET /api/me/ratings/{kind}/{speed}": "up to a thousand rows of one player",
    "GET /me/ratings/{kind}/{speed}": "up to five hundred rows of one player",
    "GET /me/mail/{token}": "a form",
    "POST /me/mail/{token}": "one read by a digest",
    "POST /me/mail/remove": "one row deleted by its key",
    "POST /me/mail": "404 without a mail server, else a few mails an hour",
    "POST /me/sign-in/mail": "404 without a mail server, else a few mails an hour",
    "POST /me/sign-in/passkey": "one row deleted by its digest",
    "POST /me/passkeys": "one row deleted by its digest",
    "POST /me/passkeys/options": "one row stored for five minutes, at a limited rate",
    "POST /me/sign-in/passkey/options": "one row stored for five minutes, at a limited rate",
    "POST /me/passkeys/{passkey}/remove": "one row deleted by its digest",
    "GET /api/remarks": "a constant list",
    "GET /api/boggle/algorithms": "a constant list",
    "GET /api/fribble/presets": "a constant list",
    "GET /api/words": "a constant list",
    "GET /api/words/studies/lists": "a constant list",
    "GET /quiz": "a form",
    "GET /healthz": "a constant",
    "GET /settings": "a form",
    "GET /api/me/preferences": "read from the cookie",
    "GET /learn/{kind}": "a page without a query",
    "GET /wibble/adventure": "a constant list with one query of stars",
    "GET /wibble/adventure/{level}": "a redirect",
    "GET /api/wibble/adventure": "a constant list with one query of stars",
    "GET /rules": "a constant list",
    "GET /rules/{kind}": "a constant text",
    "GET /games/{game_id}/lesson": "a lesson has a few moves",
    "POST /games/{game_id}/lesson": "a lesson has a few moves",
    "POST /learn/{kind}/tips": "one row for each hint",
}
"""Routes without expensive inputs, with the reason."""


def key(method: str, path: str) -> str:
    """Return the key of a route in INPUTS and PLAIN."""
    return f"{method} {path}"


def routes_of(app: FastAPI) -> dict[str, RouteContext]:
    """Return every route of the router by its key; mounted files count as GET."""
    return {
        key(method, route.path_format or ""): route
        for route in iter_route_contexts(app.routes)
        for method in sorted(route.methods or {"GET"})
    }


def family(route: RouteContext) -> str:
    """Return the subject of a route, such as ``boggle``."""
    module = str(getattr(route.endpoint, "__module__", "files"))
    return module.rpartition(".")[2].partition("_")[0]


def _board(letters: int) -> str:
    """Return random letters with many words."""
    drawn = _CHANCE.choices("aeiou", k=letters * 2 // 5) + _CHANCE.choices(
        string.ascii_lowercase, k=letters - letters * 2 // 5
    )
    return "".join(_CHANCE.sample(drawn, letters))


def _letterpress(budget_ms: int) -> dict[str, Any]:
    return {"board": _board(25), "plies": 3, "budget_ms": budget_ms, "limit": 100, "group": True}


def _varied(make: Callable[[int], Request]) -> Callable[[Material], Requests]:
    return lambda _: [make(number) for number in range(VARIANTS)]


def _thinking(make: Callable[[int, int], Request]) -> Callable[[Material], Requests]:
    """Make requests from a number and the time limit of the engine in milliseconds."""
    return lambda material: [make(number, material.budget_ms) for number in range(VARIANTS)]


def _of(games: Callable[[Material], list[str]], make: Callable[[Material, str], Request]) -> Any:
    """Make a request for each of some games."""
    return lambda material: [make(material, game) for game in games(material)]


def _with_player(path: str) -> Callable[[Material], Requests]:
    return lambda material: [get(path, material.cookie)]


def _any_finished(material: Material) -> list[str]:
    return [*material.boggles, *material.zens, *material.finished]


def _plies(path: str) -> Callable[[Material], Requests]:
    """Request plies of long games far apart, so that caching does not help."""

    def make(material: Material) -> Requests:
        games = islice(cycle([*material.boggles, *material.zens]), VARIANTS)
        most = min(material.plies, 850)
        return [get(path.format(game, most - 1 - 7 * number % most)) for number, game in enumerate(games)]

    return make


_BOGGLE_ROWS: Final = list(BOGGLE)
_FRIBBLE: Final = [*["." * 15] * 7, ".......FRIBBLE.", *["." * 15] * 7]


def _simulation(budget_ms: int) -> dict[str, Any]:
    rack = "".join(_CHANCE.choices("AEIOUNRSTLDG", k=5)) + "??"
    return {"rack": rack, "strategy": "simulating", "budget_ms": budget_ms, "limit": 100}


def _patterns(material: Material) -> Requests:  # noqa: ARG001 - needs no test data
    letters = _CHANCE.sample(string.ascii_lowercase, 26)
    return [
        get("/words", study="pattern", letters="*".join(["", *[f"[^{letter}]"] * 4, ""]))
        for letter in letters
    ]


_OPENED: Final[Mapping[str, dict[str, Any]]] = {
    "a rich board of 8x8": {
        "kind": "boggle",
        "options": {"rows": 8, "columns": 8, "richness": "rich", "min_length": 2},
    },
    "a hand of 15 with many words": {
        "kind": "scrabblet",
        "options": {"size": 15, "min_words": 2000, "min_pangrams": 0},
    },
    "a large board of Wibble": {"options": {"mode": "zen", "size": 7, "min_words": 100}},
    "bots against each other": {"kind": "fribble", "bots": [5, 5]},
    "listed tables": {"kind": "letterpress", "listed": True},
}

INPUTS: Final[Mapping[str, Inputs]] = {
    # games
    "GET /api/games": {"the lobby": _with_player("/api/games")},
    "POST /api/games": {
        name: lambda _, body=body: [send("/api/games", body)]  # type: ignore[misc]
        for name, body in _OPENED.items()
    },
    "GET /api/games/{game_id}": {
        "finished Boggle of 8x8": _of(
            lambda material: material.boggles, lambda _, game: get(f"/api/games/{game}")
        ),
        "long open games": _of(
            lambda material: material.unfinished,
            lambda material, game: get(f"/api/games/{game}", material.cookie),
        ),
        "bots of level 5": _of(lambda material: material.bots, lambda _, game: get(f"/api/games/{game}")),
    },
    "GET /games/{game_id}": {
        "finished Boggle of 8x8": _of(
            lambda material: material.boggles, lambda _, game: get(f"/games/{game}")
        ),
        "long open games": _of(
            lambda material: material.unfinished,
            lambda material, game: get(f"/games/{game}", material.cookie),
        ),
        "bots of level 5": _of(lambda material: material.bots, lambda _, game: get(f"/games/{game}")),
    },
    "GET /games/{game_id}/table": {
        "finished Boggle of 8x8": _of(
            lambda material: material.boggles, lambda _, game: get(f"/games/{game}/table")
        ),
        "long open games": _of(
            lambda material: material.unfinished,
            lambda material, game: get(f"/games/{game}/table", material.cookie),
        ),
    },
    "POST /api/games/{game_id}/moves": {
        "words in a long game": lambda material: [
            send(
                f"/api/games/{material.boggle}/moves",
                {"move": {"type": "word", "word": "q"}},
                material.cookie,
            )
        ],
        "chains in a long game": lambda material: [
            send(
                f"/api/games/{material.zen}/moves",
                {"move": {"type": "chain", "cells": [0, 1, 2]}},
                material.cookie,
            )
        ],
    },
    "POST /games/{game_id}/moves": {
        "words in a long game": lambda material: [
            submit(f"/games/{material.boggle}/moves", material.cookie, type="word", word="q")
        ],
        "chains in a long game": lambda material: [
            submit(f"/games/{material.zen}/moves", material.cookie, type="chain", cells="0,1,2")
        ],
    },
    "GET /api/games/{game_id}/moves": {
        "long games": _of(
            lambda material: [*material.boggles, *material.zens, *material.unfinished],
            lambda material, game: get(f"/api/games/{game}/moves", material.cookie),
        )
    },
    "GET /api/games/{game_id}/plies/{ply}": {"long games": _plies("/api/games/{}/plies/{}")},
    "GET /games/{game_id}/plies/{ply}": {"long games": _plies("/games/{}/plies/{}")},
    "GET /api/games/{game_id}/record": {
        "all finished games": _of(_any_finished, lambda _, game: get(f"/api/games/{game}/record"))
    },
    "GET /games/{game_id}/record": {
        "all finished games": _of(_any_finished, lambda _, game: get(f"/games/{game}/record"))
    },
    "GET /api/games/{game_id}/analysis": {
        "all finished games": _of(_any_finished, lambda _, game: get(f"/api/games/{game}/analysis"))
    },
    "GET /games/{game_id}/analysis": {
        "all finished games": _of(_any_finished, lambda _, game: get(f"/games/{game}/analysis"))
    },
    "GET /games/{game_id}/analysis/progress": {
        "all finished games": _of(
            _any_finished, lambda _, game: get(f"/games/{game}/analysis/progress?searched=0")
        )
    },
    "POST /api/games/import": {
        "long games": lambda material: [text("/api/games/import", record) for record in material.records]
    },
    "POST /import": {
        "long games": lambda material: [submit("/import", text=record) for record in material.records]
    },
    "POST /api/games/{game_id}/keep": {
        "all finished games": _of(
            _any_finished, lambda material, game: send(f"/api/games/{game}/keep", {}, material.cookie)
        )
    },
    "POST /games/{game_id}/keep": {
        "all finished games": _of(
            _any_finished, lambda material, game: submit(f"/games/{game}/keep", material.cookie)
        )
    },
    "GET /games/{game_id}/gcg": {
        "finished games": _of(lambda material: material.fribbles, lambda _, game: get(f"/games/{game}/gcg"))
    },
    "POST /games/{game_id}/preview": {
        "a play of seven tiles": lambda material: [
            send(
                f"/games/{material.fribble}/preview",
                {"cells": list(range(15, 22)), "tiles": "AEINRST"},
                material.cookie,
            )
        ]
    },
    "GET /api/games/{game_id}/events": {
        "opened and closed": _of(
            lambda material: [*material.unfinished, *material.bots],
            lambda _, game: listen(f"/api/games/{game}/events"),
        )
    },
    "GET /api/events": {
        "opened and closed": lambda material: [listen("/api/events", material.cookie)],
    },
    "GET /games/{game_id}/events": {
        "opened and closed": _of(
            lambda material: [*material.unfinished, *material.bots],
            lambda _, game: listen(f"/games/{game}/events"),
        )
    },
    # tables
    "DELETE /api/games/{game_id}": {
        "a game of two": lambda material: [
            Request("DELETE", f"/api/games/{material.fribble}", cookie=material.cookie)
        ]
    },
    "POST /games/{game_id}/close": {
        "a game of two": lambda material: [submit(f"/games/{material.fribble}/close", material.cookie)]
    },
    "POST /api/games/{game_id}/seats": {
        "new guests": _of(
            lambda material: material.waiting, lambda _, game: send(f"/api/games/{game}/seats", {})
        )
    },
    "POST /games/{game_id}/seats": {
        "new guests": _of(lambda material: material.waiting, lambda _, game: submit(f"/games/{game}/seats"))
    },
    "GET /games/{game_id}/join/{invitation}": {
        "watchers": lambda material: [get(path) for path in material.invitations]
    },
    "POST /games/{game_id}/join/{invitation}": {
        "new guests": lambda material: [submit(path) for path in material.invitations]
    },
    "POST /api/games/{game_id}/bots": {
        "at a long game": lambda material: [
            send(f"/api/games/{material.zen}/bots", {"level": 5}, material.cookie)
        ]
    },
    "POST /games/{game_id}/bots": {
        "at a long game": lambda material: [submit(f"/games/{material.zen}/bots", material.cookie, level=5)]
    },
    "POST /api/games/{game_id}/remarks": {
        "at a game of two": lambda material: [
            send(f"/api/games/{material.fribble}/remarks", {"line": 0}, material.cookie)
        ]
    },
    "POST /games/{game_id}/remarks": {
        "at a game of two": lambda material: [
            submit(f"/games/{material.fribble}/remarks", material.cookie, line=0)
        ]
    },
    "POST /api/games/{game_id}/claim": {
        "at a long game": lambda material: [send(f"/api/games/{material.zen}/claim", {}, material.cookie)]
    },
    "POST /games/{game_id}/skip": {
        "at a long game": lambda material: [submit(f"/games/{material.zen}/skip", material.cookie)]
    },
    "POST /games/{game_id}/claim": {
        "at a long game": lambda material: [submit(f"/games/{material.zen}/claim", material.cookie)]
    },
    "POST /api/games/{game_id}/rematch": {
        "finished games": _of(
            lambda material: material.finished,
            lambda material, game: send(f"/api/games/{game}/rematch", {}, material.cookie),
        )
    },
    "POST /games/{game_id}/rematch": {
        "finished games": _of(
            lambda material: material.finished,
            lambda material, game: submit(f"/games/{game}/rematch", material.cookie),
        )
    },
    # challenges
    "POST /api/games/{game_id}/challenge": {
        "a long game": lambda material: [
            send(f"/api/games/{material.challenged}/challenge", {}, material.cookie)
        ]
    },
    "POST /games/{game_id}/challenge": {
        "a long game": lambda material: [submit(f"/games/{material.challenged}/challenge", material.cookie)]
    },
    "GET /api/challenges": {"a player with many games": _with_player("/api/challenges")},
    "GET /api/challenges/{challenge_id}": {
        "long games": lambda material: [get(f"/api/challenges/{material.challenge}", material.cookie)]
    },
    "GET /challenges/{challenge_id}": {
        "long games": lambda material: [get(f"/challenges/{material.challenge}", material.cookie)]
    },
    "GET /challenges/{challenge_id}/preview.png": {
        "any": lambda material: [get(f"/challenges/{material.challenge}/preview.png")]
    },
    "POST /api/challenges/{challenge_id}/game": {
        "new guests": lambda material: [send(f"/api/challenges/{material.challenge}/game", {})]
    },
    "POST /challenges/{challenge_id}/play": {
        "new guests": lambda material: [submit(f"/challenges/{material.challenge}/play")]
    },
    "GET /lobby": {"a player with many games": _with_player("/lobby")},
    # front pages, for a player with many games
    "GET /": {"a player with many games": _with_player("/")},
    "GET /letterpress": {"a player with many games": _with_player("/letterpress")},
    "GET /fribble": {"a player with many games": _with_player("/fribble")},
    "GET /boggle": {"a player with many games": _with_player("/boggle")},
    "GET /scrabblet": {"a player with many games": _with_player("/scrabblet")},
    # forms that open a game
    "POST /play": {"a large board": lambda _: [submit("/play", mode="zen", size=7, min_words=100)]},
    "POST /wibble/adventure/{level}": {
        "the first level, which is open": lambda _: [submit("/wibble/adventure/1")]
    },
    "POST /letterpress/play": {"a bot of level 5": lambda _: [submit("/letterpress/play", opponent=5)]},
    "POST /fribble/play": {
        "three bots of level 5": lambda _: [submit("/fribble/play", preset="standard", opponent=5, players=4)]
    },
    "POST /fribble/self": {"two bots of level 5": lambda _: [submit("/fribble/self", first=5, second=5)]},
    "POST /scrabblet/play": {
        "many words": lambda _: [submit("/scrabblet/play", size=15, min_words=2000, min_pangrams=0)]
    },
    "POST /boggle/play": {
        "a rich board of 8x8": lambda _: [submit("/boggle/play", size="8x8", richness="rich", min_length=2)]
    },
    # the daily
    "GET /api/daily": {
        "the longest list": lambda material: [get("/api/daily", material.cookie, kind="boggle", top=100)]
    },
    "POST /api/daily": {"new guests": lambda _: [Request("POST", "/api/daily?kind=boggle")]},
    "GET /api/daily/{day}": {
        "the longest list": lambda material: [
            get(f"/api/daily/{material.yesterday}", material.cookie, kind="boggle", top=100)
        ]
    },
    "POST /api/daily/{day}/rehearsals": {
        "new guests": lambda material: [
            Request("POST", f"/api/daily/{material.yesterday}/rehearsals?kind=boggle")
        ]
    },
    "GET /daily": {"a player with results": _with_player("/daily")},
    "GET /{kind}/daily": {"a player with results": _with_player("/boggle/daily")},
    "GET /daily/archive": {"a player with results": _with_player("/daily/archive")},
    "GET /{kind}/daily/archive": {"a player with results": _with_player("/boggle/daily/archive")},
    "GET /daily/{day}": {
        "a player with results": lambda material: [get(f"/daily/{material.yesterday}", material.cookie)]
    },
    "GET /{kind}/daily/{day}": {
        "a player with results": lambda material: [
            get(f"/boggle/daily/{material.yesterday}", material.cookie)
        ]
    },
    "POST /daily/play": {"new guests": lambda _: [submit("/daily/play")]},
    "POST /{kind}/daily/play": {"new guests": lambda _: [submit("/boggle/daily/play")]},
    "POST /daily/{day}/play": {"new guests": lambda material: [submit(f"/daily/{material.yesterday}/play")]},
    "POST /{kind}/daily/{day}/play": {
        "new guests": lambda material: [submit(f"/boggle/daily/{material.yesterday}/play")]
    },
    # profile and leaderboards
    "GET /api/me": {"a player with results": lambda material: [get("/api/me", material.cookie, top=1000)]},
    "PUT /api/me": {"new guests": lambda _: [send("/api/me", {"nickname": "Flood"}, method="PUT")]},
    "DELETE /api/me": {"without a session": lambda _: [Request("DELETE", "/api/me")]},
    "GET /me": {"a player with results": _with_player("/me")},
    "GET /me/export": {"a player with results": _with_player("/me/export")},
    "POST /me/nickname": {"new guests": lambda _: [submit("/me/nickname", nickname="Flood")]},
    "PUT /api/me/preferences": {
        "a player with results": lambda material: [
            send("/api/me/preferences", {"theme": "dark"}, material.cookie, method="PUT")
        ]
    },
    "POST /settings": {
        "a player with results": lambda material: [submit("/settings", material.cookie, theme="dark")]
    },
    "POST /learn/{kind}": {"new guests": lambda _: [submit("/learn/fribble")]},
    "POST /learn/{kind}/decline": {"new guests": lambda _: [submit("/learn/fribble/decline")]},
    "POST /me/devices": {"a player with results": lambda material: [submit("/me/devices", material.cookie)]},
    "POST /me/devices/{token}": {
        "invalid links": _varied(lambda number: submit(f"/me/devices/{number:022}"))
    },
    "GET /circles": {"a player with results": _with_player("/circles")},
    "GET /api/circles": {"a player with results": _with_player("/api/circles")},
    "POST /circles": {"new guests": lambda _: [submit("/circles", name="Flood")]},
    "POST /api/circles": {"new guests": lambda _: [send("/api/circles", {"name": "Flood"})]},
    "GET /circles/{circle_id}": {"unknown circles": _varied(lambda number: get(f"/circles/{number}"))},
    "GET /api/circles/{circle_id}": {
        "unknown circles": _varied(lambda number: get(f"/api/circles/{number}"))
    },
    "POST /me/phrase": {"a player with results": lambda material: [submit("/me/phrase", material.cookie)]},
    "POST /me/phrase/remove": {"without a session": lambda _: [submit("/me/phrase/remove")]},
    "POST /me/phrase/decline": {"without a session": lambda _: [submit("/me/phrase/decline")]},
    "POST /me/sign-out": {"without a session": lambda _: [submit("/me/sign-out")]},
    "POST /me/sign-out/{device}": {
        "unknown devices": lambda material: [submit("/me/sign-out/unknown", material.cookie)]
    },
    "POST /me/sign-out-others": {"without a session": lambda _: [submit("/me/sign-out-others")]},
    "POST /me/erase": {"without a session": lambda _: [submit("/me/erase")]},
    "GET /leaderboards": {"a player with results": _with_player("/leaderboards")},
    "GET /api/leaderboards": {
        "the longest lists": lambda material: [get("/api/leaderboards", material.cookie, top=100)]
    },
    # pictures of shared links
    "GET /games/{game_id}/preview.png": {
        "all finished games": _of(_any_finished, lambda _, game: get(f"/games/{game}/preview.png"))
    },
    "GET /games/{game_id}/plies/{ply}/preview.png": {"long games": _plies("/games/{}/plies/{}/preview.png")},
    "GET /daily/{day}/preview.png": {
        "yesterday": lambda material: [get(f"/daily/{material.yesterday}/preview.png")]
    },
    "GET /{kind}/daily/{day}/preview.png": {
        "yesterday": lambda material: [get(f"/boggle/daily/{material.yesterday}/preview.png")]
    },
    "GET /boggle/board/preview.png": {
        "other boards of 8x8": _varied(
            lambda _: get("/boggle/board/preview.png", board=" ".join(_board(8) for _ in range(8)))
        )
    },
    # engines
    "POST /api/wibble/solve": {
        "7x7 with three swaps": _varied(
            lambda _: send("/api/wibble/solve", {"board": _board(49), "swaps": 3, "limit": 5000})
        )
    },
    "POST /api/solve": {"three plies": _thinking(lambda _, most: send("/api/solve", _letterpress(most)))},
    "GET /api/solve": {"three plies": _thinking(lambda _, most: get("/api/solve", **_letterpress(most)))},
    "POST /api/solve/batch": {
        "100 boards": _thinking(
            lambda _, most: send(
                "/api/solve/batch",
                {"boards": [_letterpress(3 * most // 100) | {"limit": 10} for _ in range(100)]},
            )
        )
    },
    "GET /letterpress/solver": {
        "three plies": _thinking(lambda _, most: get("/letterpress/solver", **_letterpress(most)))
    },
    "GET /letterpress/solver/random": {"any": lambda _: [get("/letterpress/solver/random")]},
    "GET /wibble/solver": {
        "7x7 with three swaps": _varied(lambda _: get("/wibble/solver", board=_board(49)))
    },
    "GET /api/wibble/solve": {
        "7x7 with three swaps": _varied(
            lambda _: get("/api/wibble/solve", board=_board(49), swaps=3, limit=5000)
        )
    },
    "GET /api/boggle/solve": {
        "8x8, all paths": _varied(
            lambda number: get(
                "/api/boggle/solve",
                board=" ".join(_BOGGLE_ROWS[number % 8 :] + _BOGGLE_ROWS[: number % 8]),
                min_length=2,
                paths="all",
            )
        )
    },
    "GET /api/fribble/score": {
        "eight tiles": lambda _: [
            get("/api/fribble/score", board=" ".join(_FRIBBLE), rack=RACK, move="H8 .RITES")
        ]
    },
    "GET /api/fribble/moves": {
        "simulations": _thinking(
            lambda _, most: get("/api/fribble/moves", board=" ".join(_FRIBBLE), **_simulation(most))
        )
    },
    "GET /api/scrabblet/words": {
        "15 tiles with two blanks": _varied(
            lambda _: get("/api/scrabblet/words", rack=_board(13) + "??", min_length=2)
        )
    },
    "GET /api/scrabblet/deal": {
        "very rare hands": _varied(
            lambda number: get(
                "/api/scrabblet/deal",
                size=15,
                max_vowels=1,
                min_words=5000,
                min_pangrams=0,
                seed=f"seed {number}",
            )
        )
    },
    "GET /api/scrabblet/gamesetup": {
        "100 hands of 15": _varied(
            lambda number: get(
                "/api/scrabblet/gamesetup",
                size=15,
                max_vowels=15,
                min_words=10_000,
                min_pangrams=0,
                count=100,
                seed=f"seed {number}",
            )
        )
    },
    "GET /api/words/studies/anagrams": {
        "many letters": _varied(
            lambda _: get("/api/words/studies/anagrams", letters=_board(20), min_length=2, limit=1000)
        )
    },
    "GET /api/words/studies/patterns": {
        "many wildcards": lambda _: [
            get("/api/words/studies/patterns", pattern=pattern)
            for pattern in ("*[^z]*[^z]*[^z]*[^z]*", "*a*e*i*o*", "*[^qx]*s", "??*[^aeiou]*ing")
        ]
    },
    "GET /api/words/studies/hooks": {
        "one letter": _varied(lambda _: get("/api/words/studies/hooks", word=_board(1), limit=1000))
    },
    "GET /api/words/studies/stems": {
        "all": lambda _: [get("/api/words/studies/stems", limit=1000)],
    },
    "GET /api/words/studies/lists/{name}": {
        "all": lambda _: [get("/api/words/studies/lists/all", order="frequency", limit=1000)],
        "bingo stems": lambda _: [get("/api/words/studies/lists/bingo-stems", limit=1000)],
    },
    "GET /api/words/studies/bingos": {
        "six letters": _varied(lambda _: get("/api/words/studies/bingos", stem=_board(6)))
    },
    "GET /api/words/studies/statistics": {
        "any": lambda _: [get("/api/words/studies/statistics")],
    },
    "GET /api/words/studies/beginnings": {
        "all": lambda _: [get("/api/words/studies/beginnings", limit=1000)],
    },
    "GET /api/words/studies/definitions": {
        "100 words": lambda _: [
            Request("GET", "/api/words/studies/definitions?" + "&".join(["word=set"] * 100))
        ],
    },
    "POST /api/boggle/solve": {
        "8x8, all paths": _varied(
            lambda number: send(
                "/api/boggle/solve",
                {
                    "rows": _BOGGLE_ROWS[number % 8 :] + _BOGGLE_ROWS[: number % 8],
                    "min_length": 2,
                    "paths": "all",
                },
            )
        )
    },
    "GET /api/boggle": {
        "6 boards of 8x8 with words": _varied(
            lambda number: get("/api/boggle", size="8x8", count=6, words="true", min_length=2, seed=number)
        ),
        "1000 boards of 8x8": _varied(
            lambda number: get("/api/boggle", size="8x8", count=1000, min_length=2, seed=number)
        ),
        "a climb": _thinking(
            lambda number, most: get(
                "/api/boggle", size="8x8", algorithm="climb", budget_ms=most, seed=number
            )
        ),
    },
    "GET /boggle/generator": {
        "60 boards of 8x8": _varied(
            lambda number: get("/boggle/generator", size="8x8", count=60, min_length=2, seed=number)
        ),
        "a climb": _thinking(
            lambda number, most: get(
                "/boggle/generator", size="8x8", algorithm="climb", budget_ms=most, seed=number
            )
        ),
    },
    "GET /boggle/board": {
        "8x8": _varied(
            lambda number: get(
                "/boggle/board",
                rows=" ".join(_BOGGLE_ROWS[number % 8 :] + _BOGGLE_ROWS[: number % 8]),
                min_length=2,
            )
        )
    },
    "POST /api/fribble/score": {
        "a game as GCG": lambda material: [
            send(
                "/api/fribble/score",
                {"board": material.gcg, "rack": material.rack, "move": material.placement},
            )
        ]
    },
    "POST /api/fribble/moves": {
        "simulations": _thinking(
            lambda _, most: send("/api/fribble/moves", {"board": _FRIBBLE} | _simulation(most))
        )
    },
    "GET /fribble/board": {
        "simulations": _thinking(
            lambda _, __: get(
                "/fribble/board",
                turns="8H FRIBBLE\npass",
                rack=RACK,
                engine="simulating-long",
                at="2",
            )
        )
    },
    "POST /fribble/board": {
        "a game as GCG": lambda material: [submit("/fribble/board", do="setup", position=material.gcg)]
    },
    "POST /api/scrabblet/words": {
        "15 tiles with two blanks": _varied(
            lambda _: send("/api/scrabblet/words", {"hand": _board(13) + "??", "min_length": 2})
        )
    },
    "POST /api/scrabblet/deal": {
        "very rare hands": _varied(
            lambda number: send(
                "/api/scrabblet/deal",
                {"size": 15, "max_vowels": 1, "min_words": 5000, "min_pangrams": 0, "seed": f"seed {number}"},
            )
        )
    },
    "POST /api/scrabblet/gamesetup": {
        "100 hands of 15": _varied(
            lambda number: send(
                "/api/scrabblet/gamesetup",
                {"size": 15, "max_vowels": 15, "min_words": 10_000, "count": 100, "seed": f"seed {number}"},
            )
        )
    },
    "GET /api/scrabblet/signature/{word}": {
        "long words": _varied(lambda _: get(f"/api/scrabblet/signature/{_board(15)}"))
    },
    "GET /scrabblet/player": {
        "15 tiles with two blanks": _varied(
            lambda number: get("/scrabblet/player", hand=_board(13) + "??", min_length=2, page=number + 1)
        )
    },
    "GET /scrabblet/gamesetup": {
        "hands of 15": _varied(
            lambda number: get(
                "/scrabblet/gamesetup",
                size=15,
                max_vowels=15,
                min_words=10_000,
                min_pangrams=0,
                min_length=2,
                seed=number,
            )
        )
    },
    "GET /words": {
        "patterns": _patterns,
        "anagrams of many letters": _varied(
            lambda _: get("/words", study="anagrams", letters=_board(20), shortest=2)
        ),
        "statistics": lambda _: [get("/words", study="statistics")],
        "all by frequency": lambda _: [get("/words", study="lists", list="all", order="frequency")],
    },
    "POST /quiz": {
        "hooks": _varied(lambda _: submit("/quiz", list="all", kind="hooks", questions="50")),
    },
    "GET /quiz/{token}": {
        "forged": _varied(lambda number: get(f"/quiz/{'x' * 500}{number}")),
    },
    "POST /quiz/{token}": {
        "forged": _varied(lambda number: submit(f"/quiz/{'x' * 500}{number}", answer="x" * 200)),
    },
    "GET /words/{word}": {
        "short words": lambda _: [get(f"/words/{word}") for word in ("a", "e", "s", "un", "re")]
    },
    "POST /words/{word}/votes": {
        "other words": _varied(
            lambda _: submit(f"/words/{_board(12)}/votes", lexicon="letterpress", valid="true")
        )
    },
    "POST /api/words/{word}/votes": {
        "other words": _varied(
            lambda _: send(f"/api/words/{_board(12)}/votes", {"lexicon": "letterpress", "valid": True})
        )
    },
    "GET /api/words/{word}": {"long words": _varied(lambda _: get(f"/api/words/{_board(15)}"))},
    # monitoring
    "GET /readyz": {"any": lambda _: [get("/readyz")]},
    "GET /metrics": {"any": lambda _: [get("/metrics")]},
    "GET /openapi.json": {"any": lambda _: [get("/openapi.json")]},
    "GET /docs": {"any": lambda _: [get("/docs")]},
    "GET /docs/{name}": {"the largest": lambda _: [get("/docs/types")]},
}
"""By route and input: functions that make the requests of a flood."""
