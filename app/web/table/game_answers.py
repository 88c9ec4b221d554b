"""Answers of the games API: a game as shown to the caller, its moves and its positions."""

from dataclasses import dataclass
from typing import ClassVar

from app.games.game import Outcome
from app.games.glicko import PROVISIONAL_DEVIATION
from app.store.models import Table
from app.web.model import Documented
from app.web.services import Services
from app.web.table.kinds import AnyMove, AnyView
from app.web.table.record import check_secret, goes_at
from app.web.table.remark_lines import RemarkView, remark_views
from app.web.table.seat_views import SeatView, seat_views


class RematchAnswer(Documented):
    """A rematch of a finished game."""

    game_id: str
    seats: list[int]
    """Seats of the finished game whose players have joined the rematch."""


class RatingChange(Documented):
    """The change of a player's rating by a rated game."""

    before: float
    """The player's rating before the game."""
    after: float
    """The player's rating after the game."""
    deviation: float
    """The deviation after the game: the true strength is within two of it with a probability of 95%."""
    provisional: bool
    """Whether the rating is based on few games, or on old ones."""


class GameAnswer(Documented):
    """A game, as shown to the caller."""

    id: str
    kind: str
    seat: int | None
    """The caller's seat; null for a watcher."""
    seats: list[SeatView]
    invitation: str | None
    """Token that lets others take a seat; shown to players while a seat is free."""
    turn_limit: int | None
    listed: bool
    rated: bool
    """Whether the result changes the players' ratings."""
    rating_change: RatingChange | None
    """Change of the caller's rating by a finished game; null if it was casual, if a player made
    no move, or if one has been erased."""
    claimable_at: float | None
    """When a waiting player may claim the game: at once if the player to move has deleted their profile. Null
    if there is no limit."""
    remarks: list[RemarkView]
    created_at: float
    finished_at: float | None
    goes_at: float | None
    """When an imported game will be removed, in seconds since the epoch; null if a player keeps it, and for
    all other games."""
    outcome: Outcome | None
    rematch: RematchAnswer | None
    """The rematch that the caller has joined or may join; only for players of a finished game."""
    view: AnyView


@dataclass(frozen=True, slots=True)  # a log may have 10,000 moves, and models are ten times slower
class LoggedMoveAnswer:
    """A move in the log."""

    __pydantic_config__: ClassVar = Documented.model_config

    ply: int
    seat: int
    move: AnyMove | None
    """Null while the game is in progress if the move would reveal what the caller's view hides."""
    at: float
    """Seconds since the epoch."""


class Log(Documented):
    """The moves of a game, in order."""

    moves: list[LoggedMoveAnswer]


class PlyAnswer(Documented):
    """A position of a finished game."""

    ply: int
    last_ply: int
    view: AnyView


def game_answer(services: Services, table: Table, player: str | None) -> GameAnswer:
    """The game, as shown to ``player``. Raises StillSecret; see ``check_secret``."""
    check_secret(services, table, player)
    seat = table.seat_of(player)
    shown = services.ratings.shown_at(table, player, services.clock())
    rematch = services.rematches.of(table, player)
    return GameAnswer(
        id=table.id,
        kind=table.kind,
        seat=seat,
        seats=seat_views(table, player, shown),
        invitation=table.invitation if seat is not None and not table.is_full else None,
        turn_limit=table.settings.turn_limit,
        listed=table.settings.listed,
        rated=table.settings.rated,
        rating_change=rating_change(services, table, player),
        claimable_at=table.claimable_at,
        remarks=remark_views(services, table, player),
        created_at=table.created_at,
        finished_at=table.finished_at,
        goes_at=goes_at(services, table),
        outcome=table.game.outcome(table.state),
        rematch=RematchAnswer(game_id=rematch.game_id, seats=list(rematch.wanted_by)) if rematch else None,
        view=table.view(player),
    )


def rating_change(services: Services, table: Table, player: str | None) -> RatingChange | None:
    """The change of the player's rating by a finished game; None if it was not rated for them."""
    if table.finished_at is None or not table.settings.rated:
        return None
    change = services.ratings.change_at(table.id, player)
    if change is None:
        return None
    return RatingChange(
        before=change.before,
        after=change.after,
        deviation=change.deviation,
        provisional=change.deviation > PROVISIONAL_DEVIATION,
    )
