"""``wibble fribble analyse``: compares each turn of a finished or unfinished game with the best play."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from pydantic import BaseModel
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from app.games.fribble import gcg
from app.games.fribble.analysis import Analysis, BestExchange, BestMove, PlayedOn, TurnAnalysis
from app.games.fribble.deep_analysis import SAMPLES, deepen
from app.games.fribble.presets import DEFAULT_PRESET
from app.games.fribble.rules import Fribble
from app.games.fribble.state import State, Turn
from app.games.kernel import warm_up
from app.games.verdict import Verdict
from app.grammar import format_count, format_rounded, printable
from app.rooms.fribble.commands.games import LexiconName, NoColor, Preset
from app.rooms.fribble.commands.opening import open_engine, replay
from app.terminal import output
from app.terminal.arguments import refuse
from app.terminal.interrupts import INTERRUPTED, stopped_by_ctrl_c
from app.terminal.output import Json
from app.text_files import Unreadable, read_text

LISTED: Final = 3
"""The number of best turns shown for each turn."""
UNKNOWN: Final = 0.5
"""The error of the result of an endgame that was not searched to its end."""
_WIN: Final = {"win_share", "error"}
_TILED: Final = ("place", "exchange", "pass")
"""Kinds of GCG events that are turns with a rack."""


class Option(BaseModel):
    """A possible turn."""

    move: str
    """``8H FRIBBLE``, ``exchange VUU`` or ``pass``."""
    points: int
    leave: str
    equity: float
    win_share: float | None
    """Win probability, 0 to 1; None if the turn was not played on."""
    error: float | None
    """Half the width of its 95% confidence interval."""


class AnalysedTurn(BaseModel):
    """A turn of the game. Win probabilities are those of the player whose turn it was, 0 to 1."""

    number: int
    player: str
    rack: str
    rack_known: bool
    """Whether the file gives the whole rack; otherwise the missing tiles were drawn at random."""
    move: str
    points: int
    equity: float
    lost: float
    """Equity lost against the best turn, in points."""
    win_before: float | None
    """Win probability with the best turn. None with more than two players."""
    win_before_error: float | None
    """Half the width of the 95% confidence interval; None for an estimate from the scores alone."""
    win_after: float | None
    """Win probability with the actual turn."""
    win_after_error: float | None
    loss: float | None
    """Win probability lost by the turn."""
    loss_error: float | None
    verdict: Verdict | None
    best: list[Option]
    """The best turns, best first."""


def analyse_game(
    file: Annotated[Path, typer.Argument(help="A game as GCG.", exists=True, dir_okay=False)],
    seconds: Annotated[
        float,
        typer.Option(
            help=f"Seconds to play on from each turn, at most {SAMPLES} games a second; 0 for none.",
            min=0,
            max=3600,
        ),
    ] = 1.0,
    preset: Preset = DEFAULT_PRESET,
    lexicon: LexiconName = None,
    as_json: Json = False,  # noqa: FBT002
    no_color: NoColor = False,  # noqa: FBT002
) -> None:
    """Analyse a game: win probability, verdict and best moves of every turn."""
    try:
        text = read_text(file)
        if not gcg.is_gcg(text):
            refuse(f"{file}: the text is not a GCG, which begins with #player1", "FILE")
        record = gcg.read(text)
        game, options = open_engine(preset, lexicon, "double", file)
        states = replay(record, game, options)
    except (Unreadable, gcg.BrokenGcg) as error:
        refuse(f"{file}: {error}", "FILE")
    analysis = None
    with stopped_by_ctrl_c() as interruption:
        for analysis in _judgements(game, states, seconds):  # noqa: B007 - the last one is shown
            pass
    if analysis is not None:
        names = [name for _, name in record.players]
        given = [event.rack for event in record.events if event.kind in _TILED]
        turns = [_turn(turn, states[-1], names, given) for turn in analysis.turns]
        if as_json:
            output.print_json(_document(analysis, turns, names, states[-1]))
        else:
            _print(analysis, turns, names, output.console(no_color=no_color))
    if interruption.interrupted:
        typer.echo("Stopped before the end of the analysis.", err=True)
        raise typer.Exit(INTERRUPTED)


def _judgements(game: Fribble, states: tuple[State, ...], seconds: float) -> Iterator[Analysis]:
    """Yield the analysis by equity, then after each turn that was played on, with a progress bar."""
    console = Console(stderr=True)
    with console.status("Comparing every turn with the best"):
        if seconds:
            warm_up()
        analysis = game.analyse(states)
    yield analysis
    if not seconds:
        return
    adviser = game.adviser(states[-1].options.preset)
    samples = max(1, round(SAMPLES * seconds))
    columns = (TextColumn("Playing on"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=analysis.to_search)
        while analysis.searched < analysis.to_search:
            deadline = time.monotonic() + seconds
            analysis = deepen(states, analysis, game.lexicon, adviser, _past(deadline), samples)
            progress.update(task, completed=analysis.searched)
            yield analysis


def _past(deadline: float) -> Callable[[], bool]:
    return lambda: time.monotonic() > deadline


def _turn(turn: TurnAnalysis, last: State, names: Sequence[str], given: Sequence[str]) -> AnalysedTurn:
    """Return a turn for output. ``given`` are the racks in the file, by turn."""
    options = [*([_exchange(turn.exchange)] if turn.exchange else []), *map(_placement, turn.best)]
    after, after_error = _win_after(turn)
    before = None if after is None or turn.loss is None else min(1.0, after + turn.loss)
    before_error = options[0].error if options and turn.loss else after_error
    return AnalysedTurn(
        number=turn.number,
        player=names[turn.seat],
        rack=turn.rack,
        rack_known=len(given[turn.number - 1]) == len(turn.rack),
        move=_made(last.turns[turn.number - 1]),
        points=turn.points,
        equity=turn.equity,
        lost=turn.lost,
        win_before=before,
        win_before_error=before_error,
        win_after=after,
        win_after_error=after_error,
        loss=turn.loss,
        loss_error=turn.loss_error if turn.played_on else None,
        verdict=turn.verdict,
        best=options[:LISTED],
    )


def _win_after(turn: TurnAnalysis) -> tuple[float | None, float | None]:
    """Return the win probability of the player with the actual turn, and its error if known."""
    if turn.played_on is not None:
        return turn.played_on.win_share, turn.played_on.error
    if turn.win_share is None:
        return None, None
    return (turn.win_share if turn.seat == 0 else 1 - turn.win_share), None


def _made(turn: Turn) -> str:
    if turn.kind == "place":
        return f"{turn.coordinate} {turn.text}"
    if turn.kind == "withdrawn":
        return f"{turn.coordinate} {turn.text} (withdrawn)"
    if turn.kind == "exchange":
        return f"exchange {turn.returned or turn.exchanged}"
    return "lost challenge" if turn.kind == "challenge" else "pass"


def _placement(move: BestMove) -> Option:
    text = f"{move.coordinate} {move.text}"
    return Option(move=text, points=move.score, leave=move.leave, equity=move.equity, **_win(move.played_on))


def _exchange(turn: BestExchange) -> Option:
    text = f"exchange {turn.tiles}" if turn.tiles else "pass"
    return Option(move=text, points=0, leave=turn.leave, equity=turn.equity, **_win(turn.played_on))


def _win(found: PlayedOn | None) -> dict[str, float | None]:
    return {"win_share": None, "error": None} if found is None else found.model_dump(include=_WIN)


def _document(
    analysis: Analysis, turns: Sequence[AnalysedTurn], names: Sequence[str], last: State
) -> dict[str, Any]:
    return {
        "preset": last.options.preset,
        "lexicon": last.lexicon.name,
        "players": [
            {
                "name": name,
                "score": score,
                "accuracy": seat.accuracy,
                "mistake_index": seat.mistake_index,
            }
            for name, score, seat in zip(names, last.scores, analysis.seats, strict=True)
        ],
        "played_on": analysis.searched,
        "turns": turns,
    }


def _print(analysis: Analysis, turns: Sequence[AnalysedTurn], names: Sequence[str], console: Console) -> None:
    table = Table("Turn", "Player", "Rack", "Move", box=SIMPLE_HEAD)
    for heading in ("Points", "Lost", "Win before", "Win after"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("Verdict")
    table.add_column("Best moves")
    for turn in turns:
        table.add_row(
            str(turn.number),
            Text(printable(turn.player)),
            f"{turn.rack}{'' if turn.rack_known else '*'}",
            turn.move,
            str(turn.points),
            format_rounded(turn.lost, 1),
            _chance(turn.win_before, turn.win_before_error),
            _chance(turn.win_after, turn.win_after_error),
            turn.verdict or "",
            "\n".join(map(_option_text, turn.best)),
        )
    if turns:
        console.print(table)
    lines = [] if turns else ["The file has no turns."]
    for name, seat in zip(names, analysis.seats, strict=True):
        accuracy = "none" if seat.accuracy is None else f"{format_rounded(seat.accuracy)}%"
        index = "none" if seat.mistake_index is None else f"{seat.mistake_index:.1f}"
        lines.append(f"{name}: accuracy {accuracy}, mistake index {index}")
    lines.append(
        "Lost is equity, in points. Win probabilities are for the turn's player, before the turn with the "
        f"best move; ± is half the 95% interval. {format_count(analysis.searched, 'turn')} played on."
    )
    if not all(turn.rack_known for turn in turns):
        lines.append("* The file does not give the whole rack; the other tiles were drawn at random.")
    for line in lines:
        console.print(Text(printable(line)), soft_wrap=True)


def _option_text(option: Option) -> str:
    chance = _chance(option.win_share, option.error)
    points = f" {option.points}" if option.points else ""
    return f"{option.move}{points}{f', {chance}' if chance else ''}"


def _chance(share: float | None, error: float | None) -> str:
    if share is None:
        return ""
    percent = f"{format_rounded(100 * share, 1)}%"
    if error is None:
        return percent
    return f"{percent} (not exact)" if error == UNKNOWN else f"{percent} ± {format_rounded(100 * error, 1)}"
