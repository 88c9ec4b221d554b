"""``wibble fribble presets`` and ``add-preset``."""

from pathlib import Path
from string import ascii_uppercase
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table as ListTable

from app.games.fribble.presets import BadPreset, check_name, own_folder, presets, read_preset
from app.settings import Settings
from app.terminal import output
from app.terminal.arguments import refuse
from app.terminal.output import Json


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
        refuse(bad, "NAME")
    try:
        title = read_preset(file).title
        folder = own_folder(Settings().data_dir)
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"{name}.toml").open("xb") as kept:
            kept.write(file.read_bytes())
    except (BadPreset, OSError) as error:
        refuse(error, "FILE")
    typer.echo(f"Added {name}: {title}. Play with it as --preset {name}.")
