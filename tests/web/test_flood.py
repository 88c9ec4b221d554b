"""What a flood does to somebody who plays meanwhile: ``benchmarks/flood.py`` measures the same."""

from fastapi.testclient import TestClient

from benchmarks.flooding.routes import INPUTS, PLAIN, found


def test_it_is_said_of_every_route_what_is_the_worst_of_it(client: TestClient) -> None:
    routes = found(client.app)  # type: ignore[arg-type]
    assert routes.keys() - INPUTS.keys() - PLAIN.keys() == set(), (
        "say in benchmarks/flooding/routes.py what is the worst that may be asked of them"
    )
    assert (INPUTS.keys() | PLAIN.keys()) - routes.keys() == set(), "they are no routes any more"
    assert INPUTS.keys() & PLAIN.keys() == set()
