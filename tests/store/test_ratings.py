"""Ratings: the games that count at each speed, their changes, and that a rebuild gives the same digits."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update

from app.games.boggle.state import Setup as BoggleSetup
from app.games.fribble.state import Pass, Resign
from app.games.fribble.state import Setup as FribbleSetup
from app.games.game import IllegalMove
from app.games.glicko import Rating
from app.games.letterpress.state import Pass as LetterpressPass
from app.games.letterpress.state import Setup as LetterpressSetup
from app.games.wibble.options import Setup as WibbleSetup
from app.store.database import Database
from app.store.games import GameStore
from app.store.merging import Merging
from app.store.models import Seat, Table, TableSettings
from app.store.players import PlayerStore
from app.store.rated_games import rebuild
from app.store.ratings import ACTIVE_DAYS, Ratings, bot_rating, speed_of
from app.store.results import ResultStore
from app.store.schema import rating_changes
from app.store.schema import ratings as ratings_table
from tests.examples import examples
from tests.store.driver import AT


@pytest.mark.parametrize(
    ("setup", "limit", "speed"),
    [
        (LetterpressSetup(), None, "rapid"),
        (LetterpressSetup(), 3600, "rapid"),
        (LetterpressSetup(), 86_400, "days"),
        (LetterpressSetup(clock_seconds=299), None, "blitz"),
        (LetterpressSetup(clock_seconds=299), 86_400, "blitz"),
        (LetterpressSetup(clock_seconds=300), None, "rapid"),
        (LetterpressSetup(clock_seconds=180, increment_seconds=8), None, "rapid"),
        (LetterpressSetup(clock_seconds=180, increment_seconds=5), None, "blitz"),
        (LetterpressSetup(clock_seconds=86_400), None, "days"),
        (FribbleSetup(turn_seconds=60), None, "rapid"),
        (FribbleSetup(turn_seconds=86_400), None, "days"),
        (BoggleSetup(), None, "blitz"),
        (BoggleSetup(seconds=300), 259_200, "rapid"),
        (BoggleSetup(seconds=None), 259_200, "days"),
    ],
)
def test_the_speed_is_that_of_the_clock(setup: Any, limit: int | None, speed: str) -> None:
    assert speed_of(setup, TableSettings(limit)) == speed


def test_a_player_without_a_rated_game_has_the_rating_of_a_new_one(
    database: Database, players: PlayerStore
) -> None:
    assert Ratings(database).of(players.create(AT), "wibble", "rapid", AT) == Rating()


def test_stronger_bots_have_higher_ratings() -> None:
    for kind in ("wibble", "letterpress", "boggle", "fribble"):
        values = [bot_rating(kind, level).value for level in range(1, 6)]
        assert values == sorted(set(values))
    assert bot_rating("scrabblet", 1) == Rating()


@pytest.fixture(autouse=True)
def consistent(database: Database) -> None:
    """Rebuild the ratings, as other tests store some without games."""
    rebuild(database)


def rated_game(
    games: GameStore,
    first: str,
    *others: Seat,
    loser: int | None = 0,
    at: float = AT,
    plays: bool = True,
) -> Table:
    """A rated game of Fribble that ends by resignation, or without a loser by passing."""
    setup = FribbleSetup.model_validate({"preset": "standard"})
    table = games.open("fribble", setup, [Seat(first), *others], at, TableSettings(rated=True))
    while plays and table.state.ply < len(table.seats):
        table = games.make(table, table.state.to_move, Pass(), at)
    if loser is not None:
        return games.make(table, loser, Resign(), at)
    for _ in range(20):
        if table.finished_at is not None:
            return table
        table = games.make(table, table.state.to_move, Pass(), at)
    raise AssertionError("passing does not end the game")


def test_a_rated_game_changes_both_ratings_as_glicko_does(
    database: Database, players: PlayerStore, games: GameStore
) -> None:
    ada, bob = players.create(AT), players.create(AT)
    game = rated_game(games, ada, Seat(bob), loser=1)
    ratings, new = Ratings(database), Rating()
    assert ratings.of(ada, "fribble", "rapid", AT) == new.after([(new, 1.0)])
    assert ratings.of(bob, "fribble", "rapid", AT) == new.after([(new, 0.0)])
    assert ratings.of(ada, "fribble", "blitz", AT) == new
    [change] = ratings.history(bob, "fribble", "rapid", 10)
    assert (change.game_id, change.place, change.before) == (game.id, 2, new.value)
    assert change.after == ratings.of(bob, "fribble", "rapid", AT).value
    assert ratings.change_at(game.id, bob) == change


def test_a_draw_between_equals_changes_only_the_deviations(
    database: Database, players: PlayerStore, games: GameStore
) -> None:
    ada, bob = players.create(AT), players.create(AT)
    table = games.open(
        "letterpress", LetterpressSetup(), [Seat(ada), Seat(bob)], AT, TableSettings(rated=True)
    )
    for seat in (0, 1):
        table = games.make(table, seat, LetterpressPass(), AT)
    assert table.finished_at is not None
    [rated] = Ratings(database).of_player(ada, AT)
    assert rated.rating.value == pytest.approx(1500)
    assert rated.rating.deviation < 350
    assert rated.games == 1


def test_each_of_three_players_meets_the_others(
    database: Database, players: PlayerStore, games: GameStore
) -> None:
    ada, bob = players.create(AT), players.create(AT)
    setup = FribbleSetup.model_validate({"preset": "standard"})
    table = games.open(
        "fribble", setup, [Seat(ada), Seat(bob), Seat(bot_level=3)], AT, TableSettings(rated=True)
    )
    for seat in (0, 1, 2):
        table = games.make(table, seat, Pass(), AT)
    table = games.make(table, 0, Resign(), AT)
    table = games.make(table, 1, Resign(), AT)
    bot, new, ratings = bot_rating("fribble", 3), Rating(), Ratings(database)
    assert table.finished_at is not None
    assert ratings.of(ada, "fribble", "rapid", AT).value < 1500
    places = [each.place for each in ratings.history(ada, "fribble", "rapid", 1)[0].opponents]
    assert places[1] == 1, "the bot has won"
    assert ratings.of(bob, "fribble", "rapid", AT) in (
        new.after([(new, score), (bot, 0.0)]) for score in (0.0, 0.5, 1.0)
    )


def test_a_lone_player_is_rated_against_bots_whose_rating_stays(
    database: Database, players: PlayerStore, games: GameStore
) -> None:
    ada = players.create(AT)
    rated_game(games, ada, Seat(bot_level=5), loser=1)
    assert Ratings(database).of(ada, "fribble", "rapid", AT) == Rating().after(
        [(bot_rating("fribble", 5), 1.0)]
    )
    with database.reading() as connection:
        query = select(rating_changes.c.new_value).where(rating_changes.c.bot_level == 5)
        assert set(connection.scalars(query)) == {None}


def test_a_game_that_one_player_did_not_play_is_not_rated(
    database: Database, players: PlayerStore, games: GameStore
) -> None:
    ada, bob = players.create(AT), players.create(AT)
    game = rated_game(games, ada, Seat(bob), plays=False)
    assert game.finished_at is not None
    assert Ratings(database).of_player(ada, AT) == []


def test_a_casual_game_changes_nothing(database: Database, players: PlayerStore, games: GameStore) -> None:
    ada = players.create(AT)
    table = games.open("fribble", FribbleSetup(), [Seat(ada), Seat(bot_level=1)], AT)
    for seat in (0, 1):
        table = games.make(table, seat, Pass(), AT)
    games.make(table, 0, Resign(), AT)
    assert Ratings(database).of_player(ada, AT) == []


@pytest.mark.parametrize(
    ("setup", "others", "says"),
    [
        (WibbleSetup.model_validate({"mode": "zen"}), [], "a solo game"),
        (
            LetterpressSetup.model_validate({"board": "abcdefghijklmnopqrstuvwxy"}),
            [Seat(bot_level=1)],
            "a chosen board",
        ),
    ],
)
def test_a_table_that_cannot_be_rated_is_refused(
    players: PlayerStore, games: GameStore, setup: Any, others: list[Seat], says: str
) -> None:
    kind = "wibble" if isinstance(setup, WibbleSetup) else "letterpress"
    with pytest.raises(IllegalMove, match=says):
        games.open(kind, setup, [Seat(players.create(AT)), *others], AT, TableSettings(rated=True))


def test_a_rematch_is_rated_as_the_game_was(players: PlayerStore, games: GameStore) -> None:
    ada, bob = players.create(AT), players.create(AT)
    game = rated_game(games, ada, Seat(bob))
    assert games.again(game, game.seats, AT).settings.rated


def test_hidden_ratings_are_seen_by_their_player_alone(
    database: Database, players: PlayerStore, games: GameStore
) -> None:
    ada, bob, ratings = players.create(AT), players.create(AT), Ratings(database)
    players.rename(ada, f"Ada {ada[:4]}", AT)
    for number in range(14):
        rated_game(games, ada, Seat(bot_level=3), loser=number % 2)
    game = rated_game(games, ada, Seat(bob), loser=1)
    top = [leader.player_id for leader in ratings.top("fribble", "rapid", AT, 100)]
    assert ada in top
    assert bob not in top, "without a name"
    assert set(ratings.shown_at(game, bob, AT)) == {0, 1}
    ratings.hide(ada, hidden=True)
    assert ratings.is_hidden(ada)
    assert ada not in [leader.player_id for leader in ratings.top("fribble", "rapid", AT, 100)]
    assert set(ratings.shown_at(game, bob, AT)) == {1}
    assert set(ratings.shown_at(game, ada, AT)) == {0, 1}
    assert ratings.history(bob, "fribble", "rapid", 1)[0].opponents[0].value is None


def test_inactive_players_are_on_no_leaderboard(
    database: Database, players: PlayerStore, games: GameStore
) -> None:
    ada, ratings = players.create(AT), Ratings(database)
    players.rename(ada, f"Ada {ada[:4]}", AT)
    for number in range(14):
        rated_game(games, ada, Seat(bot_level=3), loser=number % 2)
    assert ada in [leader.player_id for leader in ratings.top("fribble", "rapid", AT, 100)]
    later = AT + (ACTIVE_DAYS + 1) * 86_400
    assert ada not in [leader.player_id for leader in ratings.top("fribble", "rapid", later, 100)]


def snapshot(database: Database) -> tuple[list[Any], list[Any]]:
    with database.reading() as connection:
        return (
            sorted(map(tuple, connection.execute(select(ratings_table)))),
            sorted(map(tuple, connection.execute(select(rating_changes)))),
        )


events = st.lists(
    st.tuples(
        st.sampled_from(["game", "game", "game", "game", "erase", "merge"]),
        st.integers(0, 3),
        st.integers(0, 4),
        st.sampled_from([0, 1, None]),
    ),
    min_size=1,
    max_size=10,
)


@settings(examples(8), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=events)
def test_a_rebuild_gives_exactly_the_stored_ratings(
    database: Database,
    players: PlayerStore,
    games: GameStore,
    results: ResultStore,
    events: list[tuple[str, int, int, int | None]],
) -> None:
    people = [players.create(AT) for _ in range(4)]
    for number, (what, one, other, loser) in enumerate(events):
        at = AT + number * 200_000
        if what == "erase":
            results.erase(people[one], at)
            people[one] = players.create(at)
        elif what == "merge" and other < 4 and one != other:
            Merging(database).merge(people[one], people[other], at)
            people[other] = players.create(at)
        elif one != other:
            rival = Seat(people[other]) if other < 4 else Seat(bot_level=2)
            rated_game(games, people[one], rival, loser=loser, at=at)
    before = snapshot(database)
    assert rebuild(database).changed == 0
    assert snapshot(database) == before


def test_a_rebuild_corrects_wrong_ratings(database: Database, players: PlayerStore, games: GameStore) -> None:
    ada, bob = players.create(AT), players.create(AT)
    for number in range(3):
        rated_game(games, ada, Seat(bob), loser=number % 2, at=AT + number)
    right = snapshot(database)
    with database.writing() as connection:
        connection.execute(update(ratings_table).where(ratings_table.c.player_id == ada).values(value=9.0))
        own = rating_changes.c.player_id == bob, rating_changes.c.at == AT + 1
        connection.execute(update(rating_changes).where(*own).values(new_value=9.0))
    wrong = snapshot(database)
    assert rebuild(database, dry_run=True).changed == 1
    assert snapshot(database) == wrong
    assert rebuild(database).changed == 1
    assert snapshot(database) == right


def test_an_erased_player_leaves_no_rating_and_opponents_keep_theirs(
    database: Database, players: PlayerStore, games: GameStore, results: ResultStore
) -> None:
    ada, bob, ratings = players.create(AT), players.create(AT), Ratings(database)
    rated_game(games, ada, Seat(bob), loser=1)
    before = ratings.of_player(bob, AT)
    results.erase(ada, AT)
    assert ratings.of_player(ada, AT) == []
    assert ratings.of_player(bob, AT) == before
    assert ratings.history(bob, "fribble", "rapid", 1)[0].opponents[0].nickname is None


def test_merging_keeps_the_rating_of_more_games(
    database: Database, players: PlayerStore, games: GameStore
) -> None:
    ada, bob, eve, ratings = *(players.create(AT) for _ in range(3)), Ratings(database)
    rated_game(games, ada, Seat(eve), loser=0)
    for _ in range(2):
        rated_game(games, bob, Seat(eve), loser=1)
    better = ratings.of_player(bob, AT)
    Merging(database).merge(ada, bob, AT)
    assert ratings.of_player(ada, AT) == better
    assert len(ratings.history(ada, "fribble", "rapid", 10)) == 2


def test_games_that_end_at_once_are_rated_one_after_the_other(
    database: Database, players: PlayerStore, games: GameStore
) -> None:
    ada, others = players.create(AT), [players.create(AT) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda other: rated_game(games, ada, Seat(other), loser=1), others))
    [rated] = Ratings(database).of_player(ada, AT)
    assert rated.games == 4
    assert rebuild(database, dry_run=True).changed == 0
