"""Dailies: the same game for everybody on a day, and one ranked attempt each."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import func, select

from app.games.rulebook import Rulebook
from app.games.wibble.moves import Chain, Hint, Pass, Resign, Swap
from app.games.wibble.rules import Wibble
from app.store.dailies import Dailies, DailyStore, UnknownDay
from app.store.database import Database
from app.store.days import DAILY_GRACE_SECONDS, begins_at, settles_at
from app.store.games import GameStore
from app.store.models import Table
from app.store.players import PlayerStore
from app.store.results import ResultStore
from app.store.schema import dailies as days
from app.store.schema import games as games_table
from tests.games.wibble.positions import found

AT = 1_700_000_000.0
TODAY = date(2031, 3, 10)
"""Moved on for each test, as others leave results of other days in the shared database."""


@pytest.fixture
def today() -> date:
    """A day that no earlier test used, as the tests share one PostgreSQL database."""
    global TODAY  # noqa: PLW0603
    TODAY += timedelta(days=100)
    return TODAY


@pytest.fixture
def player(players: PlayerStore) -> str:
    return players.create(AT)


def finish(games: GameStore, table: Table, player: str, words: int, at: float) -> Table:
    """Play this number of the best words and resign."""
    for _ in range(words):
        assert isinstance(table.game, Wibble)
        table = games.play(table.id, player, Chain(cells=found(table.game, table.state)[0].cells), at)
    return table if table.finished_at else games.play(table.id, player, Resign(), at)


def opening(table: Table) -> tuple[str, object]:
    return table.seed, table.state.model_dump(exclude={"started_at", "turn_started_at"})


def test_all_players_get_the_same_game_on_a_day(
    dailies: DailyStore, players: PlayerStore, today: date
) -> None:
    first, second = (dailies.attempt(today, players.create(AT), AT + at) for at in (0, 3600))
    assert first.id != second.id
    assert opening(first) == opening(second)
    assert first.state.options.mode == "classic"
    assert first.invitation is None
    tomorrow = dailies.attempt(today + timedelta(days=1), players.create(AT), AT)
    assert tomorrow.seed != first.seed


def test_there_is_one_attempt_however_often_it_is_begun(
    dailies: DailyStore, games: GameStore, player: str, today: date
) -> None:
    assert dailies.attempt_of(today, player) is None
    table = dailies.attempt(today, player, AT)
    games.play(table.id, player, Pass(), AT + 1)
    again = dailies.attempt(today, player, AT + 2)
    assert (again.id, again.state.ply) == (table.id, 2)
    finish(games, again, player, 0, AT + 3)
    assert dailies.attempt(today, player, AT + 4).id == table.id
    attempt = dailies.attempt_of(today, player)
    assert attempt is not None
    assert (attempt.game_id, attempt.score) == (table.id, 0)
    assert table.day == games.load(table.id, AT).day == today


def test_many_tabs_and_workers_at_once_settle_one_day_and_one_attempt(
    dailies: DailyStore,
    database: Database,
    rulebook: Rulebook,
    games: GameStore,
    players: PlayerStore,
    today: date,
) -> None:
    twins = [players.create(AT) for _ in range(2)]
    workers = [DailyStore(database, rulebook, games, Wibble.kind), dailies]
    with ThreadPoolExecutor(6) as threads:
        asked = [(workers[number % 2], twins[number // 3]) for number in range(6)]
        tables = list(threads.map(lambda one: one[0].attempt(today, one[1], AT), asked))
    assert len({table.id for table in tables}) == 2, "one for each player"
    assert len({table.seed for table in tables}) == 1
    with database.reading() as connection:
        settled = select(func.count()).select_from(days).where(days.c.day == today.isoformat())
        kept = select(func.count()).where(games_table.c.seed == tables[0].seed)
        assert connection.scalar(settled) == 1
        assert connection.scalar(kept) == 2, "the games of the losing tabs are removed"


def test_a_daily_stays_when_the_generator_would_choose_another(
    dailies: DailyStore, players: PlayerStore, today: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = dailies.attempt(today, players.create(AT), AT)
    monkeypatch.setattr(Rulebook, "daily", None)
    assert dailies.attempt(today, players.create(AT), AT).seed == first.seed


def test_the_leaderboard_is_best_first_equals_by_time_and_without_the_unfinished(
    dailies: DailyStore, games: GameStore, players: PlayerStore, today: date
) -> None:
    words_and_times = [(1, 40.0), (2, 30.0), (0, 20.0), (1, 10.0), (2, 50.0)]
    stream_limiter = [players.create(AT) for _ in words_and_times]
    scores = {}
    for player, (words, at) in zip(stream_limiter, words_and_times, strict=True):
        done = finish(games, dailies.attempt(today, player, AT), player, words, AT + at)
        scores[player] = done.state.scores[0]
    dailies.attempt(today, players.create(AT), AT)
    players.rename(stream_limiter[1], "Ada", AT)

    standings = dailies.leaderboard(today, 10)
    assert [line.player_id for line in standings] == [stream_limiter[number] for number in (1, 4, 3, 0, 2)]
    assert [line.rank for line in standings] == [1, 1, 3, 3, 5]
    assert [line.score for line in standings] == [scores[line.player_id] for line in standings]
    assert [line.nickname for line in standings][:2] == ["Ada", None]
    for line in standings:
        ahead = sum(score > line.score for score in scores.values())
        assert dailies.rank(today, line.score) == (ahead + 1, 5) == (line.rank, 5)
    assert dailies.leaderboard(today, 2) == standings[:2]
    assert dailies.leaderboard(today + timedelta(days=1), 10) == []
    assert dailies.rank(today + timedelta(days=1), 7) == (1, 0)


def test_the_leaderboard_shows_the_accuracy_once_it_is_known(
    dailies: DailyStore, games: GameStore, results: ResultStore, player: str, today: date
) -> None:
    done = finish(games, dailies.attempt(today, player, AT), player, 1, AT)
    assert [line.accuracy for line in dailies.leaderboard(today, 5)] == [None]
    results.keep_analysis(done.id, "{}", [87.5])
    assert [line.accuracy for line in dailies.leaderboard(today, 5)] == [87.5]


@pytest.mark.parametrize(
    ("finished", "streak", "longest"),
    [
        ([], 0, 0),
        ([0], 1, 1),
        ([1], 1, 1),
        ([0, 1, 2], 3, 3),
        ([1, 2, 3], 3, 3),
        ([0, 2, 3], 1, 2),
        ([2, 3, 4], 0, 3),
        ([0, 1, 3, 4, 5, 6, 8], 2, 4),
    ],
)
def test_a_streak_is_days_in_a_row_to_today_or_yesterday(
    dailies: DailyStore,
    games: GameStore,
    player: str,
    today: date,
    finished: list[int],
    streak: int,
    longest: int,
) -> None:
    for ago in finished:
        finish(games, dailies.attempt(today - timedelta(days=ago), player, AT), player, 0, AT)
    assert dailies.streak(player, begins_at(today) + DAILY_GRACE_SECONDS) == streak
    assert dailies.longest_streak(player) == longest


def test_a_day_begun_but_not_finished_makes_no_streak(dailies: DailyStore, player: str, today: date) -> None:
    dailies.attempt(today, player, AT)
    assert dailies.streak(player, begins_at(today) + DAILY_GRACE_SECONDS) == 0


def test_a_day_that_can_still_be_finished_does_not_end_a_streak(
    dailies: DailyStore, games: GameStore, player: str, today: date
) -> None:
    yesterday = today - timedelta(days=1)
    for ago in (2, 3):
        finish(games, dailies.attempt(today - timedelta(days=ago), player, AT), player, 0, AT)
    for at, streak in ((settles_at(yesterday) - 1, 2), (settles_at(yesterday), 0)):
        assert dailies.streak(player, at) == streak
    for day, streak in ((yesterday, 3), (today, 4)):
        finish(games, dailies.attempt(day, player, AT), player, 0, AT)
        assert dailies.streak(player, settles_at(yesterday) - 1) == streak


def test_a_streak_goes_over_the_end_of_a_leap_february(
    dailies: DailyStore, games: GameStore, player: str
) -> None:
    for day in (date(2028, 2, 28), date(2028, 2, 29), date(2028, 3, 1)):
        finish(games, dailies.attempt(day, player, AT), player, 0, AT)
    assert dailies.streak(player, settles_at(date(2028, 3, 1))) == 3


def test_the_archive_has_the_days_before_today_with_the_players_attempts(
    dailies: DailyStore, games: GameStore, players: PlayerStore, player: str, today: date
) -> None:
    yesterday, before = today - timedelta(days=1), today - timedelta(days=2)
    played = finish(games, dailies.attempt(before, player, AT), player, 1, AT)
    dailies.attempt(yesterday, players.create(AT), AT)
    dailies.attempt(today, player, AT)
    (first, none), (second, mine), *_ = dailies.archive(player, today, 10)
    assert (first, none, second) == (yesterday, None, before)
    assert mine is not None
    assert (mine.game_id, mine.score) == (played.id, played.state.scores[0])
    assert dailies.archive(None, today, 2) == [(yesterday, None), (before, None)]
    assert len(dailies.archive(player, today, 1)) == 1


def end_of(day: date) -> float:
    """Midnight after ``day``, in seconds since the epoch."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() + 86400


def test_a_rehearsal_is_the_same_game_and_counts_for_nothing(
    dailies: DailyStore, games: GameStore, results: ResultStore, player: str, today: date
) -> None:
    ranked = finish(games, dailies.attempt(today, player, AT), player, 0, AT)
    with pytest.raises(UnknownDay, match="ranked games are still being played"):
        dailies.rehearse(today, player, end_of(today) + DAILY_GRACE_SECONDS - 1)
    rehearsal = dailies.rehearse(today, player, end_of(today) + DAILY_GRACE_SECONDS)
    assert rehearsal.id != ranked.id
    assert rehearsal.seed == ranked.seed
    done = finish(games, rehearsal, player, 2, AT + 2)
    assert done.state.scores[0] > 0
    assert [line.score for line in dailies.leaderboard(today, 5)] == [0]
    assert dailies.attempt_of(today, player) is not None
    assert games.load(rehearsal.id, AT).day is None
    assert len(results.of_player(player)) == 2


def test_a_daily_of_a_day_without_one_cannot_be_rehearsed(dailies: DailyStore, player: str) -> None:
    with pytest.raises(UnknownDay, match="1999-12-31"):
        dailies.rehearse(date(1999, 12, 31), player, AT)


def test_a_seed_is_a_secret_until_its_day_is_over(
    database: Database, rulebook: Rulebook, games: GameStore, player: str, today: date
) -> None:
    dailies = Dailies(database, rulebook, games)
    table = dailies.for_kind(Wibble.kind).attempt(today, player, AT)
    assert dailies.is_running(table.seed, end_of(today) - 1)
    assert dailies.is_running(table.seed, end_of(today) + DAILY_GRACE_SECONDS - 1)
    assert not dailies.is_running(table.seed, end_of(today) + DAILY_GRACE_SECONDS)
    assert not dailies.is_running("some other seed", end_of(today) - 1)


def test_an_attempt_counts_if_it_is_finished_before_the_seed_is_public(
    dailies: DailyStore, games: GameStore, players: PlayerStore, today: date
) -> None:
    for late, counts in ((DAILY_GRACE_SECONDS - 1, True), (DAILY_GRACE_SECONDS, False)):
        player = players.create(AT)
        table = dailies.attempt(today, player, end_of(today) - 60)
        finish(games, table, player, 0, end_of(today) + late)
        attempt = dailies.attempt_of(today, player)
        assert attempt is not None
        assert (attempt.score is not None) is counts


def test_the_same_moves_on_the_same_day_are_the_same_game_for_all(
    dailies: DailyStore, games: GameStore, players: PlayerStore, today: date
) -> None:
    """New tiles depend neither on the player nor on the time."""
    seen = set()
    for late in (0, 5000):
        player = players.create(AT)
        table = dailies.attempt(today, player, AT + late)
        table = games.play(table.id, player, Swap(cell=12, letter="q"), AT + late + 7)
        assert isinstance(table.game, Wibble)
        best = found(table.game, table.state)[3]
        table = games.play(table.id, player, Chain(cells=best.cells), AT + late + 90)
        seen.add(table.state.board.model_dump_json())
    assert len(seen) == 1


def test_hints_of_the_day_cost_gems_like_any_others(
    dailies: DailyStore, games: GameStore, player: str, today: date
) -> None:
    table = dailies.attempt(today, player, AT)
    with pytest.raises(ValueError, match="costs 4 gems"):
        games.play(table.id, player, Hint(), AT)


def test_others_write_while_the_daily_is_dealt(
    dailies: DailyStore, player: str, today: date, waits: list[bool]
) -> None:
    dailies.attempt(today, player, AT)
    assert set(waits) == {False}
