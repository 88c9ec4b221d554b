"""``wibble play``: Wibble in the terminal, solo or against bots, or any game on a server."""

from pathlib import Path
from typing import Annotated, get_args

import typer

from app.games.wibble.options import Frequencies, Mode
from app.rooms import ROOMS
from app.rooms.registry import Registry
from app.settings import Settings
from app.terminal import output
from app.terminal.arguments import check_savable
from app.terminal.remote.options import given_parameters, refuse_server_options
from app.words.letters import ValuesName
from app.words.library import DEFAULT_LEXICON


def play(
    context: typer.Context,
    mode: Annotated[str, typer.Option(help=f"Game mode: {', '.join(get_args(Mode))}.")] = "zen",
    bots: Annotated[
        str | None,
        typer.Option(help="Bot levels, 1 to 5, such as 1,3 [default: 3 for every other seat]."),
    ] = None,
    size: Annotated[int, typer.Option(min=4, max=7, help="Tiles per side of the board.")] = 5,
    frequencies: Annotated[
        str, typer.Option(help=f"Letter frequencies: {', '.join(get_args(Frequencies))}.")
    ] = "prose",
    min_words: Annotated[
        int, typer.Option(min=0, max=100, help="Minimum number of words on the board.")
    ] = 20,
    values: Annotated[
        str | None,
        typer.Option(help=f"Letter values: {' or '.join(get_args(ValuesName))} [default: the mode's]."),
    ] = None,
    replace: Annotated[
        str,
        typer.Option(
            help="In Zen, replace tiles after: words, or releases (any chain, also an invalid word)."
        ),
    ] = "words",
    clock_seconds: Annotated[
        int | None,
        typer.Option(
            min=10, max=14 * 86_400, help="With several players: each player's time for the whole game."
        ),
    ] = None,
    increment_seconds: Annotated[
        int,
        typer.Option(min=0, max=86_400, help="Seconds a player gains with each turn, with --clock-seconds."),
    ] = 0,
    level: Annotated[
        str | None, typer.Option(help="Level of Adventure, by number or name, with --mode adventure.")
    ] = None,
    lexicon: Annotated[str, typer.Option(help="Word list (see: wibble words list).")] = DEFAULT_LEXICON,
    seed: Annotated[str | None, typer.Option(help="Random seed; the same seed deals the same tiles.")] = None,
    save: Annotated[
        Path | None, typer.Option(help="Save the record of the game to this new file, for wibble replay.")
    ] = None,
    no_color: Annotated[bool, typer.Option("--no-color", help="Disable colours.")] = False,  # noqa: FBT002
    server: Annotated[
        str | None,
        typer.Option(help="Play on this Wibble server, such as https://words.example.", metavar="URL"),
    ] = None,
    game: Annotated[  # noqa: ARG001
        str | None,
        typer.Option(help="With --server: resume this game, or join it by its link.", metavar="ID"),
    ] = None,
    kind: Annotated[  # noqa: ARG001
        str,
        typer.Option(help="With --server: the game: {kinds}."),
    ] = next(iter(ROOMS)),
    option: Annotated[  # noqa: ARG001
        list[str] | None,
        typer.Option(
            help="With --server: a game option, such as seconds=60. May be repeated.", metavar="NAME=VALUE"
        ),
    ] = None,
    seats: Annotated[  # noqa: ARG001
        int | None,
        typer.Option(
            help="With --server: number of seats; seats without a bot are free to join.", min=1, max=6
        ),
    ] = None,
    listed: Annotated[  # noqa: ARG001, FBT002
        bool,
        typer.Option("--listed", help="With --server: list the game in the lobby, so that anyone can join."),
    ] = False,
    turn_limit: Annotated[  # noqa: ARG001
        str | None,
        typer.Option(
            help="With --server: time per turn, after which others may claim the game: 10m, 1h, 1d or 3d.",
            metavar="TIME",
        ),
    ] = None,
    cookies: Annotated[  # noqa: ARG001
        Path | None,
        typer.Option(help="With --server: cookie file with your session, in curl format.", metavar="FILE"),
    ] = None,
) -> None:
    """Play Wibble in the terminal, solo or against bots, or any game on a server.

    With --server, --kind chooses the game, and --option gives options that have none of their own here.
    """
    given = given_parameters(context)
    if server is None:
        from app.rooms.wibble.local_game import play_local  # noqa: PLC0415 - slow to import

        refuse_server_options(given)
        setup = {
            "mode": mode,
            "size": size,
            "frequencies": frequencies,
            "min_words": min_words,
            "values": values,
            "replace": replace,
            "clock_seconds": clock_seconds,
            "increment_seconds": increment_seconds,
            "level": level,
            "lexicon": lexicon,
        }
        play_local(setup, bots, seed, save, output.console(no_color=no_color))
        return
    from app.terminal.remote.play import play_remote  # noqa: PLC0415 - a local game needs no client

    check_savable(save)
    rooms: Registry = context.obj
    output.warn(rooms.load_custom(Settings().data_dir))
    play_remote(given, rooms.terminals, usual=next(iter(rooms)))
