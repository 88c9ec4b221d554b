"""Concurrent operations on PostgreSQL lock rows in the same order, so that there are no deadlocks."""

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from functools import partial
from typing import Any, NamedTuple

import pytest
from sqlalchemy import (
    Connection,
    Executable,
    NullPool,
    create_engine,
    delete,
    event,
    insert,
    make_url,
    select,
    text,
    update,
)

from app.games.letterpress.state import Setup
from app.games.rulebook import Rulebook
from app.games.study_tree import StudyTree
from app.store.blocks import Blocks
from app.store.card_schedule import new_schedule
from app.store.cards import Card, CardKey, Cards
from app.store.circles import Circles
from app.store.database import Database
from app.store.devices import Devices
from app.store.direct_challenges import DirectChallenges, NewGame
from app.store.games import GameStore
from app.store.merging import Merging
from app.store.models import Seat, TableSettings, UnknownChallenge, UnknownPlayer
from app.store.moderation import Moderation, end_sanctions
from app.store.pairing_rules import Waiter
from app.store.players import PlayerStore
from app.store.remarks import Remarks
from app.store.reports import Reports, Subject, UnknownSubject
from app.store.results import ResultStore, erase_player
from app.store.retention import Retention, prune
from app.store.sanctions import Sanctioned, Sanctions
from app.store.schema import (
    circles,
    direct_challenges,
    games,
    members,
    players,
    sanctions,
    statistics,
    waiting,
)
from app.store.study_boards import StudyBoards
from app.store.tokens import Tokens
from app.store.waiting_players import Pool, Wait, keep_wait
from tests.store.driver import AT, open_wibble, play_words

DAY = 86_400
"""Seconds."""


class Shop(NamedTuple):
    """A store on PostgreSQL, its operations, and two players."""

    database: Database
    games: GameStore
    acts: Moderation
    ada: str
    bob: str


@pytest.fixture
def shop(postgresql_url: str, rulebook: Rulebook) -> Iterator[Shop]:
    database = Database(postgresql_url)
    database.migrate()
    people = PlayerStore(database)
    acts = Moderation(database, Sanctions(database))
    yield Shop(database, GameStore(database, rulebook), acts, people.create(AT), people.create(AT))
    database.close()


@pytest.fixture
def english(postgresql_url: str, rulebook: Rulebook) -> Iterator[Shop]:
    """A store that sorts a before B, with players a and B."""
    url = make_url(postgresql_url).set(database=f"{make_url(postgresql_url).database}_english")
    server = create_engine(postgresql_url, isolation_level="AUTOCOMMIT", poolclass=NullPool)
    how = "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en'"
    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {url.database} {how}"))
    database = Database(url.render_as_string(hide_password=False))
    database.migrate()
    with database.writing() as connection:
        made = [{"id": each, "created_at": AT, "listed_from": AT} for each in "aB"]
        connection.execute(insert(players), made)
    acts = Moderation(database, Sanctions(database))
    yield Shop(database, GameStore(database, rulebook), acts, "a", "B")
    database.close()
    with server.connect() as connection:
        connection.execute(text(f"DROP DATABASE {url.database}"))


def meet(database: Database, first: Executable, then: Executable, call: Callable[[], Any]) -> Any:
    """Run ``call`` between two statements of another transaction; return its result."""
    with ThreadPoolExecutor(1) as pool:
        with database.writing() as connection:
            connection.execute(first)
            running = pool.submit(call)
            blocked = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
            while not running.done() and not connection.scalar(blocked):
                time.sleep(0.01)
            connection.execute(then)
        return running.result(60)


def overlap(database: Database, first: Callable[[], Any], second: Callable[[], Any]) -> None:
    """Run ``first``; once it has locked rows, run ``second`` until it ends or waits for a lock."""
    started: list[Future[Any]] = []

    def start(_: Connection, __: object, statement: str, *___: object) -> None:
        if started or not re.search("FOR (NO KEY )?UPDATE|FOR KEY SHARE", statement):
            return
        started.append(pool.submit(second))
        blocked = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
        with database.reading() as connection:
            while not started[0].done() and not connection.scalar(blocked):
                time.sleep(0.01)

    with ThreadPoolExecutor(1) as pool:
        event.listen(database.engine, "after_cursor_execute", start)
        first()
        started[0].result(60)


def lock(table: Any, *conditions: Any) -> Executable:
    """The statement that locks rows."""
    return select(table).where(*conditions).with_for_update()


def seat(player_id: str) -> Executable:
    """The lock taken by a new seat, which refers to the player."""
    return select(players.c.id).where(players.c.id == player_id).with_for_update(key_share=True, read=True)


def report(shop: Shop, by: str, about: str) -> int:
    """A player reports another's name."""
    return Reports(shop.database).file(by, [Subject("name", "A name", about)], "other", None, AT)


def with_bot(shop: Shop) -> tuple[str, str]:
    """Make one of the two players a bot account of the other.

    The bot account has the lower ID, so that erasing and merging lock it first.
    """
    with shop.database.writing() as connection:
        ids = select(players.c.id).where(players.c.id.in_([shop.ada, shop.bob])).order_by(players.c.id)
        bot, owner = connection.scalars(ids)
        connection.execute(update(players).where(players.c.id == bot).values(owner_id=owner))
    return bot, owner


def test_erasing_a_player_while_they_are_paired_does_not_deadlock(shop: Shop) -> None:
    with shop.database.writing() as connection:
        pool = Pool("fribble", "rapid", rated=False)
        keep_wait(connection, Wait(pool, Waiter(shop.ada, 1500, 350, AT, None), AT, None))
    taken = lock(waiting, waiting.c.player_id == shop.ada)
    meet(shop.database, taken, seat(shop.ada), lambda: shop.acts.erase("op", shop.ada, "x", AT))


def test_suspending_a_player_while_they_take_a_seat_does_not_deadlock(shop: Shop) -> None:
    table = shop.games.open("letterpress", Setup(), [Seat(shop.ada), Seat()], AT)
    joined = lock(games, games.c.id == table.id)
    meet(shop.database, joined, seat(shop.ada), lambda: shop.acts.suspend("op", shop.ada, "x", AT, days=1))


@pytest.mark.parametrize("act", ["rename", "mute", "suspend"])
def test_a_remark_at_a_table_that_changes_for_its_player_does_not_deadlock(shop: Shop, act: str) -> None:
    table = open_wibble(shop.games, shop.ada, Seat(shop.bob), Seat(), mode="versus")
    acts: dict[str, Callable[[], Any]] = {
        "rename": lambda: PlayerStore(shop.database).rename(shop.ada, "Ada", AT),
        "mute": lambda: shop.acts.mute("op", shop.ada, "x", AT, days=1),
        "suspend": lambda: shop.acts.suspend("op", shop.ada, "x", AT, days=1),
    }
    say = partial(Remarks(shop.games).say, table.id, shop.ada, 0, AT)
    with nullcontext() if act != "mute" else pytest.raises(Sanctioned):
        overlap(shop.database, say, acts[act])


def test_two_players_who_report_each_other_do_not_deadlock(shop: Shop) -> None:
    pairs, opened = ((shop.ada, shop.bob), (shop.bob, shop.ada)), Reports(shop.database).open_count()
    overlap(shop.database, *(partial(report, shop, *pair) for pair in pairs))
    assert Reports(shop.database).open_count() == opened + 2


@pytest.mark.parametrize(("call", "act"), [("report", "erase"), ("report", "merge"), ("token", "erase")])
def test_a_report_on_or_a_token_for_an_account_that_goes_does_not_deadlock(
    shop: Shop, call: str, act: str
) -> None:
    bot, owner = with_bot(shop)
    calls: dict[str, Callable[[], Any]] = {
        "report": lambda: report(shop, owner, bot),
        "token": lambda: Tokens(shop.database).make(owner, "Program", ["play"], 1, AT, bot_id=bot),
    }
    acts: dict[str, Callable[[], Any]] = {
        "erase": lambda: ResultStore(shop.database).erase(owner, AT),
        "merge": lambda: Merging(shop.database).merge(owner, bot, AT),
    }
    overlap(shop.database, calls[call], acts[act])
    assert not PlayerStore(shop.database).exists(bot)


def test_nothing_is_stored_about_a_player_whose_erasure_it_waited_for(shop: Shop) -> None:
    database, (bot, owner) = shop.database, with_bot(shop)
    store, opened = Reports(database), Reports(database).open_count()
    remark = Subject("remark", "Hello", bot, game_id="of-a-remark")
    name = Subject("name", "A name", bot)
    calls: list[Callable[[], Any]] = [
        lambda: store.file(owner, [name], "other", None, AT),
        lambda: store.file(owner, [name, remark], "other", None, AT),
        lambda: Blocks(database).block(owner, bot, AT),
        lambda: Tokens(database).make(owner, "Program", ["play"], 1, AT, bot_id=bot),
    ]
    with ThreadPoolExecutor(len(calls)) as pool:
        with database.writing() as connection:
            connection.execute(lock(players, players.c.id == bot))
            waiting_calls = [pool.submit(call) for call in calls]
            blocked = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
            while (connection.scalar(blocked) or 0) < len(calls):
                time.sleep(0.01)
            erase_player(connection, bot, AT)
        refusals = [type(each.exception(60)) for each in waiting_calls]
    assert refusals == [UnknownSubject, type(None), UnknownPlayer, UnknownPlayer]
    assert [(each.subject, each.player_id) for each in store.at_game("of-a-remark", 9)] == [("remark", None)]
    assert store.open_count() == opened + 1
    assert not Tokens(database).of_player(owner)


def test_a_report_on_a_player_whose_merge_it_waited_for_follows_it(shop: Shop) -> None:
    bot, owner = with_bot(shop)
    reporter = PlayerStore(shop.database).create(AT)
    overlap(
        shop.database,
        lambda: Merging(shop.database).merge(owner, bot, AT),
        lambda: report(shop, reporter, bot),
    )
    assert [each.player_id for each in Reports(shop.database).by_player(reporter)] == [owner]


def test_blocking_a_player_who_is_erased_or_merged_does_not_deadlock(shop: Shop) -> None:
    low, high = with_bot(shop)
    first, then = lock(players, players.c.id == low), lock(players, players.c.id == high)
    meet(shop.database, first, then, lambda: Blocks(shop.database).block(high, low, AT))


def test_a_new_name_is_shown_at_a_table_that_changes_meanwhile(shop: Shop) -> None:
    table = open_wibble(shop.games, shop.ada, Seat(shop.bob), Seat(), mode="versus")
    taken = lock(games, games.c.id == table.id)
    shown: list[str] = []
    people = PlayerStore(shop.database, shown.extend)
    meet(shop.database, taken, taken, lambda: people.rename(shop.ada, "Ada", AT))
    assert shown == [table.id]
    assert shop.games.read(table.id).stage > table.stage


def test_a_table_that_changes_meanwhile_shows_that_a_player_is_erased(shop: Shop) -> None:
    table = open_wibble(shop.games, shop.ada, Seat(shop.bob), mode="versus")
    taken = lock(games, games.c.id == table.id)
    meet(shop.database, taken, taken, lambda: ResultStore(shop.database).erase(shop.ada, AT))
    assert shop.games.read(table.id).stage > table.stage


@pytest.mark.parametrize("erased", ["gone", "kept"])
def test_a_bot_account_of_a_player_who_is_erased_during_a_merge_shares_its_new_owners_fate(
    shop: Shop, erased: str
) -> None:
    bot, owner = with_bot(shop)
    kept = PlayerStore(shop.database).create(AT)
    merge = partial(Merging(shop.database).merge, kept, owner, AT)
    who = owner if erased == "gone" else kept
    overlap(shop.database, merge, lambda: ResultStore(shop.database).erase(who, AT))
    there = [PlayerStore(shop.database).exists(each) for each in (kept, bot)]
    assert there == [erased == "gone"] * 2


@pytest.mark.parametrize("challenger", ["bot", "owner"])
def test_a_game_with_ones_own_bot_account_during_an_erasure_does_not_deadlock(
    shop: Shop, challenger: str
) -> None:
    bot, owner = with_bot(shop)
    sender, other = (bot, owner) if challenger == "bot" else (owner, bot)
    challenges = DirectChallenges(shop.games)
    challenge = challenges.send(sender, other, NewGame("letterpress", Setup(), TableSettings(DAY)), AT)
    accept = partial(challenges.accept, other, challenge, AT)
    overlap(shop.database, accept, lambda: ResultStore(shop.database).erase(owner, AT))
    assert not PlayerStore(shop.database).exists(bot)


def test_opening_a_game_for_an_owner_and_their_bot_account_during_an_erasure_does_not_deadlock(
    shop: Shop,
) -> None:
    bot, owner = with_bot(shop)
    draft = shop.games.draft("letterpress", Setup(), [Seat(owner), Seat(bot)], AT)
    overlap(
        shop.database,
        lambda: shop.games.keep(draft),
        lambda: ResultStore(shop.database).erase(owner, AT),
    )
    assert not PlayerStore(shop.database).exists(bot)


@pytest.mark.parametrize("act", ["import", "erase"])
def test_an_answer_to_a_card_during_an_import_or_erasure_does_not_deadlock(shop: Shop, act: str) -> None:
    store, key = Cards(shop.database), CardKey("english", "word", "anagram")
    store.add(shop.ada, [key], AT)
    later = Card(key, new_schedule(AT)._replace(last_review=AT + DAY), reps=9)
    acts: dict[str, Callable[[], Any]] = {
        "import": lambda: store.bring(shop.ada, [later]),
        "erase": lambda: ResultStore(shop.database).erase(shop.ada, AT),
    }
    answer = partial(store.answer, shop.ada, key, "good", AT, reps=0)
    overlap(shop.database, answer, acts[act])
    assert [each.reps for each in store.of_player(shop.ada)] == ([9] if act == "import" else [])


def test_a_game_ends_while_another_of_its_players_is_analysed(english: Shop) -> None:
    """Its results lock rows in the order of ``keep_analysis``, though the database sorts unlike Python."""
    ended, ends = (
        open_wibble(english.games, english.ada, Seat(english.bob), mode="versus") for _ in range(2)
    )
    play_words(english.games, ended, english.ada)
    with english.database.reading() as connection:
        first, then = connection.scalars(select(players.c.id).order_by(players.c.id))
    assert first > then
    meet(
        english.database,
        lock(statistics, statistics.c.player_id == first),
        lock(statistics, statistics.c.player_id == then),
        lambda: play_words(english.games, ends, english.ada),
    )


@pytest.mark.parametrize("who", ["ada", "bob"])
def test_accepting_a_challenge_while_a_player_is_erased_does_not_deadlock(shop: Shop, who: str) -> None:
    challenges = DirectChallenges(shop.games)
    wanted = NewGame("letterpress", Setup(), TableSettings(DAY))
    challenge = challenges.send(shop.ada, shop.bob, wanted, AT)
    erased = lock(players, players.c.id == getattr(shop, who))
    gone = delete(direct_challenges).where(direct_challenges.c.id == challenge)

    def accept() -> None:
        with pytest.raises(UnknownChallenge):
            challenges.accept(shop.bob, challenge, AT)

    meet(shop.database, erased, gone, accept)


def test_a_sanction_that_ends_while_it_is_lifted_does_not_deadlock(shop: Shop) -> None:
    PlayerStore(shop.database).rename(shop.ada, "Ada", AT)
    shop.acts.mute("op", shop.ada, "x", AT, days=1)
    lifted = delete(sanctions).where(sanctions.c.player_id == shop.ada)
    meet(
        shop.database,
        lock(players, players.c.id == shop.ada),
        lifted,
        lambda: end_sanctions(shop.database, AT + 2 * DAY),
    )
    assert shop.acts.person(shop.ada, AT).sanctions == ()


def test_a_player_is_erased_though_a_circle_closes(shop: Shop) -> None:
    store = Circles(shop.database)
    circle = store.open("Club", shop.bob, AT)
    store.join(circle, store.read_for_operators(circle).invitation, shop.ada, AT)
    gone = delete(members).where(members.c.circle_id == circle)
    locked = lock(circles, circles.c.id == circle)
    meet(shop.database, locked, gone, lambda: ResultStore(shop.database).erase(shop.ada, AT))
    assert not PlayerStore(shop.database).exists(shop.ada)


def test_a_guest_who_returns_during_pruning_keeps_their_boards(shop: Shop) -> None:
    boards, visits, now = StudyBoards(shop.database), Devices(shop.database), AT + 200 * DAY
    device = visits.add(shop.bob, "Firefox", AT)
    for each in (shop.ada, shop.bob):
        boards.add(each, "wibble", StudyTree(start={}), AT, title="Board", kept=True)

    def come_back(_: Connection, __: object, statement: str, *___: object) -> None:
        if "FROM players" in statement and "FOR UPDATE" in statement:
            assert visits.is_signed_in(shop.bob, device, now)

    event.listen(shop.database.engine, "after_cursor_execute", come_back)
    prune(shop.database, Retention(guest_days=100), now)
    assert [len(boards.of_player(each)) for each in (shop.ada, shop.bob)] == [0, 1]
