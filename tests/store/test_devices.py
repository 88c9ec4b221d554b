"""Sign-in in the store: device links, recovery phrases, and the list of devices."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from sqlalchemy import select, update

from app.store.database import Database
from app.store.devices import USED_EVERY, Devices, UnknownDevice
from app.store.phrases import Phrases, WrongPhrase
from app.store.players import RECOVERY_SECONDS, PlayerStore, UnknownRecovery
from app.store.schema import phrases, recoveries
from app.store.schema import players as stored_players

AT = 1_000.0


def test_the_store_has_no_readable_link(database: Database, players: PlayerStore) -> None:
    player = players.create(AT)
    token = players.recovery(player, AT)
    with database.reading() as connection:
        kept = connection.execute(select(recoveries).where(recoveries.c.player_id == player)).one()
    assert token not in str(kept)
    with pytest.raises(UnknownRecovery):
        players.recover(kept.token, AT)
    assert players.recover(token, AT) == player


def test_a_link_works_once(players: PlayerStore) -> None:
    player = players.create(AT)
    token = players.recovery(player, AT)
    assert players.recover(token, AT + RECOVERY_SECONDS - 1) == player
    with pytest.raises(UnknownRecovery):
        players.recover(token, AT + RECOVERY_SECONDS - 1)


def test_a_link_expires(players: PlayerStore) -> None:
    token = players.recovery(players.create(AT), AT)
    with pytest.raises(UnknownRecovery):
        players.recover(token, AT + RECOVERY_SECONDS)


def test_the_store_has_no_readable_phrase(database: Database, players: PlayerStore) -> None:
    kept, player = Phrases(database), players.create(AT)
    phrase = kept.make(player, AT)
    with database.reading() as connection:
        row = connection.execute(select(phrases).where(phrases.c.player_id == player)).one()
    assert not set(phrase.split()) & set(str(row).split())
    assert kept.player_of(phrase) == player
    assert kept.player_of(f"  {phrase.upper().replace(' ', ', 1. ')}\n") == player


def test_a_new_phrase_makes_the_old_one_void(database: Database, players: PlayerStore) -> None:
    kept, player, other = Phrases(database), players.create(AT), players.create(AT)
    theirs, old = kept.make(other, AT), kept.make(player, AT)
    new = kept.make(player, AT + 1)
    assert kept.made_at(player) == AT + 1
    assert (kept.player_of(new), kept.player_of(theirs)) == (player, other)
    with pytest.raises(WrongPhrase, match="no profile has this"):
        kept.player_of(old)
    kept.remove(player)
    assert kept.made_at(player) is None
    with pytest.raises(WrongPhrase):
        kept.player_of(new)


def test_two_phrases_made_at_once_leave_one(database: Database, players: PlayerStore) -> None:
    kept, player = Phrases(database), players.create(AT)
    kept.make(player, AT)
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: kept.make(player, AT), range(8)))
    works = []
    for phrase in made:
        with suppress(WrongPhrase):
            works.append(kept.player_of(phrase))
    assert works == [player]


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("", "12 words, not 0 words"),
        ("abandon " * 11, "12 words, not 11 words"),
        ("abandon " * 13, "12 words, not 13 words"),
        ("abandon " * 12, "wrong, or in the wrong place"),
        ("abandon " * 11 + "wibble", "“wibble” is not a word"),
        ("abandon " * 11 + "about", "no profile has this"),
    ],
)
def test_a_wrong_phrase_is_refused_with_the_reason(database: Database, typed: str, why: str) -> None:
    with pytest.raises(WrongPhrase, match=why):
        Phrases(database).player_of(typed)


def test_a_device_is_signed_in_until_it_is_signed_out(database: Database, players: PlayerStore) -> None:
    devices, ada, bob = Devices(database), players.create(AT), players.create(AT)
    phone, desk = devices.add(ada, "Firefox on Android", AT), devices.add(ada, "Chrome on Linux", AT + 1)
    theirs = devices.add(bob, "Safari on Mac", AT)
    assert [device.name for device in devices.of_player(ada)] == ["Chrome on Linux", "Firefox on Android"]
    assert devices.is_signed_in(ada, phone, AT)
    assert not devices.is_signed_in(bob, phone, AT), "a device belongs to one player"
    assert not devices.is_signed_in(ada, None, AT), "cookies without a device are older than this player"
    for device in (theirs, "made-up"):
        with pytest.raises(UnknownDevice):
            devices.sign_out(ada, device)
    devices.sign_out(ada, phone)
    assert not devices.is_signed_in(ada, phone, AT)
    third = devices.add(ada, "Edge on Windows", AT)
    devices.sign_out_others(ada, third, AT)
    assert [device.id for device in devices.of_player(ada)] == [third]
    assert (devices.is_signed_in(ada, desk, AT), devices.is_signed_in(bob, theirs, AT)) == (False, True)


def test_several_devices_are_looked_up_at_once(database: Database, players: PlayerStore) -> None:
    devices, ada, bob = Devices(database), players.create(AT), players.create(AT)
    phone, desk = devices.add(ada, "Firefox on Android", AT), devices.add(ada, "Chrome on Linux", AT)
    theirs = devices.add(bob, "Safari on Mac", AT)
    devices.sign_out(ada, desk)
    asked = [(ada, phone), (ada, desk), (bob, theirs), (bob, phone), (ada, "made-up")]
    assert devices.signed_in(asked, AT + USED_EVERY) == {(ada, phone), (bob, theirs)}
    assert [each.used_at for player in (ada, bob) for each in devices.of_player(player)] == [
        AT + USED_EVERY
    ] * 2
    assert devices.signed_in([], AT) == set()


def test_the_last_use_is_known_to_the_hour(database: Database, players: PlayerStore) -> None:
    devices, player = Devices(database), players.create(AT)
    phone = devices.add(player, "Firefox on Android", AT)
    for seconds, known in ((USED_EVERY - 1, 0.0), (USED_EVERY, USED_EVERY), (USED_EVERY + 1, USED_EVERY)):
        assert devices.is_signed_in(player, phone, AT + seconds)
        assert devices.of_player(player)[0].used_at == AT + known


def test_a_browser_with_an_old_cookie_is_signed_in_until_its_player_signs_out(
    database: Database, players: PlayerStore
) -> None:
    devices, player = Devices(database), players.create(AT)
    with database.writing() as connection:
        connection.execute(update(stored_players).values(listed_from=None))
    assert devices.is_signed_in(player, None, AT)
    here = devices.add(player, "Firefox on Android", AT)
    devices.sign_out_others(player, here, AT)
    assert (devices.is_signed_in(player, None, AT), devices.is_signed_in(player, here, AT)) == (False, True)
