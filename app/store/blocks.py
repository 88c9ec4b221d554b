"""Blocks: players who do not want to meet, and are kept apart."""

from collections.abc import Iterable
from secrets import token_urlsafe
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select, union, update

from app.store.database import Database
from app.store.models import TooMuch
from app.store.players import lock_player
from app.store.schema import blocks, players
from app.store.shown_names import SHOWN_NAME

MOST_BLOCKS: Final = 200
"""Maximum number of players that a player can block."""
_ALL_REMARKS: Final = 0.0


class BadBlock(ValueError):
    """A player who cannot be blocked; the message says why."""


class UnknownBlock(LookupError):
    """The player has no block with this ID."""


class Block(NamedTuple):
    """A player whom another blocks."""

    id: str
    blocked_id: str
    nickname: str | None
    created_at: float


class Blocks:
    """All blocks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def block(self, player_id: str, other_id: str, at: float) -> Block:
        """Block another player; no effect if they are blocked already.

        Raises BadBlock, TooMuch, UnknownPlayer.
        """
        if player_id == other_id:
            raise BadBlock("you cannot block yourself: choose another player")
        with self._database.writing() as connection:
            # The lock makes concurrent requests count one after the other.
            lock_player(connection, player_id, other_id)
            found = _blocks_of(connection, player_id, blocks.c.blocked_id == other_id)
            if not found:
                _check_most(connection, player_id)
                values = {"player_id": player_id, "blocked_id": other_id, "created_at": at}
                connection.execute(insert(blocks).values(id=token_urlsafe(9), **values))
                found = _blocks_of(connection, player_id, blocks.c.blocked_id == other_id)
        return found[0]

    def unblock(self, player_id: str | None, block_id: str) -> None:
        """Remove one of the player's blocks. Raises UnknownBlock."""
        mine = blocks.c.player_id == player_id, blocks.c.id == block_id
        with self._database.writing() as connection:
            if not connection.execute(delete(blocks).where(*mine)).rowcount:
                raise UnknownBlock("you have no such block: see the list of players you block")

    def of_player(self, player_id: str | None) -> list[Block]:
        """The player's blocks, the latest first."""
        with self._database.reading() as connection:
            return _blocks_of(connection, player_id)

    def hidden_remarks(self, reader: str | None, speakers: Iterable[str]) -> dict[str, float]:
        """Speakers whose remarks are hidden from the reader, with the time from which they are hidden.

        All remarks of players whom the reader blocks are hidden. For players who block the reader, only
        remarks made since the block are hidden: if earlier ones disappeared, that would reveal the block.
        """
        others = list(speakers)
        if reader is None or not others:
            return {}
        speaker, own = players.alias(), _and_owner(reader)
        theirs = speaker.c.id, speaker.c.owner_id
        by_reader = blocks.c.player_id.in_(own)
        query = select(speaker.c.id, by_reader, blocks.c.created_at).where(
            speaker.c.id.in_(others),
            or_(
                and_(by_reader, blocks.c.blocked_id.in_(theirs)),
                and_(blocks.c.blocked_id.in_(own), blocks.c.player_id.in_(theirs)),
            ),
        )
        hidden: dict[str, float] = {}
        with self._database.reading() as connection:
            for speaker_id, blocked, since in connection.execute(query):
                start = _ALL_REMARKS if blocked else since
                hidden[speaker_id] = min(start, hidden.get(speaker_id, start))
        return hidden


def blocking(first: Any, second: Any) -> ColumnElement[bool]:
    """The SQL condition that one of two players, given as columns or IDs, blocks the other.

    Blocks by and of the owner of a bot account apply to the bot account, too.
    """
    one, other = _and_owner(first), _and_owner(second)
    return (
        select(blocks.c.id)
        .where(
            or_(
                and_(blocks.c.player_id.in_(one), blocks.c.blocked_id.in_(other)),
                and_(blocks.c.player_id.in_(other), blocks.c.blocked_id.in_(one)),
            )
        )
        .exists()
    )


def is_blocked(connection: Connection, first: str, second: str) -> bool:
    """Whether one of two players blocks the other, as in ``blocking``."""
    return bool(connection.scalar(select(blocking(first, second))))


def kept_apart(connection: Connection, player_id: str | None) -> list[str]:
    """The IDs of all players who block the player or are blocked by them, and of their bot accounts."""
    if player_id is None:
        return []
    row, own = blocks.c, _and_owner(player_id)
    query = union(
        select(row.blocked_id).where(row.player_id.in_(own)),
        select(row.player_id).where(row.blocked_id.in_(own)),
    )
    apart = list(connection.scalars(query))
    if not apart:
        return []
    return apart + list(connection.scalars(select(players.c.id).where(players.c.owner_id.in_(apart))))


def _and_owner(player: Any) -> list[Any]:
    """A player, given as a column or an ID, and the owner if the player is a bot account."""
    account = players.alias()
    return [player, select(account.c.owner_id).where(account.c.id == player).scalar_subquery()]


def merge_blocks(connection: Connection, kept: str, gone: str) -> None:
    """Move the blocks by and of a player to another; duplicates keep the earlier one.

    Blocks between the two are deleted.
    """
    row = blocks.c
    both = [kept, gone]
    connection.execute(delete(blocks).where(row.player_id.in_(both), row.blocked_id.in_(both)))
    own, other = blocks.alias(), blocks.alias()
    for side, far in (("player_id", "blocked_id"), ("blocked_id", "player_id")):
        pairs = select(own.c.id, other.c.id.label("other"), (other.c.created_at < own.c.created_at)).where(
            own.c[side] == kept, other.c[side] == gone, own.c[far] == other.c[far]
        )
        later = [own_id if earlier else other_id for own_id, other_id, earlier in connection.execute(pairs)]
        connection.execute(delete(blocks).where(row.id.in_(later)))
        connection.execute(update(blocks).where(row[side] == gone).values({side: kept}))


def _blocks_of(
    connection: Connection, player_id: str | None, *conditions: ColumnElement[bool]
) -> list[Block]:
    query = (
        select(blocks.c.id, blocks.c.blocked_id, SHOWN_NAME, blocks.c.created_at)
        .join(players, players.c.id == blocks.c.blocked_id)
        .where(blocks.c.player_id == player_id, *conditions)
        .order_by(blocks.c.created_at.desc(), blocks.c.id)
    )
    return [Block(*row) for row in connection.execute(query)]


def _check_most(connection: Connection, player_id: str) -> None:
    own = select(func.count()).where(blocks.c.player_id == player_id)
    if (connection.scalar(own) or 0) >= MOST_BLOCKS:
        raise TooMuch(f"you block {MOST_BLOCKS} players, the most allowed: unblock one")
