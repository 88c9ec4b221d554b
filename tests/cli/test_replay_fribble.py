"""`wibble replay` with records of Fribble."""

from pathlib import Path

import pytest

from app.games.fribble.rules import Fribble
from app.games.fribble.state import Move, Options, Pass, Resign, Write
from app.games.game import LexiconRef
from app.games.record import write
from app.words.lexicon import Lexicon
from tests.cli.shells import wibble

pytestmark = pytest.mark.usefixtures("wide")


@pytest.fixture
def kept(tmp_path: Path, lexicon: Lexicon) -> tuple[Path, str]:
    """The record of a game of three moves, and the word it began with."""
    game = Fribble(lexicon)
    first = game.start(Options(lexicon=LexiconRef.of(lexicon)), 2, "replayed")
    letters = first.racks[0].replace("?", "")
    word = next(
        one + other
        for one in letters
        for other in letters
        if one != other and (one + other).lower() in lexicon
    )
    states = [first]
    moves: list[tuple[int, Move, float]] = [
        (0, Write(text=f"8H {word}"), 1.0),
        (1, Pass(), 2.0),
        (0, Resign(), 3.0),
    ]
    for seat, move, at in moves:
        states.append(game.apply(states[-1], seat, move, at))
    file = tmp_path / "game.txt"
    file.write_text(write(game, tuple(states), "replayed", moves))
    return file, word


def test_a_game_is_shown_move_by_move(kept: tuple[Path, str]) -> None:
    file, word = kept
    status, output = wibble("replay", str(file))
    assert status == 0, output
    assert "Fribble, Words With Friends" in output
    assert f"8H {word}" in output
    assert "Player 1: resigned" in output


def test_a_position_and_its_best_move_are_shown(kept: tuple[Path, str]) -> None:
    file, word = kept
    status, output = wibble("replay", str(file), "--ply", "1", "--analysis")
    assert status == 0, output
    assert " ".join(word) in output
    assert "Best move" in output
