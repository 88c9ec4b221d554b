"""How a game of each kind is opened, and how a move is made by hand."""

from tests.browser import fribble, letterpress
from tests.browser.seat import Seat


def open_wibble(me: Seat) -> str:
    return me.open("zen")


def send_wibble(me: Seat) -> None:
    me.drag(me.word().cells)


def open_letterpress(me: Seat) -> str:
    return letterpress.open_game(me, "1")


def send_letterpress(me: Seat) -> None:
    me.type("teams")
    me.press("Enter")


def open_scrabblet(me: Seat) -> str:
    answer = me.page.request.post(f"{me.url}/scrabblet/play", form={"hand": "crpeitn"})
    me.visit(answer.url)
    return answer.url


def send_scrabblet(me: Seat) -> None:
    me.type("price")
    me.press("Enter")


def open_fribble(me: Seat) -> str:
    return fribble.open_game(me, "1")


def send_fribble(me: Seat) -> None:
    fribble.type_move(me, fribble.best(me))
    me.press("Enter")


def has_moved(seat: Seat, ply: int) -> None:
    """Return when the page shows a later ply; a bot may have answered already."""
    seat.page.wait_for_function("(ply) => +document.querySelector('#table')?.dataset.ply > ply", arg=ply)
