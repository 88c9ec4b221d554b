"""Every kind of game in the store: moves are stored, and refused ones leave no trace."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from sqlalchemy import func, select

from app.games.game import IllegalMove
from app.games.record import read, replay
from app.games.rulebook import Rulebook
from app.rooms import ROOMS
from app.store.database import Database
from app.store.games import GameStore
from app.store.models import NotYourSeat, Refused, Seat, Table, TableSettings, TooEarly
from app.store.players import PlayerStore
from app.store.records import Records
from app.store.schema import games as games_table
from app.store.schema import metadata
from app.store.seating import Seating
from app.words.lexicon import Lexicon
from tests.examples import TIMES
from tests.games.trial import PAUSES, Trial
from tests.games.trials import TRIALS

AT = 1_000.0
STEPS = 10
"""Attempts in one game before all players resign."""
STRANGER = "nobody"


@pytest.mark.parametrize("kind", TRIALS)
def test_random_moves_are_stored_or_refused_without_changes(
    database: Database, rulebook: Rulebook, lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    trial, games = TRIALS[kind](lexicon), GameStore(database, rulebook)
    everybody = [PlayerStore(database).create(AT) for _ in range(6)]

    @settings(
        max_examples=(3 if database.engine.dialect.name == "sqlite" else 1) * TIMES,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(st.data(), st.integers(0, 2**32))
    def play_a_game(data: st.DataObject, number: int) -> None:
        monkeypatch.setattr("app.store.games.token_hex", lambda size: Random(number).randbytes(size).hex())
        setup = ROOMS[kind].game.setup_type(**data.draw(trial.choices()))
        players = everybody[: data.draw(st.sampled_from(ROOMS[kind].game.seats(setup)))]
        settings = TableSettings(turn_limit=data.draw(st.sampled_from([None, 60])))
        try:
            table = games.open(kind, setup, [Seat(player) for player in players], AT, settings)
        except IllegalMove:  # for example, no hand has that many words
            reject()
        at = AT
        for _ in range(STEPS):
            at = max(at, at + data.draw(PAUSES))
            table = games.load(table.id, at)
            if table.finished_at is None:
                table = attempt(database, games, trial, table, players, at, data)
            assert games.load(table.id, at).state == table.state
            assert games.load(table.id, at, table.version) == games.read(table.id), "if it is not read again"
        check_replay(games, give_up(games, table, players, at))

    play_a_game()


def attempt(
    database: Database,
    games: GameStore,
    trial: Trial,
    table: Table,
    players: list[str],
    at: float,
    data: st.DataObject,
) -> Table:
    """The table after an attempt to move or to claim the game, mostly by the player to move."""
    mover = table.game.to_move(table.state) or 0
    who = data.draw(st.sampled_from([players[mover]] * 6 + [*players, STRANGER]))
    seat = table.seat_of(who)
    if len(players) > 1 and data.draw(st.integers(0, 5)) == 0:
        return traced(database, table, lambda: Seating(games).claim(table.id, who, at)) or table
    move = data.draw(trial.moves(table.state, seat or 0))
    after = traced(database, table, lambda: games.play(table.id, who, move, at))
    if after is None:
        return table
    assert seat is not None, "a stranger moved"
    assert not isinstance(move, table.game.reserved), "a move that players cannot make"
    assert after.state.ply == table.state.ply + 1
    kept = games.log(table.id)[-1]
    logged = table.game.logged(table.state, move)
    assert (kept.ply, kept.seat, kept.move, kept.at) == (table.state.ply, seat, logged, at)
    assert table.game.apply(table.state, seat, logged, at) == after.state
    return after


def traced(database: Database, table: Table, act: Callable[[], Table]) -> Table | None:
    """The result; None if it is refused and has changed nothing in the store."""
    before = everything_kept(database, table.id)
    try:
        return act()
    except (IllegalMove, Refused, NotYourSeat, TooEarly):
        assert everything_kept(database, table.id) == before
        return None


def everything_kept(database: Database, game_id: str) -> list[Any]:
    """All rows of the game, and the number of other rows."""
    kept: list[Any] = []
    with database.reading() as connection:
        for each in metadata.sorted_tables:
            column = each.c.id if each is games_table else each.c.get("game_id")
            kept.append(connection.scalar(select(func.count()).select_from(each)))
            if column is not None:
                kept.append(connection.execute(select(each).where(column == game_id)).all())
    return kept


def give_up(games: GameStore, table: Table, players: list[str], at: float) -> Table:
    """End the game by the resignation of all remaining players."""
    for player in players:
        try:
            table = games.play(table.id, player, table.game.resignation, at)
        except Refused:
            table = games.load(table.id, at)
    assert table.finished_at is not None
    return table


def check_replay(games: GameStore, table: Table) -> None:
    """Check that the log, the snapshot and the record give the same game."""
    states = games.states(table.id)
    assert states[-1] == table.state == games.load(table.id, table.moved_at).state
    assert [state.ply for state in states] == list(range(len(states)))
    record = read(Records(games).of(table.id), ROOMS.games)
    assert replay(record, table.game) == states
    again = Records(games).keep(record, table.moved_at)
    assert (again.state, again.view(None)) == (table.state, table.view(None))
