"""``wibble fribble``: self-play, games against a bot, advice for a game elsewhere, study, presets."""

import secrets
from contextlib import suppress
from pathlib import Path
from string import ascii_uppercase
from typing import Annotated, Final, Literal, NoReturn

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as ListTable

from app.commands import fribble_board as shown
from app.commands.fribble_match import fribble_match_app
from app.commands.fribble_shell import Thinking
from app.commands.fribble_study import Study
from app.commands.fribble_table import Solo, Table
from app.commands.fribble_team import Team
from app.games.fribble import gcg
from app.games.fribble.known import with_board
from app.games.fribble.position import BadPosition, check_position, parse_board
from app.games.fribble.presets import DEFAULT_PRESET, BadPreset, check_name, presets, read_preset
from app.games.fribble.rules import Fribble
from app.games.fribble.state import Options, State
from app.games.game import IllegalMove, LexiconRef
from app.games.kernel import warm_up
from app.settings import Settings
from app.terminal import output
from app.terminal.output import Json
from app.words.library import DamagedLexicon, Library, UnknownLexicon

fribble_app = typer.Typer(no_args_is_help=True, help="Fribble: play, get advice, study games.")
fribble_app.add_typer(fribble_match_app)

_SEATS: Final = 2
Preset = Annotated[str, typer.Option(help="Board and tiles (see: wibble fribble presets).")]
LexiconName = Annotated[
    str | None,
    typer.Option(help="Word list (see: wibble words list) [default: that of the GCG file or the preset]."),
]
Seed = Annotated[str | None, typer.Option(help="Random seed; the same seed deals the same tiles.")]
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


@fribble_app.command("self")
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
        _refuse(
            f"{levels!r} is invalid; accepted: two levels from 1 to {len(Fribble.bots)}, such as 5,3",
            "--levels",
        )
    _check_savable(save)
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


@fribble_app.command("solo")
def play_solo(
    level: Annotated[int, typer.Option(help="Level of the bot.", min=1, max=5)] = 3,
    challenge: Challenge = False,  # noqa: FBT002
    preset: Preset = DEFAULT_PRESET,
    lexicon: LexiconName = None,
    seed: Seed = None,
    load: Annotated[
        Path | None, typer.Option(help="Continue the game in this GCG file.", exists=True, dir_okay=False)
    ] = None,
    save: Save = None,
    strategy: Strategy = "static",
    budget_ms: BudgetMs = 1000,
    no_color: NoColor = False,  # noqa: FBT002
) -> None:
    """Play against a bot."""
    _check_savable(save)
    game, options = _game(preset, lexicon, "double" if challenge else "void", load)
    states, names = _begun(game, options, load, seed)
    console = output.console(no_color=no_color)
    names = ["You", Fribble.bots[level - 1]] if load is None else names
    shell = Solo(game, states, names, console, Thinking(strategy, budget_ms), level=level)
    shell.run()
    _keep(save, shell)
    shell.exit_if_interrupted()


@fribble_app.command("team")
def play_team(
    foe_first: Annotated[bool, typer.Option("--foe-first", help="The opponent plays first.")] = False,  # noqa: FBT002
    preset: Preset = DEFAULT_PRESET,
    lexicon: LexiconName = None,
    load: Annotated[
        Path | None, typer.Option(help="Continue the game in this GCG file.", exists=True, dir_okay=False)
    ] = None,
    save: Save = None,
    strategy: Strategy = "static",
    budget_ms: BudgetMs = 1000,
    no_color: NoColor = False,  # noqa: FBT002
) -> None:
    """Get advice for a game played elsewhere: enter your racks and all moves."""
    _check_savable(save)
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


@fribble_app.command("study")
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


@fribble_app.command("presets")
def list_presets(as_json: Json = False) -> None:  # noqa: FBT002
    """List the presets: boards and tile sets for --preset NAME."""
    if as_json:
        output.print_json(
            [
                {
                    "name": name,
                    "title": preset.title,
                    "blurb": preset.blurb,
                    "seats": preset.seats,
                    "layout": preset.layout.rows,
                    "counts": preset.tiles.counts,
                    "values": {letter: preset.tiles.value(letter) for letter in ascii_uppercase},
                    "bingo": preset.bingo,
                    "lexicon": preset.lexicon,
                }
                for name, preset in presets().items()
            ]
        )
        return
    table = ListTable("Name", "Title", box=SIMPLE_HEAD)
    for heading in ("Players", "Tiles", "Bonus"):
        table.add_column(heading, justify="right")
    table.add_column("Words")
    for name, preset in presets().items():
        players = "-".join(dict.fromkeys(map(str, preset.seats)))
        table.add_row(
            name, preset.title, players, str(len(preset.tiles.full_bag)), str(preset.bingo), preset.lexicon
        )
    output.console().print(table)


@fribble_app.command("add-preset")
def add_preset(
    name: Annotated[str, typer.Argument(help="Name: a letter a-z, then up to 31 of a-z, 0-9 and -.")],
    file: Annotated[
        Path,
        typer.Argument(
            help="A TOML file in the format of data/fribble/presets/wwf.toml.", exists=True, dir_okay=False
        ),
    ],
) -> None:
    """Add a preset of your own. A running server must be restarted to use it."""
    try:
        check_name(name)
    except BadPreset as bad:
        _refuse(str(bad), "NAME")
    try:
        title = read_preset(file).title
        folder = Settings().presets_dir
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"{name}.toml").open("xb") as kept:
            kept.write(file.read_bytes())
    except (BadPreset, OSError) as error:
        _refuse(str(error), "FILE")
    typer.echo(f"Added {name}: {title}. Play with it as --preset {name}.")


def _game(
    preset: str, lexicon: str | None, challenge: str = "void", file: Path | None = None
) -> tuple[Fribble, Options]:
    if preset not in presets():
        _refuse(f"unknown preset {preset!r}; accepted: {', '.join(presets())}", "--preset")
    library = Settings().library()
    try:
        loaded = library.load(lexicon or _lexicon_of(file, preset, library))
    except (UnknownLexicon, DamagedLexicon) as error:
        _refuse(str(error), "--lexicon")
    game = Fribble(loaded)
    with Console(stderr=True).status("Loading the engine"):
        warm_up()
        game.movegen(preset)
    ref = LexiconRef(name=loaded.name, sha256=loaded.sha256)
    return game, Options.model_validate({"preset": preset, "lexicon": ref, "challenge": challenge})


def _lexicon_of(file: Path | None, preset: str, library: Library) -> str:
    """Return the lexicon of the game in ``file``, or of the preset if the file has none."""
    with suppress(OSError, UnicodeDecodeError, gcg.BrokenGcg):
        if file is not None and gcg.is_gcg(text := file.read_text(encoding="utf-8")):
            return gcg.lexicon_of(gcg.read(text), preset, [info.name for info in library.names()])
    return presets()[preset].lexicon


def _begun(
    game: Fribble, options: Options, file: Path | None, seed: str | None
) -> tuple[list[State], list[str]]:
    """Return the states so far and the players' names, of the game in ``file`` or of a new one."""
    names = [f"Player {seat + 1}" for seat in range(_SEATS)]
    try:
        first = game.start(options, _SEATS, seed or secrets.token_hex(8))
    except IllegalMove as refused:
        _refuse(refused.reason, "--preset")
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
        _refuse(f"{file}: {error}", "FILE")
    return list(states), [name for _, name in game_record.players]


def _check_savable(save: Path | None) -> None:
    """Check before the game that it can be saved. Raises BadParameter."""
    if save is not None and save.exists():
        _refuse(f"{save} already exists; name a new file", "--save")
    if save is not None and not save.absolute().parent.is_dir():
        _refuse(f"the folder {save.parent} does not exist", "--save")


def _keep(save: Path | None, shell: Table) -> None:
    if save is None:
        return
    try:
        shell.keep(save)
    except OSError as error:
        _refuse(f"{save}: {error.strerror}", "--save")
    shell.say(f"Saved. Open it with: wibble fribble study {save}")


def _refuse(message: str, parameter: str) -> NoReturn:
    raise typer.BadParameter(message, param_hint=parameter)
