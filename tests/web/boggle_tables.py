"""Games of Boggle on a known board, opened and played through the pages."""

import re

from fastapi.testclient import TestClient

from tests.web.browsing import join, send_move, start_game

#  p e r s
#  l a t g
#  s i n e
#  t e r s
BOARD = "pers latg sine ters"
SLATE = "8,4,5,6,1"


def open_board(client: TestClient, *opponents: str, **fields: str) -> str:
    """Open a game on a known board; return its address."""
    return start_game(client, "/boggle/play", **{"board": BOARD, **fields, "opponents": list(opponents)})


def begin_round(client: TestClient, address: str) -> None:
    send_move(client, address, type="start").raise_for_status()


def duel(client: TestClient, stranger: TestClient, **fields: str) -> str:
    address = open_board(client, "friend", **fields)
    join(stranger, client, address)
    return address


def letters(page: str) -> str:
    """The letters of the board that one plays on."""
    return "".join(re.findall(r'data-cell="\d+" data-letter="(\w+)"', page))


def found(page: str) -> list[str]:
    return re.findall(r'data-found="(\w+)"', page)
