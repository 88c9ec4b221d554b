"""Tokens, bot accounts and direct challenges on both databases, also with concurrent requests."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import insert

from app.games.letterpress.state import Setup
from app.store.bot_accounts import MOST_BOTS, BotAccounts
from app.store.database import Database
from app.store.direct_challenges import DirectChallenges, NewGame, forget_challenges
from app.store.games import GameStore
from app.store.merging import Merging
from app.store.models import Table, TableSettings, TooMuch, UnknownChallenge
from app.store.players import PlayerStore
from app.store.ratings import Ratings
from app.store.results import ResultStore
from app.store.schema import ratings
from app.store.tokens import MOST_TOKENS, Tokens, UnknownToken, WrongToken, forget_tokens
from tests.store.driver import AT

LETTERPRESS = NewGame("letterpress", Setup(), TableSettings(86_400))


@pytest.fixture
def tokens(database: Database) -> Tokens:
    return Tokens(database)


@pytest.fixture
def bots(database: Database) -> BotAccounts:
    return BotAccounts(database)


@pytest.fixture
def challenges(games: GameStore) -> DirectChallenges:
    return DirectChallenges(games)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Make calls at the same time; return their results or exceptions."""
    start = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        start.wait()
        try:
            return call()
        except Exception as error:
            return error

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_a_token_is_found_until_it_is_revoked_or_expires(tokens: Tokens, ada: str, bob: str) -> None:
    text, made = tokens.make(ada, "a", ["play", "read"], 1, AT)
    assert tokens.find(text, AT) == (ada, None, frozenset({"read", "play"}), AT + 86_400)
    assert tokens.of_player(ada) == [made._replace(used_at=AT)]
    for wrong in ("", "wib_\0", text[:-1], text + "x"):
        with pytest.raises(WrongToken):
            tokens.find(wrong, AT)
    with pytest.raises(WrongToken, match="expired"):
        tokens.find(text, AT + 86_400)
    for player, token in ((bob, made.id), (ada, "x")):
        with pytest.raises(UnknownToken):
            tokens.revoke(player, token)
    tokens.revoke(ada, made.id)
    with pytest.raises(WrongToken, match="revoked"):
        tokens.find(text, AT)


def test_requests_at_the_same_time_make_no_more_than_allowed(
    tokens: Tokens, bots: BotAccounts, ada: str
) -> None:
    for number in range(MOST_TOKENS - 1):
        tokens.make(ada, f"token {number}", ["read"], 1, AT)
    made = at_once(*[lambda: tokens.make(ada, "last", ["read"], 1, AT)] * 4)
    assert sum(isinstance(each, TooMuch) for each in made) == 3
    assert len(tokens.of_player(ada)) == MOST_TOKENS
    for number in range(MOST_BOTS - 1):
        bots.make(ada, f"bot {number}", AT)
    made = at_once(*[lambda: bots.make(ada, "last", AT)] * 4)
    assert sum(isinstance(each, TooMuch) for each in made) == 3
    assert len(bots.of_player(ada)) == MOST_BOTS


def test_expired_tokens_are_removed(database: Database, tokens: Tokens, ada: str) -> None:
    tokens.make(ada, "a", ["read"], 1, AT)
    forget_tokens(database, AT + 32 * 86_400)
    assert tokens.of_player(ada) == []


def test_merging_moves_bot_accounts_and_erasing_removes_them_with_their_tokens(
    database: Database, tokens: Tokens, bots: BotAccounts, results: ResultStore, ada: str, bob: str
) -> None:
    bot = bots.make(bob, "Robo", AT)
    of_bot, _ = tokens.make(bob, "a", ["read"], 1, AT, bot.id)
    of_bob, _ = tokens.make(bob, "b", ["read"], 1, AT)
    Merging(database).merge(ada, bob, AT)
    assert bots.of_player(ada) == [bot]
    assert tokens.find(of_bot, AT)[:2] == (bot.id, ada)
    with pytest.raises(WrongToken):
        tokens.find(of_bob, AT)
    results.erase(ada, AT)
    assert bots.of_player(ada) == []
    with pytest.raises(WrongToken):
        tokens.find(of_bot, AT)


def test_a_challenge_is_accepted_once_however_many_ask(
    challenges: DirectChallenges, ada: str, bob: str
) -> None:
    challenge = challenges.send(ada, bob, LETTERPRESS, AT)
    assert [(each.id, each.sent) for each in challenges.of_player(bob, AT)] == [(challenge, False)]
    answers = at_once(*[lambda: challenges.accept(bob, challenge, AT)] * 4)
    begun = [each for each in answers if isinstance(each, Table)]
    assert len(begun) == 1
    assert {seat.player_id for seat in begun[0].seats} == {ada, bob}
    assert sum(isinstance(each, UnknownChallenge) for each in answers) == 3
    assert challenges.of_player(ada, AT) == []


def test_a_challenge_is_either_accepted_or_withdrawn(
    challenges: DirectChallenges, ada: str, bob: str
) -> None:
    challenge = challenges.send(ada, bob, LETTERPRESS, AT)
    answers = at_once(
        lambda: challenges.accept(bob, challenge, AT), lambda: challenges.withdraw(ada, challenge, AT)
    )
    assert sum(isinstance(each, UnknownChallenge) for each in answers) == 1


def test_two_players_who_challenge_each_other_do_not_wait_for_each_other(
    challenges: DirectChallenges, ada: str, bob: str
) -> None:
    made = at_once(
        lambda: challenges.send(ada, bob, LETTERPRESS, AT), lambda: challenges.send(bob, ada, LETTERPRESS, AT)
    )
    assert all(isinstance(each, str) for each in made), made
    assert len(challenges.of_player(ada, AT)) == 2


def test_challenges_end_when_declined_expired_replaced_or_merged(
    database: Database, challenges: DirectChallenges, ada: str, bob: str
) -> None:
    challenge = challenges.send(ada, bob, LETTERPRESS, AT)
    with pytest.raises(UnknownChallenge):
        challenges.decline(bob, "x", AT)
    with pytest.raises(UnknownChallenge):
        challenges.decline(ada, challenge, AT)
    forget_challenges(database, AT + 86_400)
    with pytest.raises(UnknownChallenge):
        challenges.decline(bob, challenge, AT)
    declined = challenges.send(ada, bob, LETTERPRESS, AT)
    challenges.decline(bob, declined, AT + 1)
    assert challenges.closed_since(ada, AT + 1) == challenges.closed_since(bob, AT + 1) == [declined]
    assert challenges.closed_since(ada, AT + 2) == []
    challenges.send(ada, bob, LETTERPRESS, AT + 1)
    assert challenges.closed_since(ada, AT) == [], "a new challenge replaces it"
    Merging(database).merge(ada, bob, AT + 1)
    assert challenges.of_player(ada, AT + 1) == []


def test_bot_accounts_have_a_leaderboard_of_their_own(
    database: Database, players: PlayerStore, bots: BotAccounts, ada: str
) -> None:
    bot = bots.make(ada, "Robo", AT)
    players.rename(ada, "Ada", AT)
    row = {"kind": "programs", "speed": "rapid", "value": 1600, "deviation": 50, "volatility": 0.06}
    with database.writing() as connection:
        for player in (ada, bot.id):
            connection.execute(insert(ratings).values(player_id=player, games=30, at=AT, **row))
    boards = Ratings(database)
    assert [each.nickname for each in boards.top("programs", "rapid", AT, 5)] == ["Ada"]
    assert [each.nickname for each in boards.top("programs", "rapid", AT, 5, bots=True)] == ["Robo (bot)"]
    with database.writing() as connection:
        connection.exec_driver_sql("DELETE FROM ratings WHERE kind = 'programs'")
