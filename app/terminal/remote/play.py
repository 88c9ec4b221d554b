"""``wibble play --server``: checks the options, opens or joins a game, and plays it."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import httpx
import typer
from pydantic import ValidationError
from rich.console import Console
from rich.text import Text

from app.client import ApiClient, BadCookieFile, ClientError, CookieFile, NotWibble, Problem, RemoteGame
from app.client.api import checked_url
from app.games.game import AnyGame, UnknownLevel
from app.settings import Settings
from app.terminal import Terminal
from app.terminal.remote.inbox import Inbox, Keyboard
from app.terminal.remote.options import refuse
from app.terminal.remote.session import RemoteSession

DEFAULT_BOT_LEVEL: Final = 3
"""Default bot level, if the game needs an opponent and none was given."""
TURN_LIMITS: Final = {"10m": 600, "1h": 3600, "1d": 86_400, "3d": 259_200}
"""Values of --turn-limit, in seconds."""
_FOR_ANY_GAME: Final = frozenset({"server", "game", "cookies", "save", "no_color"})
_GAME: Final = re.compile(
    r"(?:(?P<url>https?://.*)/games/)?(?P<id>[\w-]+)(?:/join/(?P<invitation>[\w-]+))?/?"
)
_BAD_INPUT: Final = frozenset({400, 404, 413, 422})


def play_remote(given: Mapping[str, Any], terminals: Mapping[str, Terminal], usual: str) -> None:
    """Open or join a game as given and play it; ``usual`` is the kind to open if none is given."""
    _check_together(given)
    try:
        url = checked_url(given["server"])
    except ValueError as error:
        refuse("server", str(error))
    console = Console(no_color=given.get("no_color") or None)
    cookies = _cookie_file(given, url)

    def say(text: str) -> None:
        console.print(Text(text), soft_wrap=True)

    client = ApiClient(
        str(url), cookies=cookies.jar, postponed=lambda seconds, why: say(f"{why} Waiting {seconds:.0f} s.")
    )
    try:
        with client:
            game = (
                _join(client, given["game"])
                if "game" in given
                else _open(client, given, terminals, given.get("kind", usual))
            )
            cookies.save()
            inbox = Inbox()
            if game.kind not in terminals:
                raise NotWibble(f"unknown game {game.kind!r}; accepted: {', '.join(terminals)}")
            display = terminals[game.kind].display
            session = RemoteSession(client, game, display, console, inbox, Keyboard(inbox))
            session.run()
            if session.game.finished_at is not None and "save" in given:
                _save(client.record(game.id), given["save"])
                say(f"Saved. Replay it with: wibble replay {given['save']}")
            session.exit_if_interrupted()
    except (ClientError, BadCookieFile) as error:
        Console(stderr=True).print(Text(f"Error: {error}"), soft_wrap=True)
        bad = isinstance(error, Problem) and error.status in _BAD_INPUT
        raise typer.Exit(2 if bad else 1) from None


def _cookie_file(given: Mapping[str, Any], url: httpx.URL) -> CookieFile:
    """The file chosen with ``--cookies``, or the server's in the data folder. Raises BadParameter."""
    try:
        if "cookies" in given:
            return CookieFile(given["cookies"])
        return CookieFile.of_server(Settings().data_dir / "cookies", url)
    except BadCookieFile as error:
        refuse("cookies", str(error))


def _check_together(given: Mapping[str, Any]) -> None:
    """Raise BadParameter for options that exclude each other."""
    if "seed" in given:
        refuse("seed", "is for local games; a server draws the tiles itself")
    if "game" in given:
        for name in given:
            if name not in _FOR_ANY_GAME:
                refuse(name, "is for a new game; --game names an existing one")
    if given.get("listed") and "seats" not in given:
        refuse("listed", "requires --seats")


def _open(
    client: ApiClient, given: Mapping[str, Any], terminals: Mapping[str, Terminal], kind: str
) -> RemoteGame:
    if kind not in terminals:
        refuse("kind", f"{kind!r} is invalid; accepted: {', '.join(terminals)}")
    game = terminals[kind].display.game
    options = dict(map(_assignment, given.get("option", ())))
    fields = game.setup_type.model_fields
    for name, value in given.items():
        if name in _FOR_ANY_GAME or name in ("kind", "option", "seats", "listed", "bots", "turn_limit"):
            continue
        if name not in fields:
            refuse(name, f"is not an option of {kind}; accepted: {', '.join(fields)}")
        options[name] = value
    bots = _levels(given["bots"]) if "bots" in given else []
    seats = given.get("seats")
    if seats is None and "bots" not in given:
        seats = _fewest_seats(game, options)
        bots = [DEFAULT_BOT_LEVEL] * (seats - 1) if game.bots else []
    elif seats is None and bots:
        seats = 1 + len(bots)
    limit = _turn_limit(given["turn_limit"]) if "turn_limit" in given else None
    return client.open_game(
        kind, options, seats=seats, bots=bots, listed=given.get("listed", False), turn_limit=limit
    )


def _fewest_seats(game: type[AnyGame], options: Mapping[str, Any]) -> int:
    try:
        setup = game.setup_type.model_validate(options)
    except (UnknownLevel, ValidationError):  # the server says what is wrong, or knows more
        setup = game.setup_type()
    return game.seats(setup)[0]


def _join(client: ApiClient, given: str) -> RemoteGame:
    """Fetch a game by ID or link and take a free seat if allowed, otherwise watch."""
    match = _GAME.fullmatch(given)
    if match is None:
        refuse("game", f"{given!r} is neither a game ID nor a link to a game")
    if match["url"] is not None and checked_url(match["url"]) != checked_url(client.url):
        refuse("game", f"{given} is on another server than {client.url}")
    game = client.game(match["id"])
    if game.seat is None and game.free_seats and (match["invitation"] or game.listed):
        game = client.take_seat(game.id, match["invitation"])
    return game


def _assignment(text: str) -> tuple[str, Any]:
    """Parse ``NAME=VALUE``; a value that is not JSON is a string. Raises BadParameter."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        refuse("option", f"{text!r} is invalid; accepted: NAME=VALUE, such as seconds=60")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _turn_limit(text: str) -> int:
    """Return the seconds of --turn-limit. Raises BadParameter."""
    if text not in TURN_LIMITS:
        refuse("turn_limit", f"{text!r} is invalid; accepted: {', '.join(TURN_LIMITS)}")
    return TURN_LIMITS[text]


def _levels(text: str) -> list[int]:
    levels = [level.strip() for level in text.split(",")]
    if not all(re.fullmatch("[1-5]", level) for level in levels):
        refuse("bots", f"{text!r} is invalid; accepted: levels from 1 to 5, such as 1,3")
    return [int(level) for level in levels]


def _save(record: str, file: Path) -> None:
    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write(record)
    except OSError as error:
        refuse("save", f"{file}: {error.strerror}")
