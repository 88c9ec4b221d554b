"""Requests of a flood as plain values, sent to the flooding process as JSON."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode


class Request(NamedTuple):
    """An HTTP request."""

    method: str
    path: str
    body: str = ""
    content_type: str = ""
    cookie: str = ""
    is_stream: bool = False
    """Whether the response is an event stream, which is closed after the first event."""

    @property
    def headers(self) -> str:
        """The header lines."""
        accepted = "text/event-stream" if self.is_stream else "text/html, application/json"
        lines = f"Accept: {accepted}\r\nAccept-Encoding: gzip\r\n"
        if self.content_type:
            lines += f"Content-Type: {self.content_type}\r\n"
        if self.cookie:
            lines += f"Cookie: {self.cookie}\r\n"
        return lines


Requests = Sequence[Request]


def get(path: str, cookie: str = "", **query: Any) -> Request:
    """Return a GET request."""
    return Request("GET", f"{path}?{urlencode(query, doseq=True)}" if query else path, cookie=cookie)


def send(path: str, body: Any, cookie: str = "", method: str = "POST") -> Request:
    """Return a request with a JSON body."""
    return Request(method, path, json.dumps(body), "application/json", cookie)


def submit(path: str, cookie: str = "", **fields: Any) -> Request:
    """Return a form request."""
    return Request("POST", path, urlencode(fields, doseq=True), "application/x-www-form-urlencoded", cookie)


def text(path: str, body: str) -> Request:
    """Return a request with a plain text body."""
    return Request("POST", path, body, "text/plain")


def listen(path: str, cookie: str = "") -> Request:
    """Return a request for an event stream."""
    return Request("GET", path, cookie=cookie, is_stream=True)
