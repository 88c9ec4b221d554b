"""Notices of turns, and the messages made of them."""

from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select

from app.games.wibble.moves import Chain, Resign
from app.games.wibble.options import Setup
from app.games.wibble.rules import Wibble
from app.store.bot_accounts import BotAccounts
from app.store.channels import BadChannel, Channels, UnknownChannel
from app.store.database import Database
from app.store.games import GameStore
from app.store.merging import Merging
from app.store.models import NotYourSeat, Seat, Table, TableSettings, TooMuch
from app.store.notices import BURST, LONG, next_stage
from app.store.outbox import (
    CLAIMED_FOR,
    EXPIRES_AFTER,
    RETRIES,
    Delivery,
    Message,
    Outbox,
)
from app.store.players import PlayerStore
from app.store.quiet_hours import BadTimes, Times
from app.store.results import ResultStore
from app.store.schema import channels, messages, notice_choices, notice_times, notices
from app.store.sending_places import MOST_PER_HOST, MOST_PER_PLAYER
from tests.games.wibble.positions import found
from tests.store.driver import AT

DAY = 86_400
VERSUS = Setup.model_validate({"mode": "versus"})
LATER = AT + BURST


@pytest.fixture
def channel_store(database: Database) -> Channels:
    return Channels(database)


@pytest.fixture
def outbox(database: Database) -> Outbox:
    """On PostgreSQL the store is shared: what others left is not to be sent."""
    with database.writing() as connection:
        for table in (messages, notices, notice_times, channels):
            connection.execute(table.delete())
    return Outbox(database)


def add(
    channel_store: Channels,
    player: str,
    kind: str = "webhook",
    *,
    address: str = "https://one",
    daily: bool = False,
) -> str:
    return channel_store.add(player, kind, address, "secret", "Here", AT, daily=daily)  # type: ignore[arg-type]


def versus(games: GameStore, ada: str, bob: str, limit: int | None = None, at: float = AT) -> Table:
    """A game of two in which it is Ada's turn."""
    return games.open("wibble", VERSUS, [Seat(ada), Seat(bob)], at, TableSettings(turn_limit=limit))


def move(games: GameStore, table: Table, player: str, at: float) -> Table:
    current = games.read(table.id)
    assert isinstance(current.game, Wibble)
    return games.play(table.id, player, Chain(cells=found(current.game, current.state)[0].cells), at)


def sent(outbox: Outbox, at: float) -> list[Message]:
    """What is sent and delivered at a time."""
    outbox.collect(at)
    claimed = outbox.claim(100, at)
    outbox.record([Delivery(each, "delivered") for each in claimed], at)
    return claimed


def games_of(message: Message) -> list[str]:
    return [each["game_id"] for each in message.content["games"]]


def test_a_turn_is_sent_once_to_a_player_with_a_channel(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    add(channel_store, ada)
    table = versus(games, ada, bob)
    assert sent(outbox, AT + 1) == []
    [message] = sent(outbox, LATER)
    assert (message.channel.player_id, games_of(message), message.content["turns"]) == (ada, [table.id], 1)
    assert message.content["games"][0]["stage"] == "turn"
    assert sent(outbox, LATER + DAY) == []
    move(games, table, ada, LATER + DAY)
    assert sent(outbox, LATER + 2 * DAY) == [], "Bob has no channel"
    move(games, table, bob, LATER + 2 * DAY)
    assert len(sent(outbox, LATER + 3 * DAY)) == 1


def test_what_comes_in_a_burst_is_one_message(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    add(channel_store, ada)
    tables = [versus(games, ada, bob, at=AT + 3 * number) for number in range(3)]
    [message] = sent(outbox, LATER)
    assert games_of(message) == [table.id for table in tables]
    assert sent(outbox, LATER + DAY) == []


def test_a_player_who_moves_at_once_gets_no_message(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    add(channel_store, ada)
    table = versus(games, ada, bob)
    move(games, table, ada, AT + 5)
    assert sent(outbox, LATER) == []
    with channel_store._database.reading() as connection:
        assert connection.scalar(select(func.count()).select_from(notices)) == 0


def test_a_game_that_ends_meanwhile_sends_no_message(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    add(channel_store, ada)
    table = versus(games, ada, bob)
    outbox.collect(LATER)
    games.play(table.id, ada, Resign(), LATER)
    assert (outbox.claim(10, LATER), outbox.waiting()) == ([], 0)


def test_a_move_that_is_rolled_back_sends_no_message(
    games: GameStore, outbox: Outbox, channel_store: Channels, database: Database, ada: str, bob: str
) -> None:
    add(channel_store, bob)
    table = versus(games, ada, bob)
    with pytest.raises(ZeroDivisionError):
        games.play_as_read(table.id, ada, lambda _: 1 / 0, AT)
    assert sent(outbox, LATER) == []


def test_reminders_at_half_and_a_tenth_of_a_long_limit(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    add(channel_store, ada)
    versus(games, ada, bob, limit=DAY)
    at = LATER
    stages = {}
    while at < AT + 2 * DAY:
        for message in sent(outbox, at):
            [game] = message.content["games"]
            stages[game["stage"]] = (round((at - AT) / DAY, 1), game["left"])
        at += DAY / 100
    assert set(stages) == {"turn", "half", "tenth"}
    assert stages["half"][0] == 0.5
    assert stages["tenth"][0] == 0.9
    assert stages["tenth"][1] == pytest.approx(DAY / 10, abs=DAY / 100)


@given(st.sampled_from(["turn", "half", "tenth"]), st.integers(1, 20 * DAY), st.floats(0, 21 * DAY))
def test_a_reminder_is_due_before_the_end_and_never_late(stage: str, limit: int, at: float) -> None:
    following = next_stage(stage, 0.0, limit, at)  # type: ignore[arg-type]
    if limit < LONG or stage == "tenth":
        assert following is None
    elif following is not None:
        assert at < following[1] < limit
        assert following[0] != stage
    else:
        assert at >= limit * (0.9 if stage == "half" else 0.5)


def test_an_open_page_puts_it_off(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    add(channel_store, ada)
    table = versus(games, ada, bob)
    at = AT
    while at < AT + 300:
        outbox.collect(at, lambda game, seat: (game, seat) == (table.id, 0))
        at += 5
    assert outbox.waiting() == 0
    outbox.collect(at, lambda game, seat: (game, seat) == (table.id, 1))
    outbox.collect(at + 60, lambda _game, _seat: False)
    assert outbox.waiting() == 1


def test_each_channel_gets_a_message_unless_the_game_is_chosen_otherwise(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    add(channel_store, ada)
    push = add(channel_store, ada, "push", address="https://two")
    one, two = versus(games, ada, bob), versus(games, ada, bob)
    channel_store.choose(ada, two.id, ["push"])
    channel_store.choose(ada, one.id, [])
    [message] = sent(outbox, LATER)
    assert (message.channel.id, games_of(message)) == (push, [two.id])
    assert channel_store.choices(ada) == {one.id: frozenset(), two.id: {"push"}}
    channel_store.choose(ada, one.id, None)
    assert set(channel_store.choices(ada)) == {two.id}
    stranger = PlayerStore(channel_store._database).create(AT)
    for other in (stranger, None):
        with pytest.raises(NotYourSeat):
            channel_store.choose(other, one.id, None)


def test_quiet_hours_put_it_off_until_they_end(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    add(channel_store, ada)
    channel_store.set_times(ada, Times("UTC", 0, 6 * 60), AT)  # AT is sixteen minutes after midnight
    versus(games, ada, bob)
    assert sent(outbox, LATER) == []
    assert sent(outbox, 6 * 3600 - 60) == []
    assert len(sent(outbox, 6 * 3600)) == 1


def test_what_fails_before_quiet_hours_is_tried_again_when_they_end(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    add(channel_store, ada)
    channel_store.set_times(ada, Times("UTC", 20, 10), AT)  # they begin twenty minutes after midnight
    versus(games, ada, bob)
    begins, ends = 1_200.0, DAY + 600  # longer than a message is kept that cannot be delivered
    outbox.collect(begins - 1)
    outbox.record([Delivery(each, "failed") for each in outbox.claim(10, begins - 1)], begins - 1)
    assert outbox.claim(10, begins + EXPIRES_AFTER) == outbox.claim(10, ends - 1) == []
    assert [each.attempts for each in outbox.claim(10, ends + RETRIES[0])] == [2]


def test_a_daily_message_in_quiet_hours_waits_until_they_end(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    channel_store.set_times(ada, Times("UTC", 22 * 60, 10 * 60, digest_at=9 * 60), AT)
    add(channel_store, ada, daily=True)
    versus(games, ada, bob)
    for day in (0, DAY):
        assert sent(outbox, day + 9 * 3600) == []
        assert [each.content["kind"] for each in sent(outbox, day + 10 * 3600)] == ["daily"]


def test_a_daily_message_lists_all_turns(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    channel_store.set_times(ada, Times("Etc/GMT-1", digest_at=9 * 60), AT)
    channel = add(channel_store, ada, daily=True)
    tables = [versus(games, ada, bob), versus(games, ada, bob)]
    assert sent(outbox, 8 * 3600 - 1) == []
    [message] = sent(outbox, 8 * 3600)
    assert (message.content["kind"], games_of(message)) == ("daily", [table.id for table in tables])
    assert sent(outbox, 9 * 3600) == []
    assert len(sent(outbox, 8 * 3600 + DAY)) == 1
    for table in tables:
        games.play(table.id, ada, Resign(), 2 * DAY)
    assert sent(outbox, 8 * 3600 + 2 * DAY) == [], "no turns, no message"
    channel_store.change(ada, channel, 3 * DAY, daily=False)
    versus(games, ada, bob, at=3 * DAY)
    assert [each.content["kind"] for each in sent(outbox, 4 * DAY)] == ["turns"]


def test_a_message_whose_sender_died_is_sent_again_under_its_id(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    add(channel_store, ada)
    versus(games, ada, bob)
    outbox.collect(LATER)
    [first] = outbox.claim(10, LATER)
    assert outbox.claim(10, LATER + CLAIMED_FOR - 1) == []
    [again] = outbox.claim(10, LATER + CLAIMED_FOR)
    assert (again.id, again.attempts) == (first.id, 2)
    outbox.record([Delivery(again, "delivered")], LATER + CLAIMED_FOR)
    assert (outbox.claim(10, LATER + DAY), outbox.waiting()) == ([], 0)


def test_what_fails_is_tried_again_ever_later_until_it_expires(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    channel = add(channel_store, ada)
    versus(games, ada, bob)
    outbox.collect(LATER)
    at, times = LATER, []
    while outbox.waiting():
        for message in outbox.claim(10, at):
            times.append(at)
            outbox.record([Delivery(message, "failed")], at)
        at += 30
    assert [round(later - earlier) for earlier, later in pairwise(times)][:5] == list(RETRIES)
    assert times[-1] - times[0] <= EXPIRES_AFTER
    assert channel_store.read(ada, channel).failing_since == LATER


@pytest.mark.parametrize(
    ("kind", "other", "claims"),
    [
        ("webhook", "https://one.example/other", 0),
        ("webhook", "https://one.example?x", 0),
        ("webhook", "https://one.example.org/hook", 1),
        ("push", "https://one.example/other", 1),
    ],
)
def test_only_webhooks_of_the_same_host_wait(
    outbox: Outbox, channel_store: Channels, players: PlayerStore, kind: str, other: str, claims: int
) -> None:
    def write(address: str) -> None:
        player = players.create(AT)
        outbox.test(player, add(channel_store, player, kind, address=address), AT)

    for number in range(MOST_PER_HOST):
        write(f"https://one.example/{number}")
    running = [each.channel for each in outbox.claim(100, LATER)]
    assert len(running) == MOST_PER_HOST
    write(other)
    assert len(outbox.claim(100, LATER, running)) == claims


def test_a_slow_host_or_player_takes_some_of_the_places_and_loses_nothing(
    outbox: Outbox, channel_store: Channels, players: PlayerStore
) -> None:
    def write(address: str, number: int, at: float) -> None:
        player = players.create(AT)
        channel = add(channel_store, player, address=address)
        for _ in range(number):
            outbox.test(player, channel, at)

    def hosts(claimed: list[Message]) -> Counter[str]:
        return Counter(one.channel.address for one in claimed)

    write("https://one/hook", MOST_PER_PLAYER + 1, AT)
    for _ in range(MOST_PER_HOST // MOST_PER_PLAYER + 1):
        write("https://SLOW/hook", MOST_PER_PLAYER, AT + 1)
    write("https://two/hook", 2, AT + 2)
    claimed = outbox.claim(100, LATER)
    assert hosts(claimed) == {
        "https://one/hook": MOST_PER_PLAYER,
        "https://SLOW/hook": MOST_PER_HOST,
        "https://two/hook": 2,
    }
    running = [one.channel for one in claimed]
    assert outbox.claim(100, LATER, running) == [], "the others wait"
    write("https://two/hook", 1, AT + 3)
    claimed += outbox.claim(1, LATER, running)
    assert claimed[-1].channel.address == "https://two/hook", "it waits for none of them"
    outbox.record([Delivery(each, "delivered") for each in claimed], LATER)
    assert hosts(outbox.claim(100, LATER)) == {"https://one/hook": 1, "https://SLOW/hook": MOST_PER_PLAYER}


def test_a_channel_that_is_gone_is_removed(
    games: GameStore, outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    channel = add(channel_store, ada)
    kept = add(channel_store, ada, address="https://other")
    versus(games, ada, bob)
    outbox.collect(LATER)
    for message in outbox.claim(10, LATER):
        ending = "gone" if message.channel.id == channel else "delivered"
        outbox.record([Delivery(message, ending)], LATER)  # type: ignore[arg-type]
    assert [each.id for each in channel_store.of_player(ada)] == [kept]
    assert outbox.waiting() == 0


def test_what_is_not_possible_changes_nothing(
    outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    channel = add(channel_store, ada)
    for other in (bob, None):
        with pytest.raises(UnknownChannel):
            channel_store.remove(other, channel)
        with pytest.raises(UnknownChannel):
            channel_store.change(other, channel, AT, daily=True)
        with pytest.raises(UnknownChannel):
            outbox.test(other, channel, AT)
    with pytest.raises(BadChannel):
        add(channel_store, ada, "mail", address="")
    for wrong in (Times("Europe/Nowhere"), Times("UTC", 60, None), Times("UTC", 60, 60)):
        with pytest.raises(BadTimes):
            channel_store.set_times(ada, wrong, AT)
    for number in range(9):
        add(channel_store, ada, address=f"https://{number}")
    with pytest.raises(TooMuch):
        add(channel_store, ada, address="https://more")
    assert len(channel_store.of_player(ada)) == 10
    assert outbox.waiting() == 0


def test_a_bot_account_is_marked_in_a_message(
    games: GameStore, outbox: Outbox, channel_store: Channels, database: Database, ada: str, bob: str
) -> None:
    add(channel_store, ada)
    versus(games, ada, BotAccounts(database).make(bob, "Robby", AT).id)
    [message] = sent(outbox, LATER)
    assert message.content["games"][0]["against"] == ["Robby (bot)"]


def test_a_browser_is_one_players_channel(
    outbox: Outbox, channel_store: Channels, ada: str, bob: str
) -> None:
    add(channel_store, ada, "push")
    add(channel_store, bob, "push")
    assert (channel_store.of_player(ada), len(channel_store.of_player(bob))) == ([], 1)


def test_an_erased_player_gets_no_message(
    games: GameStore, outbox: Outbox, channel_store: Channels, database: Database, ada: str, bob: str
) -> None:
    add(channel_store, ada)
    channel_store.choose(ada, versus(games, ada, bob).id, [])
    outbox.collect(LATER)
    ResultStore(database).erase(ada, LATER)
    with database.reading() as connection:
        for table in (channels, notices, notice_times, notice_choices):
            own = select(func.count()).where(table.c.player_id == ada)
            assert connection.scalar(own) == 0, table.name
    assert sent(outbox, LATER + DAY) == []


def test_merged_players_get_each_message_once(
    games: GameStore, outbox: Outbox, channel_store: Channels, database: Database, ada: str, bob: str
) -> None:
    gone = PlayerStore(database).create(AT)
    add(channel_store, gone)
    add(channel_store, gone, address="https://two")
    add(channel_store, ada)
    table = versus(games, gone, bob)
    Merging(database).merge(ada, gone, AT)
    assert sorted(each.address for each in channel_store.of_player(ada)) == ["https://one", "https://two"]
    assert [games_of(each) for each in sent(outbox, LATER)] == [[table.id]] * 2


def test_quiet_hours_end_in_the_hour_that_the_clocks_repeat() -> None:
    at = datetime(2026, 10, 25, 1, 15, tzinfo=UTC).timestamp()  # a quarter past two, for the second time
    assert Times("Europe/Berlin", 22 * 60, 150).allowed_from(at) == at + 15 * 60


@given(
    st.integers(0, 1439),
    st.integers(0, 1439),
    st.sampled_from(["UTC", "Europe/Berlin", "America/New_York"]),
    st.floats(1.7e9, 1.8e9),
)
def test_quiet_hours_end_within_a_day(start: int, end: int, zone: str, at: float) -> None:
    if start == end:
        return
    times = Times(zone, start, end)
    allowed = times.allowed_from(at)
    assert at <= allowed <= at + 25 * 3600
    assert times.allowed_from(allowed) == allowed
