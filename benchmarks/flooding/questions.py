"""What a flood is made of: requests as plain values, which go to the flooder's process as JSON."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode


class Question(NamedTuple):
    """A request."""

    method: str
    path: str
    body: str = ""
    content_type: str = ""
    cookie: str = ""
    is_stream: bool = False
    """Whether the answer never ends: it is hung up on at its first event."""

    @property
    def headers(self) -> str:
        """As they are sent, each a whole line."""
        accepted = "text/event-stream" if self.is_stream else "text/html, application/json"
        lines = f"Accept: {accepted}\r\nAccept-Encoding: gzip\r\n"
        if self.content_type:
            lines += f"Content-Type: {self.content_type}\r\n"
        if self.cookie:
            lines += f"Cookie: {self.cookie}\r\n"
        return lines


Questions = Sequence[Question]


def get(path: str, cookie: str = "", **query: Any) -> Question:
    """As a browser or a program reads."""
    return Question("GET", f"{path}?{urlencode(query)}" if query else path, cookie=cookie)


def send(path: str, body: Any, cookie: str = "", method: str = "POST") -> Question:
    """As a program writes."""
    return Question(method, path, json.dumps(body), "application/json", cookie)


def submit(path: str, cookie: str = "", **fields: Any) -> Question:
    """As a page's form writes."""
    return Question("POST", path, urlencode(fields, doseq=True), "application/x-www-form-urlencoded", cookie)


def text(path: str, body: str) -> Question:
    """As a program sends a record."""
    return Question("POST", path, body, "text/plain")


def listen(path: str, cookie: str = "") -> Question:
    """As a page waits for news."""
    return Question("GET", path, cookie=cookie, is_stream=True)
