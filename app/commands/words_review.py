"""``wibble words review``: the words players have voted on, and the next version of your own list."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Final

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from app.commands.open_store import open_store
from app.grammar import format_count
from app.settings import Settings
from app.store.word_votes import WordTally, WordVotes
from app.terminal import output
from app.terminal.arguments import refuse
from app.terminal.output import Json
from app.words.letters import ALPHABET
from app.words.lexicon import Lexicon
from app.words.library import DEFAULT_LEXICON, LOCAL, BadName, Library, NoWords, UnknownLexicon
from app.words.neighbours import neighbours
from app.words.scowl import scowl_sizes
from app.words.wordlist import LONGEST, SHORTEST

_NEIGHBOURS: Final = 6
"""Maximum number of neighbours shown in the table."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A word to add to a list or to remove from it."""

    word: str
    add: bool
    votes: int
    rank: int | None
    """Frequency rank, 1 for the commonest; None if unknown."""
    scowl_size: int | None
    """Smallest SCOWL size with the word; None if SCOWL lacks the word or is not installed."""
    neighbours: tuple[str, ...]
    """Words of the list that differ by one letter."""


def review(
    lexicon: Annotated[str, typer.Option(help="The list whose votes to show.")] = DEFAULT_LEXICON,
    add: Annotated[list[str] | None, typer.Option(help="Add this word; may be repeated.")] = None,
    remove: Annotated[list[str] | None, typer.Option(help="Remove this word; may be repeated.")] = None,
    dismiss: Annotated[list[str] | None, typer.Option(help="Delete the votes on this word.")] = None,
    into: Annotated[str | None, typer.Option(help="Your list to write [default: NAME-local].")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Number of words to show.")] = 50,
    as_json: Json = False,  # noqa: FBT002
) -> None:
    """Show the words that players have voted on, and write the next version of your own list.

    A shipped list stays as it is: the words go into your list NAME-local, which begins as a copy of it. Games
    that began with an earlier version keep it.
    """
    settings = Settings()
    library = settings.library()
    try:
        target = into or (f"{lexicon}{LOCAL}" if library.info(lexicon).shipped else lexicon)
    except UnknownLexicon as error:
        refuse(error, "--lexicon")
    added, removed = _words(add, "--add"), _words(remove, "--remove")
    dismissed = _words(dismiss, "--dismiss")
    if both := added & removed:
        refuse(f"{', '.join(sorted(both))}: both to add and to remove", "--add")
    database = open_store(settings)
    try:
        votes = WordVotes(database)
        base = target if _has(library, target) else lexicon
        if added or removed:
            _write(library, target, base, added, removed)
            base = target
        for word in dismissed:
            votes.dismiss(lexicon, word)
        tallies = votes.tallies(lexicon)
    finally:
        database.close()
    current = library.load(base)
    queue = _queue(
        library, current, [tally for tally in tallies if (tally.word in current) is not tally.valid]
    )
    if as_json:
        output.print_json([asdict(one) for one in queue[:limit]])
    elif queue:
        output.console().print(_table(queue[:limit]))
        typer.echo(
            f"{format_count(len(queue), 'word')} to judge for {target}: --add, --remove or --dismiss WORD."
        )
    else:
        typer.echo(f"No votes on {lexicon} to judge.")


def _write(
    library: Library, target: str, base: str, added: Collection[str], removed: Collection[str]
) -> None:
    before = library.load(base)
    for word in sorted({*added} & {*before}):
        refuse(f"{word} is in {base} already", "--add")
    for word in sorted({*removed} - {*before}):
        refuse(f"{word} is not in {base}", "--remove")
    try:
        info = library.revise(target, base, added, removed)
    except BadName as error:
        refuse(error, "--into")
    except NoWords as error:
        refuse(error, "--remove")
    typer.echo(
        f"Wrote {info.name}: {format_count(info.words, 'word')}, version {info.sha256[:12]}. "
        f"New games play with it as lexicon={info.name}.",
        err=True,
    )


def _has(library: Library, name: str) -> bool:
    return any(info.name == name for info in library.names())


def _words(given: Iterable[str] | None, option: str) -> set[str]:
    words = {word.lower() for word in given or ()}
    for word in sorted(words):
        if not (SHORTEST <= len(word) <= LONGEST and set(word) <= set(ALPHABET)):
            refuse(f"{word!r} is not a word; accepted: {SHORTEST} to {LONGEST} letters a to z", option)
    return words


def _queue(library: Library, lexicon: Lexicon, tallies: Sequence[WordTally]) -> list[Suggestion]:
    sizes = scowl_sizes([tally.word for tally in tallies])
    return [
        Suggestion(
            tally.word,
            tally.valid,
            tally.votes,
            library.ranks.get(tally.word),
            sizes.get(tally.word),
            neighbours(lexicon, tally.word),
        )
        for tally in tallies
    ]


def _table(queue: Sequence[Suggestion]) -> Table:
    table = Table("Word", "Votes to", box=SIMPLE_HEAD)
    for name in ("Votes", "Rank", "SCOWL"):
        table.add_column(name, justify="right")
    table.add_column("Neighbours")
    for one in queue:
        near = ", ".join(one.neighbours[:_NEIGHBOURS]) + ("…" if len(one.neighbours) > _NEIGHBOURS else "")
        rank = f"{one.rank:,}" if one.rank else "unknown"
        size = str(one.scowl_size or "none")
        table.add_row(one.word, "add" if one.add else "remove", str(one.votes), rank, size, near)
    return table
