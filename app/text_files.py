"""Reads text files that a user names."""

from pathlib import Path


class Unreadable(ValueError):
    """The file cannot be read as text; the message says why."""


def read_text(file: Path) -> str:
    """The text of a file. Raises Unreadable."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise Unreadable(str(error.strerror)) from None
    except UnicodeDecodeError:
        raise Unreadable("not a UTF-8 text file") from None
