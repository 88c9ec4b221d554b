"""Games as texts: written for whoever takes one away, and kept again to be watched."""

from secrets import token_urlsafe

from sqlalchemy import insert

from app.games.record import BrokenRecord, Record, replay, write
from app.store.games import GameStore
from app.store.rows import insert_game, keep_snapshot
from app.store.schema import moves
from app.store.tables import Seat, Table


class Records:
    """The recorded games of this installation."""

    def __init__(self, games: GameStore) -> None:
        self._games = games

    def keep(self, record: Record, at: float) -> Table:
        """A finished game that a text recorded, kept to be watched; its seats are nobody's.

        Raises UnknownLexicon, and BrokenRecord where its moves do not follow or do not end the game.
        """
        game = self._games.rulebook.game(record.kind, record.options.lexicon)
        states = replay(record, game)
        if game.outcome(states[-1]) is None:
            raise BrokenRecord(f"the game is not finished after its last ply, {len(record.moves) - 1}")
        table = Table(
            id=token_urlsafe(9),
            kind=record.kind,
            seed=record.seed,
            created_at=at,
            finished_at=at,
            seats=(Seat(),) * record.seats,
            invitation=None,
            game=game,
            state=states[-1],
            moved_at=at,
        )
        with self._games.database.writing() as connection:
            insert_game(connection, table, record.options)
            connection.execute(
                insert(moves),
                [
                    {
                        "game_id": table.id,
                        "ply": ply,
                        "seat": line.seat,
                        "move": line.move.model_dump_json(),
                        "at": line.at,
                    }
                    for ply, line in enumerate(record.moves)
                ],
            )
            keep_snapshot(connection, table)
        return table

    def of(self, game_id: str) -> str:
        """A game as a text that ``keep`` reads. Raises UnknownGame."""
        table = self._games.read(game_id)
        log = [(line.seat, line.move, line.at) for line in self._games.log(game_id)]
        return write(table.game, self._games.states(game_id), table.seed, log)
