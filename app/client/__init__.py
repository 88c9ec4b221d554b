"""A client of Wibble's public API. Imports nothing from the server."""

from app.client.api import (
    ApiClient,
    ClientError,
    LoggedMove,
    NotWibble,
    Problem,
    Remark,
    RemoteGame,
    SeatInfo,
    Unreachable,
)
from app.client.cookies import BadCookieFile, CookieFile
from app.client.events import EventListener

__all__ = [
    "ApiClient",
    "BadCookieFile",
    "ClientError",
    "CookieFile",
    "EventListener",
    "LoggedMove",
    "NotWibble",
    "Problem",
    "Remark",
    "RemoteGame",
    "SeatInfo",
    "Unreachable",
]
