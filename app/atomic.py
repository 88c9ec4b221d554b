"""Writes files so that a reader sees the old content or the new one, never a part."""

from pathlib import Path
from shutil import copymode
from tempfile import TemporaryDirectory


def write_file(file: Path, content: bytes) -> None:
    """Write ``content`` and create the folders above it. Raises OSError; the file is then as it was."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=file.parent, prefix=".writing-") as folder:
        path = Path(folder) / file.name
        path.write_bytes(content)
        if file.exists():
            copymode(file, path)
        path.replace(file)
