"""Sends the example requests in ``data/api`` to the real application, in the state that each needs.

``make examples`` runs it as a program, which stores the responses. IDs, seeds, the clock and measured values
are fixed, so that a response is the same every time.
"""

import re
import tempfile
from pathlib import Path
from typing import Any, Final

import httpx2
from fastapi.testclient import TestClient

from app.games import kernel
from app.resources import resource
from app.rooms import ROOMS
from app.settings import Settings
from app.web.examples import Exchange, format_json, operation_examples, problem_examples
from tests.shared_parts import create_app
from tests.web.examples import accounts, games, learning, opponents, people
from tests.web.examples.players import Players, Setup, Values, nothing
from tests.web.examples.server import BROKEN, CHANGED, playing

FOLDER: Final = resource("data") / "api"
PUSH_KEY: Final = "BO6eofCVtHCG5h0zoLN1ZWQvm5fNAnBLy50-RSHGcfgEbAk0-0SwV63Oz3Q5luZlOZZk4G2bu_XKdUhJcOInsDk"
MEASURED: Final = {
    "milliseconds": 1.5,
    "signing_key": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "push_key": PUSH_KEY,
}
"""Measured or random members, and their fixed values in the examples."""
SETUPS: Final = games.SETUPS | opponents.SETUPS | people.SETUPS | accounts.SETUPS | learning.SETUPS
"""What has happened before the request of an example, by operation ID. The others need and change
nothing, and are sent to one server."""


def too_many(players: Players) -> Values:
    players.me.get("/api/scrabblet/signature/quiz")
    return {}


REFUSED: Final[dict[str, Setup]] = {
    "game-in-progress": games.opened_by_me,
    "illegal-move": games.seated,
    "no-seat": lambda players: games.opened(players.friend),
    "stale-ply": games.passed,
    "too-many-requests": too_many,
}
"""Setup of refused requests, by the example's name."""


def answered(name: str, example: Exchange, path: str, players: Players, setup: Setup = nothing) -> Exchange:
    """The example with its response; ``path`` is the template of its path."""
    values = setup(players)
    body = example.body
    if isinstance(body, dict):
        body = body | {member: values[member] for member in body.keys() & values.keys()}
    try:
        address = path.format_map(values)
    except KeyError as missing:
        raise LookupError(
            f"{path} needs {missing}: add a setup of {name} to SETUPS in tests/web/examples"
        ) from None
    sent = example.model_copy(update={"path": address, "body": values.get("text", body)})
    answer = sent_to(players.me, sent)
    return sent.model_copy(update={"status": answer.status_code, "answer": _content(answer)})


def sent_to(player: TestClient, example: Exchange) -> httpx2.Response:
    """The response to the request of an example."""
    content = {"content": example.body} if isinstance(example.body, str) else {"json": example.body}
    return player.request(
        example.method,
        example.path,
        params=example.query,
        headers=example.headers,
        **(content if example.body is not None else {}),
    )


def operations(document: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Method and path of every operation, by its ID."""
    return {
        operation["operationId"]: (method.upper(), path)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def operation_answered(name: str, path: str, shared: Players) -> Exchange:
    """The example of an operation, sent again."""
    setup = SETUPS.get(name)
    if setup is None and "{" not in path:
        return answered(name, operation_examples()[name], path, shared)
    with playing(name) as players:
        return answered(name, operation_examples()[name], path, players, setup or nothing)


def problem_answered(name: str, shared: Players) -> Exchange:
    """The example of a problem, sent again."""
    example, setup = problem_examples()[name], REFUSED.get(name)
    if setup is None and not {name} & (CHANGED.keys() | BROKEN.keys() | {"engines-compiling"}):
        return answered(name, example, example.path, shared)
    path = re.sub("(?<=/games/)[^/]+", "{game_id}", example.path) if setup else example.path
    with playing(name) as players:
        return answered(name, example, path, players, setup or nothing)


def _content(answer: httpx2.Response) -> Any:
    if not answer.content:
        return None
    if "json" in answer.headers["content-type"]:
        return _unmeasured(answer.json())
    lines = answer.text.splitlines(keepends=True)
    return "".join(lines[:2] if lines[0].startswith("# HELP") else lines)  # metrics differ every time


def _unmeasured(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: MEASURED.get(name, _unmeasured(each)) for name, each in value.items()}
    return [_unmeasured(each) for each in value] if isinstance(value, list) else value


def _store(folder: str, name: str, example: Exchange) -> None:
    shown = example.model_dump(exclude_defaults=True) | {"status": example.status, "answer": example.answer}
    order = [field for field in Exchange.model_fields if field in shown]
    text = format_json({field: shown[field] for field in order})
    (FOLDER / folder / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


def _store_all() -> None:
    kernel.warm_up()
    with tempfile.TemporaryDirectory() as folder:
        found = operations(create_app(Settings(data_dir=Path(folder)), ROOMS).openapi())
    with playing("") as shared:
        for name in operation_examples():
            _store("operations", name, operation_answered(name, found[name][1], shared))
        for name in problem_examples():
            _store("problems", name, problem_answered(name, shared))


if __name__ == "__main__":
    _store_all()
