"""Registers the commands of ``wibble fribble``."""

import typer

from app.rooms.fribble.commands.analyse import analyse_game
from app.rooms.fribble.commands.games import play_itself, play_solo, play_team, study
from app.rooms.fribble.commands.match import learn_leaves, match_strategies
from app.rooms.fribble.commands.presets import add_preset, list_presets
from app.rooms.fribble.room import ROOM
from app.settings import Settings
from app.terminal import output

app = typer.Typer(no_args_is_help=True)


@app.callback()
def fribble() -> None:
    """Load the user's presets."""
    output.warn(ROOM.load_custom(Settings().data_dir))


app.command("self")(play_itself)
app.command("solo")(play_solo)
app.command("team")(play_team)
app.command("study")(study)
app.command("analyse")(analyse_game)
app.command("presets")(list_presets)
app.command("add-preset")(add_preset)
app.command("match")(match_strategies)
app.command("learn-leaves")(learn_leaves)
