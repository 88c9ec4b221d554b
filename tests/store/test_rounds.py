"""Games whose seats play at the same time, in the store."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.games.boggle.rounds import GRACE
from app.games.boggle.rules import LOOKING_UP, Boggle
from app.games.boggle.state import Finish, Setup, Start, Word
from app.store.games import GameStore
from app.store.models import Refused, Seat, TableSettings
from app.store.players import PlayerStore
from app.store.seating import Seating

AT = 1_000.0


def test_bots_hand_in_when_the_player_has_finished(games: GameStore, players: PlayerStore) -> None:
    player = players.create(AT)
    table = games.open(Boggle.kind, Setup(), [Seat(player), Seat(bot_level=2), Seat(bot_level=4)], AT)
    games.play(table.id, player, Start(), AT + 1)
    assert games.load(table.id, AT + 100).state.ply == 1
    games.play(table.id, player, Finish(), AT + 101)
    one = games.load(table.id, AT + 101 + LOOKING_UP)
    assert [len(each.found) > 0 for each in one.state.rounds] == [False, True, False]
    both = games.load(table.id, AT + 1_000)
    assert both.finished_at == AT + 101 + 2 * LOOKING_UP
    assert games.states(table.id)[-1] == both.state


def test_the_clock_of_a_round_ends_an_unwatched_game(games: GameStore, players: PlayerStore) -> None:
    player = players.create(AT)
    table = games.open(Boggle.kind, Setup(seconds=60), [Seat(player), Seat(bot_level=1)], AT)
    games.play(table.id, player, Start(), AT + 1)
    loaded = games.load(table.id, AT + 10_000)
    assert [line.at for line in games.log(table.id)] == [
        AT + 1,
        AT + 61 + GRACE,
        AT + 61 + GRACE + LOOKING_UP,
    ]
    assert loaded.finished_at == AT + 61 + GRACE + LOOKING_UP
    with pytest.raises(Refused, match="the game is over"):
        games.play(table.id, player, Word(word="cat"), AT + 10_001)


def test_two_players_start_their_rounds_at_different_times(games: GameStore, players: PlayerStore) -> None:
    first, second = players.create(AT), players.create(AT)
    table = games.open(Boggle.kind, Setup(seconds=60), [Seat(first), Seat(second)], AT)
    games.play(table.id, second, Start(), AT + 1)
    games.play(table.id, second, Word(word="x"), AT + 2)
    games.play(table.id, first, Start(), AT + 500)
    state = games.play(table.id, first, Finish(), AT + 501).state
    assert [one.finished_at for one in state.rounds] == [AT + 501, AT + 61 + GRACE]
    assert games.load(table.id, AT + 502).finished_at == AT + 501


def test_a_round_that_is_never_played_can_be_claimed(games: GameStore, players: PlayerStore) -> None:
    first, second = players.create(AT), players.create(AT)
    settings = TableSettings(turn_limit=300)
    table = games.open(Boggle.kind, Setup(), [Seat(first), Seat(second)], AT, settings)
    games.play(table.id, second, Start(), AT + 1)
    games.play(table.id, second, Finish(), AT + 2)
    claimed = Seating(games).claim(table.id, second, AT + 1_000)
    assert claimed.finished_at == AT + 1_000
    assert [one.started_at for one in claimed.state.rounds] == [None, AT + 1]


def test_the_time_of_the_next_event_is_the_end_of_a_running_round(
    games: GameStore, players: PlayerStore
) -> None:
    player = players.create(AT)
    table = games.open(Boggle.kind, Setup(seconds=60), [Seat(player)], AT)
    assert games.happens_at(table, AT) is None
    assert games.happens_at(games.play(table.id, player, Start(), AT + 1), AT + 1) == AT + 61 + GRACE


def test_words_of_several_at_once_are_all_kept(games: GameStore, players: PlayerStore) -> None:
    """Players with rounds of their own get no conflict when another player was faster."""
    everybody = [players.create(AT) for _ in range(4)]
    table = games.open(Boggle.kind, Setup(seconds=None), [Seat(one) for one in everybody], AT)

    def play(player: str) -> None:
        if player != everybody[0]:  # the first player's round started when the last seat was taken
            games.play(table.id, player, Start(), AT + 1)
        for word in ("one", "two", "three"):
            games.play(table.id, player, Word(word=word), AT + 2)

    with ThreadPoolExecutor(len(everybody)) as threads:
        list(threads.map(play, everybody))
    log = games.log(table.id)
    assert [line.ply for line in log] == list(range(16))
    assert games.load(table.id, AT + 3).state == games.states(table.id)[-1]
