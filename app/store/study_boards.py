"""Study boards of players: trees of moves at an address.

Anybody who knows its ID may see a board; only its owner may change it. Boards that are not marked as kept are
removed LOOSE_DAYS after the last change.
"""

from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Final

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from app.games.study_tree import MOST_BYTES, BadStudy, StudyTree
from app.store.database import Database
from app.store.players import BadNickname, clean_nickname, lock_player
from app.store.retention import DAY
from app.store.schema import study_boards

MOST_KEPT: Final = 200
"""Maximum number of kept boards per player."""
MOST_LOOSE: Final = 30
"""Maximum number of boards per player that are not kept; the oldest are removed."""
LOOSE_DAYS: Final = 7
"""Days after the last change after which a board is removed if it is not kept."""
LONGEST_TITLE: Final = 80


class UnknownBoard(LookupError):
    """There is no such board, or it is not the player's."""


class StaleBoard(Exception):
    """The board has been changed meanwhile."""


class TooManyBoards(Exception):
    """The player has the maximum number of kept boards."""


@dataclass(frozen=True, slots=True)
class BoardInfo:
    """A board without its tree."""

    id: str
    player_id: str
    kind: str
    title: str
    kept: bool
    revision: int
    """Starts at 1 and increases with every change."""
    created_at: float
    changed_at: float

    @property
    def goes_at(self) -> float | None:
        """When the board is removed, in seconds since the epoch; None if it is kept."""
        return None if self.kept else self.changed_at + LOOSE_DAYS * DAY


@dataclass(frozen=True, slots=True)
class StudyBoard:
    """A board and its tree."""

    info: BoardInfo
    tree: StudyTree


def clean_title(title: str) -> str:
    """The title of a board, cleaned like a nickname. Raises BadStudy."""
    try:
        return clean_nickname(title, most=LONGEST_TITLE)
    except BadNickname as refused:
        raise BadStudy(str(refused).replace("a nickname", "the title of a board"), "title") from None


class StudyBoards:
    """Stores study boards."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def board(self, board_id: str) -> StudyBoard:
        """Return a board. Raises UnknownBoard."""
        with self._database.reading() as connection:
            return _read(connection, board_id)

    def of_player(self, player_id: str | None) -> list[BoardInfo]:
        """Return the player's boards, the most recently changed first."""
        row = study_boards.c
        columns = [column for column in row if column.name != "tree"]
        query = select(*columns).where(row.player_id == player_id).order_by(row.changed_at.desc(), row.id)
        with self._database.reading() as connection:
            return [_info(each) for each in connection.execute(query)]

    def add(
        self, player_id: str, kind: str, tree: StudyTree, at: float, *, title: str, kept: bool = False
    ) -> BoardInfo:
        """Store a new board.

        Raises UnknownPlayer, TooManyBoards, BadStudy if the title is not accepted or the tree is too large.
        """
        info = BoardInfo(token_urlsafe(9), player_id, kind, clean_title(title), kept, 1, at, at)
        text = _text(tree)
        with self._database.writing() as connection:
            lock_player(connection, player_id)
            if kept:
                _check_room(connection, player_id)
            else:
                _remove_loose(connection, player_id, MOST_LOOSE - 1)
            values = {name: getattr(info, name) for name in info.__slots__}
            connection.execute(insert(study_boards).values(**values, tree=text))
        return info

    def change(
        self,
        player_id: str | None,
        board_id: str,
        at: float,
        *,
        revision: int | None = None,
        tree: StudyTree | None = None,
        title: str | None = None,
        kept: bool | None = None,
    ) -> BoardInfo:
        """Change the given properties of the player's board, if it is still at ``revision``.

        Raises UnknownBoard, StaleBoard, TooManyBoards, BadStudy as ``add`` does.
        """
        with self._database.writing() as connection:
            if player_id is not None:
                lock_player(connection, player_id)
            known = _read(connection, board_id, lock=True).info
            if known.player_id != player_id:
                raise UnknownBoard(f"you have no board {board_id}")
            if revision is not None and revision != known.revision:
                now = f"it is at revision {known.revision}, not {revision}"
                raise StaleBoard(f"the board has been changed meanwhile: {now}")
            if kept and not known.kept:
                _check_room(connection, known.player_id)
            values = {
                "title": known.title if title is None else clean_title(title),
                "kept": known.kept if kept is None else kept,
                "revision": known.revision + 1,
                "changed_at": at,
            } | ({} if tree is None else {"tree": _text(tree)})
            connection.execute(update(study_boards).where(study_boards.c.id == board_id).values(values))
            return _read(connection, board_id).info

    def remove(self, player_id: str | None, board_id: str) -> None:
        """Remove one of the player's boards. Raises UnknownBoard."""
        mine = study_boards.c.id == board_id, study_boards.c.player_id == player_id
        with self._database.writing() as connection:
            if not connection.execute(delete(study_boards).where(*mine)).rowcount:
                raise UnknownBoard(f"you have no board {board_id}")


def prune_boards(database: Database, at: float) -> int:
    """Remove the boards that are due at ``at``; return their number."""
    row = study_boards.c
    with database.writing() as connection:
        due = row.kept.is_(False), row.changed_at < at - LOOSE_DAYS * DAY
        return connection.execute(delete(study_boards).where(*due)).rowcount


def merge_boards(connection: Connection, kept: str, gone: str) -> None:
    """Move a player's boards to another, even if that exceeds MOST_KEPT."""
    row = study_boards.c
    connection.execute(update(study_boards).where(row.player_id == gone).values(player_id=kept))
    _remove_loose(connection, kept, MOST_LOOSE)


def _check_room(connection: Connection, player_id: str) -> None:
    row = study_boards.c
    query = select(func.count()).where(row.player_id == player_id, row.kept.is_(True))
    if (connection.scalar(query) or 0) >= MOST_KEPT:
        raise TooManyBoards(f"you keep {MOST_KEPT} boards, the most accepted: delete one first")


def _remove_loose(connection: Connection, player_id: str, left: int) -> None:
    """Remove the player's boards that are not kept, except the latest ``left``."""
    row = study_boards.c
    loose = row.player_id == player_id, row.kept.is_(False)
    latest = select(row.id).where(*loose).order_by(row.changed_at.desc(), row.id).limit(left)
    connection.execute(delete(study_boards).where(*loose, row.id.not_in(list(connection.scalars(latest)))))


def _read(connection: Connection, board_id: str, *, lock: bool = False) -> StudyBoard:
    query = select(study_boards).where(study_boards.c.id == board_id)
    found = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if found is None:
        raise UnknownBoard(f"there is no board {board_id}: it was deleted, or not kept for {LOOSE_DAYS} days")
    return StudyBoard(_info(found), StudyTree.model_validate_json(found.tree))


def _info(row: Row[tuple[object, ...]]) -> BoardInfo:
    return BoardInfo(**{name: getattr(row, name) for name in BoardInfo.__slots__})


def _text(tree: StudyTree) -> str:
    text = tree.model_dump_json(exclude_defaults=True)
    if (size := len(text.encode())) > MOST_BYTES:
        raise BadStudy(f"the board is too large: {size:,} bytes, the most is {MOST_BYTES:,}", "nodes")
    return text
