"""Servers that start in no time, forked from a process that has loaded everything already.

Run as a program this module is that process, the stem: it reads orders from standard input, a JSON object a
line, and answers each with a number: the process that serves, or how one has ended.
"""

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import cache
from typing import Any

import httpx

from tests.serving import START_SECONDS, Served, free_port


class Forked(Served):
    """``wibble serve`` as ``Served`` has it; to start it costs a fork, so it may be stopped often."""

    _child: int | None = None
    stuck = False
    """Whether a thread is to work there that never ends, whatever it is told."""
    patience = 1
    """How many times as long as usual its end may take before connections and the process are cut off."""

    def fork(self) -> None:
        """Begin to serve, and do not wait for it."""
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.log.parent.mkdir(parents=True, exist_ok=True)
        own = {name: value for name, value in self.environment.items() if os.environ.get(name) != value}
        self._child = _ask(
            port=port, environment=own, log=str(self.log), stuck=self.stuck, patience=self.patience
        )

    def start(self) -> None:
        """Serve; returns when the server answers."""
        self.fork()
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            with suppress(httpx.TransportError):
                httpx.get(f"{self.url}/healthz", timeout=START_SECONDS)
                return
            time.sleep(0.02)
        raise AssertionError(f"the server does not answer: {self.log.read_text()}")

    @property
    def process(self) -> int:
        """The number of the process that serves."""
        assert self._child is not None
        return self._child

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        os.kill(self.process, number)

    def ended(self) -> int:
        """Wait for its end, and tell its exit status; minus the signal where one has ended it."""
        status = _ask(wait=self.process)
        self._child = None
        return status

    def kill(self) -> None:
        """End it as a power cut would: no handler runs."""
        self.send(signal.SIGKILL)
        self.ended()

    def stop(self) -> None:
        """End it as an operator would."""
        if self._child is not None:
            self.send(signal.SIGTERM)
            self.ended()


@cache
def _stem() -> subprocess.Popen[str]:
    stem = subprocess.Popen(
        [sys.executable, "-m", "tests.forked"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    atexit.register(stem.communicate)
    return stem


def _ask(**order: Any) -> int:
    stem = _stem()
    assert stem.stdin is not None
    assert stem.stdout is not None
    stem.stdin.write(f"{json.dumps(order)}\n")
    stem.stdin.flush()
    return int(stem.stdout.readline())


def main() -> None:
    """Load everything once; then fork as ordered."""
    import app.main  # noqa: PLC0415 - so that the children have it; who orders has no need of it
    from app.commands.serve import serve  # noqa: PLC0415
    from app.games.kernel import warm_up  # noqa: PLC0415
    from app.settings import Settings  # noqa: PLC0415
    from app.web.live import shutdown  # noqa: PLC0415

    _ = Settings().library().load().gaddag  # in the cache from now on
    warm_up()
    for line in sys.stdin:
        order = json.loads(line)
        if "wait" in order:
            answer = os.waitstatus_to_exitcode(os.waitpid(order["wait"], 0)[1])
        elif (answer := os.fork()) == 0:
            break
        print(answer, flush=True)  # noqa: T201 - the answer
    else:
        return
    os.environ.update(order["environment"])
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for number, target in ((os.open(os.devnull, os.O_RDONLY), 0), (log, 1), (log, 2)):
        os.dup2(number, target)
    vars(app.main)["PROCESS_ENDS_AFTER"] *= order["patience"]
    vars(shutdown)["CONNECTIONS_CLOSE_AFTER"] *= order["patience"]
    if order["stuck"]:
        threading.Thread(target=threading.Event().wait).start()
    serve(host=None, port=order["port"], workers=1)


if __name__ == "__main__":
    main()
