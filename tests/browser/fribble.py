"""Hands at a table of Fribble, and eyes."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.seat import Seat


def open_game(seat: Seat, opponent: str = "friend", **fields: str) -> str:
    """Open a game whose first rack has a word without a blank; its address."""
    for _ in range(10):
        answer = seat.page.request.post(f"{seat.url}/fribble/play", form={"opponent": opponent, **fields})
        seat.visit(answer.url)
        if moves(seat):
            return answer.url
    raise AssertionError("no word in ten racks")


def with_blank(seat: Seat) -> str:
    """Open games until one is dealt a blank; the rack."""
    for _ in range(300):
        open_game(seat, "1")
        if "?" in seat.data("rack"):
            return seat.data("rack")
    raise AssertionError("no blank in 300 racks")


def together(sit: Sit, **options: Any) -> tuple[Seat, Seat]:
    """Two who sit at one table; the first begins."""
    me, friend = sit(**options), sit(**options)
    sit_down(me, friend)
    return me, friend


def sit_down(me: Seat, friend: Seat) -> None:
    open_game(me)
    friend.join(me)
    me.await_turn()


def moves(seat: Seat) -> list[dict[str, Any]]:
    """The best move there is without a blank, from the engine, if there is any."""
    game = seat.page.request.get(f"{seat.url}/api/games/{seat.data('game')}").json()["view"]
    asked = {"board": game["board"], "rack": game["rack"].replace("?", ""), "top": 1}
    answer = seat.page.request.post(f"{seat.url}/api/fribble/moves", data=asked)
    found: list[dict[str, Any]] = answer.json()["moves"]
    return found


def best(seat: Seat) -> dict[str, Any]:
    return moves(seat)[0]


def stand(seat: Seat, cell: int, way: str) -> None:
    """Make a square the one in use, with the word going that way."""
    square(seat, cell).click()
    if seat.page.locator("#board").get_attribute("data-way") != way:
        square(seat, cell).click()
    expect(seat.page.locator("#board")).to_have_attribute("data-way", way)


def type_move(seat: Seat, move: dict[str, Any]) -> None:
    stand(seat, move["placed"][0]["cell"], "across" if move["coordinate"][0].isdigit() else "down")
    seat.type("".join(tile["letter"] for tile in move["placed"]))


def play(seat: Seat) -> dict[str, Any]:
    """Type the best move and play it."""
    move, ply = best(seat), seat.ply
    type_move(seat, move)
    seat.press("Enter")
    seat.await_ply(ply + 1)
    return move


def square(seat: Seat, cell: int) -> Any:
    return seat.page.locator(f"#square-{cell}")


def laid(seat: Seat) -> dict[int, str]:
    """The letters laid and not yet played, by cell."""
    found: dict[str, str] = seat.page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('#board .fri-tile--laid')]"
        ".map((one) => [one.id.slice(7), one.textContent]))"
    )
    return {int(cell): letter for cell, letter in found.items()}


def rack(seat: Seat) -> str:
    """The tiles on the rack as they lie there."""
    found: str = seat.page.evaluate(
        "[...document.querySelectorAll('#rack .fri-tile:not([hidden])')]"
        ".map((one) => one.dataset.tile).join('')"
    )
    return found


def middle(seat: Seat, selector: str) -> tuple[float, float]:
    box = seat.page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(seat: Seat, start: str, end: str, *, let_go: bool = True) -> None:
    mouse = seat.page.mouse
    mouse.move(*middle(seat, start))
    mouse.down()
    mouse.move(*middle(seat, end), steps=6)
    if let_go:
        mouse.up()


def lay(seat: Seat, *cells: int) -> None:
    """Lay tiles that are no blanks on these squares, by tapping."""
    for cell in cells:
        seat.page.locator("#rack .fri-tile:not([hidden], .fri-tile--blank)").first.click()
        square(seat, cell).click()
    assert set(cells) <= set(laid(seat))


def recall(seat: Seat) -> None:
    seat.page.locator("#shuffle").click()
    assert laid(seat) == {}


def give_up(seat: Seat) -> None:
    seat.page.locator("#more").click()
    seat.finish()
