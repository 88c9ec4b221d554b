"""Query times of leaderboards, ranks, statistics and streaks in a store of a million results.

The store is random: half of the results are of two-player games within the ranking period, half of solo
games. There are a quarter as many attempts at dailies, many of them at today's. The queried player has more
games than any other, about 6,000. Floor: each query under 10 ms.

``--database-url`` is an empty PostgreSQL database; without it, a new SQLite file is used.
"""

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import count, islice
from pathlib import Path
from typing import Any, Final

from sqlalchemy import insert, text

from app.resources import resource
from app.rooms import ROOMS
from app.store.dailies import Dailies
from app.store.database import Database
from app.store.days import begins_at
from app.store.games import GameStore
from app.store.lobby import Lobby
from app.store.rankings import RANKING_SECONDS, Rankings, recount_all
from app.store.results import ResultStore
from app.store.schema import attempts, dailies, players, results
from app.words.library import Library

NOW: Final = time.time()
KINDS: Final = ("letterpress", "wibble", "boggle", "fribble")
DAYS: Final = 60
"""Number of past days with a daily."""
PLAYER: Final = "player-0"
OF_PLAYER: Final = 1000
BATCH: Final = 10_000


def main() -> None:
    """Fill a store, measure the queries and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--results", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=200, help="repetitions of each query")
    parser.add_argument("--database-url", help="an empty PostgreSQL database")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = Database(arguments.database_url or f"sqlite:///{Path(folder) / 'wibble.sqlite3'}")
        database.migrate()
        began = time.perf_counter()
        fill(database, arguments.results)
        filled = time.perf_counter() - began
        measured = {
            name: timed(query, arguments.rounds) for name, query in queries(database, Path(folder)).items()
        }
        database.close()
    if arguments.json:
        print(json.dumps({"results": arguments.results, "queries": measured}, indent=2))
        return
    print(f"{arguments.results:,} results, made in {filled:.0f} s; milliseconds")
    print(f"{'query':<42}{'median':>10}{'p99':>10}")
    for name, (median, p99) in measured.items():
        print(f"{name:<42}{median:>10.2f}{p99:>10.2f}")


def timed(query: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Return the median and the 99th percentile of a query, in milliseconds."""
    query()
    taken = []
    for _ in range(rounds):
        began = time.perf_counter()
        query()
        taken.append((time.perf_counter() - began) * 1000)
    return statistics.median(taken), statistics.quantiles(taken, n=100)[98]


def queries(database: Database, folder: Path) -> dict[str, Callable[[], object]]:
    """Return the queries of the pages and the API by name."""
    rulebook = ROOMS.rulebook(Library(data=resource("data"), home=folder, cache=folder))
    games = GameStore(database, rulebook)
    daily = Dailies(database, rulebook, games).for_kind("wibble")
    found, rankings, lobby = ResultStore(database), Rankings(database), Lobby(games)
    today = datetime.fromtimestamp(NOW, UTC).date()
    return {
        "most games won, top 5": lambda: rankings.top("wibble", NOW, 5),
        "most games won, top 100": lambda: rankings.top("wibble", NOW, 100),
        "today's daily, top 50": lambda: daily.leaderboard(today, 50),
        "rank in today's daily": lambda: daily.rank(today, 100),
        "own attempt at today's daily": lambda: daily.attempt_of(today, PLAYER),
        "archive of 60 days": lambda: daily.archive(PLAYER, today, 60),
        "streak": lambda: daily.streak(PLAYER, NOW),
        "longest streak": lambda: daily.longest_streak(PLAYER),
        "statistics": lambda: found.statistics(PLAYER),
        "latest 20 games": lambda: found.of_player(PLAYER, 20),
        "unfinished games": lambda: lobby.unfinished(PLAYER, 6, NOW),
    }


def fill(database: Database, number: int) -> None:
    """Insert ``number`` results and the tables derived from them, as in the migration."""
    chance = random.Random(1)
    people = number // 10
    today = datetime.fromtimestamp(NOW, UTC).date()
    days = [today - timedelta(days=back) for back in range(DAYS + 1)]
    write(database, players, ({"id": f"player-{n}", "created_at": NOW} for n in range(people)))
    keys = [{"day": day.isoformat(), "kind": kind} for day in days for kind in KINDS]
    write(database, dailies, ({"seed": "seed", "options": "{}", **key} for key in keys))
    ids = count()
    write(database, results, made(chance, people, number, ids))
    write(database, attempts, tried(chance, people, number // 4, days))
    with database.writing() as connection:
        connection.execute(
            text(
                "INSERT INTO rankings (kind, player_id, won, games, won_at, since) "
                "SELECT kind, player_id, sum(CASE WHEN won THEN 1 ELSE 0 END), count(*), "
                "max(CASE WHEN won THEN finished_at END), min(finished_at) "
                "FROM results WHERE ranked GROUP BY kind, player_id"
            )
        )
        connection.execute(
            text(
                "INSERT INTO daily_scores (day, kind, score, players) SELECT day, kind, score, count(*) "
                "FROM attempts WHERE score IS NOT NULL GROUP BY day, kind, score"
            )
        )
        connection.execute(
            text(
                "INSERT INTO statistics (player_id, kind, mode, games, won, against_others, best_score, "
                "score, words, best_word, best_points, best_at, longest_word, longest_at, accuracy, "
                "analysed) "
                "SELECT player_id, kind, mode, count(*), 0, 0, max(score), sum(score), sum(words), "
                "'wibble', max(best_points), 0, 'wibble', 0, sum(accuracy), count(*) "
                "FROM results GROUP BY player_id, kind, mode"
            )
        )
    recount_all(database, NOW)
    with database.writing() as connection:
        connection.execute(text("ANALYZE"))


def made(chance: random.Random, people: int, number: int, ids: Iterator[int]) -> Iterator[dict[str, Any]]:
    """Yield rows of ``results``, of two-player and solo games."""
    own = iter([0] * OF_PLAYER)
    for _ in range(number // 4):
        kind, at, winner = chance.choice(KINDS), NOW - chance.random() * RANKING_SECONDS, chance.randrange(3)
        game = f"game-{next(ids)}"
        first = int(people * chance.random() ** 3)  # few players have most of the games
        for seat, player in enumerate((first, (first + chance.randrange(1, people)) % people)):
            yield result(chance, game, seat, player, kind, 2, at, won=seat == winner, ranked=True)
    for _ in range(number // 2):
        at = NOW - chance.random() * DAYS * 86_400
        player = next(own, chance.randrange(people))
        yield result(
            chance, f"game-{next(ids)}", 0, player, chance.choice(KINDS), 1, at, won=True, ranked=False
        )


def result(
    chance: random.Random,
    game: str,
    seat: int,
    player: int,
    kind: str,
    seats: int,
    at: float,
    *,
    won: bool,
    ranked: bool,
) -> dict[str, Any]:
    """Return a row of ``results``."""
    return {
        "game_id": game,
        "seat": seat,
        "player_id": f"player-{player}",
        "kind": kind,
        "mode": chance.choice(("zen", "classic", "versus")),
        "seats": seats,
        "won": won,
        "score": chance.randrange(500),
        "words": chance.randrange(30),
        "best_word": "wibble",
        "best_points": chance.randrange(60),
        "longest_word": "wibbles"[: chance.randrange(8)],
        "accuracy": chance.random() * 100,
        "finished_at": at,
        "ranked": ranked,
    }


def tried(chance: random.Random, people: int, number: int, days: list[date]) -> Iterator[dict[str, Any]]:
    """Yield rows of ``attempts``: many at today's Wibble, the rest at earlier dailies."""
    today, *past = days
    players_today = min(people, number // 3)
    yield from (attempt(chance, today, "wibble", player) for player in range(players_today))
    each = (number - players_today) // (len(past) * len(KINDS))
    for day in past:
        for kind in KINDS:
            others = chance.sample(range(1, people), each)
            yield from (attempt(chance, day, kind, player) for player in (0, *others))


def attempt(chance: random.Random, day: date, kind: str, player: int) -> dict[str, Any]:
    """Return a row of ``attempts``; a fifth of the scores are 0."""
    return {
        "day": day.isoformat(),
        "kind": kind,
        "player_id": f"player-{player}",
        "game_id": f"daily-{day}-{kind}-{player}"[-32:],
        "score": chance.choice((0, *(chance.randrange(600) for _ in range(4)))),
        "finished_at": begins_at(day) + chance.random() * 86_400,
    }


def write(database: Database, table: Any, rows: Iterator[dict[str, Any]]) -> None:
    """Insert rows in batches."""
    while batch := list(islice(rows, BATCH)):
        with database.writing() as connection:
            connection.execute(insert(table), batch)


if __name__ == "__main__":
    main()
