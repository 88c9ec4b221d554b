"""Operations that meet on PostgreSQL lock rows in one order: or each would wait for the other."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Executable, delete, select, text

from app.games.letterpress.state import Setup
from app.games.rulebook import Rulebook
from app.store.circles import Circles
from app.store.database import Database
from app.store.direct_challenges import DirectChallenges, NewGame
from app.store.games import GameStore
from app.store.models import Seat, TableSettings, UnknownChallenge
from app.store.moderation import Moderation, end_sanctions
from app.store.pairing_rules import Waiter
from app.store.players import PlayerStore
from app.store.results import ResultStore
from app.store.sanctions import Sanctions
from app.store.schema import circles, direct_challenges, games, members, players, sanctions, waiting
from app.store.waiting import Pool, Wait, keep_wait
from tests.store.driver import AT

DAY = 86_400
"""Seconds."""


class Shop(NamedTuple):
    """A store on PostgreSQL, what is done in it, and two players."""

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


def meet(database: Database, first: Executable, then: Executable, call: Callable[[], Any]) -> Any:
    """What ``call`` returns that comes between two statements of another transaction."""
    with ThreadPoolExecutor(1) as pool:
        with database.writing() as connection:
            connection.execute(first)
            running = pool.submit(call)
            blocked = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
            while not running.done() and not connection.scalar(blocked):
                time.sleep(0.01)
            connection.execute(then)
        return running.result(60)


def lock(table: Any, *conditions: Any) -> Executable:
    """The statement that locks rows."""
    return select(table).where(*conditions).with_for_update()


def seat(player_id: str) -> Executable:
    """What a new seat of a player locks, which refers to them."""
    return select(players.c.id).where(players.c.id == player_id).with_for_update(key_share=True, read=True)


def test_a_player_is_erased_by_an_operator_or_paired(shop: Shop) -> None:
    with shop.database.writing() as connection:
        pool = Pool("fribble", "rapid", rated=False)
        keep_wait(connection, Wait(pool, Waiter(shop.ada, 1500, 350, AT, None), AT, None))
    taken = lock(waiting, waiting.c.player_id == shop.ada)
    meet(shop.database, taken, seat(shop.ada), lambda: shop.acts.erase("op", shop.ada, "x", AT))


def test_a_player_is_suspended_or_sits_down(shop: Shop) -> None:
    table = shop.games.open("letterpress", Setup(), [Seat(shop.ada), Seat()], AT)
    joined = lock(games, games.c.id == table.id)
    meet(shop.database, joined, seat(shop.ada), lambda: shop.acts.suspend("op", shop.ada, "x", AT, days=1))


@pytest.mark.parametrize("who", ["ada", "bob"])
def test_a_challenge_is_accepted_or_its_player_erased(shop: Shop, who: str) -> None:
    challenges = DirectChallenges(shop.games)
    wanted = NewGame("letterpress", Setup(), TableSettings(DAY))
    challenge = challenges.send(shop.ada, shop.bob, wanted, AT)
    erased = lock(players, players.c.id == getattr(shop, who))
    gone = delete(direct_challenges).where(direct_challenges.c.id == challenge)

    def accept() -> None:
        with pytest.raises(UnknownChallenge):
            challenges.accept(shop.bob, challenge, AT)

    meet(shop.database, erased, gone, accept)


def test_a_sanction_ends_or_is_lifted(shop: Shop) -> None:
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
    store.join(circle, store.look(circle).invitation, shop.ada, AT)
    gone = delete(members).where(members.c.circle_id == circle)
    locked = lock(circles, circles.c.id == circle)
    meet(shop.database, locked, gone, lambda: ResultStore(shop.database).erase(shop.ada, AT))
    assert not PlayerStore(shop.database).exists(shop.ada)
