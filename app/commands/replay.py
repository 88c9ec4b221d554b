"""``wibble replay``: verifies and shows a recorded game."""

import sys
from pathlib import Path
from threading import Thread
from typing import Annotated, Final

import typer
from rich.text import Text

from app.games.kernel import warm_up
from app.games.record import BrokenRecord, read, replay
from app.grammar import printable
from app.rooms.registry import Registry
from app.settings import Settings
from app.terminal import output
from app.terminal.output import Json
from app.text_files import Unreadable, read_text
from app.words.library import DamagedLexicon, UnknownLexicon

STDIN: Final = Path("-")


def replay_file(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The record of a game; - reads standard input.")],
    ply: Annotated[int | None, typer.Option(min=0, help="Show the board after this many moves.")] = None,
    analysis: Annotated[  # noqa: FBT002
        bool, typer.Option("--analysis", help="Compare each turn with the best move.")
    ] = False,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Verify the record of a game and show it.

    The exit status is 2 if the record is malformed or a move is illegal; the message names the ply.
    """
    rooms: Registry = context.obj
    settings = Settings()
    output.warn(rooms.load_custom(settings.data_dir))
    console = output.console()
    warming = Thread(target=warm_up, name="warm-up", daemon=True)
    warming.start()
    try:
        recorded = read(_text(file), rooms.games)
        game = rooms.rulebook(settings.library()).game(recorded.kind, recorded.options.lexicon)
        states = replay(recorded, game)
    except (BrokenRecord, UnknownLexicon, DamagedLexicon) as error:
        raise typer.BadParameter(printable(str(error)), param_hint="FILE") from error
    if ply is not None and ply >= len(states):
        raise typer.BadParameter(f"{ply}: the record has plies 0 to {len(states) - 1}", param_hint="--ply")
    renderer = rooms.terminals[recorded.kind].renderer(game, recorded, states)
    if as_json:
        position = {} if ply is None else {"ply": ply, "view": game.reveal(states[ply])}
        warming.join()
        judgement = {"analysis": game.analyse(states)} if analysis else {}
        output.print_json(renderer.document() | position | judgement)
        return
    console.print(Text(printable(renderer.heading())), soft_wrap=True)
    if ply is None:
        console.print(renderer.moves())
    else:
        console.print(renderer.position(ply), soft_wrap=True)
        if ply < len(recorded.moves):
            console.print(Text(renderer.format_move(ply)), soft_wrap=True)
    console.print(Text(renderer.describe_result()), soft_wrap=True)
    if analysis:
        with console.status("Analysing the game"):
            warming.join()
            found = renderer.analysis()
        console.print(found)


def _text(file: Path) -> str:
    """Read the file. Raises BrokenRecord."""
    try:
        return sys.stdin.read() if file == STDIN else read_text(file)
    except UnicodeDecodeError:
        raise BrokenRecord("standard input: not UTF-8 text") from None
    except Unreadable as error:
        raise BrokenRecord(f"{file}: {error}") from None
