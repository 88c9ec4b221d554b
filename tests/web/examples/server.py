"""A server for the request of an example, on which nothing is random."""

import tempfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from fastapi.testclient import TestClient
from pydantic import SecretStr

from app.games import kernel
from app.settings import Settings
from tests.shared_parts import create_app, empty_store
from tests.web.examples.people import BY_OPERATORS
from tests.web.examples.players import NOW, Players

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
        # A server that is stopping may still write a file while the folder is being removed.
        folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
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
