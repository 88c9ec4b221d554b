"""Fribble in the browser."""

from collections.abc import Iterator
from typing import Any, ClassVar, Final
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.kind import Kind
from tests.browser.seat import Seat

TEAM: Final = {"turns": "8H FRIBBLE", "first": "theirs", "rack": "EINDRS?"}
"""Query of team mode, which a study board follows, in the middle of a game."""
OVER: Final = {"turns": "8H FRIBBLE\npass\npass\npass"}
"""Query of team mode after a game."""
CENTRE: Final = 112
CORNER: Final = 0
"""Two squares of the board."""


class FribbleKind(Kind):
    pages: ClassVar[tuple[str, ...]] = (
        "/fribble",
        "/fribble/board",
        f"/fribble/team?{urlencode(TEAM)}",
        f"/fribble/team?{urlencode(OVER)}",
        f"/fribble/board?{urlencode({'rack-1': '1', 'position': 'x'})}",
    )
    request: ClassVar[dict[str, Any]] = {"bots": [1]}
    timed: ClassVar[dict[str, str]] = {"turn_seconds": "300"}
    targets: ClassVar[str] = "#rack .tile:not([hidden]), .power"
    small_targets: ClassVar[dict[int, int]] = {320: 36, 360: 40, 1440: 40}
    scrolls: ClassVar[bool] = True
    shifts_for: ClassVar[int] = 2
    points_text: ClassVar[str] = "#preview b"

    def open(self, me: Seat, **fields: str) -> str:
        return self._open(me, opponent="1", **fields)

    def open_table(self, me: Seat, **fields: str) -> str:
        return self._open(me, opponent="friend", **fields)

    def _open(self, me: Seat, **fields: str) -> str:
        """Open a game whose first rack has a word without a blank."""
        for _ in range(10):
            address = me.deal("/fribble/play", **fields)
            if moves(me, address):
                me.visit(address)
                return address
        raise AssertionError("no word in ten racks")

    def enter(self, me: Seat) -> None:
        type_move(me, best(me))

    def send(self, me: Seat) -> None:
        self.enter(me)
        me.press("Enter")

    def finish(self, *players: Seat) -> None:
        give_up(players[0])

    def tour(self, sit: Sit, **options: Any) -> Iterator[Seat]:
        me, friend = self.together(sit, **options)
        address = me.address
        yield me
        self.enter(me)
        expect(me.page.locator("#preview")).to_be_visible()
        yield me
        me.press("Enter")
        friend.await_turn()
        yield friend
        friend.page.locator("#more").click()
        yield friend
        friend.page.locator("#open-exchange").click()
        yield friend
        friend.press("Escape")
        give_up(friend)
        expect(friend.page.locator("#analysis .fri-turn").first).to_be_visible()
        yield friend
        me.page.goto(f"{address}/plies/1")
        yield me

    def play_for_a_while(self, *players: Seat) -> None:
        for one, other in (players, players[::-1]):
            self.enter(one)
            expect(one.page.locator("#preview")).to_be_visible()
            one.press("Enter")
            other.await_turn()


def with_blank(seat: Seat) -> str:
    """Open games until one is dealt a blank and has a word without it; return the rack."""
    for _ in range(300):
        address = seat.deal("/fribble/play", opponent="1")
        if "?" in view(seat, address)["rack"] and moves(seat, address):
            seat.visit(address)
            return seat.data("rack")
    raise AssertionError("no blank in 300 racks")


def view(seat: Seat, address: str) -> dict[str, Any]:
    """What the API shows the player of the game at this address."""
    found: dict[str, Any] = seat.page.request.get(f"{seat.url}/api{urlsplit(address).path}").json()["view"]
    return found


def moves(seat: Seat, address: str) -> list[dict[str, Any]]:
    """The engine's best move without a blank, if there is one."""
    game = view(seat, address)
    asked = {"board": game["board"], "rack": game["rack"].replace("?", ""), "limit": 1}
    answer = seat.page.request.post(f"{seat.url}/api/fribble/moves", data=asked)
    found: list[dict[str, Any]] = answer.json()["moves"]
    return found


def shuffle(seat: Seat) -> None:
    """Shuffle until the tiles lie in another order."""
    before = rack(seat)
    for _ in range(20):
        seat.page.locator("#shuffle").click()
        if rack(seat) != before:
            return
    raise AssertionError(f"{before} stays as it is")


def best(seat: Seat) -> dict[str, Any]:
    return moves(seat, f"/games/{seat.data('game')}")[0]


def move_cursor(seat: Seat, cell: int, way: str) -> None:
    """Select a square and a direction."""
    square(seat, cell).click()
    if seat.page.locator("#board").get_attribute("data-way") != way:
        square(seat, cell).click()
    expect(seat.page.locator("#board")).to_have_attribute("data-way", way)


def type_move(seat: Seat, move: dict[str, Any]) -> None:
    move_cursor(seat, move["placed"][0]["cell"], "across" if move["coordinate"][0].isdigit() else "down")
    seat.type("".join(tile["letter"] for tile in move["placed"]))


def play_best(seat: Seat) -> dict[str, Any]:
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
        "Object.fromEntries([...document.querySelectorAll('#board .tile--laid')]"
        ".map((one) => [one.id.slice(7), one.textContent]))"
    )
    return {int(cell): letter for cell, letter in found.items()}


def rack(seat: Seat) -> str:
    """The tiles on the rack in their order."""
    found: str = seat.page.evaluate(
        "[...document.querySelectorAll('#rack .tile:not([hidden])')].map((one) => one.dataset.tile).join('')"
    )
    return found


def middle(seat: Seat, selector: str) -> tuple[float, float]:
    box = seat.page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(seat: Seat, start: str, end: str, *, release: bool = True) -> None:
    mouse = seat.page.mouse
    mouse.move(*middle(seat, start))
    mouse.down()
    mouse.move(*middle(seat, end), steps=6)
    if release:
        mouse.up()


def lay(seat: Seat, *cells: int) -> None:
    """Lay tiles that are no blanks on these squares, by tapping."""
    for cell in cells:
        seat.page.locator("#rack .tile:not([hidden], .tile--blank)").first.click()
        square(seat, cell).click()
    assert set(cells) <= set(laid(seat))


def recall(seat: Seat) -> None:
    seat.page.locator("#shuffle").click()
    assert laid(seat) == {}


def give_up(seat: Seat) -> None:
    seat.page.locator("#more").click()
    seat.finish()


KIND: Final = FribbleKind()
