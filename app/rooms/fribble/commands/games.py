"""The games of ``wibble fribble``: self-play, games against a bot, advice for a game elsewhere, study."""

import secrets
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final, Literal

import typer
from rich.console import Console

from app.games.fribble import gcg
from app.games.fribble.known import with_board
from app.games.fribble.position import BadPosition, check_position, parse_board
from app.games.fribble.presets import DEFAULT_PRESET, presets
from app.games.fribble.rules import Fribble
from app.games.fribble.state import Options, State
from app.games.game import IllegalMove, LexiconRef
from app.rooms.fribble import drawing as shown
from app.rooms.fribble.commands.shell import Thinking
from app.rooms.fribble.commands.study import Study
from app.rooms.fribble.commands.table import Solo, Table
from app.rooms.fribble.commands.team import Team
from app.settings import Settings
from app.terminal import output
from app.terminal.arguments import check_savable, engine_lexicon, refuse

_SEATS: Final = 2
Preset = Annotated[str, typer.Option(help="Board and tiles (see: wibble fribble presets).")]
LexiconName = Annotated[
    str | None,
    typer.Option(help="Word list (see: wibble words list) [default: that of the GCG file or the preset]."),
]
Seed = Annotated[str | None, typer.Option(help="Random seed; the same seed deals the same tiles.")]
Load = Annotated[
    Path | None, typer.Option(help="Continue the game in this GCG file.", exists=True, dir_okay=False)
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
NoColor = Annotated[bool, typer.Option("--no-color", help="Disable colours.")]


def play_itself(
    levels: Annotated[str, typer.Option(help="Levels of both bots, 1 to 5.")] = "5,5",
    preset: Preset = DEFAULT_PRESET,
    lexicon: LexiconName = None,
    seed: Seed = None,
    save: Save = None,
    no_color: NoColor = False,  # noqa: FBT002 - Typer style
) -> None:
    """Watch two bots play a game."""
    chosen = [int(level) for level in levels.split(",") if level.strip() in list("12345")]
    if len(chosen) != _SEATS or levels.count(",") != 1:
        refuse(
            f"{levels!r} is invalid; accepted: two levels from 1 to {len(Fribble.bots)}, such as 5,3",
            "--levels",
        )
    check_savable(save)
    game, options = _game(preset, lexicon)
    seed = seed or secrets.token_hex(8)
    names = [Fribble.bots[level - 1] for level in chosen]
    if names[0] == names[1]:
        names = [f"{name} {number}" for number, name in enumerate(names, start=1)]
    table = Table(game, [game.start(options, _SEATS, seed)], names, output.console(no_color=no_color))
    table.say(f"Fribble, {presets()[preset].title}, seed {seed}. {shown.LEGEND}.")
    while table.state.reason is None:
        seat = table.state.to_move
        table.make(game.bot(table.state, seat, chosen[seat]).move)
    table.finish()
    _keep(save, table)


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
    game, options = _game(preset, lexicon, "double" if challenge else "void", load)
    states, names = _begun(game, options, load, seed)
    console = output.console(no_color=no_color)
    names = ["You", Fribble.bots[level - 1]] if load is None else names
    shell = Solo(game, states, names, console, Thinking(strategy, budget_ms), level=level)
    shell.run()
    _keep(save, shell)
    shell.exit_if_interrupted()


def play_team(
    foe_first: Annotated[bool, typer.Option("--foe-first", help="The opponent plays first.")] = False,  # noqa: FBT002
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
    game, options = _game(preset, lexicon, "double", load)
    states, names = _begun(game, options, load, gcg.SEED)
    us = 1 if foe_first else 0
    if load is None:
        names = ["You", "Opponent"] if us == 0 else ["Opponent", "You"]
    console = output.console(no_color=no_color)
    shell = Team(game, states, names, console, Thinking(strategy, budget_ms), us=us)
    shell.run()
    _keep(save, shell)
    shell.exit_if_interrupted()


def study(
    file: Annotated[
        Path | None,
        typer.Argument(help="A game as GCG, or a board of 15 rows of 15.", exists=True, dir_okay=False),
    ] = None,
    preset: Preset = DEFAULT_PRESET,
    lexicon: LexiconName = None,
    strategy: Strategy = "static",
    budget_ms: BudgetMs = 1000,
    no_color: NoColor = False,  # noqa: FBT002
) -> None:
    """Step through a game, try moves, list the best."""
    game, options = _game(preset, lexicon, "double", file)  # the game may contain words that our list lacks
    states, names = _begun(game, options, file, gcg.SEED)
    console = output.console(no_color=no_color)
    shell = Study(game, states, names, console, Thinking(strategy, budget_ms))
    shell.run()
    shell.exit_if_interrupted()


def _game(
    preset: str, lexicon: str | None, challenge: str = "void", file: Path | None = None
) -> tuple[Fribble, Options]:
    if preset not in presets():
        refuse(f"unknown preset {preset!r}; accepted: {', '.join(presets())}", "--preset")
    loaded = engine_lexicon(lexicon or _lexicon_of(file, preset))
    game = Fribble(loaded)
    with Console(stderr=True).status("Loading the engine"):
        game.movegen(preset)
    ref = LexiconRef(name=loaded.name, sha256=loaded.sha256)
    return game, Options.model_validate({"preset": preset, "lexicon": ref, "challenge": challenge})


def _lexicon_of(file: Path | None, preset: str) -> str:
    """Return the lexicon of the game in ``file``, or of the preset if the file has none."""
    with suppress(OSError, UnicodeDecodeError, gcg.BrokenGcg):
        if file is not None and gcg.is_gcg(text := file.read_text(encoding="utf-8")):
            return gcg.lexicon_of(
                gcg.read(text), preset, [info.name for info in Settings().library().names()]
            )
    return presets()[preset].lexicon


def _begun(
    game: Fribble, options: Options, file: Path | None, seed: str | None
) -> tuple[list[State], list[str]]:
    """Return the states so far and the players' names, of the game in ``file`` or of a new one."""
    names = [f"Player {seat + 1}" for seat in range(_SEATS)]
    try:
        first = game.start(options, _SEATS, seed or secrets.token_hex(8))
    except IllegalMove as refused:
        refuse(refused.reason, "--preset")
    if file is None:
        return [first], names
    try:
        text = file.read_text(encoding="utf-8")
        if not gcg.is_gcg(text):
            board = parse_board(text.split())
            check_position(board, "", presets()[options.preset], game.lexicon)
            return [with_board(first, board)], names
        game_record = gcg.read(text)
        changes: dict[str, str] = {}
        if game_record.preset in presets():
            changes["preset"] = game_record.preset
        if game_record.has_challenges:
            changes["challenge"] = "double"
        states = gcg.replay(game_record, game, options.model_copy(update=changes))
    except (OSError, UnicodeDecodeError, gcg.BrokenGcg, BadPosition) as error:
        refuse(f"{file}: {error}", "FILE")
    return list(states), [name for _, name in game_record.players]


def _keep(save: Path | None, shell: Table) -> None:
    if save is None:
        return
    try:
        shell.keep(save)
    except OSError as error:
        refuse(f"{save}: {error.strerror}", "--save")
    shell.say(f"Saved. Open it with: wibble fribble study {save}")
