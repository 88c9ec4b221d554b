"""Merging two guests into one player, by the rules in docs/operations.md."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import insert, select

from app.games.wibble.moves import Resign
from app.store import merging
from app.store.circles import Circles
from app.store.dailies import DailyStore
from app.store.database import Database
from app.store.days import begins_at
from app.store.devices import Devices
from app.store.games import GameStore
from app.store.levels import Levels
from app.store.merging import Merging
from app.store.models import Seat
from app.store.phrases import Phrases, WrongPhrase
from app.store.players import PlayerStore, UnknownRecovery
from app.store.rankings import Rankings
from app.store.results import ResultStore, keep_results
from app.store.schema import challenge_entries, challenges, imports, levels, rankings, seats, statistics
from app.store.shown_hints import ShownHints
from app.store.word_votes import WordVote, WordVotes
from tests.store.driver import AT, finish_wibble, open_wibble, play_words
from tests.store.test_rankings import ended


@pytest.fixture
def merge(database: Database, ada: str, bob: str) -> Any:
    return lambda at=AT + 100: Merging(database).merge(ada, bob, at)


def seated(database: Database, game_id: str) -> list[str | None]:
    with database.reading() as connection:
        query = select(seats.c.player_id).where(seats.c.game_id == game_id).order_by(seats.c.seat)
        return list(connection.scalars(query))


def counts_of(database: Database, player: str) -> list[list[dict[str, Any]]]:
    """The stored statistics and rankings of a player, without their ID."""
    with database.reading() as connection:
        return [
            sorted(
                (
                    {name: value for name, value in row.items() if name != "player_id"}
                    for row in connection.execute(select(table).where(table.c.player_id == player)).mappings()
                ),
                key=str,
            )
            for table in (statistics, rankings)
        ]


def test_results_statistics_and_seats_move(
    database: Database, games: GameStore, results: ResultStore, ada: str, bob: str, merge: Any
) -> None:
    own, theirs = finish_wibble(games, ada, 0, 3), finish_wibble(games, bob, 1, 2, at=AT + 10)
    open_game = open_wibble(games, bob)
    merge()
    assert [each.game_id for each in results.of_player(ada)] == [theirs.id, own.id]
    assert not results.of_player(bob)
    assert not results.statistics(bob)
    assert results.statistics(ada)[0].games == 2
    assert seated(database, theirs.id) == seated(database, open_game.id) == [ada]
    play_words(games, games.read(open_game.id), ada, 0, at=AT + 200)
    assert results.statistics(ada)[0].games == 3


def test_the_name_and_preferences_of_the_kept_player_stay(
    players: PlayerStore, ada: str, bob: str, merge: Any
) -> None:
    players.rename(ada, "Ada", AT)
    players.rename(bob, "Bob", AT)
    players.keep_preferences(bob, "theme=dark")
    merge()
    assert (players.nickname(ada), players.preferences(ada)) == ("Ada", "theme=dark")
    assert (players.nickname(bob), players.exists(bob)) == (None, False)


def test_merging_keeps_one_unranked_result_of_a_game_between_the_two(
    database: Database, results: ResultStore, players: PlayerStore, ada: str, bob: str, merge: Any
) -> None:
    kind, other = f"kind-{uuid4().hex[:8]}", players.create(AT)
    with database.writing() as connection:
        keep_results(connection, ended(kind, [ada, bob, other], [3, 3, 3], (0,), AT), AT)
    before = results.of_player(other)
    merge()
    [result] = results.of_player(ada)
    assert (result.won, result.ranked) == (True, False)
    assert results.of_player(other) == before
    assert Rankings(database).top(kind, AT, 9) == []


@pytest.mark.parametrize("finished_first", [True, False])
def test_the_other_seat_in_a_game_of_both_is_cleared_once_it_is_over(
    database: Database,
    games: GameStore,
    results: ResultStore,
    ada: str,
    bob: str,
    merge: Any,
    finished_first: bool,
) -> None:
    table = open_wibble(games, ada, Seat(bob), mode="versus")
    if not finished_first:
        merge()
        assert seated(database, table.id) == [ada, bob]
    games.play(table.id, ada, Resign(), AT + 1)
    if finished_first:
        merge()
    assert seated(database, table.id) == [ada, None]
    assert len(results.of_player(ada)) == 1


def test_a_game_that_ends_after_it_was_read_counts_for_the_kept_player(
    database: Database, games: GameStore, results: ResultStore, ada: str, bob: str, merge: Any
) -> None:
    table = games.read(open_wibble(games, bob).id)
    merge()
    games.make(table, 0, Resign(), AT + 200)
    assert [each.game_id for each in results.of_player(ada)] == [table.id]
    assert seated(database, table.id) == [ada]


def test_games_that_end_during_a_merge_count_for_the_kept_player(
    games: GameStore, results: ResultStore, players: PlayerStore, database: Database
) -> None:
    for number in range(12):
        kept, gone = players.create(AT), players.create(AT)
        tables = [games.read(open_wibble(games, player).id) for player in (gone, kept, gone)]
        doing: list[Callable[[], object]] = [
            partial(Merging(database).merge, kept, gone, AT),
            *(partial(games.make, table, 0, Resign(), AT + 1) for table in tables),
        ]
        with ThreadPoolExecutor(4) as threads:
            for each in [threads.submit(each) for each in doing[:: 1 if number % 2 else -1]]:
                each.result()
        assert {each.game_id for each in results.of_player(kept)} == {table.id for table in tables}
        assert results.statistics(kept)[0].games == 3
        assert not results.statistics(gone)


@pytest.mark.parametrize(("own", "theirs", "kept"), [(10, 20, 0), (20, 10, 1), (None, 10, 1), (10, None, 0)])
def test_the_attempt_at_a_daily_that_was_finished_first_counts(
    games: GameStore, dailies: DailyStore, ada: str, bob: str, merge: Any,
    own: int | None, theirs: int | None, kept: int,
) -> None:  # fmt: skip
    day = date(1990, 1, 1 + kept + 2 * (own is None) + 4 * (theirs is None))
    begin = begins_at(day)
    before = dailies.rank(day, 0)[1]
    tables = [dailies.attempt(day, player, begin) for player in (ada, bob)]
    for table, player, at in zip(tables, (ada, bob), (own, theirs), strict=True):
        if at is not None:
            play_words(games, table, player, *range(1 + (player == bob)), at=begin + at)
    merge(begin + 100)
    attempt = dailies.attempt_of(day, ada)
    assert attempt is not None
    assert attempt.game_id == tables[kept].id
    assert dailies.attempt_of(day, bob) is None
    assert attempt.score is not None
    assert dailies.rank(day, attempt.score)[1] == before + 1


def test_daily_streaks_are_joined(
    games: GameStore, dailies: DailyStore, ada: str, bob: str, merge: Any
) -> None:
    for number, player in enumerate((ada, bob, ada)):
        day = date(2023, 5, 1 + number)
        play_words(games, dailies.attempt(day, player, begins_at(day)), player, 0, at=begins_at(day))
    merge(begins_at(date(2023, 5, 4)))
    assert dailies.streak(ada, begins_at(date(2023, 5, 4))) == 3


@pytest.mark.parametrize(("challenger", "kept"), [("ada", 0), ("bob", 1), (None, 1)])
def test_challenges_move_and_the_challengers_entry_stays(
    database: Database, games: GameStore, players: PlayerStore, ada: str, bob: str, merge: Any,
    challenger: str | None, kept: int,
) -> None:  # fmt: skip
    third, name = players.create(AT), uuid4().hex
    tables = [finish_wibble(games, ada, 0, at=AT + 20), finish_wibble(games, bob, 0, at=AT)]
    by = {"ada": (ada, tables[0].id), "bob": (bob, tables[1].id)}
    by_whom, game = by[challenger] if challenger else (third, finish_wibble(games, third, 0).id)
    with database.writing() as connection:
        made = {"id": name, "game_id": game, "player_id": by_whom, "created_at": AT, "seen_at": AT}
        connection.execute(insert(challenges).values(made))
        for table, player in zip(tables, (ada, bob), strict=True):
            entry = {"challenge_id": name, "player_id": player, "game_id": table.id}
            connection.execute(insert(challenge_entries).values(entry))
    merge()
    with database.reading() as connection:
        found = connection.execute(select(challenge_entries).where(challenge_entries.c.challenge_id == name))
        assert [(row.player_id, row.game_id) for row in found] == [(ada, tables[kept].id)]
        maker = connection.scalar(select(challenges.c.player_id).where(challenges.c.id == name))
    assert maker == (ada if challenger else third)


def test_votes_levels_hints_and_imports_are_joined(
    database: Database, games: GameStore, ada: str, bob: str, merge: Any
) -> None:
    votes, hints = WordVotes(database), ShownHints(database)
    lexicon = uuid4().hex
    for player, word, valid, at in [
        (ada, "early", True, 1), (bob, "early", False, 2), (ada, "late", True, 2), (bob, "late", False, 1),
        (bob, "new", True, 1),
    ]:  # fmt: skip
        votes.vote(player, WordVote(lexicon, word, valid), at)
    for player, name in [(ada, "one"), (bob, "one"), (bob, "two")]:
        hints.note(player, name)
    imported = finish_wibble(games, bob, 0)
    with database.writing() as connection:
        connection.execute(insert(imports).values(game_id=imported.id, imported_at=AT, kept_by=bob))
        for player, level, stars, moves in [
            (ada, "1", 2, 9), (bob, "1", 3, 10), (ada, "2", 2, 9), (bob, "2", 2, 8), (ada, "3", 3, 9),
            (bob, "3", 1, 5), (bob, "4", 1, 1),
        ]:  # fmt: skip
            row = {"kind": "k", "level": level, "stars": stars, "moves": moves, "won_at": AT}
            connection.execute(insert(levels).values(player_id=player, **row))
    merge()
    assert {vote.word: vote.valid for vote in votes.of_player(ada)} == {
        "early": False,
        "late": True,
        "new": True,
    }
    assert hints.seen(ada, ["one", "two", "three"]) == {"one", "two"}
    won = {each.level: (each.stars, each.moves) for each in Levels(database).of_player(ada)}
    assert won == {"1": (3, 10), "2": (2, 8), "3": (3, 9), "4": (1, 1)}
    with database.reading() as connection:
        assert connection.scalar(select(imports.c.kept_by).where(imports.c.game_id == imported.id)) == ada
    assert not votes.of_player(bob)
    assert not Levels(database).of_player(bob)


def test_nothing_signs_in_as_the_merged_player(
    database: Database, players: PlayerStore, ada: str, bob: str, merge: Any
) -> None:
    link, phrase = players.recovery(bob, AT), Phrases(database).make(bob, AT)
    device = Devices(database).add(bob, "A browser", AT)
    kept = Phrases(database).make(ada, AT)
    merge()
    with pytest.raises(UnknownRecovery):
        players.recover(link, AT)
    with pytest.raises(WrongPhrase):
        Phrases(database).player_of(phrase)
    assert not Devices(database).is_signed_in(bob, device, AT)
    assert Phrases(database).player_of(kept) == ada
    Phrases(database).remove(ada)  # tests share one PostgreSQL database


def test_merging_into_oneself_or_an_erased_player_loses_nothing(
    database: Database, games: GameStore, results: ResultStore, players: PlayerStore, ada: str, bob: str
) -> None:
    finish_wibble(games, ada, 0)
    before = counts_of(database, ada)
    results.erase(bob, AT)
    for kept, gone in [(ada, ada), (bob, ada), (ada, bob), ("unknown", ada)]:
        Merging(database).merge(kept, gone, AT)
        assert (counts_of(database, ada), players.exists(ada)) == (before, True)


def test_a_fault_in_the_middle_leaves_everything_as_it_was(
    database: Database, games: GameStore, players: PlayerStore, ada: str, bob: str, merge: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    table = finish_wibble(games, bob, 0)
    before = [counts_of(database, player) for player in (ada, bob)]

    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(merging, "_merge_shown", fail)
    with pytest.raises(RuntimeError):
        merge()
    assert [counts_of(database, player) for player in (ada, bob)] == before
    assert seated(database, table.id) == [bob]
    assert players.exists(bob)


@pytest.mark.parametrize("seed", range(5))
def test_merged_counts_are_those_of_one_player_who_played_everything(
    database: Database, players: PlayerStore, ada: str, bob: str, merge: Any, seed: int
) -> None:
    drawn, one = random.Random(seed), players.create(AT)
    kinds = [f"kind-{uuid4().hex[:8]}" for _ in range(2)]
    for number in range(20):
        # Each opponent is new, so that every game with enough words is ranked.
        others, at, kind = (
            [players.create(AT) for _ in range(2)],
            AT + drawn.randrange(10**6) + number / 100,
            drawn.choice(kinds),
        )
        words, winners = [drawn.randrange(6), 3], drawn.choice([(0,), (1,), (0, 1)])
        word = "x" * drawn.randrange(1, 9)
        summed = {"mode": drawn.choice("mn"), "score": drawn.randrange(90), "best_points": len(word)}
        summed |= {"best_word": word, "longest_word": word}
        alone = drawn.random() < 0.3
        with database.writing() as connection:
            for player, other in zip((drawn.choice([ada, bob]), one), others, strict=True):
                seated_players = [player] if alone else [player, other]
                table = ended(kind, seated_players, words, winners, at, **summed)
                keep_results(connection, table, at)
    merge(AT + 10**6 + 1)
    assert counts_of(database, ada) == counts_of(database, one)
    assert counts_of(database, bob) == [[], []]


def test_merging_moves_memberships_and_keeps_one_in_a_shared_circle(
    database: Database, players: PlayerStore, merge: Any, ada: str, bob: str
) -> None:
    circles, third = Circles(database), players.create(AT)
    alone, led = circles.open("Alone", bob, AT), circles.open("Led", bob, AT)
    both = circles.open("Both", third, AT)
    for circle_id, member, player, at in (
        (both, third, bob, AT + 1),
        (both, third, ada, AT + 2),
        (led, bob, ada, AT + 3),
    ):
        circles.join(circle_id, circles.read(circle_id, member).invitation, player, at)
    merge()
    assert circles.of_player(bob) == []
    assert [each.player_id for each in circles.read(alone, ada).members] == [ada]
    joined = {each.player_id: each.joined_at for each in circles.read(both, ada).members}
    assert joined == {third: AT, ada: AT + 1}
    assert [(each.player_id, each.is_owner) for each in circles.read(led, ada).members] == [(ada, True)]
