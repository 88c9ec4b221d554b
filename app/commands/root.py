"""The `wibble` command: its subcommands and global options.

The object of the Typer context is the registry of rooms in use, by default ``ROOMS``.
"""

from collections.abc import Iterable
from typing import Annotated, Any, Final

import typer

from app import __version__
from app.commands.lazy import LazyCommand, LazyGroup
from app.grammar import without_long_words
from app.rooms import ROOMS
from app.rooms.registry import Registry
from app.terminal import interrupts

OLD_OPTIONS: Final = {
    "--foe-first": "--opponent-first",
    "--goal": "--aim",
    "--minimum-words": "--min-words",
    "--most": "--limit",
    "--room": "--kind",
    "--shortest": "--min-length",
    "--top": "--limit",
}
"""Current names of options by their old ones, which are still accepted but not shown."""


def current_options(arguments: Iterable[str]) -> list[str]:
    """The arguments with current names of options instead of old ones, up to ``--``."""
    rest = iter(arguments)
    renamed = []
    for each in rest:
        name, equals, value = each.partition("=")
        renamed.append(f"{OLD_OPTIONS.get(name, name)}{equals}{value}")
        if each == "--":
            break
    return [*renamed, *rest]


def commands(rooms: Registry) -> dict[str, LazyCommand]:
    """Return the subcommands, with the groups of the rooms."""
    return {
        "serve": LazyCommand("app.commands.serve:serve", "Serve the web site and the API."),
        "play": LazyCommand(
            "app.commands.play:play",
            "Play Wibble in the terminal, solo or against bots, or any game on a server.",
            ", ".join(rooms),
        ),
        **{kind: LazyCommand(*group) for kind, group in sorted(rooms.command_groups.items())},
        "replay": LazyCommand(
            "app.commands.replay:replay_file",
            "Verify the record of a game and show it.",
        ),
        "words": LazyCommand(
            "app.commands.words:words_app",
            "Word lists: list them, add your own, look up words.",
        ),
        "puzzles": LazyCommand(
            "app.commands.puzzles:puzzles_app",
            "Make puzzles from games, and verify them.",
        ),
        "warm": LazyCommand(
            "app.commands.serve:warm",
            "Build the word lists and compile engines and pages, so that the first start is fast.",
        ),
        "admin": LazyCommand(
            "app.commands.admin:admin_app",
            "Inspect, prune, export, back up and moderate the store.",
        ),
    }


class Commands(LazyGroup):
    """The subcommands of `wibble`."""

    def lazy_commands(self, ctx: Any) -> dict[str, LazyCommand]:
        """Return the subcommands for the registry in use."""
        return commands(ctx.obj)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Use all rooms unless the caller gives a registry."""
        ctx.obj = ctx.obj or ROOMS
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Import the command, which may handle Ctrl+C from then on."""
        resolved = super().resolve_command(ctx, current_options(args))
        interrupts.raise_keyboard_interrupt()
        return resolved

    def invoke(self, ctx: Any) -> Any:
        """Run the command; validation errors of its arguments are described as in the API."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as refused:
            from pydantic import ValidationError  # noqa: PLC0415 - keeps the other commands fast

            if isinstance(refused.__cause__, ValidationError):
                from app.web.guard.fields import describe_errors, field_errors  # noqa: PLC0415

                refused.message = describe_errors(field_errors(refused.__cause__.errors()))
            refused.message = without_long_words(refused.message)
            raise


app = typer.Typer(
    cls=Commands,
    name="wibble",
    help="Wibble: word games in the browser, with solvers and bots.",
    no_args_is_help=True,
    rich_markup_mode=None,  # brackets are plain text
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def wibble(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,  # noqa: FBT002
) -> None:
    """Wibble: word games in the browser, with solvers and bots."""
    if version:
        typer.echo(f"wibble {__version__}")
        raise typer.Exit
