"""The games of ``wibble fribble``: self-play, games against a bot, advice for a game elsewhere, study."""

import secrets
from pathlib import Path
from typing import Annotated, Literal

import typer

from app.games.fribble import gcg
from app.games.fribble.presets import DEFAULT_PRESET, presets
from app.games.fribble.rules import Fribble
from app.rooms.fribble import drawing as shown
from app.rooms.fribble.commands.opening import SEATS, open_engine, open_game, read_position
from app.rooms.fribble.commands.shell import Ranking
from app.rooms.fribble.commands.study import Study
from app.rooms.fribble.commands.table import Solo, Table
from app.rooms.fribble.commands.team import Team
from app.terminal import output
from app.terminal.arguments import check_savable, refuse

Preset = Annotated[str, typer.Option(help="Board and tiles (see: wibble fribble presets).")]
LexiconName = Annotated[
    str | None,
    typer.Option(help="Word list (see: wibble words list) [default: the file's or the preset's]."),
]
Seed = Annotated[str | None, typer.Option(help="Random seed; the same seed deals the same tiles.")]
Load = Annotated[
    Path | None,
    typer.Option(
        help="Begin with the game (GCG) or position (CGP, or 15 rows of 15 squares) in this file.",
        exists=True,
        dir_okay=False,
    ),
]
Save = Annotated[Path | None, typer.Option(help="Save the game as GCG to this new file.")]
Challenge = Annotated[
    bool, typer.Option("--challenge", help="Accept invalid words, which may then be challenged.")
]
Strategy = Annotated[
    Literal["greedy", "static", "simulating"],
    typer.Option(help="Rank moves by score, by equity, or by simulation."),
]
BudgetMs = Annotated[int, typer.Option(help="Milliseconds for a simulation.", min=1, max=600_000)]
OpponentFirst = Annotated[bool, typer.Option("--opponent-first", help="The opponent plays first.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="Disable colours.")]


def play_itself(
    levels: Annotated[str, typer.Option(help="Levels of both bots, 1 to 5.")] = "5,5",
    preset: Preset = DEFAULT_PRESET,
    lexicon: Annotated[
        str | None, typer.Option(help="Word list (see: wibble words list) [default: the preset's].")
    ] = None,
    seed: Seed = None,
    save: Save = None,
    no_color: NoColor = False,  # noqa: FBT002 - Typer style
) -> None:
    """Watch two bots play a game."""
    chosen = [int(level) for level in levels.split(",") if level.strip() in list("12345")]
    if len(chosen) != SEATS or levels.count(",") != 1:
        refuse(
            f"{levels!r} is invalid; accepted: two levels from 1 to {len(Fribble.bots)}, such as 5,3",
            "--levels",
        )
    check_savable(save)
    game, options = open_engine(preset, lexicon)
    seed = seed or secrets.token_hex(8)
    names = [Fribble.bots[level - 1] for level in chosen]
    if names[0] == names[1]:
        names = [f"{name} {number}" for number, name in enumerate(names, start=1)]
    table = Table(game, [game.start(options, SEATS, seed)], names, output.console(no_color=no_color))
    table.say(f"Fribble, {presets()[preset].title}, seed {seed}. {shown.LEGEND}.")
    while table.state.reason is None:
        seat = table.state.to_move
        table.make(game.bot(table.state, seat, chosen[seat]).move)
    table.finish()
    _save(save, table)


def play_solo(
    level: Annotated[int, typer.Option(help="Level of the bot.", min=1, max=5)] = 3,
    challenge: Challenge = False,  # noqa: FBT002
    preset: Preset = DEFAULT_PRESET,
    lexicon: LexiconName = None,
    seed: Seed = None,
    load: Load = None,
    save: Save = None,
    strategy: Strategy = "static",
    budget_ms: BudgetMs = 1000,
    no_color: NoColor = False,  # noqa: FBT002
) -> None:
    """Play against a bot."""
    check_savable(save)
    game, options = open_engine(preset, lexicon, "double" if challenge else "void", load)
    states, names = open_game(game, options, load, seed)
    console = output.console(no_color=no_color)
    names = ["You", Fribble.bots[level - 1]] if load is None else names
    shell = Solo(game, states, names, console, Ranking(strategy, budget_ms), level=level)
    shell.run()
    _save(save, shell)
    shell.exit_if_interrupted()


def play_team(
    opponent_first: OpponentFirst = False,  # noqa: FBT002
    preset: Preset = DEFAULT_PRESET,
    lexicon: LexiconName = None,
    load: Load = None,
    save: Save = None,
    strategy: Strategy = "static",
    budget_ms: BudgetMs = 1000,
    no_color: NoColor = False,  # noqa: FBT002
) -> None:
    """Get advice for a game played elsewhere: enter your racks and all moves."""
    check_savable(save)
    game, options = open_engine(preset, lexicon, "double", load)
    states, names = open_game(game, options, load, gcg.SEED)
    position = read_position(load)
    us = 1 if opponent_first else 0 if position is None else states[-1].to_move
    if load is None or position is not None:
        names = ["You", "Opponent"] if us == 0 else ["Opponent", "You"]
    console = output.console(no_color=no_color)
    ours = "" if position is None or us != states[-1].to_move else position.racks[0]
    shell = Team(game, states, names, console, Ranking(strategy, budget_ms), us=us, first_rack=ours)
    shell.run()
    _save(save, shell)
    shell.exit_if_interrupted()


def study(
    file: Annotated[
        Path | None,
        typer.Argument(
            help="A game as GCG, or a position: CGP, or 15 rows of 15 squares.", exists=True, dir_okay=False
        ),
    ] = None,
    preset: Preset = DEFAULT_PRESET,
    lexicon: LexiconName = None,
    strategy: Strategy = "static",
    budget_ms: BudgetMs = 1000,
    no_color: NoColor = False,  # noqa: FBT002
) -> None:
    """Step through a game, try moves, list the best."""
    game, options = open_engine(
        preset, lexicon, "double", file
    )  # the game may contain words that our list lacks
    states, names = open_game(game, options, file, gcg.SEED, "FILE")
    console = output.console(no_color=no_color)
    shell = Study(game, states, names, console, Ranking(strategy, budget_ms))
    shell.run()
    shell.exit_if_interrupted()


def _save(save: Path | None, shell: Table) -> None:
    if save is None:
        return
    try:
        shell.write_gcg(save)
    except OSError as error:
        refuse(f"{save}: {error.strerror}", "--save")
    shell.say(f"Saved. Open it with: wibble fribble study {save}")
