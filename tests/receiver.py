"""An HTTP server that records its requests, in place of a push service or a webhook."""

import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple


class Received(NamedTuple):
    """A received request."""

    path: str
    headers: dict[str, str]
    """Headers by lower-case name."""
    body: bytes


class Receiver:
    """Answers every POST with ``status``, after calling ``before_answer``."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.status = 201
        self.before_answer: Callable[[], object] = lambda: None
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                receiver.requests.append(Received(self.path, headers, body))
                receiver.before_answer()
                self.send_response(receiver.status)
                if 300 <= receiver.status < 400:
                    self.send_header("Location", f"{receiver.url}/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def wait_for(self, number: int, seconds: float = 60.0) -> list[Received]:
        """Wait for this number of requests; return them."""
        end = time.monotonic() + seconds
        while len(self.requests) < number:
            assert time.monotonic() < end, f"{len(self.requests)} of {number} requests arrived"
            time.sleep(0.02)
        return self.requests

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
