"""The page driver of a game: what browser tests need to know about each kind to open and play it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from tests.browser.conftest import Sit
from tests.browser.seat import Seat

Table = Callable[[Seat], object]
"""Opens a table."""


class Kind(ABC):
    """How games of one kind are opened and played in a browser."""

    pages: ClassVar[tuple[str, ...]]
    """Addresses of the room's own pages, with the queries that make them look different."""
    request: ClassVar[dict[str, Any]] = {}
    """API fields, besides the kind, of a game that ``ending`` finishes."""
    ending: ClassVar[tuple[dict[str, Any], ...]] = ({"type": "resign"},)
    """Moves that finish such a game, for the API."""
    multiplayer: ClassVar[bool] = True
    """Whether a friend can join a table."""
    timed: ClassVar[dict[str, str]] = {}
    """Form fields of a table whose turns are timed."""
    queues_words: ClassVar[bool] = False
    """Whether words can be sent before the last one is answered, by everybody at the same time."""
    targets: ClassVar[str]
    """Selector of all touch targets."""
    small_targets: ClassVar[dict[int, int]] = {}
    """Minimum size of the targets by screen width, where it is not 44 pixels."""
    scrolls: ClassVar[bool] = False
    """Whether a table may be higher than the screen."""
    motion: ClassVar[str] = "reduce"
    no_shifts_on_input: ClassVar[bool] = False
    """Whether nothing may shift even in response to an input."""
    shifts_for: ClassVar[int] = 1
    """The number of players in ``play_for_a_while``."""

    points_text: ClassVar[str] = "#word-points"
    """Selector of the points of the word in hand."""

    @property
    def name(self) -> str:
        """The kind."""
        return type(self).__module__.rpartition(".")[2]

    @abstractmethod
    def open(self, me: Seat) -> str:
        """Open a game alone or against a bot, begin it, and return its address."""

    def open_table(self, me: Seat, **fields: str) -> str:
        """Open a table that waits for a friend, and return its address."""
        raise NotImplementedError

    def sit_down(self, me: Seat, friend: Seat, **fields: str) -> None:
        """Start a game of two players, the first on turn."""
        self.open_table(me, **fields)
        friend.join(me)
        me.await_turn()

    def together(
        self, sit: Sit, fields: Mapping[str, str] | None = None, **options: Any
    ) -> tuple[Seat, Seat]:
        """Return two players in a game, the first on turn. ``options`` are the browsers'."""
        me, friend = sit(**options), sit(**options)
        self.sit_down(me, friend, **(fields or {}))
        return me, friend

    @abstractmethod
    def enter(self, me: Seat) -> None:
        """Enter a first word without sending it."""

    def let_go(self, me: Seat) -> None:
        """Send the word that was entered."""
        me.press("Enter")

    @abstractmethod
    def send(self, me: Seat) -> None:
        """Make a first move, or a second to the same effect."""

    def finish(self, *players: Seat) -> None:
        """End a game."""
        players[0].finish()

    @abstractmethod
    def tour(self, sit: Sit, **options: Any) -> Iterator[Seat]:
        """Play a game to its end; yield a player wherever a page looks different."""

    @abstractmethod
    def play_for_a_while(self, *players: Seat) -> None:
        """Make accepted and refused moves."""

    @property
    def layouts(self) -> dict[str, Table]:
        """The tables that are laid out differently, by name."""
        return {"alone": self.open}


def has_moved(seat: Seat, ply: int) -> None:
    """Wait until the page shows a later ply; a bot may have answered already."""
    seat.page.wait_for_function("(ply) => +document.querySelector('#table')?.dataset.ply > ply", arg=ply)
