"""Servers that start at once, forked from a process that has already loaded everything.

Run as a program, this module is that parent process: it reads commands from standard input, one JSON object
per line, and answers each with a number: the PID of a new server, or the exit status of one that ended.
"""

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from itertools import cycle
from typing import Any

import httpx
import typer
from typer.core import TyperCommand

from tests.servers import START_SECONDS, Served, free_port


class Forked(Served):
    """``Served`` that starts by a fork, so that it can be restarted often."""

    _child: int | None = None
    stuck = False
    """Whether the server runs a thread that never ends."""
    patience = 1
    """Factor for the time that a shutdown may take before connections and the process are cut off."""

    def fork(self) -> None:
        """Start the server without waiting."""
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.log.parent.mkdir(parents=True, exist_ok=True)
        own = {name: value for name, value in self.environment.items() if os.environ.get(name) != value}
        self._child = _send_command(
            port=port, environment=own, log=str(self.log), stuck=self.stuck, patience=self.patience
        )

    def start(self) -> None:
        """Start the server; return when it answers."""
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
        """The PID of the server."""
        assert self._child is not None
        return self._child

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        os.kill(self.process, number)

    def ended(self) -> int:
        """Wait for its end; return its exit status, or minus the signal that ended it."""
        status = _send_command(wait=self.process)
        self._child = None
        return status

    def kill(self) -> None:
        """Kill it, as a power cut would: no handler runs."""
        self.send(signal.SIGKILL)
        self.ended()

    def kill_in_mid_game(
        self, client: httpx.Client, games: list[str], moves: list[dict[str, Any]]
    ) -> list[list[dict[str, Any]]]:
        """Kill it while these moves are made again and again in all games; return the answers by game."""
        answers: list[list[dict[str, Any]]] = [[] for _ in games]

        def keep_moving(game_id: str, answered: list[dict[str, Any]]) -> None:
            with suppress(httpx.TransportError):
                for move in cycle(moves):
                    answer = client.post(f"{self.url}/api/games/{game_id}/moves", json={"move": move})
                    answered.append(answer.json())

        with ThreadPoolExecutor(len(games)) as movers:
            moving = [movers.submit(keep_moving, *each) for each in zip(games, answers, strict=True)]
            while any(len(answered) < 10 for answered in answers):
                assert not any(each.done() for each in moving), "the server is gone"
                time.sleep(0.01)
            self.kill()
        for each in moving:
            each.result()
        return answers

    def stop(self) -> None:
        """Stop it with SIGTERM, as an operator would."""
        if self._child is not None:
            self.send(signal.SIGTERM)
            self.ended()


@cache
def _parent() -> subprocess.Popen[str]:
    parent = subprocess.Popen(
        [sys.executable, "-m", "tests.forked_servers"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(parent.communicate)
    return parent


def _send_command(**command: Any) -> int:
    parent = _parent()
    assert parent.stdin is not None
    assert parent.stdout is not None
    parent.stdin.write(f"{json.dumps(command)}\n")
    parent.stdin.flush()
    return int(parent.stdout.readline())


def main() -> None:
    """Load everything once; then fork servers on command."""
    import app.main  # noqa: PLC0415 - loaded once for all children; tests do not need it
    from app.commands.serve import serve  # noqa: PLC0415
    from app.games.kernel import warm_up  # noqa: PLC0415
    from app.rooms import ROOMS  # noqa: PLC0415
    from app.web.live import shutdown  # noqa: PLC0415
    from app.web.templating import load_templates  # noqa: PLC0415
    from tests.shared_parts import share_lexicons  # noqa: PLC0415

    share_lexicons()
    # The children's applications use the same lexicons, engines, routes, models and templates.
    services = app.main.create_app().state.services
    warm_up()  # only now are the kernels of all games known
    for kind in services.rulebook.games:
        services.rulebook.usual(kind).prepare()
    _ = services.library.load().gaddag  # in the cache from now on
    load_templates()
    gc.collect()
    gc.freeze()  # or the first collection of each child would copy all memory
    for line in sys.stdin:
        command = json.loads(line)
        if "wait" in command:
            answer = os.waitstatus_to_exitcode(os.waitpid(command["wait"], 0)[1])
        elif (answer := os.fork()) == 0:
            break
        print(answer, flush=True)  # noqa: T201 - the answer
    else:
        return
    os.environ.update(command["environment"])
    log = os.open(command["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for number, target in ((os.open(os.devnull, os.O_RDONLY), 0), (log, 1), (log, 2)):
        os.dup2(number, target)
    vars(app.main)["PROCESS_ENDS_AFTER"] *= command["patience"]
    vars(shutdown)["CONNECTIONS_CLOSE_AFTER"] *= command["patience"]
    if command["stuck"]:
        threading.Thread(target=threading.Event().wait).start()
    serve(typer.Context(TyperCommand("serve"), obj=ROOMS), host=None, port=command["port"], workers=1)


if __name__ == "__main__":
    main()
