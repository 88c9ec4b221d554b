"""A TCP proxy between clients and a server, which a test can break."""

import socket
import threading
from contextlib import suppress
from typing import Literal


class TcpProxy:
    """Forwards TCP connections to a port that may change, such as that of a restarted server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.mode: Literal["pass", "refuse", "swallow"] = "pass"
        """With ``swallow``, requests are forwarded, but connections are cut when the response arrives."""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break all connections."""
        for connection in list(self._open):
            _end(connection)

    def close(self) -> None:
        """Stop accepting connections, and break the existing ones."""
        _end(self._listening)
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        if self.mode == "refuse":
            _end(client)
            return
        try:
            server = socket.create_connection(("127.0.0.1", self.port))
        except OSError:
            _end(client)
            return
        self._open |= {client, server}
        threading.Thread(target=self._pass_on, args=(client, server, False), daemon=True).start()
        self._pass_on(server, client, answers=True)
        self._open -= {client, server}

    def _pass_on(self, source: socket.socket, target: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                if answers and self.mode == "swallow":
                    break
                target.sendall(data)
        _end(source)
        _end(target)


def _end(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
