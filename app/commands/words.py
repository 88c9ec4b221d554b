"""``wibble words``: the word lists of this installation, and what they hold."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from app.commands import output, word_studies
from app.commands.output import Json
from app.grammar import format_count
from app.settings import Settings
from app.words.letters import ALPHABET
from app.words.library import DEFAULT_LEXICON, BadName, DamagedLexicon, UnknownLexicon
from app.words.lookup import WordFacts, look_up
from app.words.wordlist import MalformedList

words_app = typer.Typer(
    no_args_is_help=True, help="Word lists: which there are, your own, and what they hold."
)


@words_app.command("list")
def list_lexicons(as_json: Json = False) -> None:  # noqa: FBT002 - Typer's way
    """List the lexicons that games and the API take as lexicon=NAME."""
    lexicons = Settings().library().names()
    if as_json:
        output.print_json(
            [
                {"name": one.name, "title": one.title, "words": one.words, "sha256": one.sha256}
                | {"shipped": one.shipped}
                for one in lexicons
            ]
        )
        return
    console = output.console()
    table = Table("Name", "Title", box=SIMPLE_HEAD)
    table.add_column("Words", justify="right")
    table.add_column("From")
    table.add_column("SHA-256")
    for info in lexicons:
        origin = "Wibble" if info.shipped else "you"
        digest = f"{info.sha256[:12]}…" if console.is_terminal else info.sha256
        table.add_row(info.name, info.title, f"{info.words:,}", origin, digest)
    console.print(table)


@words_app.command("add")
def add_lexicon(
    name: Annotated[str, typer.Argument(help="A letter a-z, then up to 31 of a-z, 0-9 and -.")],
    file: Annotated[
        Path, typer.Argument(help="Words of letters a-z, one per line.", exists=True, dir_okay=False)
    ],
) -> None:
    """Add a word list of your own, or replace it.

    Words of one letter are left out: no game has a move for them. Games begun with a former list of that name
    keep playing with it.
    """
    try:
        info = Settings().library().add(name, file)
    except BadName as error:
        _refuse(error, "NAME")
    except (MalformedList, OSError) as error:
        _refuse(error, "FILE")
    typer.echo(f"Added {info.name}: {format_count(info.words, 'word')}. Play with it as lexicon={info.name}.")


@words_app.command("check")
def check_words(
    words: Annotated[list[str], typer.Argument(metavar="WORD", help="In capitals or not.")],
    lexicon: Annotated[str, typer.Option(help="The lexicon to look in.")] = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Say of each word whether it is valid, how common it is, and what its letters are worth.

    A valid word that is not for the family is one that Wibble never shows of itself. The exit status is 1 if
    a word is not valid.
    """
    folded = [word.lower() for word in words]
    for word in folded:
        if not set(word) <= set(ALPHABET):
            _refuse(ValueError(f"{word!r} is not a word: words are letters a-z"), "WORD")
    try:
        found = Settings().library().load(lexicon)
    except (UnknownLexicon, DamagedLexicon) as error:
        _refuse(error, "--lexicon")
    known = [look_up(found, word) for word in folded]
    if as_json:
        output.print_json(known)
    else:
        output.console().print(_table(known))
    if not all(word.valid for word in known):
        raise typer.Exit(1)


words_app.command("anagram")(word_studies.anagram)
words_app.command("hooks")(word_studies.hook)
words_app.command("pattern")(word_studies.pattern)
words_app.command("stems")(word_studies.stem)
words_app.command("stats")(word_studies.stats)
words_app.command("define")(word_studies.define)


def _table(known: Sequence[WordFacts]) -> Table:
    table = Table("Word", "Valid", box=SIMPLE_HEAD)
    table.add_column("Rank", justify="right")
    table.add_column("Level")
    table.add_column("Family")
    table.add_column("Scrabble", justify="right")
    table.add_column("SpellCast", justify="right")
    for one in known:
        points = map(str, one.points.values())
        if one.valid:
            rank = "unknown" if one.rank is None else f"{one.rank:,}"
            family = "yes" if one.family else "no"
            table.add_row(one.word, Text("yes", style="green"), rank, one.level, family, *points)
        else:
            table.add_row(one.word, Text("no", style="red"), "", "", "", *points)
    return table


def _refuse(error: Exception, parameter: str) -> NoReturn:
    raise typer.BadParameter(str(error), param_hint=parameter) from error
