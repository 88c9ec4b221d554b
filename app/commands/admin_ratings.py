"""``wibble admin ratings``: recompute the ratings."""

from typing import Annotated

import typer

from app.commands.open_store import open_store
from app.grammar import format_count
from app.settings import Settings
from app.store.rated_games import rebuild
from app.terminal import output
from app.terminal.output import Json

ratings_app = typer.Typer(help="Recompute the players' ratings.", no_args_is_help=True)


@ratings_app.callback()
def group() -> None:
    """Keep ``rebuild`` a subcommand."""


@ratings_app.command("rebuild")
def rebuild_ratings(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show how many would change.")] = False,  # noqa: FBT002
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Recompute all ratings from the rated games, in the order in which they ended.

    If the store is consistent, none changes. Games that end meanwhile wait.
    """
    found = rebuild(open_store(Settings()), dry_run=dry_run)
    if as_json:
        output.print_json({"games": found.games, "ratings": found.ratings, "changed": found.changed})
        return
    changed = "would change" if dry_run else "changed"
    typer.echo(
        f"{format_count(found.games, 'rated game')}, {format_count(found.ratings, 'rating')}: "
        f"{found.changed or 'none'} {changed}"
    )
