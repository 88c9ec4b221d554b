"""Arguments shared by the commands of ``wibble scrabblet``."""

import re
from typing import Annotated

import typer
from rich.console import Console

from app.games.scrabblet.hand import read_tiles
from app.games.scrabblet.rules import Scrabblet
from app.terminal.arguments import load_lexicon, refuse

Lexicon = Annotated[str, typer.Option(help="Word list (see: wibble words list).")]
MinLength = Annotated[int, typer.Option(min=2, max=15, help="Minimum word length.")]


def load_game(lexicon: str) -> Scrabblet:
    """Return the rules with the word list given as --lexicon. Raises BadParameter."""
    return Scrabblet(load_lexicon(lexicon))


def print_loaded(game: Scrabblet, console: Console) -> None:
    """Print the size of the word list."""
    console.print(f"{len(game.lexicon)} words loaded", style="dim", highlight=False)


def read_hand(text: str, parameter: str) -> str:
    """Parse the tiles of a hand. Raises BadParameter."""
    try:
        return read_tiles(text)
    except ValueError as error:
        refuse(f"{text!r} is not a hand: {error}", parameter)


def read_letters(text: str, parameter: str = "WORD") -> str:
    """Return the letters of a word in lower case. Raises BadParameter."""
    if not re.fullmatch("[a-z]{1,64}", text.lower()):
        refuse(f"{text!r} is invalid; accepted: 1 to 64 letters a to z", parameter)
    return text.lower()
