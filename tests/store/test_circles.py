"""Circles in the store: permissions, points and results."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from random import Random
from typing import Any, NamedTuple

import pytest
from sqlalchemy import insert, select

from app.store.circle_activity import CircleActivity
from app.store.circles import (
    MOST_CIRCLES,
    MOST_MEMBERS,
    BadCircle,
    Circle,
    Circles,
    UnknownCircle,
    clean_name,
)
from app.store.database import Database
from app.store.models import NotYourSeat, TooMuch
from app.store.players import PlayerStore, UnknownRecovery
from app.store.results import ResultStore
from app.store.schema import attempts, dailies, results

AT = 1_000.0
TODAY = date(2026, 11, 23)


@pytest.fixture
def circles(database: Database) -> Circles:
    return Circles(database)


def joined(circles: Circles, circle_id: str, owner: str, *others: str, at: float = AT) -> Circle:
    """The circle after these players have joined."""
    for player in others:
        circles.join(circle_id, circles.read(circle_id, owner).invitation, player, at)
    return circles.read(circle_id, owner)


def test_a_circle_is_private(circles: Circles, ada: str, bob: str) -> None:
    circle_id = circles.open("  The   Lovelaces ", ada, AT)
    circle = circles.read(circle_id, ada)
    assert circle.name == "The Lovelaces"
    for reader, address in (
        (bob, circle_id),
        (None, circle_id),
        (ada, "unknown"),
        (ada, "\0"),
        (ada, "x" * 99),
    ):
        with pytest.raises(UnknownCircle):
            circles.read(address, reader)
    with pytest.raises(UnknownRecovery):
        circles.join(circle_id, "made-up", bob, AT)
    circle = joined(circles, circle_id, ada, bob, bob)
    assert [(member.number, member.is_owner) for member in circle.members] == [(1, True), (2, False)]
    assert [listed.members for listed in circles.of_player(bob)] == [2]


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "a\u202eb"])
def test_an_impossible_name_is_refused(circles: Circles, ada: str, name: str) -> None:
    with pytest.raises(BadCircle, match="the name of a circle"):
        circles.open(name, ada, AT)
    circle_id = circles.open("x" * 40, ada, AT)
    with pytest.raises(BadCircle):
        circles.rename(circle_id, ada, name, AT)


def test_only_the_owner_manages_a_circle(circles: Circles, players: PlayerStore, ada: str, bob: str) -> None:
    circle_id = circles.open("Words", ada, AT)
    circle, stranger = joined(circles, circle_id, ada, bob), players.create(AT)
    acts: tuple[Callable[[str], None], ...] = (
        lambda who: circles.rename(circle_id, who, "Mine", AT),
        lambda who: circles.renew(circle_id, who),
        lambda who: circles.remove(circle_id, who, 1),
        lambda who: circles.close(circle_id, who),
    )
    for player, refused in ((bob, NotYourSeat), (stranger, UnknownCircle)):
        for act in acts:
            with pytest.raises(refused):
                act(player)
    assert circles.read(circle_id, ada) == circle
    circles.rename(circle_id, ada, "Ours", AT)
    circles.renew(circle_id, ada)
    with pytest.raises(UnknownRecovery):
        circles.join(circle_id, circle.invitation, stranger, AT)
    for number in (1, 3):
        with pytest.raises(BadCircle):
            circles.remove(circle_id, ada, number)
    circles.remove(circle_id, ada, 2)
    assert circles.of_player(bob) == []
    circles.close(circle_id, ada)
    with pytest.raises(UnknownCircle):
        circles.read(circle_id, ada)


def test_a_circle_passes_to_the_earliest_member_and_ends_with_the_last(
    circles: Circles, players: PlayerStore, database: Database, ada: str, bob: str
) -> None:
    circle_id, last = circles.open("Words", ada, AT), players.create(AT)
    joined(circles, circle_id, ada, bob, last)
    ResultStore(database).erase(ada, AT + 1)
    assert [member.is_owner for member in circles.read(circle_id, bob).members] == [True, False]
    circles.leave(circle_id, bob)
    with pytest.raises(UnknownCircle):
        circles.leave(circle_id, bob)
    circles.leave(circle_id, last)
    with pytest.raises(UnknownCircle):
        circles.read(circle_id, last)


def test_the_number_of_a_member_who_left_is_never_reused(
    circles: Circles, players: PlayerStore, ada: str, bob: str
) -> None:
    circle_id, late = circles.open("Words", ada, AT), players.create(AT)
    joined(circles, circle_id, ada, bob)
    circles.leave(circle_id, bob)
    circle = joined(circles, circle_id, ada, late)
    assert [member.number for member in circle.members] == [1, 3]
    with pytest.raises(BadCircle, match="no member number 2"):
        circles.remove(circle_id, ada, 2)  # from a page that still shows Bob


def test_numbers_of_circles_and_members_are_limited(circles: Circles, players: PlayerStore, ada: str) -> None:
    for _ in range(MOST_CIRCLES - 1):
        circles.open("Words", ada, AT)
    full = circles.open("Full", ada, AT)
    with pytest.raises(TooMuch, match="leave one"):
        circles.open("Words", ada, AT)
    others = [players.create(AT) for _ in range(MOST_MEMBERS - 1)]
    circle = joined(circles, full, ada, *others)
    with pytest.raises(TooMuch, match=str(MOST_MEMBERS)):
        circles.join(full, circle.invitation, players.create(AT), AT)
    other = players.create(AT)
    another = circles.read(circles.open("Another", other, AT), other)
    with pytest.raises(TooMuch, match="leave one"):
        circles.join(another.id, another.invitation, ada, AT)


def test_joining_twice_at_once_makes_one_member(circles: Circles, players: PlayerStore, ada: str) -> None:
    circle_id = circles.open("Words", ada, AT)
    invitation = circles.read(circle_id, ada).invitation
    others = [players.create(AT) for _ in range(4)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda player: circles.join(circle_id, invitation, player, AT), others * 3))
    numbers = [member.number for member in circles.read(circle_id, ada).members]
    assert sorted(numbers) == [1, 2, 3, 4, 5]


class Played(NamedTuple):
    """A player's score in a daily or a game, named by ``what``."""

    what: tuple[str, str]
    """The day and kind of a daily, or ``game`` and the ID of a game."""
    player: str
    score: int
    won: bool
    at: float


def keep(database: Database, played: list[Played]) -> None:
    with database.writing() as connection:
        for day, kind in {each.what for each in played if each.what[0] != "game"}:
            values: dict[str, Any] = {"day": day, "kind": kind, "seed": "s", "options": "{}"}
            this = dailies.c.day == day, dailies.c.kind == kind
            if connection.execute(select(dailies).where(*this)).one_or_none() is None:
                connection.execute(insert(dailies).values(values))
        for seat, each in enumerate(played):
            if each.what[0] == "game":
                values = {"game_id": each.what[1], "seat": seat, "player_id": each.player, "kind": "wibble"}
                values |= {"mode": "versus", "seats": 2, "won": each.won, "score": each.score, "words": 1}
                values |= {"best_word": "", "best_points": 0, "longest_word": "", "finished_at": each.at}
                connection.execute(insert(results).values(values))
            else:
                values = {"day": each.what[0], "kind": each.what[1], "player_id": each.player}
                values |= {
                    "game_id": f"daily{seat}{each.player[:9]}",
                    "score": each.score,
                    "finished_at": each.at,
                }
                connection.execute(insert(attempts).values(values))


@pytest.mark.parametrize("seed", range(5))
def test_points_are_what_counting_by_hand_gives(
    database: Database, circles: Circles, players: PlayerStore, seed: int
) -> None:
    random = Random(seed)
    owner, *others = everybody = [players.create(AT) for _ in range(5)]
    outsider, circle_id = players.create(AT), circles.open("Words", owner, AT)
    for number, friend in enumerate(others):
        joined(circles, circle_id, owner, friend, at=AT + 10 * number)
    circle = circles.read(circle_id, owner)
    days = [("2026-11-22", "wibble"), ("2026-11-22", "boggle"), (TODAY.isoformat(), "wibble")]
    days += [(TODAY.isoformat(), "boggle")]
    whats = days + [("game", f"g{number}{owner[:9]}") for number in range(8)]
    played = [
        Played(what, player, random.randint(1, 3), random.random() < 0.3, AT + random.randint(-5, 80))
        for what in whats
        for player in random.sample([*everybody, outsider], 3)
    ]
    keep(database, played)
    since = AT + 20
    read_by = circle.member(random.choice(everybody))
    own = {one.what for one in played if one.player == read_by.player_id}
    unseen = {(TODAY.isoformat(), kind) for kind in ("wibble", "boggle")} - own
    records = CircleActivity(database).records(circle, read_by, since=since, running=TODAY)
    by_number = {member.number: member for member in circle.members}
    for number, member in by_number.items():
        for rival, other in by_number.items():
            start = max(member.joined_at, other.joined_at, since)
            times = 0
            for one in played:
                for two in played:
                    if one.what != two.what or one.what in unseen:
                        continue
                    if (one.player, two.player) != (member.player_id, other.player_id) or member == other:
                        continue
                    mine, theirs = (one.won, one.score), (two.won, two.score)
                    if one.what[0] != "game":
                        mine, theirs = (False, one.score), (False, two.score)
                    times += min(one.at, two.at) >= start and mine > theirs
            assert records[number].beaten.get(rival, 0) == times


def test_a_circle_shows_what_was_finished_since_its_members_joined_but_no_daily_of_today(
    database: Database, circles: Circles, ada: str, bob: str
) -> None:
    circle = joined(circles, circles.open("Words", ada, AT), ada, bob)
    activity = CircleActivity(database)
    keep(
        database,
        [
            Played(("game", f"early{ada[:9]}"), ada, 1, False, AT - 1),
            Played(("game", f"later{ada[:9]}"), bob, 7, True, AT + 1),
            Played(("game", f"daily3{ada[:9]}"), ada, 9, False, AT + 2),
            Played((TODAY.isoformat(), "wibble"), ada, 9, False, AT + 2),
            Played(("2026-11-22", "wibble"), bob, 5, False, AT + 2),
        ],
    )
    assert [(line.number, line.game_id) for line in activity.feed(circle, TODAY, 20)] == [
        (2, f"later{ada[:9]}")
    ]
    scores = [(each.kind, each.number, each.score) for each in activity.dailies(circle, TODAY)]
    assert scores == [("wibble", 1, 9)]


@pytest.mark.parametrize("name", ["The " + "tihs"[::-1], "t\u0456h\u0455"[::-1], "t\u0131\u029c\ua731"[::-1]])
def test_the_name_of_a_circle_goes_through_the_family_filter(name: str) -> None:
    with pytest.raises(BadCircle, match="the name of a circle may not contain an offensive word"):
        clean_name(name)
