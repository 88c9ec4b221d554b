"""``wibble replay``: a recorded game, verified and shown."""

import sys
from pathlib import Path
from threading import Thread
from typing import Annotated, Any, Final

import typer
from rich.text import Text

from app.commands import board as shown
from app.commands import output
from app.commands.output import Json
from app.commands.renderers import FribbleRenderer, LetterpressRenderer, RecordRenderer, WibbleRenderer
from app.commands.word_renderers import BoggleRenderer, ScrabbletRenderer
from app.games.kernel import warm_up
from app.games.record import BrokenRecord, read, replay
from app.games.rulebook import Rulebook
from app.settings import Settings
from app.words.library import DamagedLexicon, UnknownLexicon

STDIN: Final = Path("-")
RENDERERS: Final[dict[str, type[RecordRenderer[Any, Any]]]] = {
    "wibble": WibbleRenderer,
    "letterpress": LetterpressRenderer,
    "boggle": BoggleRenderer,
    "fribble": FribbleRenderer,
    "scrabblet": ScrabbletRenderer,
}
"""How each kind of game is shown."""


def replay_file(
    file: Annotated[Path, typer.Argument(help="The record of a game; - reads it from the input.")],
    ply: Annotated[int | None, typer.Option(min=0, help="Show the board after this many moves.")] = None,
    analysis: Annotated[  # noqa: FBT002
        bool, typer.Option("--analysis", help="Compare each turn with the best there was.")
    ] = False,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Verify the record of a game move by move, and show it.

    The exit status is 2 where the text is broken or a move does not follow; the message names the ply.
    """
    console = output.console()
    warming = Thread(target=warm_up, name="warm-up", daemon=True)
    warming.start()
    try:
        recorded = read(_text(file))
        game = Rulebook(Settings().library()).game(recorded.kind, recorded.options.lexicon)
        states = replay(recorded, game)
    except (BrokenRecord, UnknownLexicon, DamagedLexicon) as error:
        raise typer.BadParameter(shown.harmless(str(error)), param_hint="FILE") from error
    if ply is not None and ply >= len(states):
        raise typer.BadParameter(f"{ply}: the record has plies 0 to {len(states) - 1}", param_hint="--ply")
    told = RENDERERS[recorded.kind](game, recorded, states)
    if as_json:
        position = {} if ply is None else {"ply": ply, "view": game.reveal(states[ply])}
        warming.join()
        judged = {"analysis": game.analyse(states)} if analysis else {}
        output.print_json(told.document() | position | judged)
        return
    console.print(Text(shown.harmless(told.heading())), soft_wrap=True)
    if ply is None:
        console.print(told.moves())
    else:
        console.print(told.position(ply), soft_wrap=True)
        if ply < len(recorded.moves):
            console.print(Text(told.account(ply)), soft_wrap=True)
    console.print(Text(told.standing()), soft_wrap=True)
    if analysis:
        with console.status("Looking for what there was"):
            warming.join()
            found = told.analysis()
        console.print(found)


def _text(file: Path) -> str:
    """What is in the file. Raises BrokenRecord where it cannot be read."""
    try:
        return sys.stdin.read() if file == STDIN else file.read_text(encoding="utf-8")
    except OSError as error:
        raise BrokenRecord(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BrokenRecord(f"{file} is not a text") from None
