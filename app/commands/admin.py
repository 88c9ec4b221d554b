"""``wibble admin``: statistics, pruning, export, backup and moderation of the store."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from sqlalchemy.exc import SQLAlchemyError

from app.commands.admin_moderation import moderation_app
from app.commands.admin_ratings import ratings_app
from app.commands.admin_reports import operators_app, reports_app
from app.commands.lazy import HelpfulGroup
from app.commands.open_store import check_store, open_store
from app.grammar import format_count
from app.rooms.registry import Registry
from app.settings import Settings, unknown_settings
from app.store import retention
from app.store.database import Database, NotMigrated, StoreInUse, StoreNotEmpty, is_store
from app.store.games import GameStore
from app.store.models import UnknownGame
from app.store.records import Records
from app.terminal import output
from app.terminal.arguments import ACCEPTING_IDS, fail
from app.terminal.output import Json

admin_app = typer.Typer(no_args_is_help=True)
admin_app.add_typer(ratings_app, name="ratings", cls=HelpfulGroup)
admin_app.add_typer(moderation_app)
admin_app.add_typer(reports_app, name="reports", cls=HelpfulGroup)
admin_app.add_typer(operators_app, name="operators", cls=HelpfulGroup)


@admin_app.callback()
def admin() -> None:
    """Inspect, prune, export, back up and moderate the store."""
    output.warn(unknown_settings())


@admin_app.command()
def stats(as_json: Json = False) -> None:  # noqa: FBT002
    """Show how many games, players, moves, results, study boards and cards are stored."""
    settings = Settings()
    holdings = retention.holdings(open_store(settings))
    if as_json:
        counts = [
            {"kind": kind, "status": status, "games": count}
            for (kind, status), count in sorted(holdings.games.items())
        ]
        output.print_json(
            {
                "games": counts,
                "players": holdings.players,
                "moves": holdings.moves,
                "results": holdings.results,
                "analyses": holdings.analyses,
                "boards": holdings.boards,
                "cards": holdings.cards,
                "store": settings.shown_store,
            }
        )
        return
    console = output.console()
    table = Table("kind", "status", "games")
    table.columns[2].justify = "right"
    for (kind, status), count in sorted(holdings.games.items()):
        table.add_row(kind, status, f"{count:,}")
    console.print(table)
    console.print(
        f"{format_count(holdings.players, 'player')}, {format_count(holdings.moves, 'move')}, "
        f"{format_count(holdings.results, 'result')}, "
        f"{format_count(holdings.analyses, 'analysis', 'analyses')}, "
        f"{format_count(holdings.boards, 'study board')}, {format_count(holdings.cards, 'card')} "
        f"in {settings.shown_store}",
        highlight=False,
        soft_wrap=True,
    )


@admin_app.command()
def prune(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be removed.")] = False,  # noqa: FBT002
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Remove expired games, and guests' old study boards and cards, as the server does every hour.

    Results are kept. WIBBLE_KEEP_FINISHED_DAYS, WIBBLE_KEEP_ABANDONED_DAYS, WIBBLE_KEEP_IMPORTED_DAYS and
    WIBBLE_KEEP_GUEST_DAYS set the limits.
    """
    settings = Settings()
    find_or_prune = retention.prunable if dry_run else retention.prune
    pruned = find_or_prune(open_store(settings), settings.retention, time.time())
    if as_json:
        output.print_json(
            {
                "finished": pruned.finished,
                "abandoned": pruned.abandoned,
                "imported": pruned.imported,
                "lessons": pruned.lessons,
                "guests": pruned.guests,
                "removed": not dry_run,
            }
        )
        return
    verb = "Would remove" if dry_run else "Removed"
    others = f"{pruned.abandoned:,} abandoned and {format_count(pruned.imported, 'imported game')}"
    guests = f"the study boards and cards of {format_count(pruned.guests, 'guest')}"
    lessons = format_count(pruned.lessons, "lesson")
    typer.echo(f"{verb} {pruned.finished:,} finished, {others}, {lessons}, and {guests}.")


@admin_app.command(context_settings=ACCEPTING_IDS)
def export(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="The game's ID, as in its URL.")],
) -> None:
    """Print the record of a game, for wibble replay or the import page."""
    rooms: Registry = context.obj
    settings = Settings()
    output.warn(rooms.load_custom(settings.data_dir))
    records = Records(GameStore(open_store(settings), rooms.rulebook(settings.library())))
    try:
        typer.echo(records.of(game), nl=False)
    except UnknownGame as error:
        fail(str(error))


@admin_app.command()
def backup(file: Annotated[Path, typer.Argument(help="The file to create; it must not exist.")]) -> None:
    """Copy the SQLite store to a file. Safe while the server runs.

    The file appears when it is complete. A command that was killed may leave FILE.unfinished, which can be
    deleted; the next backup to FILE replaces it.
    """
    settings = Settings()
    if not settings.store_url.startswith("sqlite"):
        fail("the games are in PostgreSQL; back it up with: pg_dump --format=custom --file=FILE")
    check_store(settings)
    try:
        Database(settings.store_url).backup(file)  # not migrated, so that a backup can precede an upgrade
    except FileExistsError as error:
        fail(f"backup failed: {error}; name a new file")
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        fail(
            f"backup failed: {reason}. {file} was not written: "
            "check that its folder exists, is writable and has space, then run the command again"
        )
    typer.echo(f"Copied to {file}")


@admin_app.command()
def copy_sqlite(
    file: Annotated[
        Path,
        typer.Argument(
            exists=True, dir_okay=False, help="The SQLite store, such as wibble.sqlite3, or a backup of it."
        ),
    ],
) -> None:
    """Copy an SQLite store into the empty PostgreSQL database of WIBBLE_DATABASE_URL.

    Stop the server first. The SQLite store is kept; it is migrated if it is from an older version.
    """
    settings = Settings()
    if settings.database_url is None or settings.database_url.startswith("sqlite"):
        fail("set WIBBLE_DATABASE_URL to the address of the PostgreSQL database")
    url = f"sqlite:///{file.absolute()}"
    try:
        known = is_store(url)
    except sqlite3.Error:
        known = False
    if not known:
        fail(f"{file} is not an SQLite store of Wibble")
    source = Database(url)
    try:
        with closing(source), closing(Database(settings.store_url)) as database:
            rows = database.fill_from(source)
    except StoreInUse:
        fail("a server uses one of the two stores: stop it first")
    except StoreNotEmpty as table:
        fail(f"{settings.shown_store} is not empty: it has rows in the table {table}")
    except (OSError, SQLAlchemyError, NotMigrated) as error:
        fail(f"nothing was copied: {str(getattr(error, 'orig', error)).strip().partition(chr(10))[0]}")
    typer.echo(f"Copied {format_count(rows, 'row')} to {settings.shown_store}")
