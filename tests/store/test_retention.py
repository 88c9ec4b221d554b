"""Old games are deleted; players' results are kept."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import delete, func, select, update

from app.games.study_tree import StudyTree
from app.games.wibble.moves import Resign, Shuffle
from app.store.bot_accounts import BotAccounts
from app.store.cards import CardKey, Cards
from app.store.dailies import DailyStore
from app.store.database import Database
from app.store.days import DAILY_GRACE_SECONDS, day_of
from app.store.devices import Devices
from app.store.games import GameStore
from app.store.models import Table, UnknownGame
from app.store.phrases import Phrases
from app.store.players import PlayerStore
from app.store.results import ResultStore
from app.store.retention import DAY, Retention, holdings, prunable, prune
from app.store.schema import analyses, attempts, card_reviews, cards, moves, seats, snapshots, study_boards
from app.store.schema import games as games_table
from app.store.schema import players as players_table
from app.store.study_boards import StudyBoards
from app.store.tokens import Tokens
from tests.store.driver import finish_wibble, open_wibble

AT = 1_900_000_000.0
FINISHED, ABANDONED = Retention(30, None), Retention(None, 90)


@pytest.fixture(autouse=True)
def _nothing_old(database: Database) -> None:
    """Remove the games of other tests, as they share one PostgreSQL database."""
    with database.writing() as connection:
        for table in (attempts, games_table, study_boards, cards, card_reviews):
            connection.execute(delete(table))


@pytest.fixture
def player(players: PlayerStore) -> str:
    return players.create(AT)


def is_there(games: GameStore, table: Table) -> bool:
    try:
        games.log(table.id)
    except UnknownGame:
        return False
    return True


def test_by_default_finished_games_stay_for_ever(database: Database, games: GameStore, player: str) -> None:
    table = finish_wibble(games, player, at=AT)
    prune(database, Retention(), AT + 10_000 * DAY)
    assert is_there(games, table)


def test_a_finished_game_is_deleted_with_all_its_rows(
    database: Database, games: GameStore, results: ResultStore, player: str
) -> None:
    table = finish_wibble(games, player, at=AT)
    results.keep_analysis(table.id, "{}", [50.0])
    before = results.of_player(player)
    assert prune(database, FINISHED, AT + 30 * DAY).finished == 0
    assert is_there(games, table)
    assert prunable(database, FINISHED, AT + 30 * DAY + 1).finished == 1
    assert is_there(games, table), "a rehearsal removes nothing"
    assert prune(database, FINISHED, AT + 30 * DAY + 1).finished == 1
    assert not is_there(games, table)
    with database.reading() as connection:
        for rows in (moves, seats, snapshots, analyses):
            kept = select(func.count()).select_from(rows).where(rows.c.game_id == table.id)
            assert connection.scalar(kept) == 0, rows.name
    assert results.of_player(player) == [replace(result, kept=False) for result in before]


def test_only_games_without_recent_moves_are_abandoned(
    database: Database, games: GameStore, player: str
) -> None:
    left, played_on, over = (
        open_wibble(games, player, at=AT),
        open_wibble(games, player, at=AT),
        finish_wibble(games, player, at=AT),
    )
    games.play(played_on.id, player, Shuffle(), AT + 50 * DAY)
    assert prune(database, ABANDONED, AT + 90 * DAY + 1).abandoned == 1
    assert [is_there(games, table) for table in (left, played_on, over)] == [False, True, True]
    assert prune(database, ABANDONED, AT + 140 * DAY + 1).abandoned == 1
    assert not is_there(games, played_on)


def test_a_lost_snapshot_does_not_make_a_game_look_abandoned(
    database: Database, games: GameStore, player: str
) -> None:
    table = open_wibble(games, player, at=AT)
    games.play(table.id, player, Shuffle(), AT + 50 * DAY)
    with database.writing() as connection:
        connection.execute(delete(snapshots).where(snapshots.c.game_id == table.id))
    assert prune(database, ABANDONED, AT + 100 * DAY).abandoned == 0


def test_a_ranked_game_stays_while_its_day_counts(
    database: Database, games: GameStore, dailies: DailyStore, players: PlayerStore
) -> None:
    """This holds even if games are kept for a very short time."""
    today = day_of(AT)
    midnight = (int(AT // DAY) + 1) * DAY
    done, begun = (players.create(AT) for _ in range(2))
    ranked = dailies.attempt(today, done, midnight - 2 * DAY)
    games.play(ranked.id, done, Resign(), midnight - 2 * DAY)
    open_game = dailies.attempt(today, begun, midnight - 2 * DAY)
    at_once = Retention(1, 1)
    last_moment = midnight + DAILY_GRACE_SECONDS - 1
    assert prunable(database, at_once, last_moment) == prune(database, at_once, last_moment)
    assert is_there(games, ranked)
    assert is_there(games, open_game)
    prune(database, at_once, midnight + DAILY_GRACE_SECONDS)
    assert not is_there(games, ranked)
    assert not is_there(games, open_game)
    assert [line.player_id for line in dailies.leaderboard(today, 10)] == [done]
    assert dailies.streak(done, midnight) == 1
    assert dailies.attempt_of(today, begun) is None
    days = dailies.archive(begun, today + timedelta(days=1), 10)
    assert (today, None) in days


def test_two_processes_prune_each_game_once_in_batches(
    database: Database, games: GameStore, player: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.store.retention._AT_ONCE", 2)
    tables = [open_wibble(games, player, at=AT) for _ in range(7)]
    with ThreadPoolExecutor(2) as hands:
        counts = hands.map(lambda _: prune(database, ABANDONED, AT + 100 * DAY).abandoned, range(2))
        assert sum(counts) == 7
    assert not any(is_there(games, table) for table in tables)


def test_holdings_count_games_moves_results_players_boards_and_cards(
    database: Database, games: GameStore, player: str
) -> None:
    before = holdings(database)
    open_wibble(games, player, at=AT)
    finish_wibble(games, player, at=AT)
    Cards(database).add(player, [CardKey("english", word, "anagram") for word in ("cat", "dog")], AT)
    StudyBoards(database).add(player, "fribble", StudyTree(start={}), AT, title="A board")
    now = holdings(database)
    assert (now.boards, now.cards) == (before.boards + 1, before.cards + 2)
    assert now.games == {("wibble", "open"): 1, ("wibble", "finished"): 1}
    assert (now.results, now.players) == (before.results + 1, before.players)
    assert now.moves == before.moves + 3, "two games began, one was resigned"


def test_boards_and_cards_of_a_guest_go_some_time_after_the_last_visit(
    database: Database, players: PlayerStore
) -> None:
    boards, deck, visits = StudyBoards(database), Cards(database), Devices(database)
    last, bots = AT + 200 * DAY, BotAccounts(database)
    gone, back, known, program, early = (players.create(AT) for _ in range(5))
    bot, bot_of_known = bots.make(gone, "Robo", AT).id, bots.make(known, "Robby", AT).id
    with database.writing() as connection:
        connection.execute(update(players_table).where(players_table.c.id == early).values(listed_from=None))
    people = gone, back, known, program, early, bot, bot_of_known
    for each in people:
        boards.add(each, "wibble", StudyTree(start={}), AT, title="Board", kept=True)
        deck.add(each, [CardKey("english", "stone", "anagram")], AT)
        deck.answer(each, CardKey("english", "stone", "anagram"), "good", AT, reps=0)
        visits.add(each, "Firefox", AT)
    visits.add(back, "Firefox", last)
    Phrases(database).make(known, AT)
    secret, _ = Tokens(database).make(program, "a", ["read"], 366, AT)
    Tokens(database).find(secret, last)

    def left() -> set[str]:
        return {each for each in people if boards.of_player(each) and deck.of_player(each)}

    kept = Retention(guest_days=100)
    assert prune(database, Retention(guest_days=None), last + 50 * DAY).guests == 0
    assert prune(database, kept, AT + 100 * DAY).guests == 0
    assert prunable(database, kept, last + 50 * DAY).guests == 2
    assert left() == set(people), "a rehearsal removes nothing"
    assert prune(database, kept, last + 50 * DAY).guests == 2
    assert left() == set(people) - {gone, bot}
    assert (boards.of_player(gone), deck.of_player(gone), deck.last_review(gone)) == ([], [], None)
    assert players.exists(gone)
    assert prune(database, kept, last + 101 * DAY).guests == 2
    assert left() == {known, early, bot_of_known}
