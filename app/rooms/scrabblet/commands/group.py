"""Registers the commands of ``wibble scrabblet``."""

import typer

from app.rooms.scrabblet.commands.deal import deal, game_setup
from app.rooms.scrabblet.commands.listing import anagrams, player, show_signature, subsets

app = typer.Typer(no_args_is_help=True)
app.command("deal")(deal)
app.command("gamesetup")(game_setup)
app.command("player")(player)
app.command("anagrams")(anagrams)
app.command("signature")(show_signature)
app.command("subsets")(subsets)
