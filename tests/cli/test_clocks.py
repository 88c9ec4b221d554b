"""Clocks per player in the terminal: in a local game and in the replay of a record."""

import json
from pathlib import Path

import pytest

from app.games.clock import Clocks
from app.games.game import LexiconRef
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.state import Move, Options, Pass, Play, TimeUp
from app.games.record import write
from app.terminal.clocks import format_time, seconds_left, with_times
from app.words.lexicon import Lexicon
from tests.cli.shells import wibble

TEAMS = Play(cells=(15, 16, 17, 18, 19))


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "0:00"), (59.1, "1:00"), (245, "4:05"), (3600, "1:00:00"), (90_061, "25:01:01")],
)
def test_a_time_is_shown_as_on_a_clock(seconds: float, shown: str) -> None:
    assert format_time(seconds) == shown


@pytest.mark.parametrize(("now", "shown"), [(100.0, 120), (100.9, 120), (101.0, 119), (219.9, 1), (300.0, 0)])
def test_a_second_is_shown_until_it_is_over(monkeypatch: pytest.MonkeyPatch, now: float, shown: int) -> None:
    monkeypatch.setattr("time.time", lambda: now)
    assert seconds_left(220.0) == shown


def test_each_player_has_the_time_left() -> None:
    clocks = Clocks(left=(60.0, 90.0), running=1, since=100.0)
    assert with_times(["Ada", "Ben"], None) == ["Ada", "Ben"]
    assert with_times(["Ada", "Ben"], clocks) == ["Ada (1:00)", "Ben (1:30)"]
    assert with_times(["Ada", "Ben"], clocks, 130.0) == ["Ada (1:00)", "Ben (1:00)"]


def test_a_replay_shows_every_clock_and_the_time_out(
    tmp_path: Path, lexicon: Lexicon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    game = Letterpress(lexicon)
    ref = LexiconRef.of(lexicon)
    options = Options(lexicon=ref, board="horseradishzzzzteamscatzz", clock_seconds=60, increment_seconds=2)
    states = [game.start(options, 2, "replayed")]
    moves: list[tuple[int, Move, float]] = [
        (0, TEAMS, 1.0),
        (1, Pass(), 11.0),
        (0, TEAMS.model_copy(update={"cells": (20, 17, 15, 19)}), 21.0),
        (1, TimeUp(), 73.0),
    ]
    for seat, move, at in moves:
        states.append(game.apply(states[-1], seat, move, at))
    file = tmp_path / "game.txt"
    file.write_text(write(game, tuple(states), "replayed", moves))
    shown = wibble("replay", file)[1]
    assert "(0:52)" in shown
    assert "ran out of time" in shown
    answer = json.loads(wibble("replay", "--json", file)[1])
    assert [line["clocks"] for line in answer["moves"]] == [[60, 60], [60, 52], [52, 52], [52, 0]]
    assert answer["outcome"]["winners"] == [0]


def test_a_game_in_the_terminal_shows_the_clocks() -> None:
    played = wibble(
        "play", "--mode", "versus", "--bots", "1", "--clock-seconds", "300", "--seed", "a", typed="quit\n"
    )
    assert "You (5:00) 0, Pip (5:00) 0" in played[1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--mode", "classic", "--clock-seconds", "300"), "clock_seconds is for games of several players"),
        (("--mode", "versus", "--increment-seconds", "5"), "requires --clock-seconds"),
        (("--mode", "versus", "--clock-seconds", "3"), "10"),
    ],
)
def test_an_impossible_clock_is_refused(arguments: tuple[str, ...], says: str) -> None:
    status, refusal = wibble("play", *arguments)
    assert status == 2
    assert says in refusal
