"""Word studies of ``wibble words``: anagrams, hooks, patterns, stems, lists, statistics, definitions."""

from collections.abc import Sequence
from typing import Annotated, Final

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from app.grammar import format_count, format_rounded
from app.settings import Settings
from app.terminal import output
from app.terminal.arguments import load_lexicon, refuse
from app.terminal.output import Json
from app.words.definitions import Dictionary, wiktionary
from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon
from app.words.library import DEFAULT_LEXICON
from app.words.patterns import BadLetters, matching
from app.words.studies import (
    Words,
    anagrams,
    beginnings,
    bingos,
    extensions,
    hooks,
    statistics,
    stems,
)
from app.words.study_lists import STUDY_LISTS, ListName, Order, study_list
from app.words.vocabulary import Level

LexiconName = Annotated[str, typer.Option(help="Word list (see: wibble words list).")]
Limit = Annotated[int, typer.Option(help="Number of words to list.", min=1, max=10_000)]
"""More would take minutes: each has its hooks looked up and its columns laid out."""
_LIMIT: Final = 100
_COMMONEST: Final = 5
"""Number of the commonest beginnings in the statistics."""


def anagram(
    letters: Annotated[str, typer.Argument(help="Letters, and ? for a blank.")],
    min_length: Annotated[
        int | None, typer.Option(help="Minimum word length [default: use all letters].", min=1)
    ] = None,
    limit: Limit = _LIMIT,
    lexicon: LexiconName = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002 - Typer style
) -> None:
    """List the words that can be made from the letters, with their hooks."""
    loaded = load_lexicon(lexicon)
    try:
        found = anagrams(loaded, letters.lower(), min_length)
    except BadLetters as error:
        refuse(error, "LETTERS")
    _list(loaded, found, limit, as_json=as_json)


def hook(
    word: Annotated[str, typer.Argument(help="A word, or any letters.")],
    limit: Limit = 20,
    lexicon: LexiconName = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002 - Typer style
) -> None:
    """Show the hooks of a word: letters that extend it, and longer words that contain it."""
    loaded, folded = load_lexicon(lexicon), word.lower()
    try:
        found, longer = hooks(loaded, folded), extensions(loaded, folded)
    except BadLetters as error:
        refuse(error, "WORD")
    if as_json:
        output.print_json(
            {
                "word": folded,
                "valid": folded in loaded,
                **found._asdict(),
                "extensions": {end: output.listed(words, limit) for end, words in longer._asdict().items()},
            }
        )
        return
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    rows = {
        "Word": "yes" if folded in loaded else "no",
        "Front hooks": found.front or "none",
        "Back hooks": found.back or "none",
        "Without its first letter": folded[1:] if found.without_first else "not a word",
        "Without its last letter": folded[:-1] if found.without_last else "not a word",
        "Ending with it": _shortened(longer.front, limit),
        "Beginning with it": _shortened(longer.back, limit),
        "With it inside": _shortened(longer.both, limit),
    }
    for name, value in rows.items():
        table.add_row(name, Text(value))
    output.console().print(table)


def pattern(
    text: Annotated[
        str,
        typer.Argument(
            metavar="PATTERN", help="? any letter, * any number of them, [ab] one of these, [^ab] none."
        ),
    ],
    limit: Limit = _LIMIT,
    lexicon: LexiconName = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002 - Typer style
) -> None:
    """List the words that match a pattern, such as q[^u]*, with their hooks."""
    loaded = load_lexicon(lexicon)
    try:
        found = matching(loaded, text.lower())
    except BadLetters as error:
        refuse(error, "PATTERN")
    _list(loaded, found, limit, as_json=as_json)


def stem(
    letters: Annotated[str | None, typer.Argument(help="A stem; without it, list the best stems.")] = None,
    limit: Limit = 20,
    lexicon: LexiconName = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002 - Typer style
) -> None:
    """Show the bingos of a stem with each letter, or list the best six-letter stems."""
    loaded, console = load_lexicon(lexicon), output.console()
    if letters is None and as_json:
        output.print_json([found._asdict() for found in stems(loaded)[:limit]])
        return
    if letters is None:
        table = Table("Stem", box=SIMPLE_HEAD)
        table.add_column("Letters", justify="right")
        table.add_column("Words", justify="right")
        table.add_column("With")
        for found in stems(loaded)[:limit]:
            partners = found.with_letters
            table.add_row(found.letters, str(len(partners)), str(found.words), partners)
        console.print(table)
        return
    try:
        made = bingos(loaded, letters.lower())
    except BadLetters as error:
        refuse(error, "LETTERS")
    without = "".join(letter for letter in ALPHABET if letter not in made)
    if as_json:
        bingos_with = {letter: output.listed(words, limit) for letter, words in made.items()}
        output.print_json({"stem": letters.lower(), "with": bingos_with, "without": without})
        return
    table = Table("With", "Words", box=SIMPLE_HEAD)
    for letter, words in made.items():
        table.add_row(letter, _shortened(words, limit))
    console.print(table)
    console.print(f"{format_count(len(made), 'letter')}; none with {without or 'no letter'}", highlight=False)


def study(
    name: Annotated[
        ListName | None, typer.Argument(help="A study list; without it, list them.", show_default=False)
    ] = None,
    length: Annotated[
        int | None, typer.Option(help="List only words of this length.", min=2, show_default=False)
    ] = None,
    level: Annotated[Level, typer.Option(help="List only words known at this level.")] = "everything",
    order: Annotated[Order, typer.Option(help="The order of the words.")] = "usual",
    limit: Limit = _LIMIT,
    lexicon: LexiconName = DEFAULT_LEXICON,
    as_json: Json = False,  # noqa: FBT002 - Typer style
) -> None:
    """List words worth learning first: two letters, Q without U, vowel dumps, bingo stems."""
    if name is not None:
        loaded = load_lexicon(lexicon)
        found = study_list(loaded, name, length=length, level=level, order=order)
        _list(loaded, Words(loaded, found), limit, as_json=as_json)
        return
    if as_json:
        output.print_json([{"name": each, **kept._asdict()} for each, kept in STUDY_LISTS.items()])
        return
    table = Table("Name", "Words", box=SIMPLE_HEAD)
    for each, kept in STUDY_LISTS.items():
        table.add_row(each, kept.about)
    output.console().print(table)


def stats(
    lexicon: LexiconName = DEFAULT_LEXICON,
    list_beginnings: Annotated[  # noqa: FBT002
        bool,
        typer.Option(
            "--beginnings", help="List the number of words for every four-letter beginning instead."
        ),
    ] = False,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Show statistics of a word list: lengths, plurals, letters, anagrams, beginnings."""
    loaded, console = load_lexicon(lexicon), output.console()
    four = beginnings(loaded)
    if list_beginnings:
        if as_json:
            output.print_json({"lexicon": loaded.name, "beginnings": four})
            return
        for letters, count in four.items():
            typer.echo(f"{letters} {count}")
        return
    found = statistics(loaded)
    if as_json:
        output.print_json({"lexicon": loaded.name, **found._asdict()})
        return
    commonest = sorted(four, key=lambda letters: -four[letters])[:_COMMONEST]
    lines = {
        "Words": f"{found.words:,}",
        "Valid with an s added": f"{found.plurals:,} "
        f"({_percent(found.plurals_share)} of words are such plurals)",
        "With an anagram": f"{found.anagrams:,}",
        "Without a, e, i, o, u": f"{found.vowelless:,}",
        "Longest": " ".join(found.longest),
        "Beginnings of four letters": f"{len(four):,} of {26**4:,}; most words: "
        + ", ".join(f"{letters} {four[letters]:,}" for letters in commonest),
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
    console.print(
        " ".join(f"{letter} {_percent(found.letters[letter])}" for letter in by_share), highlight=False
    )


def define(
    words: Annotated[list[str], typer.Argument(metavar="WORD", help="Words, in upper or lower case.")],
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Show WordNet's definitions of words (see: wibble words install-meanings), or a link to Wiktionary."""
    dictionary = Settings().dictionary()
    folded = [word.lower() for word in words]
    for word in folded:
        if not (word and set(word) <= set(ALPHABET)):
            refuse(f"{word!r} is not a word; accepted: letters a to z", "WORD")
    if as_json:
        output.print_json(
            [
                {"word": word, "senses": _senses(dictionary, word), "definition": wiktionary(word)}
                for word in folded
            ]
        )
        return
    console = output.console()
    for word in folded:
        senses = dictionary.define(word)
        for sense in senses:
            form = "" if sense.lemma == word else f" of {sense.lemma}"
            console.print(Text(f"{word} ({sense.part}{form}): {sense.meaning}"), soft_wrap=True)
        if not senses:
            console.print(Text(f"{word}: {wiktionary(word)}"), soft_wrap=True)


def _senses(dictionary: Dictionary, word: str) -> list[dict[str, str]]:
    return [sense._asdict() for sense in dictionary.define(word)]


def _list(lexicon: Lexicon, words: Sequence[str], limit: int, *, as_json: bool) -> None:
    """Print words with their hooks and, if a dictionary is installed, their first meaning."""
    dictionary = Settings().dictionary()
    rows = []
    for word in words[:limit]:
        found, senses = hooks(lexicon, word), dictionary.define(word)
        meaning = senses[0].meaning if senses else None
        rows.append({"front": found.front, "word": word, "back": found.back, "meaning": meaning})
    if as_json:
        output.print_json({"count": len(words), "words": rows})
        return
    table = Table(box=SIMPLE_HEAD)
    table.add_column("Front", justify="right", style="dim")
    table.add_column("Word", no_wrap=True)
    table.add_column("Back", style="dim")
    if dictionary.installed:
        table.add_column("Meaning")
    for row in rows:
        meaning_cell = [Text(row["meaning"] or "")] if dictionary.installed else []
        table.add_row(row["front"], row["word"], row["back"], *meaning_cell)
    console = output.console()
    if words:
        console.print(table)
    left = f", {limit} shown; use --limit to list more" if len(words) > limit else ""
    console.print(f"{format_count(len(words), 'word')}{left}", highlight=False)


def _shortened(words: Sequence[str], limit: int) -> str:
    more = f" and {len(words) - limit:,} more" if len(words) > limit else ""
    return (" ".join(words[:limit]) or "none") + more


def _percent(share: float) -> str:
    return f"{format_rounded(100 * share, 1)}%"
