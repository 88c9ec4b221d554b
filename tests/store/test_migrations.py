"""Migrations keep the data of earlier versions and can be reversed."""

import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

import app.store
from app.games.rulebook import Rulebook
from app.games.wibble.moves import Resign, Shuffle
from app.games.wibble.options import Setup
from app.store.circles import Circles
from app.store.dailies import DailyStore
from app.store.database import Database
from app.store.games import GameStore
from app.store.lobby import Lobby
from app.store.models import Seat
from app.store.players import PlayerStore
from app.store.rankings import Rankings
from app.store.results import ResultStore
from app.store.schema import metadata
from tests.games.playing import play
from tests.games.wibble.positions import AT, pinned

DATA = ("players", "games", "seats", "moves", "snapshots")


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database of each kind without tables; on PostgreSQL, a separate schema."""
    if request.param == "sqlite":
        database = Database(f"sqlite:///{tmp_path / 'old.sqlite3'}")
        yield database
        database.close()
        return
    url = request.getfixturevalue("postgresql_url")
    schema = f"old_{uuid4().hex[:8]}"
    whole = Database(url)
    with whole.writing() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    database = Database(f"{url}?options=-csearch_path%3D{schema}")
    yield database
    database.close()
    with whole.writing() as connection:
        connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
    whole.close()


def migrate(database: Database, revision: str, *, down: bool = False) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(app.store.__path__[0]) / "migrations"))
    with database.writing() as connection:
        config.attributes["connection"] = connection
        (command.downgrade if down else command.upgrade)(config, revision)


def rows(connection: Connection, table: str) -> list[dict[str, Any]]:
    found = [dict(row) for row in connection.execute(text(f"SELECT * FROM {table}")).mappings()]  # noqa: S608
    return sorted(found, key=lambda row: str(sorted(row.items(), key=str)))


def contents(database: Database) -> dict[str, list[dict[str, Any]]]:
    with database.reading() as connection:
        return {table: rows(connection, table) for table in DATA}


@pytest.fixture
def old(empty: Database, rulebook: Rulebook) -> Database:
    """A store at revision 0001 with a running game."""
    migrate(empty, "0001")
    game = rulebook.game("wibble", rulebook.ref("letterpress"))
    options = pinned(game, "zen")  # type: ignore[arg-type]
    state = game.start(options, 1, "old seed")
    moves = [*game.opening(options), Shuffle()]
    after = play(game, state, *moves)
    with empty.writing() as connection:
        connection.execute(text("INSERT INTO players VALUES ('ada', 1.5)"))
        connection.execute(
            text("INSERT INTO games VALUES ('g', 'wibble', :options, 'old seed', 'open', 2.5, NULL)"),
            {"options": options.model_dump_json()},
        )
        connection.execute(text("INSERT INTO seats VALUES ('g', 0, 'ada')"))
        for ply, move in enumerate(moves):
            connection.execute(
                text("INSERT INTO moves VALUES ('g', :ply, 0, :move, :at)"),
                {"ply": ply, "move": move.model_dump_json(), "at": AT},
            )
        connection.execute(
            text("INSERT INTO snapshots VALUES ('g', 2, :state, :at)"),
            {"state": after.model_dump_json(), "at": AT},
        )
    return empty


def test_a_game_stored_by_the_first_version_can_be_played_on(old: Database, rulebook: Rulebook) -> None:
    before = contents(old)
    old.migrate()
    after = contents(old)
    for table in DATA:
        kept = [{name: row[name] for name in before[table][0]} for row in after[table]]
        assert kept == before[table]
    games = GameStore(old, rulebook)
    loaded = games.load("g", AT)
    assert loaded.seats == (Seat("ada"),)
    assert games.states("g")[-1] == loaded.state
    assert [one.id for one in Lobby(games).unfinished("ada", 5, AT)] == ["g"]
    games.play("g", "ada", Resign(), AT + 1)
    assert [result.game_id for result in ResultStore(old).of_player("ada")] == ["g"]


def test_downgrading_and_upgrading_keeps_what_the_older_tables_can_hold(
    old: Database, rulebook: Rulebook
) -> None:
    before = contents(old)
    old.migrate()
    games, other = GameStore(old, rulebook), PlayerStore(old).create(AT)
    setup = Setup(mode="versus")
    with_bot = games.open("wibble", setup, [Seat(other), Seat(bot_level=1)], AT)
    with_free_seat = games.open("wibble", setup, [Seat(other), Seat()], AT)
    migrate(old, "0001", down=True)
    now = contents(old)
    for table in DATA[1:]:
        assert now[table] == before[table], "tables with bots or free seats are no longer there"
    assert {row["id"] for row in now["players"]} == {"ada", other}
    old.migrate()
    assert games.load("g", AT).seats == (Seat("ada"),)
    for gone in (with_bot, with_free_seat):
        with pytest.raises(LookupError):
            games.load(gone.id, AT)


def test_the_migration_no_longer_counts_shared_wins_as_won(old: Database) -> None:
    migrate(old, "0006")
    with old.writing() as connection:
        connection.execute(text("INSERT INTO players (id, created_at) VALUES ('bob', 1.5)"))
        for game, seat, player, won in (
            ("draw", 0, "ada", True),
            ("draw", 1, "bob", True),
            ("won", 0, "ada", True),
            ("won", 1, "bob", False),
            ("alone", 0, "bob", True),
        ):
            connection.execute(
                text(
                    "INSERT INTO results (game_id, seat, player_id, kind, mode, seats, won, score, words, "
                    "best_word, best_points, longest_word, finished_at) "
                    "VALUES (:game, :seat, :player, 'wibble', 'versus', 2, :won, 9, 1, 'nine', 9, 'nine', 5)"
                ),
                {"game": game, "seat": seat, "player": player, "won": won},
            )
    old.migrate()
    results = ResultStore(old)
    assert {one.game_id: one.won for one in results.of_player("ada")} == {"draw": False, "won": True}
    assert {one.game_id: one.won for one in results.of_player("bob")} == {
        "draw": False,
        "won": False,
        "alone": True,
    }


def test_the_migration_removes_accuracies_of_blitz(old: Database) -> None:
    migrate(old, "0009")
    with old.writing() as connection:
        for game, mode in (("fast", "blitz"), ("calm", "zen")):
            connection.execute(
                text(
                    "INSERT INTO games (id, kind, options, seed, status, created_at) "
                    "SELECT :game, kind, options, seed, status, created_at FROM games WHERE id = 'g'"
                ),
                {"game": game},
            )
            connection.execute(text("INSERT INTO analyses VALUES (:game, '{}')"), {"game": game})
            connection.execute(
                text(
                    "INSERT INTO results (game_id, seat, player_id, kind, mode, seats, won, score, words, "
                    "best_word, best_points, longest_word, accuracy, finished_at) "
                    "VALUES (:game, 0, 'ada', 'wibble', :mode, 1, :won, 9, 1, 'nine', 9, 'nine', 85, 5)"
                ),
                {"game": game, "mode": mode, "won": True},
            )
    old.migrate()
    results = ResultStore(old)
    assert {one.game_id: one.accuracy for one in results.of_player("ada")} == {"fast": None, "calm": 85}
    assert {line.mode: line.average_accuracy for line in results.statistics("ada")} == {
        "blitz": None,
        "zen": 85,
    }
    assert (results.analysis("fast"), results.analysis("calm")) == (None, "{}")


def test_the_migration_fills_the_counts_from_earlier_results(old: Database, rulebook: Rulebook) -> None:
    migrate(old, "0010")
    now = time.time()
    with old.writing() as connection:
        connection.execute(text("INSERT INTO players (id, created_at) VALUES ('bob', 1.5)"))
        connection.execute(text("INSERT INTO dailies VALUES ('2026-01-01', 'wibble', 'seed', '{}')"))
        for player, score in (("ada", 7), ("bob", 7), ("eve", None)):
            if player == "eve":
                connection.execute(text("INSERT INTO players (id, created_at) VALUES ('eve', 1.5)"))
            connection.execute(
                text("INSERT INTO attempts VALUES ('2026-01-01', 'wibble', :player, :player, :score, 5)"),
                {"player": player, "score": score},
            )
        for game, seat, player, won, at in (
            ("lately", 0, "ada", True, now - 86_400),
            ("lately", 1, "bob", False, now - 86_400),
            ("long ago", 0, "bob", True, now - 40 * 86_400),
            ("long ago", 1, "ada", False, now - 40 * 86_400),
            ("with a bot", 0, "bob", True, now),
        ):
            connection.execute(
                text(
                    "INSERT INTO results (game_id, seat, player_id, kind, mode, seats, won, score, words, "
                    "best_word, best_points, longest_word, finished_at) VALUES "
                    "(:game, :seat, :player, 'wibble', 'versus', 2, :won, 9, 0, 'nine', 9, 'nine', :at)"
                ),
                {"game": game, "seat": seat, "player": player, "won": won, "at": at},
            )
        for game, seated in (("imported", None), ("erased", None), ("played", "ada")):
            connection.execute(
                text(
                    "INSERT INTO games (id, kind, options, seed, status, created_at, finished_at) "
                    "SELECT :game, kind, options, seed, 'finished', 5, :at FROM games WHERE id = 'g'"
                ),
                {"game": game, "at": 9 if game == "erased" else 5},
            )
            connection.execute(
                text("INSERT INTO seats (game_id, seat, player_id) VALUES (:game, 0, :player)"),
                {"game": game, "player": seated},
            )
    old.migrate()
    lines = Rankings(old).top("wibble", now, 9)
    assert [(line.player_id, line.won, line.games) for line in lines] == [("ada", 1, 1)]
    assert [(line.won, line.games) for line in ResultStore(old).statistics("bob")] == [(2, 3)]
    daily = DailyStore(old, rulebook, GameStore(old, rulebook), "wibble")
    assert daily.rank(date(2026, 1, 1), 6) == (3, 2)
    with old.reading() as connection:
        (imported,) = rows(connection, "imports")
    assert (imported["game_id"], imported["kept_by"]) == ("imported", None)
    assert imported["imported_at"] >= now, "its retention starts with the upgrade"


def test_the_next_member_of_a_migrated_circle_gets_the_next_number(old: Database) -> None:
    migrate(old, "0033")
    with old.writing() as connection:
        connection.execute(text("INSERT INTO players (id, created_at, listed_from) VALUES ('bob', 1.5, 1.5)"))
        connection.execute(text("INSERT INTO circles VALUES ('c', 'Words', 'link', 1.5)"))
        connection.execute(text("INSERT INTO members VALUES ('c', 1, 'ada', true, 1.5)"))
        connection.execute(text("INSERT INTO members VALUES ('c', 4, 'bob', false, 1.5)"))
    old.migrate()
    circles, late = Circles(old), PlayerStore(old).create(2.5)
    circles.join("c", "link", late, 2.5)
    assert [member.number for member in circles.read("c", late).members] == [1, 4, 5]


def test_the_migration_sets_the_time_of_storing_to_the_end_of_the_game(old: Database) -> None:
    migrate(old, "0034")
    with old.writing() as connection:
        connection.execute(
            text(
                "INSERT INTO results (game_id, seat, player_id, kind, mode, seats, won, score, words, "
                "best_word, best_points, longest_word, finished_at) "
                "VALUES ('with bob', 0, 'ada', 'wibble', 'versus', 2, true, 9, 1, 'nine', 9, 'nine', 5)"
            )
        )
    old.migrate()
    results = ResultStore(old)
    assert (results.ended_since("ada", 5), results.ended_since("ada", 6)) == (["with bob"], [])


def test_the_migrations_make_the_tables_of_the_schema(empty: Database) -> None:
    """Columns, nullability, indexes and foreign keys."""
    empty.migrate()
    with empty.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        differences = compare_metadata(context, metadata)
    assert differences == []


def test_downgrading_to_the_base_leaves_no_tables(empty: Database) -> None:
    empty.migrate()
    migrate(empty, "base", down=True)
    assert set(inspect(empty.engine).get_table_names()) <= {"alembic_version"}
    empty.migrate()


def test_deleting_a_game_deletes_its_rows(old: Database) -> None:
    """The rebuilt seats still belong to their game."""
    old.migrate()
    with old.writing() as connection:
        connection.execute(text("DELETE FROM games"))
    assert {table: len(found) for table, found in contents(old).items()} == {
        "players": 1,
        "games": 0,
        "seats": 0,
        "moves": 0,
        "snapshots": 0,
    }


def test_processes_that_start_together_on_an_empty_store_make_its_tables_once(empty: Database) -> None:
    url = empty.engine.url.render_as_string(hide_password=False)
    program = (
        "import sys; from app.store.database import Database; database = Database(sys.argv[1]); "
        "print('ready', flush=True); sys.stdin.readline(); database.migrate()"
    )
    starting = [
        subprocess.Popen(
            [sys.executable, "-c", program, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for process in starting:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in starting:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in starting:
        assert (process.wait(120), process.communicate()[1]) == (0, "")
    with empty.reading() as connection:
        assert len(rows(connection, "alembic_version")) == 1
