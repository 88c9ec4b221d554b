"""The `wibble` command: its groups, and what is done before any of them."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

import typer

from app import __version__
from app.commands import interrupts
from app.commands.lazy import LazyGroup


class Commands(LazyGroup):
    """Everything that `wibble` can do."""

    sources: ClassVar[Mapping[str, tuple[str, str]]] = {
        "serve": ("app.commands.serve:serve", "Serve the games to browsers, and their engines to programs."),
        "play": (
            "app.commands.play:play",
            "Play Wibble in the terminal, alone or against bots; or any game on a server.",
        ),
        "boggle": (
            "app.commands.boggle_group:boggle_app",
            "Boggle: make boards, solve them, study how they are made.",
        ),
        "fribble": ("app.commands.fribble:fribble_app", "Fribble: play it, be advised, look at games."),
        "letterpress": (
            "app.commands.letterpress:letterpress_app",
            "Letterpress: solve a position, match engines.",
        ),
        "scrabblet": (
            "app.commands.scrabblet:scrabblet_app",
            "Scrabblet: find the words of a hand, or let them be found.",
        ),
        "replay": (
            "app.commands.replay:replay_file",
            "Verify the record of a game move by move, and show it.",
        ),
        "words": (
            "app.commands.words:words_app",
            "Word lists: which there are, your own, and what they hold.",
        ),
        "warm": (
            "app.commands.serve:warm",
            "Build the lexicon and compile the engines ahead, so that the first start is at full speed.",
        ),
        "admin": ("app.commands.admin:admin_app", "What an operator asks of the store."),
    }

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Import the command; from then on it may handle Ctrl+C."""
        resolved = super().resolve_command(ctx, args)
        interrupts.raise_keyboard_interrupt()
        return resolved


app = typer.Typer(
    cls=Commands,
    name="wibble",
    help="Wibble: word games in the browser, with engines behind them.",
    no_args_is_help=True,
    rich_markup_mode=None,  # what stands in brackets is text
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def wibble(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,  # noqa: FBT002
) -> None:
    """Wibble: word games in the browser, with engines behind them."""
    if version:
        typer.echo(f"wibble {__version__}")
        raise typer.Exit
    from app.games.fribble.presets import use_own  # noqa: PLC0415 - `wibble --version` has no use for them
    from app.settings import Settings  # noqa: PLC0415

    for fault in use_own(Settings().presets_dir):
        typer.echo(f"Fribble preset ignored: {fault}", err=True)
