"""The word studies of ``wibble words``: anagrams, hooks, patterns, stems, figures and meanings."""

from collections.abc import Sequence
from typing import Annotated, Final, NoReturn

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.settings import Settings
from app.words.definitions import wiktionary
from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon
from app.words.library import DEFAULT_LEXICON, DamagedLexicon, UnknownLexicon
from app.words.studies import (
    BadLetters,
    anagrams,
    bingos,
    extensions,
    hooks,
    matching,
    statistics,
    stems,
)

LexiconName = Annotated[str, typer.Option(help="The lexicon to look in.")]
Most = Annotated[int, typer.Option(help="How many to list.", min=1)]
_MOST: Final = 100


def anagram(
    letters: Annotated[str, typer.Argument(help="Letters, and ? for a blank.")],
    shortest: Annotated[
        int | None, typer.Option(help="Also words of at least so many of the letters [default: all].", min=1)
    ] = None,
    most: Most = _MOST,
    lexicon: LexiconName = DEFAULT_LEXICON,
) -> None:
    """List the words that the letters make, each with its hooks."""
    loaded = _lexicon(lexicon)
    try:
        found = anagrams(loaded, letters.lower(), shortest)
    except BadLetters as error:
        _refuse(error, "LETTERS")
    _list(loaded, found, most)


def hook(
    word: Annotated[str, typer.Argument(help="Any letters; they need not be a word.")],
    most: Most = 20,
    lexicon: LexiconName = DEFAULT_LEXICON,
) -> None:
    """Show the letters that make another word before or after a word, and the longer words around it."""
    loaded, folded = _lexicon(lexicon), word.lower()
    try:
        found, longer = hooks(loaded, folded), extensions(loaded, folded)
    except BadLetters as error:
        _refuse(error, "WORD")
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    rows = {
        "Word": "yes" if folded in loaded else "no",
        "Front hooks": found.front or "none",
        "Back hooks": found.back or "none",
        "Without its first letter": folded[1:] if found.without_first else "no word",
        "Without its last letter": folded[:-1] if found.without_last else "no word",
        "Ending with it": _shortened(longer.front, most),
        "Beginning with it": _shortened(longer.back, most),
        "With it inside": _shortened(longer.both, most),
    }
    for name, value in rows.items():
        table.add_row(name, Text(value))
    Console().print(table)


def pattern(
    text: Annotated[
        str,
        typer.Argument(
            metavar="PATTERN", help="? any letter, * any number of them, [ab] one of these, [^ab] none."
        ),
    ],
    most: Most = _MOST,
    lexicon: LexiconName = DEFAULT_LEXICON,
) -> None:
    """List the words of a pattern, such as q[^u]*, each with its hooks."""
    loaded = _lexicon(lexicon)
    try:
        found = matching(loaded, text.lower())
    except BadLetters as error:
        _refuse(error, "PATTERN")
    _list(loaded, found, most)


def stem(
    letters: Annotated[
        str | None, typer.Argument(help="A stem; without one the best stems are listed.")
    ] = None,
    most: Most = 20,
    lexicon: LexiconName = DEFAULT_LEXICON,
) -> None:
    """Show which letters make which words with a stem; or the stems of six that make most bingos."""
    loaded, console = _lexicon(lexicon), Console()
    if letters is None:
        table = Table("Stem", box=SIMPLE_HEAD)
        table.add_column("Letters", justify="right")
        table.add_column("Words", justify="right")
        table.add_column("With")
        for found in stems(loaded)[:most]:
            partners = found.with_letters
            table.add_row(found.letters, str(len(partners)), str(found.words), partners)
        console.print(table)
        return
    try:
        made = bingos(loaded, letters.lower())
    except BadLetters as error:
        _refuse(error, "LETTERS")
    table = Table("With", "Words", box=SIMPLE_HEAD)
    for letter, words in made.items():
        table.add_row(letter, _shortened(words, most))
    console.print(table)
    without = "".join(letter for letter in ALPHABET if letter not in made)
    console.print(f"{len(made)} letters; none with {without or 'no letter'}", highlight=False)


def stats(lexicon: LexiconName = DEFAULT_LEXICON) -> None:
    """Show what a lexicon is made of: lengths, plurals, letters, anagrams."""
    loaded, console = _lexicon(lexicon), Console()
    found = statistics(loaded)
    lines = {
        "Words": f"{found.words:,}",
        "That take an s": f"{found.plurals:,} ({found.plurals_share:.1%} of the words are such plurals)",
        "With an anagram": f"{found.anagrams:,}",
        "Without a, e, i, o, u": f"{found.vowelless:,}",
        "Longest": " ".join(found.longest),
    }
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for name, value in lines.items():
        table.add_row(name, Text(value))
    console.print(table)
    lengths = Table("Length", box=SIMPLE_HEAD)
    lengths.add_column("Words", justify="right")
    for length, count in found.lengths.items():
        lengths.add_row(str(length), f"{count:,}")
    console.print(lengths)
    by_share = sorted(found.letters, key=lambda letter: -found.letters[letter])
    console.print(" ".join(f"{letter} {found.letters[letter]:.1%}" for letter in by_share), highlight=False)


def define(
    words: Annotated[list[str], typer.Argument(metavar="WORD", help="In capitals or not.")],
) -> None:
    """Say what words mean, from Debian's package wordnet-base; else where it is written."""
    dictionary, console = Settings().dictionary(), Console()
    for word in map(str.lower, words):
        if not (word and set(word) <= set(ALPHABET)):
            _refuse(ValueError(f"{word!r} is not a word: words are letters a-z"), "WORD")
        senses = dictionary.define(word)
        for sense in senses:
            of = "" if sense.lemma == word else f" of {sense.lemma}"
            console.print(Text(f"{word} ({sense.part}{of}): {sense.meaning}"), soft_wrap=True)
        if not senses:
            console.print(Text(f"{word}: {wiktionary(word)}"), soft_wrap=True)


def _lexicon(name: str) -> Lexicon:
    try:
        return Settings().library().load(name)
    except (UnknownLexicon, DamagedLexicon) as error:
        _refuse(error, "--lexicon")


def _list(lexicon: Lexicon, words: Sequence[str], most: int) -> None:
    """A table of words with their hooks and, where a dictionary is installed, their first meaning."""
    dictionary = Settings().dictionary()
    table = Table(box=SIMPLE_HEAD)
    table.add_column("Front", justify="right", style="dim")
    table.add_column("Word", no_wrap=True)
    table.add_column("Back", style="dim")
    if dictionary.installed:
        table.add_column("Meaning")
    for word in words[:most]:
        found = hooks(lexicon, word)
        senses = dictionary.define(word)
        meaning = [Text(senses[0].meaning if senses else "")] if dictionary.installed else []
        table.add_row(found.front, word, found.back, *meaning)
    console = Console()
    if words:
        console.print(table)
    left = f", of which {most} are shown; --most lists more" if len(words) > most else ""
    console.print(f"{len(words):,} words{left}", highlight=False)


def _shortened(words: Sequence[str], most: int) -> str:
    more = f" and {len(words) - most:,} more" if len(words) > most else ""
    return (" ".join(words[:most]) or "none") + more


def _refuse(error: Exception, parameter: str) -> NoReturn:
    raise typer.BadParameter(str(error), param_hint=parameter) from error
