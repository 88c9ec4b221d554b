"""A player is served while others flood the server; benchmarks/flood.py measures how fast."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi.routing import RouteContext

from app.main import create_app
from app.settings import Settings
from benchmarks.flooding.material import Material, prepare
from benchmarks.flooding.player import Player
from benchmarks.flooding.requests import Request, Requests
from benchmarks.flooding.routes import CHEAP, INPUTS, family, routes_of
from benchmarks.flooding.trial import flood, send_each
from tests.servers import Served

SECONDS = 0.4
"""Seconds per flood; the routes of a subject are flooded together to save time."""
PATIENCE = 60
"""Timeout in seconds for a response on a busy machine; the benchmark measures the actual time."""
ROUNDS = 20
MALFORMED = {400, 405, 413, 415, 422}


Flooded = tuple[Served, Material, dict[str, RouteContext]]


@pytest.fixture
def flooded(tmp_path: Path, settings: Settings) -> Iterator[Flooded]:
    """A server with the default limits, its test data and its routes."""
    routes = routes_of(create_app(settings))
    material = prepare(settings, plies=60, copies=2, budget_ms=300)
    server = Served(tmp_path)
    server.start()
    yield server, material, routes
    server.kill()


def test_every_route_has_its_most_expensive_input_listed(settings: Settings) -> None:
    routes = routes_of(create_app(settings))
    assert routes.keys() - INPUTS.keys() - CHEAP == set(), (
        "add these routes to benchmarks/flooding/routes.py or cheap_routes.toml"
    )
    assert (INPUTS.keys() | CHEAP) - routes.keys() == set(), "these routes no longer exist"
    assert INPUTS.keys() & CHEAP == set()


def test_players_are_answered_whatever_is_flooded(flooded: Flooded) -> None:
    server, material, routes = flooded
    families: dict[str, list[Requests]] = defaultdict(list)
    for route, context in routes.items():
        families[family(context)] += [make(material) for make in INPUTS.get(route, {}).values()]
    port = urlsplit(server.url).port
    assert port is not None
    flooded_with: set[str] = set()
    for number, (name, inputs) in enumerate(families.items(), start=1):
        # Each input gets the same share, regardless of its number of requests.
        requests = [one[turn % len(one)] for turn in range(ROUNDS) for one in inputs]
        asked = asyncio.run(send_each(port, f"127.0.2.{number}", requests[: len(inputs)]))
        wrong = [(status, one) for one, status in asked if status in MALFORMED]
        assert not wrong, f"refused, so that nothing is flooded: {wrong}"
        player, answers = asyncio.run(flooded_while_played(port, f"127.0.1.{number}", requests))
        assert not player.results.errors, f"while {name} is flooded: {player.results.errors}"
        assert player.results.pages, name
        assert player.results.moves, name
        flooded_with |= answers.keys()
        assert not [status for status in answers if status.startswith("5") and status != "503"], answers
    assert flooded_with >= {"200", "201", "303"}, "what was flooded is also answered"
    assert " 500 in " not in server.log.read_text(encoding="utf-8")


async def flooded_while_played(
    port: int, address: str, requests: list[Request]
) -> tuple[Player, dict[str, int]]:
    player, over = Player(port, PATIENCE), asyncio.Event()
    await player.open_game()
    playing = asyncio.create_task(player.play(over))
    answers = await flood(port, address, requests, SECONDS)
    over.set()
    await playing
    player.close()
    return player, answers
