"""Turn notices, and the messages made from them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select

from app.games.wibble.moves import Resign
from app.store.bot_accounts import BotAccounts
from app.store.channels import BadChannel, Channels, UnknownChannel
from app.store.database import Database
from app.store.games import GameStore
from app.store.merging import Merging
from app.store.models import NotYourSeat, TooMuch
from app.store.notices import LONG, next_stage
from app.store.outbox import (
    CLAIMED_FOR,
    EXPIRES_AFTER,
    RETRIES,
    Delivery,
    Outbox,
)
from app.store.players import PlayerStore
from app.store.quiet_hours import BadTimes, Times
from app.store.results import ResultStore
from app.store.schema import channels, notice_choices, notice_times, notices
from tests.store.driver import AT
from tests.store.messages import DAY, LATER, add, games_of, move, sent, versus


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


def test_turns_that_begin_within_seconds_are_one_message(
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


def test_no_message_is_sent_while_the_page_of_the_game_is_open(
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


def test_a_failed_message_is_retried_at_growing_intervals_until_it_expires(
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


def test_channels_of_others_and_invalid_settings_are_refused(
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
