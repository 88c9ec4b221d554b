"""Checks of arguments that several commands share. Invalid input exits with status 2."""

from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final, NoReturn

import typer
from rich.console import Console
from rich.markup import escape

from app.atomic import write_file
from app.grammar import without_long_words
from app.settings import Settings
from app.words.lexicon import Lexicon
from app.words.library import DamagedLexicon, UnknownLexicon

ACCEPTING_IDS: Final = {"ignore_unknown_options": True}
"""Context settings of commands with an ID as an argument: one ID in 64 begins with a hyphen."""


def refuse(reason: str | Exception, parameter: str) -> NoReturn:
    """Raise BadParameter, which exits with status 2."""
    raise typer.BadParameter(str(reason), param_hint=parameter)


def fail(reason: str) -> NoReturn:
    """Print an error that is not about an argument, and exit with status 2."""
    shown = escape(without_long_words(reason))
    Console(stderr=True).print(f"[red]Error[/]: {shown}", highlight=False, soft_wrap=True)
    raise typer.Exit(2)


def load_lexicon(name: str) -> Lexicon:
    """Load the word list given as --lexicon. Raises BadParameter."""
    try:
        return Settings().library().load(name)
    except (UnknownLexicon, DamagedLexicon) as error:
        refuse(error, "--lexicon")


@lru_cache(maxsize=2)
def pinned_lexicon(name: str, sha256: str) -> Lexicon:
    """Load a word list by the hash of its content, in a worker process. Raises UnknownLexicon."""
    return Settings().library().load(name, sha256)


def engine_lexicon(name: str) -> Lexicon:
    """Load the word list given as --lexicon and compile the engines. Raises BadParameter."""
    from app.games.kernel import warm_up  # noqa: PLC0415 - imports Numba

    lexicon = load_lexicon(name)
    with Console(stderr=True).status("Loading the engine"):
        warm_up()
    return lexicon


def check_savable(file: Path | None) -> None:
    """Check before a game that it can be saved to the file given as --save. Raises BadParameter."""
    if file is None:
        return
    try:
        if file.exists() or file.is_symlink():
            refuse(f"{file} already exists; name a new file", "--save")
        if not file.absolute().parent.is_dir():
            refuse(f"the folder {file.parent} does not exist", "--save")
    except OSError as error:  # such as a name that is too long
        refuse(f"{file}: {error.strerror}", "--save")


def check_writable(file: Path | None, ending: str = "", option: str = "--out") -> None:
    """Check before long work that the file given as an option can be written. Raises BadParameter."""
    if file is None:
        return
    if not file.name.endswith(ending):
        refuse(f"{file}: the name must end in {ending}", option)
    try:
        is_new = not file.exists()
        if file.is_file():
            TemporaryFile(dir=file.resolve().parent).close()  # as ``write_out`` does
        if is_new or file.is_file():  # for the reader of a named pipe, closing it would end the output
            file.open("ab").close()
        if is_new:
            file.resolve().unlink()  # the file that was created, not a link to it
    except OSError as error:
        refuse(f"{file}: {error.strerror}", option)


def write_out(file: Path, content: bytes, option: str = "--out") -> None:
    """Write the file given as an option, atomically if it is a regular file. Raises BadParameter."""
    try:
        if file.is_file() or not file.exists():
            write_file(file.resolve(), content)
        else:
            file.write_bytes(content)
    except OSError as error:
        refuse(f"{file}: {error.strerror}", option)
