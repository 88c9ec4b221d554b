"""Bots think in the engine pool, once per position, and no request for a table waits for them."""

from collections.abc import Iterator
from threading import Event, current_thread
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.games.fribble.rules import Fribble
from app.games.game import Thought
from app.settings import Settings
from tests.driver import open_game, play, sit_down
from tests.shared_parts import create_app
from tests.web.browsing import HTML
from tests.web.busy_pool import await_thoughts, engines_busy, idle, pool_of
from tests.web.conftest import Clock, Serve

BEST = 5
AN_HOUR = 3600.0


class Bot:
    """Fribble's bot, which thinks until it is released."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.may_move = Event()
        self.threads: list[str] = []
        choose = Fribble.bot

        def think(rules: Fribble, state: Any, seat: int, level: int) -> Thought[Any]:
            self.threads.append(current_thread().name)
            self.may_move.wait(60)
            return choose(rules, state, seat, 1 if level == BEST else level)

        monkeypatch.setattr(Fribble, "bot", think)


def against_best_bot(client: TestClient) -> str:
    """Open a game in which the best bot is on turn; return its ID."""
    game = open_game(client, "fribble", bots=[BEST])
    return str(play(client, game, "pass")["id"])


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bot]:
    found = Bot(monkeypatch)
    yield found
    found.may_move.set()


@pytest.fixture
def visitor(serve: Serve) -> TestClient:
    """A client that does not wait for bots."""
    running = serve()
    client = TestClient(running.app)
    client.portal = running.portal
    return client


def ply(client: TestClient, game: str) -> int:
    found: int = client.get(f"/api/games/{game}").json()["view"]["ply"]
    return found


def test_viewing_a_table_does_not_wait_for_the_bot(visitor: TestClient, clock: Clock, bot: Bot) -> None:
    game = against_best_bot(visitor)
    clock.now += AN_HOUR
    for address in (f"/games/{game}", f"/games/{game}/table", f"/api/games/{game}", "/", "/fribble"):
        assert visitor.get(address).status_code == 200, address
    assert ply(visitor, game) == 1
    bot.may_move.set()
    await_thoughts(visitor)
    assert ply(visitor, game) == 2
    [thread] = bot.threads
    assert thread.startswith("engine"), "it thought once, and not in a page thread"


def test_a_bot_thinks_as_soon_as_the_engine_pool_has_room(
    visitor: TestClient, clock: Clock, bot: Bot
) -> None:
    bot.may_move.set()
    with engines_busy(visitor):
        game = against_best_bot(visitor)
        clock.now += AN_HOUR
        assert visitor.get(f"/games/{game}").status_code == 200
        assert (ply(visitor, game), bot.threads) == (1, [])
    idle(visitor)
    assert ply(visitor, game) == 1, "now it starts to think"
    await_thoughts(visitor)
    assert ply(visitor, game) == 2


def test_a_bot_moves_after_a_restart(settings: Settings, clock: Clock, bot: Bot) -> None:
    with TestClient(create_app(settings, clock=clock)) as client, engines_busy(client):
        game = against_best_bot(client)
    clock.now += AN_HOUR
    bot.may_move.set()
    with TestClient(create_app(settings, clock=clock)) as client:
        assert ply(client, game) == 1
        await_thoughts(client)
        assert ply(client, game) == 2


def test_a_bots_computation_counts_for_the_player_who_moved(
    visitor: TestClient, monkeypatch: pytest.MonkeyPatch, bot: Bot
) -> None:
    asked: list[tuple[str, str | None, str]] = []
    pool = pool_of(visitor)
    start = pool.start

    def noted(caller: Any, engine: str, *more: Any) -> Any:
        asked.append((caller.address, caller.player, engine))
        return start(caller, engine, *more)

    monkeypatch.setattr(pool, "start", noted)
    against_best_bot(visitor)
    [(address, player, engine)] = asked
    assert (address, engine) == ("", "fribble bot")  # as the test's client has no address
    assert player, "the player who has moved"


def test_a_bot_that_fails_is_asked_again(visitor: TestClient, clock: Clock, bot: Bot) -> None:
    healthy = Fribble.bot

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    bot.may_move.set()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Fribble, "bot", broken)
        game = against_best_bot(visitor)
        await_thoughts(visitor)
    assert Fribble.bot is healthy
    clock.now += AN_HOUR
    with pytest.raises(ZeroDivisionError):
        visitor.get(f"/api/games/{game}")
    assert ply(visitor, game) == 1
    await_thoughts(visitor)
    assert ply(visitor, game) == 2


@pytest.mark.parametrize(
    ("kind", "options"), [("fribble", {}), ("letterpress", {}), ("wibble", {"mode": "versus"})]
)
def test_players_against_bots_may_skip_the_wait(
    visitor: TestClient, stranger: TestClient, kind: str, options: dict[str, Any]
) -> None:
    game = open_game(visitor, kind, options, bots=[1])["id"]
    play(visitor, game, "pass")
    skip = f"/games/{game}/skip"
    await_thoughts(visitor)
    page = visitor.get(f"/games/{game}", headers=HTML).text
    assert f'action="{skip}"' in page
    assert skip not in stranger.get(f"/games/{game}", headers=HTML).text
    before = ply(visitor, game)
    assert stranger.post(skip).status_code == 403
    assert ply(visitor, game) == before
    shown = visitor.post(skip, headers=HTML)
    assert shown.status_code == 200
    assert f'data-ply="{before}"' not in shown.text
    for _ in range(3):  # a bot of Wibble may shuffle or swap before its word
        if skip not in shown.text:
            break
        await_thoughts(visitor)
        shown = visitor.post(skip, headers=HTML)
    assert skip not in shown.text
    after = ply(visitor, game)
    assert after > before
    visitor.post(skip)
    assert ply(visitor, game) == after


def test_a_wait_skipped_while_the_bot_still_computes_ends_with_the_computation(
    visitor: TestClient, bot: Bot
) -> None:
    game = against_best_bot(visitor)
    before = ply(visitor, game)
    visitor.post(f"/games/{game}/skip")
    assert ply(visitor, game) == before
    bot.may_move.set()
    await_thoughts(visitor)
    assert ply(visitor, game) == before + 1, "the clock of the test stands still"


def test_no_wait_is_skipped_while_another_person_plays(visitor: TestClient, stranger: TestClient) -> None:
    game = open_game(visitor, options={"mode": "versus"}, seats=3, bots=[1])
    sit_down(stranger, game)
    for player in (visitor, stranger):
        play(player, game, "pass")
    await_thoughts(visitor)
    before = ply(visitor, game["id"])
    assert "/skip" not in visitor.get(f"/games/{game['id']}", headers=HTML).text
    visitor.post(f"/games/{game['id']}/skip")
    assert ply(visitor, game["id"]) == before
