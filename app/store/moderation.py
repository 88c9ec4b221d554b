"""Moderation: operators' actions on players, games and circles. Each action is in the audit log."""

import re
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import ColumnElement, Connection, Row, and_, delete, insert, or_, select, update

from app.store.audit import Entry, note, read_entries
from app.store.circles import UnknownCircle, clean_name
from app.store.database import Database
from app.store.models import BadField, UnknownGame, UnknownPlayer
from app.store.players import clean_nickname
from app.store.reports import Report, close_reports, read_reports
from app.store.results import erase_player
from app.store.sanctions import Sanction, SanctionKind, Sanctions, format_until, is_in_force, sanctions_of
from app.store.schema import attempts, audit, circles, games, players, reports, sanctions, seats
from app.store.waiting_tables import LookAgain, change_tables, leave_waiting_tables, show_changes

DAY: Final = 86_400.0
LONGEST_REASON: Final = 200
MOST_DAYS: Final = 3650
"""Longest temporary sanction, in days."""
MOST_FOUND: Final = 20
"""Maximum number of players found by a search, and of reports and actions shown for each."""
CIRCLE: Final = "Circle"
"""The name of a circle whose name was removed."""
SEAT: Final = re.compile(r"(?:.*/)?(?P<game>[A-Za-z0-9_-]{1,32})/(?P<seat>\d{1,2})")
"""A seat as ``GAME/SEAT``, alone or at the end of a URL."""
_LIFTED: Final[dict[SanctionKind, str]] = {
    "suspend": "suspension",
    "mute": "mute",
    "name": "removed name",
}

Action: TypeAlias = Literal[
    "rename", "mute", "suspend", "lift", "erase", "rename_circle", "remove_game", "dismiss"
]


class UnknownReport(LookupError):
    """There is no such report, or it is closed."""


class BadAction(BadField):
    """The action is incomplete or not possible; the message says why."""


@dataclass(frozen=True, slots=True)
class Person:
    """A player, for operators."""

    player_id: str
    nickname: str | None
    created_at: float
    owner_id: str | None
    """The player whose bot account this is; None for a person."""
    names: tuple[str, ...]
    """Names under which they were reported, the latest first."""
    game_id: str | None
    """The latest game in which they have a seat."""
    sanctions: tuple[Sanction, ...]
    """In force."""
    reports: tuple[Report, ...]
    """About them: open ones first."""
    actions: tuple[Entry, ...]
    """Actions of operators on them and on the players merged into them, latest first."""


def clean_reason(reason: str) -> str:
    """A reason without surrounding spaces. Raises BadAction."""
    kept = reason.strip()
    if not kept or len(kept) > LONGEST_REASON or not kept.isprintable():
        raise BadAction(f"a reason has 1 to {LONGEST_REASON} printable characters", "reason")
    return kept


class Moderation:
    """The actions of operators. ``operator`` is the name of the operator, ``reason`` is for the audit log."""

    def __init__(
        self, database: Database, known: Sanctions, look_again: LookAgain = lambda _games: None
    ) -> None:
        """``known`` caches the sanctions and is cleared when they change."""
        self._database = database
        self._known = known
        self._look_again = look_again

    def find(self, text: str, at: float) -> list[Person]:
        """The player at a seat ``GAME/SEAT`` (counted from 0), or those with this ID or part of a name."""
        text = text.strip()
        if not text or not text.isprintable():
            return []
        seat = SEAT.fullmatch(text)
        query = select(players.c.id).where(players.c.erased_at.is_(None))
        if seat is not None:
            its = seats.c.game_id == seat["game"], seats.c.seat == int(seat["seat"])
            query = query.join(seats, and_(seats.c.player_id == players.c.id, *its))
        else:
            named = players.c.nickname.icontains(text, autoescape=True)
            query = query.where(named | (players.c.id == text))
        with self._database.reading() as connection:
            found = list(connection.scalars(query.order_by(players.c.created_at).limit(MOST_FOUND)))
            return [_person(connection, player_id, at) for player_id in found]

    def person(self, player_id: str, at: float) -> Person:
        """A player. Raises UnknownPlayer."""
        with self._database.reading() as connection:
            return _person(connection, player_id, at)

    def rename(
        self, operator: str, player_id: str, reason: str, at: float, *, name: str | None, days: int | None
    ) -> Entry:
        """Remove or replace a player's name; they may choose another after ``days`` (0: now, None: never).

        Their own name is stored until they choose another. Raises UnknownPlayer, BadNickname.
        """
        kept = clean_nickname(name) if name else None
        until = _end(days, at)
        with self._database.writing() as connection:
            # Before the lock, as in ``Seating``.
            changed = change_tables(connection, _with_bots(connection, player_id), at)
            before = _lock(connection, player_id) or _hidden_name(connection, player_id)
            connection.execute(update(players).where(players.c.id == player_id).values(nickname=kept))
            # If they have been renamed already, the current name is an operator's.
            renamed = select(sanctions.c.kind).where(
                sanctions.c.player_id == player_id, sanctions.c.kind == "name"
            )
            own = before if connection.scalar(renamed) is None else None
            _impose(connection, player_id, "name", reason, at, until, own)
            detail = "" if days == 0 else f"no other name {format_until(until)}"
            done = self._done(connection, operator, "rename", reason, at, player_id=player_id, detail=detail)
        show_changes(self._database, self._look_again, changed)
        return done

    def mute(self, operator: str, player_id: str, reason: str, at: float, *, days: int | None) -> Entry:
        """Hide a player's name and remarks for ``days``, or for good (None). Raises UnknownPlayer."""
        until = _end(days, at)
        with self._database.writing() as connection:
            changed = change_tables(connection, _with_bots(connection, player_id), at)
            before = _lock(connection, player_id)
            connection.execute(update(players).where(players.c.id == player_id).values(nickname=None))
            _impose(connection, player_id, "mute", reason, at, until, before)
            detail = format_until(until)
            done = self._done(connection, operator, "mute", reason, at, player_id=player_id, detail=detail)
        show_changes(self._database, self._look_again, changed)
        return done

    def suspend(self, operator: str, player_id: str, reason: str, at: float, *, days: int | None) -> Entry:
        """Keep a player from meeting others for ``days``, or for good (None). Raises UnknownPlayer.

        Games in progress continue. The player and their bot accounts leave tables that have not begun; tables
        without other people are deleted.
        """
        until = _end(days, at)
        with self._database.writing() as connection:
            left = leave_waiting_tables(
                connection, *_with_bots(connection, player_id)
            )  # before the lock, as in ``Seating``
            _lock(connection, player_id)
            _impose(connection, player_id, "suspend", reason, at, until, None)
            detail = format_until(until)
            done = self._done(connection, operator, "suspend", reason, at, player_id=player_id, detail=detail)
        self._look_again(left)
        return done

    def lift(self, operator: str, player_id: str, kind: SanctionKind, reason: str, at: float) -> Entry:
        """End a sanction, and give back the name that it removed. Raises UnknownPlayer, BadAction."""
        this = sanctions.c.player_id == player_id, sanctions.c.kind == kind
        with self._database.writing() as connection:
            changed = change_tables(connection, _with_bots(connection, player_id), at)
            _lock(connection, player_id)
            row = connection.execute(select(sanctions).where(*this, is_in_force(at))).one_or_none()
            if row is None:
                raise BadAction(
                    f"there is no {_LIFTED[kind]} to undo: it has ended, or was undone", "action", "sanction"
                )
            connection.execute(delete(sanctions).where(*this))
            _give_back(connection, player_id, row.nickname, kind, at)
            detail = _LIFTED[kind]
            done = self._done(connection, operator, "lift", reason, at, player_id=player_id, detail=detail)
        show_changes(self._database, self._look_again, changed)
        return done

    def erase(self, operator: str, player_id: str, reason: str, at: float) -> Entry:
        """Erase a player, as they could do themselves. Raises UnknownPlayer."""
        with self._database.writing() as connection:
            _find(connection, player_id)
            changed = erase_player(connection, player_id, at)
            done = self._done(connection, operator, "erase", reason, at, player_id=player_id)
        show_changes(self._database, self._look_again, changed)
        return done

    def rename_circle(
        self, operator: str, circle_id: str, reason: str, at: float, *, name: str | None
    ) -> Entry:
        """Rename a circle, by default to CIRCLE. Raises UnknownCircle, BadCircle."""
        kept = clean_name(name) if name else CIRCLE
        if not circle_id.isprintable():  # possible on the command line, and PostgreSQL may fail on it
            raise UnknownCircle("there is no such circle: it may have been closed")
        with self._database.writing() as connection:
            renamed = update(circles).where(circles.c.id == circle_id).values(name=kept)
            if not connection.execute(renamed).rowcount:
                raise UnknownCircle("there is no such circle: it may have been closed")
            return self._done(connection, operator, "rename_circle", reason, at, circle_id=circle_id)

    def remove_game(self, operator: str, game_id: str, reason: str, at: float) -> Entry:
        """Delete a game with its moves and remarks; results stay. Raises UnknownGame."""
        if not game_id.isprintable():
            raise UnknownGame(f"there is no game {game_id!r}: it may have been removed")
        with self._database.writing() as connection:
            unfinished = attempts.c.game_id == game_id, attempts.c.score.is_(None)
            connection.execute(delete(attempts).where(*unfinished))
            if not connection.execute(delete(games).where(games.c.id == game_id)).rowcount:
                raise UnknownGame(f"there is no game {game_id!r}: it may have been removed")
            done = self._done(connection, operator, "remove_game", reason, at, game_id=game_id)
        self._look_again([game_id])
        return done

    def dismiss(self, operator: str, report_id: str, reason: str, at: float) -> Entry:
        """Close all open reports on the subject of a report without another action. Raises UnknownReport."""
        with self._database.writing() as connection:
            found = read_reports(connection, reports.c.id == report_id, 1) if report_id.isprintable() else []
            if not found or found[0].closed_at is not None:
                raise UnknownReport("there is no such open report: it may have been closed")
            kind, about = found[0].about
            return self._done(connection, operator, "dismiss", reason, at, **{f"{kind}_id": about})

    def _done(
        self,
        connection: Connection,
        operator: str,
        action: Action,
        reason: str,
        at: float,
        *,
        player_id: str | None = None,
        game_id: str | None = None,
        circle_id: str | None = None,
        detail: str = "",
    ) -> Entry:
        """Close the reports that the action settles, and add it to the audit log."""
        if action != "lift":
            close_reports(connection, _about(player_id, game_id, circle_id), action, at)
        self._known.forget()
        return note(
            connection,
            operator,
            action,
            reason,
            at,
            player_id=player_id,
            game_id=game_id,
            circle_id=circle_id,
            detail=detail,
        )


def end_sanctions(database: Database, at: float) -> None:
    """Delete the sanctions that have ended, and give muted players their names back.

    A ``name`` sanction stays until the player chooses another name: if an operator renames them again, the
    stored name is still the one to give back.
    """
    ended = select(sanctions).where(~is_in_force(at), sanctions.c.kind != "name")
    with database.reading() as connection:
        if connection.execute(ended.limit(1)).one_or_none() is None:
            return
    with database.writing() as connection:
        # Players are locked before their rows, as everywhere; those locked by others are for the next run.
        theirs = players.c.id.in_(ended.with_only_columns(sanctions.c.player_id))
        free = select(players.c.id).where(theirs).limit(500).with_for_update(skip_locked=True)
        found = sanctions.c.player_id.in_(connection.scalars(free).all())
        for row in connection.execute(ended.where(found)).all():
            this = sanctions.c.player_id == row.player_id, sanctions.c.kind == row.kind
            connection.execute(delete(sanctions).where(*this))
            if row.kind == "mute":
                _give_back(connection, row.player_id, row.nickname, row.kind, at)


def _about(player_id: str | None, game_id: str | None, circle_id: str | None) -> ColumnElement[bool]:
    """The condition for reports about a player, a game or the name of a circle: the first that is given."""
    if player_id is not None:
        return reports.c.player_id == player_id
    if game_id is not None:
        return and_(reports.c.subject == "game", reports.c.game_id == game_id)
    return and_(reports.c.subject == "circle", reports.c.circle_id == circle_id)


def _person(connection: Connection, player_id: str, at: float) -> Person:
    row = _find(connection, player_id)
    found = read_reports(connection, reports.c.player_id == player_id, MOST_FOUND)
    names = sorted((each for each in found if each.subject == "name"), key=lambda each: -each.at)
    latest = (
        select(seats.c.game_id)
        .join(games, games.c.id == seats.c.game_id)
        .where(seats.c.player_id == player_id)
        .order_by(games.c.created_at.desc())
        .limit(1)
    )
    merged = select(players.c.id).where(players.c.merged_into == player_id)
    done = or_(audit.c.player_id == player_id, audit.c.player_id.in_(merged))
    return Person(
        player_id,
        row.nickname,
        row.created_at,
        row.owner_id,
        tuple(dict.fromkeys(each.text for each in names)),
        connection.scalar(latest),
        tuple(sanctions_of(connection, player_id, at)),
        tuple(found),
        tuple(read_entries(connection, done, MOST_FOUND)),
    )


def _with_bots(connection: Connection, player_id: str) -> list[str]:
    """A player and their bot accounts."""
    bots = select(players.c.id).where(players.c.owner_id == player_id)
    return [player_id, *connection.scalars(bots)]


def _lock(connection: Connection, player_id: str) -> str | None:
    """Lock the row of a player who is not erased, and return their name. Raises UnknownPlayer."""
    name: str | None = _find(connection, player_id, lock=True).nickname
    return name


def _find(connection: Connection, player_id: str, *, lock: bool = False) -> Row[Any]:
    """The row of a player who is not erased. Raises UnknownPlayer."""
    query = select(players).where(players.c.id == player_id, players.c.erased_at.is_(None))
    if lock:
        query = query.with_for_update()
    row = connection.execute(query).one_or_none() if player_id.isprintable() else None
    if row is None:
        raise UnknownPlayer("there is no such player: they may have erased themselves")
    return row


def _impose(
    connection: Connection,
    player_id: str,
    kind: SanctionKind,
    reason: str,
    at: float,
    until: float | None,
    nickname: str | None,
) -> None:
    """Store a sanction, replacing one of the same kind; a name to be given back is taken over."""
    this = sanctions.c.player_id == player_id, sanctions.c.kind == kind
    earlier: str | None = connection.scalar(select(sanctions.c.nickname).where(*this))
    connection.execute(delete(sanctions).where(*this))
    values = {"player_id": player_id, "kind": kind, "since": at, "until": until, "reason": reason}
    connection.execute(insert(sanctions).values(**values, nickname=nickname or earlier))


def _hidden_name(connection: Connection, player_id: str) -> str | None:
    """Remove the name from a player's mute, so that ending it gives none back, and return the name."""
    mute = sanctions.c.player_id == player_id, sanctions.c.kind == "mute"
    name: str | None = connection.scalar(select(sanctions.c.nickname).where(*mute))
    connection.execute(update(sanctions).where(*mute).values(nickname=None))
    return name


def _give_back(
    connection: Connection, player_id: str, nickname: str | None, kind: SanctionKind, at: float
) -> None:
    """Give a player the name that a sanction removed, or store it in another sanction that hides the name."""
    if nickname is None:
        return
    mine = update(players).where(players.c.id == player_id, players.c.erased_at.is_(None))
    other = sanctions.c.player_id == player_id, sanctions.c.kind == ("mute" if kind == "name" else "name")
    if kind == "name":  # remove the name that an operator has set
        connection.execute(mine.values(nickname=None))
        _hidden_name(connection, player_id)
    keeps_it = is_in_force(at), sanctions.c.nickname.is_(None)
    handed = update(sanctions).where(*other, *keeps_it).values(nickname=nickname)
    if not connection.execute(handed).rowcount:
        connection.execute(mine.where(players.c.nickname.is_(None)).values(nickname=nickname))


def _end(days: int | None, at: float) -> float | None:
    return None if days is None else at + days * DAY
