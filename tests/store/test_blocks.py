"""Blocks in the store: which players are kept apart, and where."""

from collections.abc import Callable
from typing import Any

import pytest

from app.store import blocks as blocks_module
from app.store.blocks import BadBlock, Blocks, UnknownBlock, is_blocked
from app.store.bot_accounts import BotAccounts
from app.store.database import Database
from app.store.games import GameStore
from app.store.lobby import Lobby
from app.store.merging import Merging
from app.store.models import Seat, TableSettings, TooMuch, WrongInvitation
from app.store.rematches import Rematches
from app.store.results import ResultStore
from app.store.seating import Seating
from tests.store.conftest import People
from tests.store.driver import AT, play_words


@pytest.fixture
def blocks(database: Database) -> Blocks:
    return Blocks(database)


@pytest.fixture
def blocked(database: Database) -> Callable[[str, str], bool]:
    """Whether either of two players blocks the other."""

    def either(first: str, second: str) -> bool:
        with database.reading() as connection:
            return is_blocked(connection, first, second)

    return either


def test_blocking_twice_makes_one_block_and_only_its_maker_can_remove_it(
    blocks: Blocks, blocked: Any, people: People
) -> None:
    ada, bob, eve = people(3)
    block = blocks.block(ada, bob, AT)
    assert blocks.block(ada, bob, AT + 5) == block
    assert blocked(ada, bob)
    assert blocked(bob, ada)
    assert not blocked(ada, eve)
    assert blocks.of_player(bob) == []
    for player, block_id in ((bob, block.id), (ada, "unknown"), (None, block.id)):
        with pytest.raises(UnknownBlock):
            blocks.unblock(player, block_id)
    blocks.unblock(ada, block.id)
    assert not blocked(ada, bob)
    with pytest.raises(BadBlock):
        blocks.block(ada, ada, AT)


def test_the_number_of_blocks_of_a_player_is_limited(
    blocks: Blocks, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks_module, "MOST_BLOCKS", 1)
    ada, bob, eve = people(3)
    blocks.block(ada, bob, AT)
    with pytest.raises(TooMuch):
        blocks.block(ada, eve, AT)
    assert len(blocks.of_player(ada)) == 1


@pytest.mark.parametrize("blocker", [0, 1])
def test_a_listed_table_is_hidden_and_joined_by_invitation_only(
    blocks: Blocks, games: GameStore, people: People, blocker: int
) -> None:
    host, guest, other = people(3)
    settings = TableSettings(listed=True)
    setup = games.rulebook.games["letterpress"].setup_type()
    table = games.open("letterpress", setup, [Seat(host), Seat()], AT, settings)
    blocks.block((host, guest)[blocker], (guest, host)[blocker], AT)
    lobby, seating = Lobby(games), Seating(games)
    shown = {player: [each.id for each in lobby.joinable(999, AT, player)] for player in (guest, other, None)}
    assert [table.id in shown[player] for player in (guest, other, None)] == [False, True, True]
    with pytest.raises(WrongInvitation, match="you need an invitation"):
        seating.sit_down(table.id, None, guest, AT)
    assert seating.sit_down(table.id, table.invitation, guest, AT).seat_of(guest) == 1


def test_a_rematch_is_hidden_between_players_who_block(
    blocks: Blocks, games: GameStore, people: People
) -> None:
    ada, bob = people(2)
    setup = games.rulebook.games["wibble"].setup_type(mode="versus")
    table = games.open("wibble", setup, [Seat(ada), Seat(bob)], AT)
    play_words(games, table, ada)
    blocks.block(ada, bob, AT)
    rematches = Rematches(games, Seating(games))
    theirs = rematches.join(table.id, bob, AT)
    assert rematches.of(games.read(table.id), ada) is None
    assert rematches.join(table.id, ada, AT).id != theirs.id, "the player's own table"


def test_a_block_hides_all_remarks_of_the_blocked_and_later_ones_of_the_blocker(
    blocks: Blocks, people: People
) -> None:
    ada, bob, eve = people(3)
    blocks.block(ada, bob, AT + 10)
    assert blocks.hidden_remarks(ada, [bob, eve]) == {bob: 0.0}
    assert blocks.hidden_remarks(bob, [ada, eve]) == {ada: AT + 10}
    blocks.block(bob, ada, AT + 20)
    assert blocks.hidden_remarks(bob, [ada, eve]) == {ada: 0.0}
    assert blocks.hidden_remarks(eve, [ada, bob]) == blocks.hidden_remarks(None, [ada]) == {}


@pytest.mark.parametrize("blocker", [0, 1])
def test_a_block_between_a_player_and_an_owner_includes_the_owners_bots(
    database: Database, blocks: Blocks, blocked: Any, games: GameStore, people: People, blocker: int
) -> None:
    ada, owner, other = people(3)
    bot = BotAccounts(database).make(owner, "Robby", AT).id
    blocks.block((ada, owner)[blocker], (owner, ada)[blocker], AT + 10)
    assert blocked(ada, bot)
    assert blocked(bot, ada)
    assert not blocked(other, bot)
    since = 0.0 if blocker == 0 else AT + 10
    assert blocks.hidden_remarks(ada, [bot, other]) == {bot: since}
    setup = games.rulebook.games["letterpress"].setup_type()
    table = games.open("letterpress", setup, [Seat(bot), Seat()], AT, TableSettings(listed=True))
    with pytest.raises(WrongInvitation):
        Seating(games).sit_down(table.id, None, ada, AT)


def test_blocking_a_bot_blocks_neither_its_owner_nor_other_bots(
    database: Database, blocks: Blocks, blocked: Any, people: People
) -> None:
    ada, owner = people(2)
    bots = BotAccounts(database)
    robby, marvin = (bots.make(owner, name, AT).id for name in ("Robby", "Marvin"))
    blocks.block(ada, robby, AT)
    assert blocked(ada, robby)
    assert not blocked(ada, marvin)
    assert not blocked(ada, owner)


def test_a_merge_moves_blocks_both_ways(database: Database, blocks: Blocks, people: People) -> None:
    kept, gone, both, late, fan = people(5)
    blocks.block(kept, gone, AT)
    blocks.block(kept, both, AT + 20)
    blocks.block(gone, both, AT + 10)
    blocks.block(gone, late, AT + 30)
    blocks.block(fan, gone, AT)
    Merging(database).merge(kept, gone, AT + 100)
    found = {block.blocked_id: block.created_at for block in blocks.of_player(kept)}
    assert found == {both: AT + 10, late: AT + 30}
    assert [block.blocked_id for block in blocks.of_player(fan)] == [kept]
    assert blocks.of_player(gone) == []


def test_erasing_removes_blocks_by_and_of_a_player(
    results: ResultStore, blocks: Blocks, people: People
) -> None:
    ada, bob, eve = people(3)
    blocks.block(ada, bob, AT)
    blocks.block(bob, eve, AT)
    results.erase(bob, AT)
    assert blocks.of_player(ada) == blocks.of_player(bob) == []
