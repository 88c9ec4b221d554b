"""Data kept of finished games: results, analyses, statistics; and how a player erases it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial
from statistics import mean

import pytest

from app.games.game import Summary
from app.games.record import BrokenRecord, read
from app.games.wibble.moves import Chain, Pass, Resign
from app.games.wibble.options import Setup
from app.rooms import ROOMS
from app.store.dailies import DailyStore
from app.store.database import Database
from app.store.games import GameStore
from app.store.lobby import Lobby
from app.store.models import Refused, Seat, TableSettings
from app.store.players import BadNickname, PlayerStore
from app.store.records import Records
from app.store.results import Result, ResultStore
from app.store.seating import Seating
from app.store.statistics import count_game
from tests.store.driver import AT, finish_wibble, play_words

FREE = Seat()


@pytest.fixture
def player(players: PlayerStore) -> str:
    return players.create(AT)


# Results


def test_a_result_has_the_score_words_and_best_word_of_the_game(
    games: GameStore, results: ResultStore, player: str
) -> None:
    table = finish_wibble(games, player, 0, 5, 40)
    (result,) = results.of_player(player)
    words = [turn.word for turn in table.state.turns]
    points = [turn.points for turn in table.state.turns]
    assert result == Result(
        game_id=table.id,
        kind="wibble",
        mode="zen",
        seats=1,
        won=True,
        score=sum(points),
        words=3,
        best_word=words[points.index(max(points))],
        best_points=max(points),
        longest_word=max(words, key=len),
        accuracy=None,
        finished_at=AT + 3,
        ranked=False,
        kept=True,
    )


def test_an_unfinished_game_has_no_result(games: GameStore, results: ResultStore, player: str) -> None:
    games.open("wibble", Setup(), [Seat(player)], AT)
    assert results.of_player(player) == []


def test_every_player_at_a_table_gets_a_result_and_no_bot(
    games: GameStore, results: ResultStore, players: PlayerStore, player: str
) -> None:
    other = players.create(AT)
    table = games.open("wibble", Setup(mode="versus"), [Seat(player), FREE, Seat(bot_level=1)], AT)
    assert table.invitation is not None
    Seating(games).sit_down(table.id, table.invitation, other, AT)
    games.play(table.id, other, Resign(), AT + 1)
    games.play(table.id, player, Resign(), AT + 2)
    (mine,), (theirs,) = results.of_player(player), results.of_player(other)
    assert (mine.won, theirs.won, mine.seats, theirs.seats) == (False, False, 3, 3)
    assert mine.finished_at == theirs.finished_at == AT + 2


def test_a_result_is_stored_once_when_many_readers_find_that_time_is_up(
    games: GameStore, results: ResultStore, players: PlayerStore, player: str
) -> None:
    setup = Setup(mode="versus", turn_seconds=30)
    other = players.create(AT)
    games.open("wibble", setup, [Seat(player), Seat(other)], AT)
    (table,) = Lobby(games).unfinished(player, 5, AT)
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: games.load(table.id, AT + 1e6), range(8)))
    (result,) = results.of_player(player)
    assert (result.won, result.score) == (False, 0), "a draw has no winner"


def test_a_shared_win_does_not_count_as_won(
    games: GameStore, results: ResultStore, players: PlayerStore
) -> None:
    setup = Setup(mode="versus", turn_seconds=30)
    two, three = ([players.create(AT) for _ in range(number)] for number in (2, 3))
    draw = games.open("wibble", setup, [Seat(one) for one in two], AT)
    assert games.load(draw.id, AT + 1e6).finished_at is not None
    shared = games.open("wibble", setup, [Seat(one) for one in three], AT)
    games.play(shared.id, three[2], Resign(), AT)
    after = games.load(shared.id, AT + 1e6)
    outcome = after.game.outcome(after.state)
    assert outcome is not None
    assert outcome.winners == (0, 1)
    for one in (*two, *three):
        assert [result.won for result in results.of_player(one)] == [False]
        assert [line.won for line in results.statistics(one)] == [0]


def test_the_latest_game_comes_first(games: GameStore, results: ResultStore, player: str) -> None:
    ids = [finish_wibble(games, player, 0, at=AT + 100 * number).id for number in (2, 1, 3)]
    assert [result.game_id for result in results.of_player(player)] == [ids[2], ids[0], ids[1]]
    assert [result.game_id for result in results.of_player(player, most=2)] == [ids[2], ids[0]]


# Analyses


def test_an_analysis_is_kept_once_and_fills_in_the_accuracy(
    games: GameStore, results: ResultStore, player: str
) -> None:
    table = finish_wibble(games, player, 0)
    assert results.analysis(table.id) is None
    results.keep_analysis(table.id, '{"first": true}', [91.5])
    results.keep_analysis(table.id, '{"second": true}', [12.0])
    assert results.analysis(table.id) == '{"first": true}'
    assert [result.accuracy for result in results.of_player(player)] == [91.5]


def test_one_of_many_concurrent_analyses_is_stored(
    games: GameStore, results: ResultStore, player: str
) -> None:
    table = finish_wibble(games, player, 0)
    with ThreadPoolExecutor(4) as threads:
        list(
            threads.map(
                lambda number: results.keep_analysis(table.id, str(number), [float(number)]), range(8)
            )
        )
    (result,) = results.of_player(player)
    assert str(int(result.accuracy or 0)) == results.analysis(table.id)


def test_accuracies_go_to_their_seats(
    games: GameStore, results: ResultStore, players: PlayerStore, player: str
) -> None:
    other = players.create(AT)
    table = games.open("wibble", Setup(mode="versus"), [Seat(player), Seat(other)], AT)
    games.play(table.id, player, Resign(), AT)
    results.keep_analysis(table.id, "{}", [None, 77.0])
    assert results.of_player(player)[0].accuracy is None
    assert results.of_player(other)[0].accuracy == 77.0


# Statistics


def test_statistics_are_those_of_a_recount(games: GameStore, results: ResultStore, player: str) -> None:
    tables = {
        "zen": [finish_wibble(games, player, 0, 7, at=AT), finish_wibble(games, player, 30, at=AT + 10)],
        "classic": [finish_wibble(games, player, 2, mode="classic", at=AT + 20)],
        "versus": [],
    }
    for number, (opponent, words) in enumerate(((1, ()), (2, (0,)))):
        table = games.open(
            "wibble", Setup(mode="versus"), [Seat(player), Seat(bot_level=opponent)], AT + 30 + number
        )
        tables["versus"].append(play_words(games, table, player, *words, at=AT + 30 + number))
    results.keep_analysis(tables["zen"][0].id, "{}", [80.0])
    results.keep_analysis(tables["zen"][1].id, "{}", [60.0])
    lines = results.statistics(player)
    assert [line.mode for line in lines] == ["versus", "zen", "classic"], "the most played first"
    for line in lines:
        played = tables[line.mode]
        turns = [turn for table in played for turn in table.state.turns if turn.seat == 0 and turn.word]
        scores = [table.state.scores[0] for table in played]
        assert line.games == len(played)
        assert line.best_score == max(scores)
        assert line.average_score == pytest.approx(mean(scores))
        assert line.words == len(turns)
        assert line.best_word_points == max((turn.points for turn in turns), default=0)
        assert line.best_word in [turn.word for turn in turns if turn.points == line.best_word_points]
        assert len(line.longest_word) == max(len(turn.word) for turn in turns)
    versus, zen, classic = lines
    assert (versus.against_others, versus.won) == (2, 0)
    assert (zen.against_others, zen.won) == (0, 0)
    assert zen.average_accuracy == pytest.approx(70)
    assert classic.average_accuracy is None


def test_a_player_without_games_has_no_statistics(results: ResultStore, player: str) -> None:
    assert results.statistics(player) == []


def test_the_latest_of_equally_good_words_is_shown(
    database: Database, results: ResultStore, player: str
) -> None:
    with database.writing() as connection:
        for number, (word, points) in enumerate((("apple", 9), ("grape", 9), ("fig", 9), ("kiwi", 8))):
            summary = Summary(
                mode="zen",
                score=points,
                words=1,
                best_word=word,
                best_points=points,
                longest_word=word,
            )
            won, alone = number == 3, number % 2 == 0
            count_game(connection, player, "wibble", summary, alone=alone, won=won, at=AT + number)
    (line,) = results.statistics(player)
    assert (line.best_word, line.best_word_points, line.longest_word) == ("fig", 9, "grape")
    assert (line.games, line.against_others, line.won, line.average_score) == (4, 2, 1, 8.75)


def test_a_game_without_a_word_has_statistics_too(
    games: GameStore, results: ResultStore, player: str
) -> None:
    finish_wibble(games, player)
    (line,) = results.statistics(player)
    assert (line.games, line.best_score, line.words, line.best_word, line.longest_word) == (1, 0, 0, "", "")


# Erasing


def test_erasing_forgets_one_player_only(
    games: GameStore, results: ResultStore, dailies: DailyStore, players: PlayerStore, player: str
) -> None:
    day, other = date(2027, 7, 7), players.create(AT)
    for one in (player, other):
        players.rename(one, "Ada", AT)
        play_words(games, dailies.attempt(day, one, AT), one, 0)
    table = finish_wibble(games, player, 0)
    results.erase(player, AT + 9)
    assert results.of_player(player) == []
    assert dailies.attempt_of(day, player) is None
    assert dailies.longest_streak(player) == 0
    assert players.nickname(player) is None
    assert [line.player_id for line in dailies.leaderboard(day, 9)] == [other]
    assert len(results.of_player(other)) == 1
    assert players.nickname(other) == "Ada"
    assert games.load(table.id, AT).finished_at, "the game can still be viewed"
    assert games.load(table.id, AT).seats == (FREE,)
    assert not players.exists(player)
    assert players.exists(other)
    results.erase(player, AT + 9)
    results.erase("nobody", AT)


def test_a_game_that_ends_after_its_player_was_erased_adds_no_result_of_theirs(
    games: GameStore, results: ResultStore, players: PlayerStore, player: str
) -> None:
    other, third = players.create(AT), players.create(AT)
    table = games.open(
        "wibble", Setup(mode="versus"), [Seat(player), Seat(other)], AT, TableSettings(listed=True)
    )
    results.erase(player, AT)
    assert games.load(table.id, AT).seat_of(player) == 0, "so that the game can go on"
    games.play(table.id, player, Pass(), AT + 1)
    games.play(table.id, other, Resign(), AT + 2)
    assert results.of_player(player) == []
    assert [result.won for result in results.of_player(other)] == [False]
    kept = games.load(table.id, AT + 3)
    assert kept.seats == (FREE, Seat(other))
    assert (kept.is_full, kept.free_seat) == (True, None)
    assert Seating(games).sit_down(table.id, None, third, AT + 4).seats == kept.seats
    with pytest.raises(Refused, match="the game is over"):
        games.play(table.id, other, Pass(), AT + 5)


def test_a_game_that_ends_while_its_player_is_erased_keeps_nothing_of_them(
    games: GameStore, results: ResultStore, players: PlayerStore
) -> None:
    for number in range(12):
        player, other = players.create(AT), players.create(AT)
        table = games.open("wibble", Setup(mode="versus"), [Seat(player), Seat(other)], AT)
        with ThreadPoolExecutor(2) as threads:
            doing: list[Callable[[], object]] = [
                partial(results.erase, player, AT),
                partial(games.play, table.id, player, Resign(), AT + 1),
            ]
            begun = [threads.submit(each) for each in doing[:: 1 if number % 2 else -1]]
            for each in begun:
                each.result()
        assert results.of_player(player) == []
        assert games.load(table.id, AT + 2).seats == (FREE, Seat(other))


# Nicknames


def test_a_bad_nickname_leaves_the_one_there_was(players: PlayerStore, player: str) -> None:
    assert players.nickname(player) is None
    assert players.rename(player, " Zoe\u0308 ", AT) == "Zoë" == players.nickname(player)
    with pytest.raises(BadNickname):
        players.rename(player, "\u200b", AT)
    assert players.nickname(player) == "Zoë"


# Records


def test_an_exported_and_imported_game_is_the_same_game(
    games: GameStore, results: ResultStore, players: PlayerStore, player: str
) -> None:
    other = players.create(AT)
    table = games.open("wibble", Setup(mode="versus", turn_seconds=30), [Seat(player), Seat(other)], AT)
    games.play(table.id, player, Pass(), AT + 1 / 3)
    games.load(table.id, AT + 90)
    done = games.play(table.id, player, Resign(), AT + 90.125)
    text = Records(games).of(table.id)
    kept = Records(games).keep(read(text, ROOMS.games), AT + 500)
    assert kept.id != table.id
    assert kept.seats == (FREE, FREE)
    assert kept.invitation is None
    loaded = games.load(kept.id, AT + 1e9)
    assert loaded.state == done.state
    assert loaded.finished_at == AT + 500
    assert games.states(kept.id) == games.states(table.id)
    assert Records(games).of(kept.id) == text
    assert len(results.of_player(player)) == 1, "an imported record gives no result"


def test_an_unfinished_or_tampered_record_leaves_no_trace(games: GameStore, player: str) -> None:
    table = games.open("wibble", Setup(), [Seat(player)], AT)
    games.play(table.id, player, Chain(cells=(0, 1)), AT)
    with pytest.raises(BrokenRecord, match="not finished after its last ply, 1"):
        Records(games).keep(read(Records(games).of(table.id), ROOMS.games), AT)
    done = games.play(table.id, player, Resign(), AT)
    text = Records(games).of(done.id)
    with pytest.raises(BrokenRecord, match="ply 1"):
        Records(games).keep(read(text.replace("[0,1]", "[0,5]"), ROOMS.games), AT)


def test_moves_in_a_record_are_refused(games: GameStore, player: str) -> None:
    text = Records(games).of(finish_wibble(games, player, 0).id)
    kept = Records(games).keep(read(text, ROOMS.games), AT)
    assert kept.seat_of(player) is None
    assert kept.seat_of(None) is None
    with pytest.raises(PermissionError):
        games.play(kept.id, player, Pass(), AT)
