"""What a long command had computed when Ctrl+C stopped it, kept for the same command run again."""

import json
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final

from pydantic_core import to_json

from app.settings import Settings


class Checkpoint:
    """One file in the cache directory, named after a command and everything that its results depend on."""

    def __init__(self, command: str, **inputs: Any) -> None:
        digest = sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()[:16]
        self.file: Final[Path] = Settings().cache_dir / "stopped" / f"{command}-{digest}.json"

    def load(self) -> Any:
        """Return what was saved; None where there is nothing or the file is damaged."""
        try:
            return json.loads(self.file.read_bytes())
        except (OSError, ValueError):
            return None

    def save(self, document: Any) -> bool:
        """Write the file; return whether the cache directory could be written to."""
        with suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self.file.parent, delete=False) as written:
                written.write(to_json(document, fallback=_to_list))
            Path(written.name).replace(self.file)
            return True
        return False

    def remove(self) -> None:
        """Delete the file, if it is there."""
        with suppress(OSError):
            self.file.unlink(missing_ok=True)


def _to_list(array: Any) -> Any:
    """An array as JSON has it."""
    return array.tolist()
