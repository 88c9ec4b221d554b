"""Checkpoints: partial results of a command stopped by Ctrl+C, for the next run of the same command."""

import json
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from pydantic_core import to_json

from app.atomic import write_file
from app.settings import Settings


class Checkpoint:
    """A file in the cache directory, named by the command and a hash of all inputs of its results."""

    def __init__(self, command: str, **inputs: Any) -> None:
        digest = sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()[:16]
        self.file: Final[Path] = Settings().cache_dir / "stopped" / f"{command}-{digest}.json"

    def load(self) -> Any:
        """Return the saved document; None if there is none or the file is damaged."""
        try:
            return json.loads(self.file.read_bytes())
        except (OSError, ValueError):
            return None

    def save(self, document: Any) -> bool:
        """Write the file. Returns False if the cache directory is not writable."""
        with suppress(OSError):
            write_file(self.file, to_json(document, fallback=_to_list))
            return True
        return False

    def remove(self) -> None:
        """Delete the file if it exists."""
        with suppress(OSError):
            self.file.unlink(missing_ok=True)


def _to_list(array: Any) -> Any:
    return array.tolist()
