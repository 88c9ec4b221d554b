"""``wibble admin reports`` and ``operators``: players' reports, and the moderators of the site."""

import time
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from app.commands.admin_moderation import (
    Reason,
    checked_reason,
    moderation,
    print_entry,
    printing_errors,
)
from app.commands.open_store import open_store
from app.grammar import format_duration, printable
from app.settings import Settings
from app.store.audit import COMMAND_LINE
from app.store.days import format_time
from app.store.operators import LINK_SECONDS, Operators
from app.store.reports import Reports
from app.terminal import output
from app.terminal.arguments import ACCEPTING_IDS
from app.terminal.output import Json

MOST_REPORTS = 1000

reports_app = typer.Typer(help="List and dismiss players' reports.", no_args_is_help=True)
operators_app = typer.Typer(
    help="Add, list and remove operators, who moderate at /admin.", no_args_is_help=True
)


@reports_app.command("list")
def list_reports(
    limit: Annotated[int, typer.Option(min=1, max=MOST_REPORTS, help="Number of reports to show.")] = 100,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Show open reports, grouped by what they are about, the oldest first.

    An action of wibble admin on the player, game or circle closes them.
    """
    groups = Reports(open_store(Settings())).open_groups(limit)
    if as_json:
        output.print_json(groups)
        return
    table = Table("report", "time (UTC)", "about", "ID", "subject", "text", "reason", "comment", "game")
    for group in groups:
        for each in group.reports:
            cells = group.id, each.subject, each.text, each.reason, each.comment or "", each.game_id or ""
            named = (escape(printable(cell)) for cell in cells)
            table.add_row(each.id, format_time(each.at).removesuffix(" UTC"), group.kind, *named)
    output.console().print(table)


@reports_app.command("dismiss", context_settings=ACCEPTING_IDS)
def dismiss_report(
    report: Annotated[str, typer.Argument(help="The report's ID (see: wibble admin reports list).")],
    reason: Reason,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Close a report, and all open ones about the same subject, without another action."""
    with printing_errors():
        entry = moderation().dismiss(COMMAND_LINE, report, checked_reason(reason), time.time())
    print_entry(entry, as_json=as_json)


@operators_app.command("add")
def add_operator(
    name: Annotated[str, typer.Argument(help="The operator's name in the audit log.")],
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Print a link with which one person can become an operator within a day.

    The profile in the browser that opens the link becomes the operator. A new link voids an unused one.
    """
    settings, now = Settings(), time.time()
    with printing_errors():
        token = Operators(open_store(settings, create=True)).add(name, now)
    site = (settings.site_url or f"http://{settings.host}:{settings.port}").rstrip("/")
    link = f"{site}/admin/join/{token}"
    if as_json:
        output.print_json({"name": name, "link": link, "expires_at": now + LINK_SECONDS})
        return
    lasts = format_duration(LINK_SECONDS)
    typer.echo(f"Link for {printable(name)}, which works once within {lasts}: {link}")


@operators_app.command("list")
def list_operators(as_json: Json = False) -> None:  # noqa: FBT002
    """Show the operators, and the names with an unused valid link."""
    found = Operators(open_store(Settings())).all(time.time())
    if as_json:
        output.print_json(found)
        return
    table = Table("name", "added (UTC)", "state")
    for each in found:
        state = "operator" if each.joined else "link not used yet"
        table.add_row(escape(printable(each.name)), format_time(each.added_at).removesuffix(" UTC"), state)
    output.console().print(table)


@operators_app.command("remove")
def remove_operator(
    name: Annotated[str, typer.Argument(help="The operator's name.")],
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Remove an operator, or make an unused link void."""
    with printing_errors():
        Operators(open_store(Settings())).remove(name, time.time())
    if as_json:
        output.print_json({"removed": name})
        return
    typer.echo(f"{printable(name)} is no longer an operator.")
