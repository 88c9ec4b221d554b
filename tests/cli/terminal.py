"""Runs the real command in a pseudo-terminal."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.event_streams import SOON

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A running `wibble`: types lines and waits for output."""

    def __init__(self, data: Path, *arguments: str, module: str = "app.cli") -> None:
        controller, terminal = pty.openpty()
        environment = os.environ | {"WIBBLE_DATA_DIR": str(data), "TERM": "xterm", "COLUMNS": "120"}
        command = [sys.executable, "-m", module, *arguments]
        self._process = subprocess.Popen(
            command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment, start_new_session=True
        )
        os.close(terminal)
        self._terminal = controller
        self.shown = ""
        """All output so far, without control sequences."""
        self._read_to = 0

    def sees(self, pattern: str) -> re.Match[str]:
        """Wait for a match after the last one; fail on timeout or end of output."""
        end = time.monotonic() + 2 * SOON
        while (found := re.compile(pattern).search(self.shown, self._read_to)) is None:
            left = end - time.monotonic()
            assert left > 0, f"no {pattern!r} in:\n{self.shown[self._read_to :]}"
            assert self._read(left), f"ended without {pattern!r}:\n{self.shown[self._read_to :]}"
        self._read_to = found.end()
        return found

    def types(self, line: str) -> None:
        """Type a line and press Enter."""
        os.write(self._terminal, f"{line}\n".encode())

    def presses(self, key: str) -> None:
        """Press Ctrl and a key."""
        os.write(self._terminal, bytes([ord(key.upper()) - ord("@")]))

    def interrupted(self) -> None:
        """Send SIGINT, as Ctrl+C does."""
        self._process.send_signal(signal.SIGINT)

    def ends(self) -> int:
        """Wait for the end; return the exit status."""
        while self._read(SOON):
            pass
        return self._process.wait(SOON)

    def close(self) -> None:
        """Kill the process if it runs."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait(SOON)
        os.close(self._terminal)

    def _read(self, seconds: float) -> bool:
        if not select.select([self._terminal], [], [], seconds)[0]:
            return False
        try:
            read = os.read(self._terminal, 65_536)
        except OSError:  # the other end is closed
            return False
        self.shown = _CONTROL.sub("", self.shown + read.decode(errors="replace").replace("\r", ""))
        return bool(read)
