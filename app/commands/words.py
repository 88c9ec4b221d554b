"""``wibble words``: the installed word lists, and word studies."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from app.commands import meanings, word_studies, words_review
from app.grammar import format_count
from app.settings import Settings
from app.terminal import output
from app.terminal.arguments import load_lexicon, refuse
from app.terminal.output import Json
from app.words.letters import ALPHABET
from app.words.library import DEFAULT_LEXICON, BadName
from app.words.lookup import WordFacts, look_up
from app.words.wordlist import MalformedList

words_app = typer.Typer(no_args_is_help=True, help="Word lists: list them, add your own, look up words.")


@words_app.command("list")
def list_lexicons(as_json: Json = False) -> None:  # noqa: FBT002 - Typer style
    """List the word lists with their names for --lexicon and the API."""
    lexicons = Settings().library().names()
    if as_json:
        output.print_json(
            [
                {"name": info.name, "title": info.title, "word_count": info.words, "sha256": info.sha256}
                | {"shipped": info.shipped}
                for info in lexicons
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
    name: Annotated[str, typer.Argument(help="Name: a letter a-z, then up to 31 of a-z, 0-9 and -.")],
    file: Annotated[
        Path,
        typer.Argument(help="A text file with one word per line, letters a-z.", exists=True, dir_okay=False),
    ],
) -> None:
    """Add a word list of your own, or replace it.

    One-letter words are skipped: no game uses them. Games that started with an earlier list of the same name
    keep using it.
    """
    try:
        info = Settings().library().add(name, file)
    except BadName as error:
        refuse(error, "NAME")
    except (MalformedList, OSError) as error:
        refuse(error, "FILE")
    typer.echo(f"Added {info.name}: {format_count(info.words, 'word')}. Play with it as lexicon={info.name}.")


@words_app.command("check")
def check_words(
    words: Annotated[list[str], typer.Argument(metavar="WORD", help="Words, in upper or lower case.")],
    lexicon: Annotated[str, typer.Option(help="Word list (see: wibble words list).")] = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Show whether words are valid, how common they are, and their letter points.

    Wibble never suggests a valid word that is not family-friendly. The exit status is 1 if a word is invalid.
    """
    folded = [word.lower() for word in words]
    for word in folded:
        if not (word and set(word) <= set(ALPHABET)):
            refuse(f"{word!r} is not a word; accepted: letters a to z", "WORD")
    found = load_lexicon(lexicon)
    known = [look_up(found, word) for word in folded]
    if as_json:
        dictionary = Settings().dictionary()
        meanings_of = [dictionary.in_one_line(word.word) if word.valid else None for word in known]
        output.print_json(
            [asdict(word) | {"meaning": line} for word, line in zip(known, meanings_of, strict=True)]
        )
    else:
        output.console().print(_table(known))
    if not all(word.valid for word in known):
        raise typer.Exit(1)


words_app.command("anagram")(word_studies.anagram)
words_app.command("hooks")(word_studies.hook)
words_app.command("pattern")(word_studies.pattern)
words_app.command("stems")(word_studies.stem)
words_app.command("study")(word_studies.study)
words_app.command("stats")(word_studies.stats)
words_app.command("define")(word_studies.define)
words_app.command("review")(words_review.review)
words_app.command("install-meanings")(meanings.install_meanings)


def _table(known: Sequence[WordFacts]) -> Table:
    table = Table("Word", "Valid", box=SIMPLE_HEAD)
    table.add_column("Rank", justify="right")
    table.add_column("Level")
    table.add_column("Family")
    table.add_column("Scrabble", justify="right")
    table.add_column("SpellCast", justify="right")
    for facts in known:
        points = map(str, facts.points.values())
        if facts.valid:
            rank = "unknown" if facts.rank is None else f"{facts.rank:,}"
            family = "yes" if facts.family else "no"
            table.add_row(facts.word, Text("yes", style="green"), rank, facts.level, family, *points)
        else:
            table.add_row(facts.word, Text("no", style="red"), "", "", "", *points)
    return table
