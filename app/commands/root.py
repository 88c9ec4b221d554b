"""The `wibble` command: its subcommands and global options."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

import typer

from app import __version__
from app.commands.lazy import LazyGroup
from app.terminal import interrupts


class Commands(LazyGroup):
    """The subcommands of `wibble`."""

    sources: ClassVar[Mapping[str, tuple[str, str]]] = {
        "serve": ("app.commands.serve:serve", "Serve the web site and the API."),
        "play": (
            "app.commands.play:play",
            "Play Wibble in the terminal, solo or against bots, or any game on a server.",
        ),
        "boggle": (
            "app.commands.boggle_group:boggle_app",
            "Boggle: solve boards, generate them, study the generators.",
        ),
        "fribble": ("app.commands.fribble:fribble_app", "Fribble: play, get advice, study games."),
        "letterpress": (
            "app.commands.letterpress:letterpress_app",
            "Letterpress: solve positions, match engines.",
        ),
        "scrabblet": (
            "app.commands.scrabblet:scrabblet_app",
            "Scrabblet: play a hand, or list its words.",
        ),
        "replay": (
            "app.commands.replay:replay_file",
            "Verify the record of a game and show it.",
        ),
        "words": (
            "app.commands.words:words_app",
            "Word lists: list them, add your own, look up words.",
        ),
        "warm": (
            "app.commands.serve:warm",
            "Build the word lists and compile the engines, so that the first start is fast.",
        ),
        "admin": ("app.commands.admin:admin_app", "Inspect, prune, export and back up the store."),
    }

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Import the command, which may handle Ctrl+C from then on."""
        resolved = super().resolve_command(ctx, args)
        interrupts.raise_keyboard_interrupt()
        return resolved


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
    from app.games.fribble.presets import use_own  # noqa: PLC0415 - `wibble --version` does not need it
    from app.settings import Settings  # noqa: PLC0415

    for fault in use_own(Settings().presets_dir):
        typer.echo(f"Fribble preset ignored: {fault}", err=True)
