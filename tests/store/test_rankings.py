"""Rankings and ranks: what counts, and the stored counts agree with a recount."""

import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import product
from statistics import mean
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import func, insert, select

from app.games.game import Outcome, Summary
from app.games.rulebook import Rulebook
from app.store.dailies import DailyStore
from app.store.database import Database
from app.store.days import day_of
from app.store.games import GameStore
from app.store.models import Seat, Table
from app.store.players import PlayerStore
from app.store.rankings import RANKED_WORDS, RANKING_SECONDS, Rankings, recount, recount_all
from app.store.results import Result, ResultStore, keep_results
from app.store.retention import Retention, prune
from app.store.schema import attempts, dailies, rankings
from app.store.statistics import ModeStatistics, count_accuracy

AT = 1_700_000_000.0
DAY = 86_400.0


@pytest.fixture
def kind() -> str:
    """A kind of game that no other test uses, as they share one PostgreSQL database."""
    return f"kind-{uuid4().hex[:8]}"


def ended(
    kind: str,
    players: list[str],
    words: list[int],
    winners: tuple[int, ...],
    at: float,
    **summed: Any,
) -> Table:
    """A finished game with only the fields that results need; ``summed`` is in its summaries."""
    nothing: dict[str, Any] = {"mode": "m", "score": 0, "best_word": "", "best_points": 0, "longest_word": ""}
    summary = Summary(words=0, **nothing | summed)
    game: Any = SimpleNamespace(
        outcome=lambda _: Outcome(scores=(0,) * len(players), winners=winners, reason="over"),
        summary=lambda _, seat: summary.model_copy(update={"words": words[seat]}),
        without_deal=lambda options: options,
        level_result=lambda _: None,
    )
    state = SimpleNamespace(options=None)
    seats = tuple(Seat(player) for player in players)
    return Table(uuid4().hex, kind, "seed", at - 60, at, seats, None, game, state, at)


def finish(
    database: Database,
    kind: str,
    players: list[str],
    words: list[int],
    *winners: int,
    at: float = AT,
    **summed: Any,
) -> None:
    with database.writing() as connection:
        keep_results(connection, ended(kind, players, words, winners, at, **summed), at)


def table_of(database: Database, kind: str, at: float) -> dict[str, tuple[int, int]]:
    return {line.player_id: (line.won, line.games) for line in Rankings(database).top(kind, at, 100)}


def test_a_win_counts_after_enough_words_of_both(database: Database, players: PlayerStore, kind: str) -> None:
    ada, bob, eve = (players.create(AT) for _ in range(3))
    finish(database, kind, [ada, bob], [9, RANKED_WORDS - 1], 0)
    finish(database, kind, [ada, bob], [RANKED_WORDS - 1, 9], 0)
    finish(database, kind, [ada], [9], 0)
    assert table_of(database, kind, AT) == {}
    finish(database, kind, [ada, bob], [RANKED_WORDS, RANKED_WORDS], 0)
    assert table_of(database, kind, AT) == {ada: (1, 1)}
    finish(database, kind, [eve, bob, ada], [RANKED_WORDS, 9, 0], 0)
    assert table_of(database, kind, AT) == {ada: (1, 1), eve: (1, 1)}


def test_the_first_game_of_a_day_with_the_same_player_counts(
    database: Database, players: PlayerStore, results: ResultStore, kind: str
) -> None:
    ada, bob, eve = (players.create(AT) for _ in range(3))
    for number in range(10):
        finish(database, kind, [ada, bob], [9, 9], 0, at=AT + number)
    assert table_of(database, kind, AT) == {ada: (1, 1)}
    assert sum(result.ranked for result in results.of_player(ada)) == 1
    assert sum(line.won for line in results.statistics(ada)) == 10, "statistics count all games"
    finish(database, kind, [ada, eve], [9, 9], 0)
    finish(database, kind, [bob, ada], [9, 9], 0)
    assert table_of(database, kind, AT) == {ada: (2, 2)}
    finish(database, kind, [ada, bob], [9, 9], 0, at=AT + DAY)
    assert table_of(database, kind, AT + DAY) == {ada: (3, 3)}
    finish(database, f"{kind}-2", [ada, bob], [9, 9], 0)
    assert table_of(database, f"{kind}-2", AT) == {ada: (1, 1)}, "each kind of game counts for itself"


def test_one_of_many_games_that_end_at_once_counts(
    database: Database, players: PlayerStore, kind: str
) -> None:
    ada, bob = (players.create(AT) for _ in range(2))
    with ThreadPoolExecutor(8) as threads:
        pairs = [[ada, bob], [bob, ada]] * 8
        ends = [threads.submit(finish, database, kind, pair, [9, 9], 0) for pair in pairs]
        for end in ends:
            end.result()
    assert sum(won for won, _ in table_of(database, kind, AT).values()) == 1
    with database.reading() as connection:
        games = select(rankings.c.games).where(rankings.c.kind == kind)
        assert list(connection.scalars(games)) == [1, 1]


def test_ties_share_a_rank_and_the_earlier_is_listed_first(
    database: Database, players: PlayerStore, kind: str
) -> None:
    late, early, more = (players.create(AT) for _ in range(3))
    others = [players.create(AT) for _ in range(3)]
    finish(database, kind, [late, others[0]], [9, 9], 0, at=AT + 2)
    finish(database, kind, [early, others[1]], [9, 9], 0, at=AT + 1)
    finish(database, kind, [more, others[2]], [9, 9], 0, at=AT)
    finish(database, kind, [more, others[0]], [9, 9], 1, at=AT + 3)
    lines = Rankings(database).top(kind, AT + 9, 5)
    assert [(line.rank, line.player_id) for line in lines[:2]] == [(1, early), (1, late)]
    assert {line.player_id: line.rank for line in lines[2:]} == {more: 3, others[0]: 3}


def test_old_rankings_are_recounted_in_batches(database: Database, players: PlayerStore, kind: str) -> None:
    everybody = [players.create(AT) for _ in range(6)]
    for one, other in zip(everybody[::2], everybody[1::2], strict=True):
        finish(database, kind, [one, other], [9, 9], 0)
    later = AT + RANKING_SECONDS + 1
    assert recount(database, kind, AT + RANKING_SECONDS) == 0
    assert recount(database, kind, later, most=4) == 4
    recount_all(database, later)
    with database.reading() as connection:
        left = select(func.count()).select_from(rankings).where(rankings.c.kind == kind)
        assert connection.scalar(left) == 0


@dataclass
class Counted:
    """The counts of a game, computed without any stored count."""

    at: float
    winner: str | None
    ranked: set[str]


def summed_up(games: list[Result]) -> ModeStatistics:
    """A mode's statistics from all its results."""
    others = [game for game in games if game.seats > 1]
    best = max(games, key=lambda game: (game.best_points, game.finished_at))
    longest = max(games, key=lambda game: (len(game.longest_word), game.finished_at))
    accuracies = [game.accuracy for game in games if game.accuracy is not None]
    return ModeStatistics(
        kind=games[0].kind,
        mode=games[0].mode,
        games=len(games),
        won=sum(game.won for game in others),
        against_others=len(others),
        best_score=max(game.score for game in games),
        average_score=round(mean(game.score for game in games), 6),
        words=sum(game.words for game in games),
        best_word=best.best_word,
        best_word_points=best.best_points,
        longest_word=longest.longest_word,
        average_accuracy=round(mean(accuracies), 6) if accuracies else None,
    )


def rounded(line: ModeStatistics) -> ModeStatistics:
    """A line with sums rounded, as they depend on the order of addition."""
    accuracy = None if line.average_accuracy is None else round(line.average_accuracy, 6)
    return replace(line, average_score=round(line.average_score, 6), average_accuracy=accuracy)


class History:
    """Random events in a store, and their expected counts."""

    def __init__(self, database: Database, kind: str, daily: DailyStore, seed: int) -> None:
        self.now = AT
        self._database, self._kind, self._daily = database, kind, daily
        self._results, self._players = ResultStore(database), PlayerStore(database)
        self._chance = random.Random(seed)
        self._people = [self._players.create(AT) for _ in range(5)]
        self._games: list[Counted] = []
        self._scores: dict[tuple[date, str], int] = {}

    def go_on(self) -> None:
        """Make a random event happen."""
        events = [self._game, self._play_daily, self._wait, self._erase, self._prune, self._analyse]
        self.now += 1
        self._chance.choices(events, [60, 25, 20, 3, 2, 15])[0]()

    def _game(self) -> None:
        seated = self._chance.sample(self._people, self._chance.choice([1, 2, 2, 2, 3, 4]))
        words = [self._chance.choice([0, RANKED_WORDS - 1, RANKED_WORDS, 9]) for _ in seated]
        winners = self._chance.choice([(0,), (len(seated) - 1,), tuple(range(len(seated)))])
        at = self.now - self._chance.choice([0, 0, 0, 5 * DAY, 40 * DAY])  # a clock that ran out earlier
        finish(self._database, self._kind, seated, words, *winners, at=at, **self._summary())
        played = {one for one, number in zip(seated, words, strict=True) if number >= RANKED_WORDS}
        met = [game.ranked for game in self._games if day_of(game.at) == day_of(at)]
        new = {
            one
            for one in played
            for other in played - {one}
            if not any({one, other} <= met_in for met_in in met)
        }
        self._games.append(Counted(at, seated[winners[0]] if len(winners) == 1 else None, new))

    def _summary(self) -> dict[str, Any]:
        points = self._chance.randrange(5)
        return {
            "mode": self._chance.choice(["zen", "versus"]),
            "score": self._chance.randrange(100),
            "best_word": f"best-{self._chance.random()}",
            "best_points": points,
            "longest_word": "".join(self._chance.choices("abc", k=points)),
        }

    def _analyse(self) -> None:
        found = self._results.of_player(self._chance.choice(self._people), most=1)
        with self._database.writing() as connection:
            for result, seat in product(found, range(4)):
                count_accuracy(connection, result.game_id, seat, self._chance.choice([None, 25.0, 75.0]))

    def _play_daily(self) -> None:
        player, day = self._chance.choice(self._people), day_of(self.now)
        if (day, player) in self._scores:
            return
        score = self._scores[day, player] = self._chance.randrange(4)
        table = ended(self._kind, [player], [9], (0,), self.now, **self._summary() | {"score": score})
        key = {"day": day.isoformat(), "kind": self._kind}
        with self._database.writing() as connection:
            if connection.scalar(select(dailies.c.day).filter_by(**key)) is None:
                connection.execute(insert(dailies).values(seed="seed", options="{}", **key))
            connection.execute(insert(attempts).values(player_id=player, game_id=table.id, **key))
            keep_results(connection, table, self.now)

    def _wait(self) -> None:
        self.now += self._chance.choice([60, DAY, 3 * DAY, 20 * DAY])

    def _erase(self) -> None:
        gone = self._chance.choice(self._people)
        self._results.erase(gone, self.now)
        for game in self._games:
            game.ranked.discard(gone)
        self._scores = {key: score for key, score in self._scores.items() if key[1] != gone}
        self._people[self._people.index(gone)] = self._players.create(self.now)

    def _prune(self) -> None:
        prune(self._database, Retention(1, 1), self.now)

    def check(self) -> None:
        """Check that the stored counts agree with counting all games."""
        for player in self._people:
            kept = {line.mode: rounded(line) for line in self._results.statistics(player)}
            modes: dict[str, list[Result]] = {}
            for result in self._results.of_player(player):
                modes.setdefault(result.mode, []).append(result)
            assert kept == {mode: summed_up(games) for mode, games in modes.items()}
        lately = [game for game in self._games if game.at >= self.now - RANKING_SECONDS]
        won = Counter(game.winner for game in lately if game.winner in game.ranked)
        games = Counter(player for game in lately for player in game.ranked)
        expected = {player: (number, games[player]) for player, number in won.items() if player}
        assert table_of(self._database, self._kind, self.now) == expected
        for day in {day for day, _ in self._scores}:
            scores = [score for (when, _), score in self._scores.items() if when == day]
            score = self._chance.randrange(4)
            ahead = sum(one > score for one in scores)
            assert self._daily.rank(day, score) == (1 + ahead, len(scores))


@pytest.mark.parametrize("seed", range(2))
def test_the_stored_counts_equal_a_new_count(
    database: Database, rulebook: Rulebook, games: GameStore, kind: str, seed: int
) -> None:
    """Random sequences of finished games, also late ones, passing days, erased players and pruned games."""
    history = History(database, kind, DailyStore(database, rulebook, games, kind), seed)
    for number in range(1, 57):
        history.go_on()
        if number % 8 == 0:
            history.check()


def test_a_player_erased_during_a_recount_stays_off_the_rankings(
    database: Database, players: PlayerStore, results: ResultStore, kind: str
) -> None:
    for number in range(4):
        ada, bob = (players.create(AT) for _ in range(2))
        begin = AT + number * 100 * DAY
        finish(database, kind, [ada, bob], [9, 9], 0, at=begin)
        finish(database, kind, [ada, bob], [9, 9], 0, at=begin + 2 * DAY)
        later = begin + RANKING_SECONDS + DAY
        with ThreadPoolExecutor(2) as threads:
            doing: list[Callable[[], object]] = [
                partial(results.erase, ada, later),
                partial(recount, database, kind, later),
            ]
            for each in [threads.submit(one) for one in doing[:: 1 if number % 2 else -1]]:
                each.result()
        with database.reading() as connection:
            kept = select(rankings.c.player_id).where(rankings.c.kind == kind, rankings.c.player_id == ada)
            assert connection.scalar(kept) is None
