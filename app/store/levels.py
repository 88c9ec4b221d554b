"""Levels that players have won, with their best results; they outlive the games."""

from dataclasses import dataclass

from sqlalchemy import Connection, case, or_, select

from app.games.game import LevelResult
from app.store.database import Database, upsert
from app.store.schema import levels


@dataclass(frozen=True, slots=True)
class WonLevel:
    """A player's best results in a level."""

    kind: str
    level: str
    stars: int
    """1 to 3."""
    moves: int
    """The fewest moves in a win."""
    won_at: float
    """When ``stars`` or ``moves`` last improved."""


def keep_level(connection: Connection, player_id: str, kind: str, won: LevelResult, at: float) -> None:
    """Store a level that a player has won, keeping the most stars and the fewest moves."""
    insert = upsert(connection, levels).values(
        player_id=player_id, kind=kind, level=won.level, stars=won.stars, moves=won.moves, won_at=at
    )
    row, new = levels.c, insert.excluded
    better = or_(new.stars > row.stars, new.moves < row.moves)
    connection.execute(
        insert.on_conflict_do_update(
            index_elements=[row.player_id, row.kind, row.level],
            set_={
                "stars": case((new.stars > row.stars, new.stars), else_=row.stars),
                "moves": case((new.moves < row.moves, new.moves), else_=row.moves),
                "won_at": case((better, new.won_at), else_=row.won_at),
            },
        )
    )


class Levels:
    """The levels that players have won."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_player(self, player_id: str | None, kind: str | None = None) -> list[WonLevel]:
        """The levels that a player has won, of one kind of game or all, by when they were won."""
        query = select(*(levels.c[name] for name in WonLevel.__slots__))
        query = query.where(levels.c.player_id == player_id)
        if kind is not None:
            query = query.where(levels.c.kind == kind)
        with self._database.reading() as connection:
            found = connection.execute(query.order_by(levels.c.won_at, levels.c.level)).mappings()
            return [WonLevel(**row) for row in found] if player_id else []
