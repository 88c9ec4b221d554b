"""Domain objects of the store: tables, seats, logged moves, and the errors the store raises."""

import math
from dataclasses import dataclass, field, replace
from datetime import date
from hmac import compare_digest
from typing import Any, Final, NamedTuple

from app.games.game import AnyGame, IllegalMove, OutOfTurn
from app.grammar import numbered


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at a table: free, or taken by a player or a bot."""

    player_id: str | None = None
    bot_level: int | None = None
    """1 to 5."""
    nickname: str | None = None
    """The player's name as others see it."""
    is_bot: bool = False
    """Whether the player is a bot account."""
    has_channel: bool | None = field(default=None, compare=False)
    """Whether the player has a channel, see ``app.store.notices``; None if it was not read with the seat."""
    is_erased: bool = False
    """Whether the player has been erased and will never move again."""

    @property
    def is_free(self) -> bool:
        """Whether neither a player nor a bot has the seat."""
        return self.player_id is None and self.bot_level is None


class Remark(NamedTuple):
    """A remark made at a table."""

    seat: int
    line: int
    """Index into the fixed list of remarks."""
    at: float


@dataclass(frozen=True, slots=True)
class TableSettings:
    """Settings of a table that are the same for all games."""

    turn_limit: int | None = None
    """Seconds after which the game may be claimed from a player who does not move; None for no limit."""
    listed: bool = False
    """Whether the table is in the lobby, so that anyone may take a free seat without an invitation."""
    rated: bool = False
    """Whether the result changes the players' ratings; else the game is casual."""


NEEDS_INVITATION: Final = "you need an invitation to join this game"
NO_TURN_LIMIT: Final = TableSettings()
"""Not listed, casual, without a turn limit."""


@dataclass(frozen=True, slots=True)
class Table:
    """A game and its seats at one moment."""

    id: str
    kind: str
    seed: str
    created_at: float
    finished_at: float | None
    seats: tuple[Seat, ...]
    invitation: str | None
    """Token that lets others take a seat; None for a game with one seat."""
    game: AnyGame
    state: Any
    moved_at: float
    """Time of the latest move or other change of the table that concerns the seat to move."""
    day: date | None = None
    """Day of the ranked daily; None for any other game."""
    settings: TableSettings = NO_TURN_LIMIT
    remarks: tuple[Remark, ...] = ()
    """In the order in which they were made."""
    other_changes: int = 0
    """Counts changes of its rematch and of its players; it grows by more than the seats that one frees."""
    skips: tuple[int, ...] | None = None
    """In a lesson: the ply of each step that the player skipped, in order. None for any other game."""

    def seat_of(self, player_id: str | None) -> int | None:
        """The seat of a player; None for a watcher."""
        if player_id is None:
            return None
        return next((seat for seat, taken in enumerate(self.seats) if taken.player_id == player_id), None)

    def has_others(self, player_id: str | None) -> bool:
        """Whether another player, bots aside, has a seat."""
        return any(seat.player_id not in (None, player_id) for seat in self.seats)

    def opened_by(self, player_id: str) -> "Table":
        """The table with this player on the first seat, unless a bot has it."""
        first, *others = self.seats
        return replace(self, seats=(Seat(player_id), *others)) if first.is_free else self

    def admit(self, invitation: str | None) -> None:
        """Raise WrongInvitation unless the invitation is valid, or is None and the table is listed."""
        if invitation is None:
            if not self.settings.listed:
                raise WrongInvitation(NEEDS_INVITATION)
        elif self.invitation is None or not compare_digest(self.invitation.encode(), invitation.encode()):
            raise WrongInvitation("this invitation link isn’t valid: ask for a new one")

    def check_seat(self, wanted: int | None) -> None:
        """Raise BadTable if the wanted seat does not exist."""
        if wanted is not None and wanted >= len(self.seats):
            raise BadTable(f"there is no seat {wanted}: {numbered(len(self.seats), 'seat')}", "seat")

    @property
    def is_lesson(self) -> bool:
        """Whether the game is a lesson, which has no results."""
        return self.skips is not None

    @property
    def movers(self) -> tuple[int, ...]:
        """The seats whose turn it is, in a game with others; empty while a seat is free."""
        plays = len(self.seats) > 1 and self.is_full and self.finished_at is None
        return self.game.movers(self.state) if plays else ()

    @property
    def is_full(self) -> bool:
        """Whether all seats are taken."""
        return self.free_seat is None

    @property
    def bot_to_move(self) -> tuple[int, int] | None:
        """Seat and level of the bot to move; None if it is no bot's turn."""
        seat = self.game.to_move(self.state) if self.is_full and self.finished_at is None else None
        level = None if seat is None else self.seats[seat].bot_level
        return None if seat is None or level is None else (seat, level)

    @property
    def has_one_person(self) -> bool:
        """Whether bots have all seats but one."""
        return sum(seat.bot_level is None for seat in self.seats) == 1

    @property
    def free_seat(self) -> int | None:
        """The first free seat; None if there is none or the game is over."""
        if self.finished_at is not None:
            return None
        return next((seat for seat, taken in enumerate(self.seats) if taken.is_free), None)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that players have, without bots."""
        return tuple(seat for seat, taken in enumerate(self.seats) if taken.player_id is not None)

    @property
    def closers(self) -> tuple[int, ...]:
        """The seats whose players may close the table before it begins: the opener's, else all."""
        return (0,) if 0 in self.people else self.people

    @property
    def may_be_closed(self) -> bool:
        """Whether a seat is free, and no other player has joined or the opener has left."""
        return not self.is_full and self.people == self.closers

    @property
    def version(self) -> str:
        """A text that changes with every ply, seat taken or left, remark and change of the rematch."""
        ply, changes, remarks = self.stage
        return f"{ply}-{changes}" + (f"-{remarks}" if remarks else "")

    @property
    def unchanged_since(self) -> int:
        """The first ply from which on the position is the same for the seat to move."""
        return self.game.unchanged_since(self.state)

    @property
    def stage(self) -> tuple[int, int, int]:
        """(plies, seats taken and other changes, remarks): a later stage of a game compares greater."""
        seated = sum(not seat.is_free for seat in self.seats)
        return self.state.ply, seated + self.other_changes, len(self.remarks)

    @property
    def waits_for_erased(self) -> bool:
        """Whether an erased player is to move."""
        mover = self.game.to_move(self.state) if self.is_full else None
        return mover is not None and self.seats[mover].is_erased

    @property
    def claimable_at(self) -> float | None:
        """When the game may be claimed from the seat to move: at once if the player is erased.

        Otherwise None if neither the table nor the game has a limit, if a bot is to move, or while a clock of
        the game runs. The game's limit applies only between people.
        """
        if self.waits_for_erased:
            return self.moved_at
        mover, limit = self.game.to_move(self.state), self.settings.turn_limit
        if limit is None and sum(seat.player_id is not None for seat in self.seats) > 1:
            limit = self.game.start_time_limit(self.state.options)
        shared = self.is_full and len(self.seats) > 1
        if limit is None or not shared or mover is None or self.seats[mover].player_id is None:
            return None
        return None if self.game.due(self.state, math.inf) is not None else self.moved_at + limit

    def view(self, player_id: str | None) -> Any:
        """The game as visible to this player."""
        return self.game.view(self.state, self.seat_of(player_id))


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """A move in a game's log."""

    ply: int
    seat: int
    move: Any
    at: float


class BadField(ValueError):
    """A field of a request is not accepted; the message says why.

    ``location`` is the field's path in the body, or begins with ``path``; empty if no field is at fault.
    """

    def __init__(self, reason: str, *location: str | int) -> None:
        super().__init__(reason)
        self.location = location


class BadTable(BadField, IllegalMove):
    """A table cannot have these seats, bots or options; the message says why."""


class UnknownGame(LookupError):
    """There is no game with this ID."""


class Unplayable(UnknownGame):
    """The game needs a word list or preset that is missing here; the message names it."""


NO_PLAYER: Final = "there is no such player any more"


class UnknownPlayer(LookupError):
    """There is no such player; the message says where one was expected."""


class NotYourSeat(PermissionError):
    """The player does not have the seat that this action needs."""


class WrongInvitation(LookupError):
    """The invitation token is not valid for this table."""


class TooEarly(Exception):
    """The action is not possible at this stage of the game; the message says why."""


class UnknownChallenge(LookupError):
    """There is no challenge with this ID, or it is not open. ``game_id`` is the game if it was accepted."""

    def __init__(self, message: str, game_id: str | None = None) -> None:
        super().__init__(message)
        self.game_id = game_id


class NotChallengeable(Exception):
    """The game’s deal cannot be a challenge; the message says why."""


class TooMuch(Exception):
    """A limit on stored items is reached; the message states it."""


class StalePly(Exception):
    """The move is for an earlier position; ``table`` is the current one."""

    def __init__(self, table: Table, ply: int) -> None:
        outcome = table.game.outcome(table.state)
        now = f"at ply {table.state.ply}" if outcome is None else f"over: {outcome.reason}"
        super().__init__(f"the move was for ply {ply}, but the game is {now}")
        self.table = table


class Refused(Exception):
    """The rules refuse the move at this moment; ``table`` is the current table."""

    def __init__(self, table: Table, refusal: OutOfTurn) -> None:
        super().__init__(refusal.reason)
        self.table = table
