"""The ``wibble`` command."""

import socket
import sys
from typing import Annotated, NoReturn

import typer
from pydantic import ValidationError
from rich.console import Console

from app import __version__
from app.commands.admin import admin_app
from app.commands.boggle import boggle_app
from app.commands.boggle_generate import climb_boards, generate
from app.commands.boggle_study import study
from app.commands.fribble import fribble_app
from app.commands.letterpress import letterpress_app
from app.commands.play import play
from app.commands.replay import replay_file
from app.commands.scrabblet import scrabblet_app
from app.commands.words import words_app
from app.logs import JSON_LOG
from app.settings import Settings
from app.store.database import Database, StoreInUse

app = typer.Typer(
    name="wibble",
    help="Wibble: a word-game table in the browser, with engines behind it.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
boggle_app.command("generate")(generate)
boggle_app.command("climb")(climb_boards)
boggle_app.command("study")(study)
app.add_typer(admin_app, name="admin")
app.add_typer(boggle_app, name="boggle")
app.add_typer(fribble_app, name="fribble")
app.add_typer(letterpress_app, name="letterpress")
app.add_typer(scrabblet_app, name="scrabblet")
app.add_typer(words_app, name="words")
app.command("play")(play)
app.command("replay")(replay_file)
console = Console()


def main() -> None:
    """Run the command line; a setting that cannot be is told plainly, with exit status 2."""
    try:
        app()
    except ValidationError as error:
        for wrong in error.errors():
            name = "_".join(map(str, wrong["loc"])).upper()
            Console(stderr=True).print(f"[red]WIBBLE_{name}[/]: {wrong['msg']}, not {wrong['input']!r}")
        sys.exit(2)


@app.callback(invoke_without_command=True)
def wibble(
    version: Annotated[bool, typer.Option("--version", help="Show the version and leave.")] = False,  # noqa: FBT002
) -> None:
    """Wibble: a word-game table in the browser, with engines behind it."""
    if version:
        console.print(f"wibble {__version__}")
        raise typer.Exit


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on [default: 127.0.0.1].")] = None,
    port: Annotated[
        int | None, typer.Option(help="Port to listen on [default: 8000].", min=0, max=65535)
    ] = None,
    workers: Annotated[
        int, typer.Option(help="Processes that serve together; more than one needs Redis.", min=1, max=64)
    ] = 1,
) -> None:
    """Serve the game to browsers, and its engines to programs."""
    import uvicorn  # noqa: PLC0415 - the other commands start faster without the web
    from uvicorn.config import LOGGING_CONFIG  # noqa: PLC0415
    from uvicorn.supervisors import Multiprocess  # noqa: PLC0415

    settings = Settings()
    database = Database(settings.store_url)
    if settings.redis_url is None:
        if workers > 1:
            _refuse(f"{workers} workers hear of each other's moves through Redis: set WIBBLE_REDIS_URL")
        try:
            database.claim()
        except StoreInUse as in_use:
            _refuse(str(in_use))
    settings.signing_key()  # made once, before several workers want it
    database.migrate()
    config = uvicorn.Config(
        "app.main:create_app",
        factory=True,
        host=host or settings.host,
        port=settings.port if port is None else port,
        workers=workers,
        access_log=False,  # ours tells less of people and more of the request
        log_config=JSON_LOG if settings.log_json else LOGGING_CONFIG,
        timeout_graceful_shutdown=10,
        timeout_keep_alive=75,  # a player may think for a while between two words
    )
    listening = config.bind_socket()
    console.print(
        f"\n  Wibble is at [bold cyan]{_address(listening)}[/]   (Ctrl+C stops it)", highlight=False
    )
    console.print(
        f"  Games are kept in {settings.shown_store}\n", style="dim", highlight=False, soft_wrap=True
    )
    if workers > 1:
        Multiprocess(config, sockets=[listening]).run()
    else:
        uvicorn.Server(config).run(sockets=[listening])


def _refuse(reason: str) -> NoReturn:
    Console(stderr=True).print(f"[red]Error[/]: {reason}", highlight=False, soft_wrap=True)
    raise typer.Exit(2)


@app.command()
def warm() -> None:
    """Build the lexicon and compile the engines ahead, so that the first start is at full speed."""
    from app.games.kernel import warm_up  # noqa: PLC0415 - it brings Numba along
    from app.games.rulebook import GAMES  # noqa: PLC0415 - registers every game's kernels

    with console.status("Building the word list"):
        lexicon = Settings().library().load()
        _ = lexicon.gaddag  # built once, then kept in the cache
    with console.status("Compiling the engines"):
        warm_up()
    console.print(f"Ready: {len(lexicon):,} words, the engines of {', '.join(GAMES)}.")


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


if __name__ == "__main__":
    main()
