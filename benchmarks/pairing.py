"""Time in which 1,000 waiting players are paired: the rules alone, dealing the games, and all with storing.

The players have random ratings, and some block each other; each has waited for up to 60 seconds.
Floor: all of it under 2 s.

``--database-url`` is an empty PostgreSQL database; without it, a new SQLite file is used.
"""

import argparse
import json
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

from sqlalchemy import delete, insert

from app.games.kernel import warm_up
from app.resources import resource
from app.rooms import ROOMS
from app.store.database import Database
from app.store.games import GameStore
from app.store.models import Seat
from app.store.pairing import Pairing
from app.store.pairing_rules import pair_up
from app.store.schema import blocks, players, waiting
from app.store.schema import games as stored_games
from app.store.waiting_players import Pool, all_there, blocked_in
from app.web.room import quick_setups
from app.words.library import Library

NOW: Final = time.time()


def main() -> None:
    """Fill the queue, pair everybody a few times and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--blocks", type=int, default=200)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--kinds", nargs="+", default=["wibble", "letterpress", "boggle", "fribble"])
    parser.add_argument("--database-url", help="an empty PostgreSQL database")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = Database(arguments.database_url or f"sqlite:///{Path(folder) / 'wibble.sqlite3'}")
        database.migrate()
        home = Path(folder)
        rulebook = ROOMS.rulebook(Library(data=resource("data"), home=home, cache=home))
        games = GameStore(database, rulebook)
        fill(database, arguments.players, arguments.blocks)
        measured = {
            kind: measure(games, Pool(kind, "blitz", rated=True), arguments.players, arguments.runs)
            for kind in arguments.kinds
        }
        database.close()
    if arguments.json:
        print(json.dumps({"players": arguments.players, "kinds": measured}, indent=2))
        return
    print(f"{arguments.players:,} waiting players, median of {arguments.runs} runs; seconds")
    print(f"{'kind':<14}{'games':>8}{'rules':>10}{'dealing':>10}{'all':>10}")
    for kind, found in measured.items():
        print(f"{kind:<14}{found['games']:>8.0f}", end="")
        print(f"{found['rules']:>10.3f}{found['dealing']:>10.3f}{found['all']:>10.3f}")


def fill(database: Database, number: int, blocked: int) -> None:
    """Add players, some of whom block others."""
    chance = random.Random(1)
    pairs = {tuple(chance.sample(range(number), 2)) for _ in range(blocked)}
    rows = [
        {"id": f"block-{a}-{b}", "player_id": f"player-{a}", "blocked_id": f"player-{b}", "created_at": NOW}
        for a, b in pairs
    ]
    with database.writing() as connection:
        connection.execute(insert(players), [{"id": f"player-{n}", "created_at": NOW} for n in range(number)])
        if rows:
            connection.execute(insert(blocks), rows)


def measure(games: GameStore, pool: Pool, number: int, runs: int) -> dict[str, float]:
    """Return medians, in seconds, and the number of games."""
    setups = quick_setups(ROOMS)
    pairing = Pairing(games, setups)
    setup = setups[pool.kind, pool.speed]
    games.draft(pool.kind, setup, [Seat(), Seat()], NOW)  # loads the word list and the game's kernels
    warm_up()
    found: dict[str, list[float]] = {"games": [], "rules": [], "dealing": [], "all": []}
    for run in range(runs):
        wait(games.database, pool, number, run)
        began = time.perf_counter()
        with games.database.reading() as connection:
            there, apart = all_there(connection, pool, NOW), blocked_in(connection, pool, NOW)
        pairs = pair_up(there, apart, NOW)
        found["rules"].append(time.perf_counter() - began)
        began = time.perf_counter()
        for _ in pairs:
            games.draft(pool.kind, setup, [Seat(), Seat()], NOW)
        found["dealing"].append(time.perf_counter() - began)
        began = time.perf_counter()
        begun = pairing.pair(pool, NOW)
        found["all"].append(time.perf_counter() - began)
        found["games"].append(begun)
        assert begun == len(pairs) >= 0.48 * number
    return {name: statistics.median(values) for name, values in found.items()}


def wait(database: Database, pool: Pool, number: int, run: int) -> None:
    """Let all players start waiting again, for random times and with random ratings."""
    chance = random.Random(run)
    rows = [
        {
            **pool._asdict(),
            "player_id": f"player-{n}",
            "value": chance.gauss(1500, 300),
            "deviation": chance.uniform(45, 350),
            "since": NOW - chance.uniform(0, 60),
            "seen_at": NOW,
        }
        for n in range(number)
    ]
    with database.writing() as connection:
        connection.execute(delete(waiting))
        connection.execute(delete(stored_games))
        connection.execute(insert(waiting), rows)


if __name__ == "__main__":
    main()
