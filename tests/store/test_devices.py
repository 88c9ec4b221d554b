"""Links that move a player to another device, as the store knows them."""

import pytest
from sqlalchemy import select

from app.store.database import Database
from app.store.players import RECOVERY_SECONDS, PlayerStore, UnknownRecovery
from app.store.schema import recoveries

AT = 1_000.0


def test_a_link_is_not_to_be_read_from_the_store(database: Database, players: PlayerStore) -> None:
    player = players.create(AT)
    token = players.recovery(player, AT)
    with database.reading() as connection:
        kept = connection.execute(select(recoveries).where(recoveries.c.player_id == player)).one()
    assert token not in str(kept)
    with pytest.raises(UnknownRecovery):
        players.recover(kept.token, AT)
    assert players.recover(token, AT) == player


def test_a_link_is_of_use_once(players: PlayerStore) -> None:
    player = players.create(AT)
    token = players.recovery(player, AT)
    assert players.recover(token, AT + RECOVERY_SECONDS - 1) == player
    with pytest.raises(UnknownRecovery):
        players.recover(token, AT + RECOVERY_SECONDS - 1)


def test_a_link_grows_too_old(players: PlayerStore) -> None:
    token = players.recovery(players.create(AT), AT)
    with pytest.raises(UnknownRecovery):
        players.recover(token, AT + RECOVERY_SECONDS)
