"""Writes files so that a reader sees the old content or the new one, never a part."""

from pathlib import Path
from tempfile import NamedTemporaryFile


def write_file(file: Path, content: bytes) -> None:
    """Write ``content`` and create the folders above it. Raises OSError; the file is then as it was."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=file.parent, prefix=".writing-", delete=False) as temporary:
        path = Path(temporary.name)
        try:
            temporary.write(content)
            temporary.close()
            path.replace(file)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
