"""The document at /openapi.json is complete enough for writing a client."""

import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from tests.driver import open_game, problem

JSON = dict[str, Any]


@pytest.fixture
def document(client: TestClient) -> JSON:
    described: JSON = client.get("/openapi.json").json()
    return described


def operations(document: JSON) -> list[tuple[str, str, JSON]]:
    return [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def example_of(document: JSON, operation: JSON) -> list[JSON]:
    """The examples of an operation's body, wherever its schema has them."""
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    parts = [body, *body.get("oneOf", []), *body.get("anyOf", [])]
    named = [
        document["components"]["schemas"][part["$ref"].rpartition("/")[2]] for part in parts if "$ref" in part
    ]
    return [example for schema in named for example in schema.get("examples", [])]


def test_every_operation_says_what_it_does_under_a_name_of_its_own(document: JSON) -> None:
    named = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(set(named)) == len(named)
    for _, path, operation in operations(document):
        assert operation["summary"], path
        assert operation["description"], path


def test_every_error_is_a_problem_document(document: JSON) -> None:
    for method, path, operation in operations(document):
        for status, answer in operation["responses"].items():
            if int(status) >= 400:
                content = answer["content"]["application/problem+json"]
                assert content["schema"] == {"$ref": "#/components/schemas/Problem"}, (method, path, status)
    assert {"type", "title", "status", "detail", "errors"} == set(
        document["components"]["schemas"]["Problem"]["properties"]
    )


def test_errors_are_documented_by_what_an_operation_uses(document: JSON) -> None:
    for method, path, operation in operations(document):
        statuses = set(operation["responses"])
        if method != "GET":
            assert {"403", "413"} <= statuses, path
        if "requestBody" in operation:
            assert {"400", "422"} <= statuses, path
        if "{game_id}" in path:
            assert "404" in statuses, path
        if path.startswith(("/api/games", "/api/solve", "/api/wibble", "/api/boggle/solve", "/api/fribble")):
            assert {"429", "503"} <= statuses, path


def test_schemas_are_named_after_the_game_they_are_of(document: JSON) -> None:
    names = set(document["components"]["schemas"])
    assert {"WibbleView", "BoggleView", "LetterpressSolveRequest", "FribbleSetup", "ScrabbletReport"} <= names
    assert not [name for name in names if "__" in name]


def test_fields_are_described(document: JSON) -> None:
    schemas = document["components"]["schemas"]
    assert "for a watcher" in schemas["GameAnswer"]["properties"]["seat"]["description"]
    assert "25 letters" in schemas["LetterpressSolveRequest"]["properties"]["board"]["description"]


def test_descriptions_speak_of_null_where_a_field_may_be_null(document: JSON) -> None:
    fields = [
        (f"{name}.{field}", part)
        for name, schema in document["components"]["schemas"].items()
        for field, part in schema.get("properties", {}).items()
    ]
    never_null = {
        name
        for name, part in fields
        if "; null" in part.get("description", "") and {"type": "null"} not in part.get("anyOf", ())
    }
    assert not never_null
    assert not [name for name, part in fields if re.search(r"\bNone\b", part.get("description", ""))]


def test_every_named_type_is_used(document: JSON) -> None:
    named = {f'"#/components/schemas/{name}"' for name in document["components"]["schemas"]}
    assert not named - set(re.findall(r'"#/components/schemas/[^"]+"', json.dumps(document)))


def test_every_field_and_parameter_is_described(document: JSON) -> None:
    for model, schema in document["components"]["schemas"].items():
        for name, field in schema.get("properties", {}).items():
            assert field.get("description"), f"{model}.{name}: describe it there or in data/api/glossary.toml"
    for method, path, operation in operations(document):
        for parameter in operation.get("parameters", ()):
            assert parameter.get("description"), (method, path, parameter["name"])


def test_a_description_fits_its_field(document: JSON) -> None:
    """Names such as ``id`` and ``required`` mean different things in different models."""
    schemas = document["components"]["schemas"]
    for model, schema in schemas.items():
        for name, field in schema.get("properties", {}).items():
            if field.get("type") in ("integer", "number", "array"):
                assert not field["description"].startswith("Whether"), f"{model}.{name}"
    ids = {
        model: schema["properties"].get("id") for model, schema in schemas.items() if "properties" in schema
    }
    assert [model for model, id_ in ids.items() if id_ and id_["description"] == "ID of the game."] == [
        "GameAnswer"
    ]


def test_opening_a_game_links_to_the_operations_on_it(document: JSON) -> None:
    opened = document["paths"]["/api/games"]["post"]["responses"]["201"]["links"]
    for method, path, operation in operations(document):
        if "{game_id}" in path:
            link = opened[operation["operationId"]]
            assert link["parameters"] == {"game_id": "$response.body#/id"}, (method, path)


def test_a_body_keeps_to_the_types_of_json(client: TestClient, document: JSON) -> None:
    game = client.post("/api/games", json={}).json()["id"]
    tried = set()
    for method, path, operation in operations(document):
        body = (
            operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        )
        for model in [body, *body.get("oneOf", []), *body.get("anyOf", [])]:
            schema = document["components"]["schemas"].get(model.get("$ref", "").rpartition("/")[2], {})
            example = schema.get("examples", [{}])[0]
            for name, field in schema.get("properties", {}).items():
                if field.get("deprecated"):
                    continue
                types = {one.get("type") for one in [field, *field.get("anyOf", [])]}
                for asked, others in (("integer", [True, "1"]), ("boolean", [1, "true"])):
                    for other in others if asked in types and "array" not in types else []:
                        address = path.replace("{game_id}", game).replace("{word}", "quiz")
                        answer = client.request(method, address, json=example | {name: other})
                        assert answer.status_code == 422, (path, name, other)
                        assert name in answer.json()["errors"][0]["location"], (path, name, other)
                        tried.add((path, name))
    assert len(tried) > 30
    assert {"seats", "listed", "limit", "swaps", "qu", "ply", "level", "line"} <= {name for _, name in tried}


def test_a_query_with_every_required_parameter_is_not_refused(client: TestClient, document: JSON) -> None:
    """Old names of parameters are not required beside the new ones."""
    for path, parameters in (
        ("/api/boggle/solve", {"board": "perslatgsineters"}),
        ("/api/scrabblet/words", {"rack": "RUOLFNT"}),
        ("/api/wibble/solve", {"board": "wibbletileschainwordgames"}),
    ):
        declared = document["paths"][path]["get"]["parameters"]
        assert {each["name"] for each in declared if each["required"]} == set(parameters)
        assert client.get(path, params=parameters).status_code == 200


def test_a_parameter_that_is_an_object_is_json_text(client: TestClient, document: JSON) -> None:
    """The default in OpenAPI, a parameter for each field of the object, is refused."""
    declared = document["paths"]["/api/wibble/solve"]["get"]["parameters"]
    bonus = next(each for each in declared if each["name"] == "letter_bonus")
    assert bonus["content"]["application/json"]["schema"]["$ref"].endswith("/Bonus")
    query = {"board": "wibbletileschainwordgames", "letter_bonus": '{"cell": 25, "factor": 2}'}
    error = problem(client.get("/api/wibble/solve", params=query), 422)
    assert error["detail"] == "letter_bonus: cell 25 is not on the board: cells are 0 to 24"
    found = client.get("/api/wibble/solve", params=query | {"letter_bonus": '{"cell": 1, "factor": 2}'})
    assert found.status_code == 200


def test_unknown_query_parameters_are_refused(client: TestClient, document: JSON) -> None:
    for method, path, _ in operations(document):
        if path.startswith("/api/") and "{" not in path:
            refusal = problem(client.request(method, f"{path}?unheard=1"), 422)
            assert ["query", "unheard"] in [error["location"] for error in refusal["errors"]], (method, path)


def test_no_body_has_unknown_fields(document: JSON) -> None:
    """A mistyped field would otherwise be ignored, and its default used."""
    schemas, seen = document["components"]["schemas"], set[str]()

    def look(part: Any) -> None:
        for value in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
            look(value)
        name = part.get("$ref", "").rpartition("/")[2] if isinstance(part, dict) else ""
        if name and name not in seen:
            seen.add(name)
            look(schemas[name])

    for _, _, operation in operations(document):
        look(operation.get("requestBody", {}).get("content", {}).get("application/json", {}))
    assert {"CircleName", "NewBot", "NotificationTimes", "GameChannels", "WebhookChannel"} <= seen
    lenient = [
        name
        for name in seen
        if "properties" in schemas[name] and schemas[name].get("additionalProperties", True)
    ]
    assert not lenient


def test_every_example_is_accepted(client: TestClient, document: JSON) -> None:
    tried = 0
    for method, path, operation in operations(document):
        if "{" in path:
            continue
        for example in example_of(document, operation):
            answer = client.request(method, path, json=example)
            assert answer.status_code in (200, 201), (path, example, answer.text)
            tried += 1
    assert tried >= 10


def test_the_moves_of_the_examples_are_understood(client: TestClient, document: JSON) -> None:
    """They belong to other positions, so the rules may refuse them, but they must be well-formed."""
    for example in example_of(document, document["paths"]["/api/games/{game_id}/moves"]["post"]):
        kind = "letterpress" if example["move"]["type"] == "word" and "cells" in example["move"] else "wibble"
        bots = [1] if kind == "letterpress" else []
        game = open_game(client, kind, bots=bots)
        answer = client.post(f"/api/games/{game['id']}/moves", json={"move": example["move"]})
        by_rules = answer.status_code == 422 and answer.json()["detail"].endswith(
            ("cannot be traced on this board", "is not in the word list")
        )
        assert answer.status_code in (200, 409) or by_rules, answer.text


def test_only_moves_that_a_caller_may_send_are_documented_as_sent(document: JSON) -> None:
    """The server alone makes `forfeit` and `hand_in`: it refuses them, but they are in the list of moves."""
    schemas = document["components"]["schemas"]

    def types(schema: str, field: str) -> dict[str, set[str]]:
        games = schemas[schema]["properties"][field]["anyOf"]
        return {game["title"]: set(game["discriminator"]["mapping"]) for game in games if "title" in game}

    sent, logged = types("MoveRequest", "move"), types("LoggedMoveAnswer", "move")
    assert {title: sorted(logged[title] - sent[title]) for title in logged} == {
        "Wibble": ["forfeit"],
        "Letterpress": ["forfeit"],
        "Boggle": ["forfeit", "hand_in"],
        "Fribble": ["forfeit"],
        "Scrabblet": [],
    }
    assert sent["Wibble"] - logged["Wibble"] == {"word"}


def test_a_server_that_warms_up_answers_with_a_problem_document(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.games.kernel.ready", lambda: False)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, 503)
    assert "compiled" in answer.json()["detail"]
    assert int(answer.headers["retry-after"]) > 0


def test_the_document_may_be_asked_for_twice_at_once(settings: Settings) -> None:
    app = create_app(settings)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor() as hands:
            made = [hands.submit(app.openapi) for _ in range(2)]
            assert made[0].result() == made[1].result()
    finally:
        sys.setswitchinterval(before)
