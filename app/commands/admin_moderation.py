"""``wibble admin players``, ``rename-circle``, ``remove-game`` and ``audit``: moderation from the shell.

Every action needs a reason and is recorded in the audit log.
"""

import asyncio
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Annotated, Final

import typer
from rich.markup import escape
from rich.table import Table

from app.commands.lazy import HelpfulGroup
from app.commands.open_store import open_store
from app.grammar import printable
from app.settings import Settings
from app.store.audit import COMMAND_LINE, Audit, Entry
from app.store.circles import BadCircle, UnknownCircle
from app.store.models import UnknownGame, UnknownPlayer
from app.store.moderation import (
    LONGEST_REASON,
    MOST_DAYS,
    SEAT,
    BadAction,
    Moderation,
    Person,
    UnknownReport,
    clean_reason,
)
from app.store.operators import OperatorExists, UnknownOperator
from app.store.players import BadNickname
from app.store.sanctions import SanctionKind, Sanctions
from app.terminal import output
from app.terminal.arguments import ACCEPTING_IDS, fail, refuse
from app.terminal.output import Json

MOST_ENTRIES: Final = 1000

Player = Annotated[str, typer.Argument(help="The player's ID, or a seat as GAME/SEAT; seats count from 0.")]
Reason = Annotated[
    str,
    typer.Option(
        help=f"Reason, for the audit log and for a sanctioned player: at most {LONGEST_REASON} characters."
    ),
]
Days = Annotated[int | None, typer.Option(min=1, max=MOST_DAYS, help="Duration in days.")]
ForGood = Annotated[bool, typer.Option("--for-good", help="No end date; wibble admin players lift ends it.")]

players_app = typer.Typer(help="Find, rename, mute, suspend and erase players.", no_args_is_help=True)
moderation_app = typer.Typer()
moderation_app.add_typer(players_app, name="players", cls=HelpfulGroup)


@players_app.command(context_settings=ACCEPTING_IDS)
def find(
    text: Annotated[str, typer.Argument(help="Part of a name, a player's ID, or a seat as GAME/SEAT.")],
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Show the players found, with sanctions in force and earlier actions."""
    found = moderation().find(text, time.time())
    if as_json:
        output.print_json([_document(person) for person in found])
        return
    if not found:
        fail("no player found: give part of a name, a player's ID, or GAME/SEAT")
    table = Table("ID", "name", "latest game", "in force", "actions")
    for person in found:
        in_force = ", ".join(each.kind for each in person.sanctions)
        cells = person.player_id, person.nickname or "", person.game_id or "", in_force
        table.add_row(*(escape(printable(cell)) for cell in cells), str(len(person.actions)))
    output.console().print(table)


@players_app.command(context_settings=ACCEPTING_IDS)
def rename(
    player: Player,
    reason: Reason,
    name: Annotated[str | None, typer.Option(help="The new name; without it, the player has none.")] = None,
    days: Days = None,
    for_good: ForGood = False,  # noqa: FBT002
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Remove or replace a player's name.

    They may choose another at once, or after --days, or never with --for-good.
    """
    if days is not None and for_good:
        refuse("give --days or --for-good, not both", "--days")
    kept = None if for_good else days or 0
    with printing_errors():
        acts, who = moderation(), _identify(player)
        entry = acts.rename(COMMAND_LINE, who, checked_reason(reason), time.time(), name=name, days=kept)
    print_entry(entry, as_json=as_json)


@players_app.command(context_settings=ACCEPTING_IDS)
def mute(
    player: Player,
    reason: Reason,
    days: Days = None,
    for_good: ForGood = False,  # noqa: FBT002
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Hide a player's name and remarks, and do not allow new ones."""
    kept = _period(days, for_good=for_good)
    with printing_errors():
        entry = moderation().mute(
            COMMAND_LINE, _identify(player), checked_reason(reason), time.time(), days=kept
        )
    print_entry(entry, as_json=as_json)


@players_app.command(context_settings=ACCEPTING_IDS)
def suspend(
    player: Player,
    reason: Reason,
    days: Days = None,
    for_good: ForGood = False,  # noqa: FBT002
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Keep a player from playing with others. They can play alone and finish their games."""
    kept = _period(days, for_good=for_good)
    with printing_errors():
        entry = moderation().suspend(
            COMMAND_LINE, _identify(player), checked_reason(reason), time.time(), days=kept
        )
    print_entry(entry, as_json=as_json)


@players_app.command(context_settings=ACCEPTING_IDS)
def lift(
    player: Player,
    kind: Annotated[SanctionKind, typer.Argument(help="Which sanction; name is a removed name.")],
    reason: Reason,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """End a sanction, and give back the name that it removed."""
    with printing_errors():
        entry = moderation().lift(COMMAND_LINE, _identify(player), kind, checked_reason(reason), time.time())
    print_entry(entry, as_json=as_json)


@players_app.command(context_settings=ACCEPTING_IDS)
def erase(
    player: Player,
    reason: Reason,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,  # noqa: FBT002
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Erase a player, as they could themselves. This is final."""
    with printing_errors():
        who, kept = _identify(player), checked_reason(reason)
        if not yes and typer.prompt(f"Type {who} to erase this player", err=True) != who:
            fail("that is not the player's ID: nothing was erased")
        entry = moderation().erase(COMMAND_LINE, who, kept, time.time())
    print_entry(entry, as_json=as_json)


@moderation_app.command(context_settings=ACCEPTING_IDS)
def rename_circle(
    circle: Annotated[str, typer.Argument(help="The circle's ID, as in its URL.")],
    reason: Reason,
    name: Annotated[str | None, typer.Option(help="The new name [default: Circle].")] = None,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Rename a circle."""
    with printing_errors():
        entry = moderation().rename_circle(
            COMMAND_LINE, circle, checked_reason(reason), time.time(), name=name
        )
    print_entry(entry, as_json=as_json)


@moderation_app.command(context_settings=ACCEPTING_IDS)
def remove_game(
    game: Annotated[str, typer.Argument(help="The game's ID, as in its URL.")],
    reason: Reason,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Delete a game with its moves and remarks; results are kept."""
    with printing_errors():
        entry = moderation().remove_game(COMMAND_LINE, game, checked_reason(reason), time.time())
    print_entry(entry, as_json=as_json)


@moderation_app.command()
def audit(
    limit: Annotated[int, typer.Option(min=1, max=MOST_ENTRIES, help="Number of entries to show.")] = 50,
    before: Annotated[
        int | None, typer.Option(min=1, max=2**31 - 1, help="Only entries before this number.")
    ] = None,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Show what operators have done, latest first."""
    entries = Audit(open_store(Settings())).latest(limit, before)
    if as_json:
        output.print_json(entries)
        return
    table = Table("number", "time (UTC)", "who", "action", "to", "detail", "reason")
    for each in entries:
        subject = each.player_id or each.game_id or each.circle_id or ""
        cells = each.operator, each.action, subject, each.detail, each.reason
        when = f"{datetime.fromtimestamp(each.at, UTC):%Y-%m-%d %H:%M}"
        table.add_row(str(each.number), when, *(escape(printable(cell)) for cell in cells))
    output.console().print(table)


@contextmanager
def printing_errors() -> Iterator[None]:
    """Print an error of an action, and exit with status 2."""
    try:
        yield
    except (
        BadAction,
        BadCircle,
        BadNickname,
        OperatorExists,
        UnknownCircle,
        UnknownGame,
        UnknownOperator,
        UnknownPlayer,
        UnknownReport,
    ) as error:
        fail(str(error))


def _identify(player: str) -> str:
    """The ID of one player, given by ID or seat and never by part of a name. Raises UnknownPlayer."""
    acts, at = moderation(), time.time()
    if SEAT.fullmatch(player) is None:
        return acts.person(player, at).player_id
    for person in acts.find(player, at):
        return person.player_id
    raise UnknownPlayer(f"no player sits at {player}: give GAME/SEAT, where seats count from 0")


def checked_reason(reason: str) -> str:
    """A reason without surrounding spaces. Raises BadParameter."""
    try:
        return clean_reason(reason)
    except BadAction as refused:
        refuse(str(refused), "--reason")


def _period(days: int | None, *, for_good: bool) -> int | None:
    """The days of a sanction, None for good. Raises BadParameter unless exactly one option is given."""
    if (days is None) is not for_good:
        refuse("give either --days or --for-good", "--days")
    return days


def _document(person: Person) -> dict[str, object]:
    return {
        "id": person.player_id,
        "name": person.nickname,
        "created_at": person.created_at,
        "owner_id": person.owner_id,
        "game": person.game_id,
        "sanctions": person.sanctions,
        "actions": person.actions,
    }


def print_entry(entry: Entry, *, as_json: bool) -> None:
    """Print the audit log entry of an action."""
    if as_json:
        output.print_json(entry)
        return
    done = f"{entry.action}: {entry.player_id or entry.game_id or entry.circle_id}"
    typer.echo(f"{done}, {entry.detail}" if entry.detail else done)


def moderation() -> Moderation:
    """Moderation of the store in the settings."""
    database = open_store(Settings())
    return Moderation(database, Sanctions(database), _look_again)


def _look_again(game_ids: Iterable[str]) -> None:
    """Make the open pages of these games refresh. Without Redis, no server can be reached."""
    ids, url = list(game_ids), Settings().redis_url
    if not ids or url is None:
        return
    try:
        from app.web.live.redis_channels import FAILURES  # noqa: PLC0415 - Redis is an optional dependency
        from app.web.live.redis_relay import look_again  # noqa: PLC0415
    except ImportError:
        output.warn(["Open pages will notice this later: the package redis is not installed"])
        return
    try:
        asyncio.run(look_again(url, ids))
    except (*FAILURES, ValueError) as error:
        output.warn([f"Open pages will notice this later: Redis does not answer ({error})"])
