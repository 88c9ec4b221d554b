"""Sends the requests of the examples in ``data/api`` to the real application, in the state that each needs.

``make examples`` runs it as a program, which stores the answers. IDs, seeds, the clock and what is
measured are fixed, so that an answer is the same every time.
"""

import re
import tempfile
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import httpx2
from fastapi.testclient import TestClient
from pydantic import SecretStr

from app.games import kernel
from app.games.puzzle_sets import puzzle_of_day
from app.resources import resource
from app.rooms import ROOMS
from app.settings import Settings
from app.web.examples import Exchange, format_json, operation_examples, problem_examples
from tests.shelf import create_app, empty_store

FOLDER: Final = resource("data") / "api"
NOW: Final = 1_800_000_000.0
DAY: Final = "2027-01-15"
WEBHOOK: Final = "https://hooks.example/wibble"
PUSH_KEY: Final = "BO6eofCVtHCG5h0zoLN1ZWQvm5fNAnBLy50-RSHGcfgEbAk0-0SwV63Oz3Q5luZlOZZk4G2bu_XKdUhJcOInsDk"
STUDY: Final = {
    "start": {"board": "bnbdaetgreliegbcnhdlxmhoi"},
    "nodes": [
        {"parent": 0, "move": "BREATHING"},
        {"parent": 1, "move": "MODAL"},
        {"parent": 1, "move": "pass"},
    ],
}
"""The tree of a study board."""
MEASURED: Final = {
    "milliseconds": 1.5,
    "signing_key": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "push_key": PUSH_KEY,
}
"""Members that are measured or random, and what stands for them in the examples."""
TOKENS: Final = tuple(
    f"app.store.{module}"
    for module in (
        "blocks",
        "bot_accounts",
        "challenges",
        "channels",
        "circles",
        "direct_challenges",
        "games",
        "own_puzzles",
        "players",
        "puzzle_rushes",
        "records",
        "reports",
        "study_boards",
        "tokens",
    )
)

BY_OPERATORS: Final = {"admin_token": SecretStr("0123456789abcdef" * 2)}
"""The setting for examples of what operators do."""
OPERATOR: Final = {"Authorization": f"Bearer {BY_OPERATORS['admin_token'].get_secret_value()}"}
Values = dict[str, Any]
"""Values for the parameters of a path, and for members of the same names in the body."""


class Players(NamedTuple):
    """Two players at the same server, and its clock."""

    me: TestClient
    friend: TestClient
    clock: list[float]


def opened(player: TestClient, **new: Any) -> Values:
    """The ID and the invitation of a new game, Letterpress unless said otherwise."""
    answer = player.post("/api/games", json={"kind": "letterpress"} | new)
    assert answer.status_code == 201, answer.text
    game = answer.json()
    return {"game_id": game["id"], "invitation": game["invitation"] or ""}


def moved(player: TestClient, game: Values, *moves: dict[str, Any]) -> None:
    for move in moves:
        answer = player.post(f"/api/games/{game['game_id']}/moves", json={"move": move})
        assert answer.status_code == 200, answer.text


def seated(players: Players, **new: Any) -> Values:
    """A game of Letterpress between the two."""
    game = opened(players.me, **new)
    answer = players.friend.post(
        f"/api/games/{game['game_id']}/seats", json={"invitation": game["invitation"]}
    )
    assert answer.status_code == 200, answer.text
    return {"game_id": game["game_id"]}


def over(players: Players) -> Values:
    """A game that the friend has resigned."""
    game = seated(players)
    moved(players.me, game, {"type": "pass"})
    moved(players.friend, game, {"type": "resign"})
    return game


def boggle(player: TestClient) -> Values:
    """A finished round of Boggle on a small board."""
    game = opened(player, kind="boggle", options={"board": "taps"})
    moved(player, game, {"type": "start"}, {"type": "word", "cells": [0, 1, 2]}, {"type": "finish"})
    return game


def record(player: TestClient) -> str:
    answer = player.get(f"/api/games/{boggle(player)['game_id']}/record")
    assert answer.status_code == 200, answer.text
    return answer.text


def imported(players: Players) -> Values:
    """A game that I have imported, and none keeps yet."""
    text = record(players.friend)
    opened(players.me)
    answer = players.me.post("/api/games/import", content=text, headers={"Content-Type": "text/plain"})
    assert answer.status_code == 201, answer.text
    return {"game_id": answer.json()["id"]}


def daily(players: Players) -> Values:
    """Today's Boggle daily, played by me."""
    players.me.put("/api/me", json={"nickname": "Ada"})
    answer = players.me.post("/api/daily?kind=boggle")
    assert answer.status_code == 200, answer.text
    game = {"game_id": answer.json()["id"]}
    moved(players.me, game, {"type": "start"})
    board = players.me.get(f"/api/games/{game['game_id']}").json()["view"]["board"]
    found = players.me.post("/api/boggle/solve", json={"board": board, "qu": True}).json()["words"]
    moved(players.me, game, {"type": "word", "word": found[0]["word"]}, {"type": "finish"})
    players.me.get(f"/api/games/{game['game_id']}/analysis")  # sets the accuracy, which is shown later
    return {}


def yesterday(players: Players) -> Values:
    """A day later."""
    daily(players)
    players.clock[0] += 86_400
    return {"day": DAY}


def claimable(players: Players) -> Values:
    game = seated(players, turn_limit=600)
    moved(players.me, game, {"type": "pass"})
    players.clock[0] += 601
    return game


def listed(players: Players) -> Values:
    return opened(players.friend, listed=True) and {}


def opened_by_me(players: Players) -> Values:
    return {"game_id": opened(players.me)["game_id"]}


def finished(players: Players) -> Values:
    return boggle(players.me)


def challenged(players: Players) -> Values:
    """A challenge of mine that the friend has finished."""
    players.me.put("/api/me", json={"nickname": "Ada"})
    made = players.me.post(f"/api/games/{boggle(players.me)['game_id']}/challenge")
    assert made.status_code == 200, made.text
    challenge = made.json()["id"]
    players.clock[0] += 60
    taken = players.friend.post(f"/api/challenges/{challenge}/game").json()
    moved(players.friend, {"game_id": taken["id"]}, {"type": "start"}, {"type": "finish"})
    return {"challenge_id": challenge}


def made_by_friend(players: Players) -> Values:
    """A challenge of the friend's."""
    made = players.friend.post(f"/api/games/{boggle(players.friend)['game_id']}/challenge")
    return {"challenge_id": made.json()["id"]}


def circle(players: Players) -> Values:
    """A circle of mine that the friend has joined, and where both have finished a game."""
    players.me.put("/api/me", json={"nickname": "Ada"})
    players.friend.put("/api/me", json={"nickname": "Bob"})
    made = players.me.post("/api/circles", json={"name": "The Lovelaces"}).json()
    members = f"/api/circles/{made['id']}/members"
    invitation = {"invitation": made["invitation"].rpartition("/")[2]}
    assert players.friend.post(members, json=invitation).status_code == 200
    boggle(players.friend)
    over(players)
    return {"circle_id": made["id"], "number": "2"}


def circle_of_friend(players: Players) -> Values:
    """A circle that I am invited to."""
    players.friend.put("/api/me", json={"nickname": "Bob"})
    made = players.friend.post("/api/circles", json={"name": "The Lovelaces"}).json()
    return {"circle_id": made["id"], "invitation": made["invitation"].rpartition("/")[2]}


def named_opponent(players: Players) -> Values:
    """A game against the friend."""
    players.friend.put("/api/me", json={"nickname": "Bob"})
    return {"game": seated(players)["game_id"]}


def report(players: Players) -> Values:
    """What a report on the friend's name is about."""
    game = named_opponent(players)["game"]
    return {"about": {"kind": "name", "player": {"game": game, "seat": 1}}}


def reported(players: Players) -> Values:
    """A report on the friend's name, open."""
    about = report(players)["about"]
    body = {"about": about, "reason": "impersonation", "comment": "Bob is my brother."}
    assert players.me.post("/api/reports", json=body).status_code == 201
    (group,) = players.me.get("/api/admin/reports", headers=OPERATOR).json()
    return {"report_id": group["reports"][0]["id"], "player_id": group["id"]}


def moderated(players: Players) -> Values:
    """The friend, muted for a week."""
    values = reported(players)
    body = {"action": {"type": "mute", "days": 7}, "reason": "pretends to be somebody else"}
    player = f"/api/admin/players/{values['player_id']}"
    answer = players.me.post(f"{player}/actions", json=body, headers=OPERATOR)
    assert answer.status_code == 200, answer.text
    return values


def blocked(players: Players) -> Values:
    """The friend, blocked by me."""
    body = named_opponent(players) | {"seat": 1}
    answer = players.me.post("/api/me/blocks", json=body)
    assert answer.status_code == 201, answer.text
    return {"block_id": answer.json()["block_id"]}


def carded(players: Players) -> Values:
    """Two cards of mine, one of them answered."""
    answer = players.me.post("/api/cards", json={"words": ["retina", "satire"]})
    assert answer.status_code == 201, answer.text
    said = {"word": "satire", "ask": "anagram", "reps": 0, "answer": "satire"}
    assert players.me.post("/api/cards/answers", json=said).status_code == 200
    return {"lexicon": "english", "ask": "anagram", "word": "retina"}


def rated(players: Players) -> Values:
    """A rated game that both have ended by passing."""
    players.friend.put("/api/me", json={"nickname": "Bob"})
    game = seated(players, rated=True)
    moved(players.me, game, {"type": "pass"})
    moved(players.friend, game, {"type": "pass"})
    return {"kind": "letterpress", "speed": "rapid"}


def waiting(players: Players) -> Values:
    """I have waited for half a minute."""
    answer = players.me.post("/api/pairing", json={"kind": "fribble", "speed": "rapid"})
    assert answer.status_code == 200, answer.text
    for _ in range(3):
        players.clock[0] += 8
        players.me.get("/api/pairing")
    return {}


def other_waits(players: Players) -> Values:
    """The friend waits."""
    answer = players.friend.post("/api/pairing", json={"kind": "fribble", "speed": "rapid"})
    assert answer.status_code == 200, answer.text
    return {}


def tokened(players: Players) -> Values:
    """A token of mine."""
    players.me.put("/api/me", json={"nickname": "Ada"})
    answer = players.me.post("/api/me/tokens", json={"name": "my bot", "scopes": ["read"]})
    assert answer.status_code == 201, answer.text
    return {"token_id": answer.json()["token_id"]}


def botted(players: Players) -> Values:
    """A bot account of mine."""
    players.me.put("/api/me", json={"nickname": "Ada"})
    answer = players.me.post("/api/me/bots", json={"nickname": "Robo"})
    assert answer.status_code == 201, answer.text
    return {"bot_id": answer.json()["bot_id"]}


def asked(players: Players, sender: str = "friend") -> Values:
    """A challenge by the friend to me, or by me to the friend."""
    game = named_opponent(players)["game"]
    by, seat = (players.friend, 0) if sender == "friend" else (players.me, 1)
    body = {"opponent": {"game": game, "seat": seat}, "game": {"kind": "letterpress", "turn_limit": 86400}}
    answer = by.post("/api/challenges", json=body)
    assert answer.status_code == 201, answer.text
    return {"challenge_id": answer.json()["id"]}


def met(players: Players) -> Values:
    """A bot account of the friend's, for me to challenge."""
    players.me.put("/api/me", json={"nickname": "Ada"})
    players.friend.put("/api/me", json={"nickname": "Bob"})
    made = players.friend.post("/api/me/bots", json={"nickname": "Robo"})
    return {"opponent": {"bot": made.json()["bot_id"]}}


def told(players: Players) -> Values:
    """A webhook that tells me of my turns."""
    game = seated(players)
    answer = players.me.post(
        "/api/me/notifications/channels", json={"channel": {"kind": "webhook", "url": WEBHOOK}}
    )
    assert answer.status_code == 201, answer.text
    return game | {"channel_id": answer.json()["channel_id"]}


def named(players: Players) -> Values:
    """I have a name."""
    players.me.put("/api/me", json={"nickname": "Ada"})
    return {}


def puzzled(_: Players) -> Values:
    """A shipped puzzle."""
    puzzle = puzzle_of_day("boggle", date.fromisoformat(DAY).toordinal())
    assert puzzle is not None
    return {"puzzle_id": puzzle.id, "room": "boggle"}


def studied(players: Players) -> Values:
    """A study board of mine."""
    body = {"kind": "letterpress", "title": "An opening", "tree": STUDY}
    return {"board_id": players.me.post("/api/boards", json=body).json()["id"]}


def rushing(players: Players) -> Values:
    """A rush of mine."""
    answer = players.me.post("/api/puzzles/rushes", json={"room": "boggle"})
    assert answer.status_code == 201, answer.text
    return {"rush_id": answer.json()["id"]}


def nothing(_: Players) -> Values:
    return {}


SETUPS: Final[dict[str, Callable[[Players], Values]]] = {
    "add_bot": opened_by_me,
    "analyse_game": finished,
    "block_player": named_opponent,
    "claim": claimable,
    "close": opened_by_me,
    "close_circle": circle,
    "erase_me": opened_by_me,
    "events": opened_by_me,
    "import_game": lambda players: {"text": record(players.friend)},
    "join_circle": circle_of_friend,
    "keep_import": imported,
    "hide_ratings": rated,
    "list_blocks": blocked,
    "make_report": report,
    "list_reports": reported,
    "dismiss_report": reported,
    "find_players": reported,
    "see_player": moderated,
    "moderate_player": reported,
    "remove_game": seated,
    "moderate_circle": circle,
    "read_audit": moderated,
    "see_rated_games": rated,
    "see_ratings": rated,
    "list_challenges": challenged,
    "list_circles": circle,
    "list_joinable": listed,
    "list_turns": seated,
    "look_up": lambda _: {"word": "quiz"},
    "make_move": seated,
    "metrics": nothing,
    "open_challenge": finished,
    "open_circle": nothing,
    "open_game": nothing,
    "play_today": nothing,
    "read_log": finished,
    "rehearse": yesterday,
    "player_events": seated,
    "rematch": over,
    "remove_member": circle,
    "rename_circle": circle,
    "rename_me": opened_by_me,
    "replay_game": lambda players: finished(players) | {"ply": "1"},
    "say": seated,
    "see_challenge": challenged,
    "see_circle": circle,
    "see_day": yesterday,
    "see_game": opened_by_me,
    "see_leaderboards": daily,
    "see_me": daily,
    "see_pairing": waiting,
    "see_today": daily,
    "show_study_list": lambda _: {"name": "q-without-u"},
    "show_signature": lambda _: {"word": "quiz"},
    "stop_waiting": waiting,
    "sit_down": lambda players: opened(players.friend),
    "take_challenge": made_by_friend,
    "take_record": finished,
    "list_tokens": tokened,
    "send_challenge": met,
    "list_direct_challenges": asked,
    "accept_challenge": asked,
    "decline_challenge": asked,
    "withdraw_challenge": lambda players: asked(players, "me"),
    "list_bots": botted,
    "make_bot": named,
    "delete_bot": botted,
    "make_token": named,
    "revoke_token": tokened,
    "unblock_player": blocked,
    "see_notifications": told,
    "set_times": seated,
    "add_channel": seated,
    "change_channel": told,
    "remove_channel": told,
    "test_channel": told,
    "choose_channels": told,
    "answer_to_card": carded,
    "export_cards": carded,
    "list_cards": carded,
    "regrade_card": carded,
    "undo_answer": carded,
    "remove_card": carded,
    "add_cards": nothing,
    "import_cards": nothing,
    "wait_for_game": other_waits,
    "answer_puzzle": puzzled,
    "see_puzzle": puzzled,
    "see_puzzles": nothing,
    "see_next_puzzle": puzzled,
    "see_todays_puzzle": puzzled,
    "start_rush": nothing,
    "see_rush": rushing,
    "answer_in_rush": rushing,
    "list_boards": studied,
    "add_board": nothing,
    "see_board": studied,
    "change_board": studied,
    "delete_board": studied,
    "list_own_puzzles": nothing,
    "make_own_puzzles": finished,
    "vote_on_word": lambda _: {"word": "brunchy"},
}
"""What has happened before the request of an example, by operation ID. The others need and change
nothing, and are sent to one server."""


def passed(players: Players) -> Values:
    """A game with one move."""
    game = seated(players)
    moved(players.me, game, {"type": "pass"})
    return game


def too_many(players: Players) -> Values:
    players.me.get("/api/scrabblet/signature/quiz")
    return {}


REFUSED: Final[dict[str, Callable[[Players], Values]]] = {
    "game-in-progress": opened_by_me,
    "illegal-move": seated,
    "no-seat": lambda players: opened(players.friend),
    "stale-ply": passed,
    "too-many-requests": too_many,
}
"""What has happened before a request that is refused, by the example's name."""
MESSAGES: Final = {"site_url": "https://words.example", "private_webhooks": True}
CHANGED: Final[dict[str, dict[str, Any]]] = {
    **dict.fromkeys(("see_notifications", "add_channel", "change_channel"), MESSAGES),
    **dict.fromkeys(("remove_channel", "test_channel", "choose_channels"), MESSAGES),
    "events": {"longest_stream": 0},
    "player_events": {"longest_stream": 0},
    "body-too-large": {"largest_body": 64},
    "another-host": {"host_names": frozenset({"words.example"})},
    "list_reports": BY_OPERATORS,
    "dismiss_report": BY_OPERATORS,
    "find_players": BY_OPERATORS,
    "see_player": BY_OPERATORS,
    "moderate_player": BY_OPERATORS,
    "remove_game": BY_OPERATORS,
    "moderate_circle": BY_OPERATORS,
    "read_audit": BY_OPERATORS,
    "metrics": {"metrics_token": SecretStr("secret")},
    "too-many-requests": {"rate_engines": "1/minute", "rate_address_share": 1},
}
"""Settings that an example needs, by its name."""
BROKEN: Final = {"server-error": "app.web.table.remarks_api.lines"}
"""The function that fails in an example."""


@contextmanager
def playing(name: str) -> Iterator[Players]:
    """Two players at a new server with the settings of the example ``name``."""
    numbers, clock = count(), [NOW]

    def token(size: int) -> str:
        digest = sha256(f"{next(numbers)}".encode()).digest()
        return urlsafe_b64encode(digest)[: size * 4 // 3].decode().replace("-", "a").replace("_", "b")

    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        settings = Settings(data_dir=Path(folder), cache_dir=Settings().cache_dir, wordnet_dir=Path(folder))
        (Path(folder) / "wibble.sqlite3").write_bytes(empty_store())
        app = create_app(
            settings.model_copy(update=CHANGED.get(name, {})), clock=lambda: clock[0], seeds=lambda: "wibble"
        )
        for module in TOKENS:
            stack.enter_context(patch(f"{module}.token_urlsafe", token))
        stack.enter_context(patch.object(kernel, "ready", lambda: name != "engines-compiling"))
        if name in BROKEN:
            stack.enter_context(patch(BROKEN[name], side_effect=RuntimeError("planted")))
        base = "http://words.example"
        me = stack.enter_context(TestClient(app, base_url=base, raise_server_exceptions=name not in BROKEN))
        yield Players(me, TestClient(app, base_url=base), clock)


def answered(
    name: str, example: Exchange, path: str, players: Players, setup: Callable[[Players], Values] = nothing
) -> Exchange:
    """The example with the answer that it gets, at ``path``, the template of its path."""
    values = setup(players)
    body = example.body
    if isinstance(body, dict):
        body = body | {member: values[member] for member in body.keys() & values.keys()}
    sent = example.model_copy(update={"path": path.format_map(values), "body": values.get("text", body)})
    answer = sent_to(players.me, sent)
    return sent.model_copy(update={"status": answer.status_code, "answer": _content(answer)})


def sent_to(player: TestClient, example: Exchange) -> httpx2.Response:
    """The answer to the request of an example."""
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
