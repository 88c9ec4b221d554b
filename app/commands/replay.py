"""``wibble replay``: a recorded game of Wibble, verified and shown."""

import sys
from pathlib import Path
from threading import Thread
from typing import Annotated, Final

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.commands import board as shown
from app.games.kernel import warm_up
from app.games.record import BrokenRecord, Record, read, replay
from app.games.rulebook import Rulebook
from app.games.wibble.modes import modes
from app.games.wibble.rules import Wibble
from app.games.wibble.state import Chain, State
from app.settings import Settings
from app.words.library import DamagedLexicon, UnknownLexicon

STDIN: Final = Path("-")


def replay_file(
    file: Annotated[Path, typer.Argument(help="The record of a game; - reads it from the input.")],
    ply: Annotated[int | None, typer.Option(min=0, help="Show the board after this many moves.")] = None,
    analysis: Annotated[  # noqa: FBT002
        bool, typer.Option("--analysis", help="Compare each turn with the best there was.")
    ] = False,
) -> None:
    """Verify the record of a game move by move, and show it.

    The exit status is 2 where the text is broken or a move does not follow; the message names the ply.
    """
    console = Console()
    warming = Thread(target=warm_up, name="warm-up", daemon=True)
    warming.start()
    try:
        recorded = read(_text(file))
        game = Rulebook(Settings().library()).rules(Wibble, recorded.options.lexicon)
        states: tuple[State, ...] = replay(recorded, game)
    except (BrokenRecord, UnknownLexicon, DamagedLexicon) as error:
        raise typer.BadParameter(shown.harmless(str(error)), param_hint="FILE") from error
    if ply is not None and ply >= len(states):
        raise typer.BadParameter(f"{ply}: the record has plies 0 to {len(states) - 1}", param_hint="--ply")
    names = [f"Player {seat + 1}" for seat in range(game.seat_count(states[0]))]
    options = states[0].options
    console.print(
        Text(
            f"Wibble {modes()[options.mode].title}, {options.size}x{options.size}, "
            f"{options.lexicon.name}, seed {shown.harmless(recorded.seed)}"
        ),
        soft_wrap=True,
    )
    if ply is None:
        console.print(_moves(game, recorded, states, names))
    else:
        _show(console, game, recorded, states, ply, names)
    console.print(Text(_standing(game, states[-1], names)), soft_wrap=True)
    if analysis:
        with console.status("Looking for what there was"):
            warming.join()
            found = game.analyse(states)
        console.print(shown.analysis(found, names))


def _text(file: Path) -> str:
    """What is in the file. Raises BrokenRecord where it cannot be read."""
    try:
        return sys.stdin.read() if file == STDIN else file.read_text(encoding="utf-8")
    except OSError as error:
        raise BrokenRecord(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BrokenRecord(f"{file} is not a text") from None


def _moves(game: Wibble, recorded: Record, states: tuple[State, ...], names: list[str]) -> Table:
    """One line for each move with what came of it and the scores after."""
    table = Table("Ply", box=box.SIMPLE_HEAD)
    table.add_column("Move", overflow="fold")
    for name in names:
        table.add_column(name, justify="right")
    for ply, after in enumerate(states[1:]):
        table.add_row(str(ply), _account(game, recorded, states, ply, names), *map(str, after.scores))
    return table


def _show(
    console: Console,
    game: Wibble,
    recorded: Record,
    states: tuple[State, ...],
    ply: int,
    names: list[str],
) -> None:
    """The position after ``ply`` moves, and the move that was made there."""
    view = game.view(states[ply], None)
    move = recorded.moves[ply].move if ply < len(recorded.moves) else None
    if view.tiles:
        marked = move.cells if isinstance(move, Chain) else ()
        console.print(shown.board(view.tiles, view.size, marked))
        console.print(shown.status(view, names), soft_wrap=True)
    if move is not None:
        console.print(Text(_account(game, recorded, states, ply, names)), soft_wrap=True)


def _account(game: Wibble, recorded: Record, states: tuple[State, ...], ply: int, names: list[str]) -> str:
    """What came of the move that was made after ``ply`` others."""
    line, after = recorded.moves[ply], states[ply + 1]
    report = game.view(after, line.seat).report
    name = names[line.seat]
    if report is None or after.board is None:
        return f"{name}: {line.move.type}"
    return shown.account(report, name, after.board, after.options.size)


def _standing(game: Wibble, state: State, names: list[str]) -> str:
    outcome = game.outcome(state)
    if outcome is not None:
        return shown.ending(outcome, names)
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, state.scores, strict=True))
    return f"Verified; the game was not finished. {scores}."
