"""A game as the store knows it, and what the store refuses."""

import math
from dataclasses import dataclass, replace
from datetime import date
from hmac import compare_digest
from typing import Any, Final, NamedTuple

from app.games.game import OutOfTurn
from app.games.rulebook import AnyGame


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table: free, a player's or a bot's."""

    player_id: str | None = None
    bot_level: int | None = None
    """1 to 5."""
    nickname: str | None = None
    """What the player calls themselves."""

    @property
    def is_free(self) -> bool:
        """Whether somebody may still sit down here."""
        return self.player_id is None and self.bot_level is None


class Remark(NamedTuple):
    """A line said at the table."""

    seat: int
    line: int
    """Its number among the lines there are to say."""
    at: float


@dataclass(frozen=True, slots=True)
class TableSettings:
    """How those at a table have agreed to play, whatever the game."""

    turn_limit: int | None = None
    """Seconds after which a seat that does not move may be claimed; None waits for ever."""
    listed: bool = False
    """Whether anybody may take a free seat, without the invitation."""


NO_TURN_LIMIT: Final = TableSettings()
"""Those who are invited, waiting for each other for as long as it takes."""


@dataclass(frozen=True, slots=True)
class Table:
    """One game with its seats, at one moment."""

    id: str
    kind: str
    seed: str
    created_at: float
    finished_at: float | None
    seats: tuple[Seat, ...]
    invitation: str | None
    """The token that lets others sit down; None where there is nobody to invite."""
    game: AnyGame
    state: Any
    moved_at: float
    """When the latest move was made, or the table last changed."""
    day: date | None = None
    """The day whose ranked daily this is; None for any other game."""
    settings: TableSettings = NO_TURN_LIMIT
    remarks: tuple[Remark, ...] = ()
    """What was said, in order."""
    asked: int = 0
    """Counts what has changed about its rematches."""

    def seat_of(self, player_id: str | None) -> int | None:
        """Where a player sits; None for a watcher."""
        if player_id is None:
            return None
        return next((seat for seat, taken in enumerate(self.seats) if taken.player_id == player_id), None)

    def opened_by(self, player_id: str) -> "Table":
        """The table with who opens it on the first seat, unless a bot has that."""
        first, *others = self.seats
        return replace(self, seats=(Seat(player_id), *others)) if first.is_free else self

    def admit(self, invitation: str | None) -> None:
        """Raise WrongInvitation for who may not take a seat: at a listed table nobody need be invited."""
        if invitation is None:
            if not self.settings.listed:
                raise WrongInvitation("this table is for who is invited")
        elif self.invitation is None or not compare_digest(self.invitation.encode(), invitation.encode()):
            raise WrongInvitation("this invitation is not for this table: ask for the link again")

    @property
    def is_full(self) -> bool:
        """Whether no seat is free any more."""
        return self.free_seat is None

    @property
    def bot_to_move(self) -> tuple[int, int] | None:
        """The seat and the level of the bot that the game waits for; None where it waits for no bot."""
        seat = self.game.to_move(self.state) if self.is_full and self.finished_at is None else None
        level = None if seat is None else self.seats[seat].bot_level
        return None if seat is None or level is None else (seat, level)

    @property
    def free_seat(self) -> int | None:
        """The first seat that nobody has taken; at a game that is over there is none to take."""
        if self.finished_at is not None:
            return None
        return next((seat for seat, taken in enumerate(self.seats) if taken.is_free), None)

    @property
    def may_be_closed(self) -> bool:
        """Whether the table still waits, and nobody but its opener and bots has sat down."""
        people = [seat for seat, taken in enumerate(self.seats) if taken.player_id is not None]
        return not self.is_full and people == [0]

    @property
    def version(self) -> str:
        """Changes with every ply, every seat taken, every word said and all that is told of a rematch."""
        ply, seated, said, asked = self.stage
        return f"{ply}-{seated}" + (f"-{said}" if said or asked else "") + (f"-{asked}" if asked else "")

    @property
    def stage(self) -> tuple[int, int, int, int]:
        """Plies, seats taken, words said, news of a rematch: of two of a game the greater is the later."""
        seated = sum(not seat.is_free for seat in self.seats)
        return self.state.ply, seated, len(self.remarks), self.asked

    @property
    def claimable_at(self) -> float | None:
        """When the game may be claimed from the seat that is to move.

        None where it may not: nothing was agreed, a bot is on turn, or a clock of the game's own runs.
        """
        mover = self.game.to_move(self.state)
        timed = self.settings.turn_limit is not None and self.is_full and len(self.seats) > 1
        if not timed or mover is None or self.seats[mover].player_id is None:
            return None
        if self.game.due(self.state, math.inf) is not None:
            return None
        return self.moved_at + (self.settings.turn_limit or 0)

    def view(self, player_id: str | None) -> Any:
        """The game as that player may see it."""
        return self.game.view(self.state, self.seat_of(player_id))


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """One line of a game's log."""

    ply: int
    seat: int
    move: Any
    at: float


class UnknownGame(LookupError):
    """There is no game with that identifier."""


class Unplayable(UnknownGame):
    """The game is kept, but needs a word list or a preset that is not here; the text says which."""


class NotYourSeat(PermissionError):
    """Who asks does not sit where the move is made."""


class WrongInvitation(LookupError):
    """The link's token is not this table's."""


class TooEarly(Exception):
    """Something may be done, but not yet; the text says when."""


class TooMuch(Exception):
    """Enough of it; the text says how much there may be."""


class StalePly(Exception):
    """The move was meant for an earlier position; ``table`` is the game as it stands."""

    def __init__(self, table: Table, ply: int) -> None:
        super().__init__(f"the move was for ply {ply}, but the game is at ply {table.state.ply}")
        self.table = table


class Refused(Exception):
    """The rules refuse the move at this moment; ``table`` is the game as it stands."""

    def __init__(self, table: Table, refusal: OutOfTurn) -> None:
        super().__init__(refusal.reason)
        self.table = table
