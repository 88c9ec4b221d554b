"""`wibble replay` with records of Letterpress."""

from pathlib import Path

import pytest

from app.games.game import LexiconRef
from app.games.letterpress.rules import Letterpress
from app.games.letterpress.state import Move, Options, Pass, Play, Resign
from app.games.record import write
from app.words.lexicon import Lexicon
from tests.cli.shells import wibble

BOARD = "horseradishzzzzteamscatzz"
TEAMS = Play(cells=(15, 16, 17, 18, 19))
CATS = Play(cells=(20, 17, 15, 19))


pytestmark = pytest.mark.usefixtures("wide")


@pytest.fixture
def kept(tmp_path: Path, lexicon: Lexicon) -> Path:
    """The record of a game of four moves, the last of which gives it up."""
    game = Letterpress(lexicon)
    states = [game.start(Options(lexicon=LexiconRef.of(lexicon), board=BOARD), 2, "replayed")]
    moves: list[tuple[int, Move, float]] = [
        (0, TEAMS, 1.0),
        (1, CATS, 2.0),
        (0, Pass(), 3.0),
        (1, Resign(), 4.0),
    ]
    for seat, move, at in moves:
        states.append(game.apply(states[-1], seat, move, at))
    file = tmp_path / "game.txt"
    file.write_text(write(game, tuple(states), "replayed", moves))
    return file


def test_the_moves_are_listed_with_the_tiles_after_them(kept: Path) -> None:
    status, output = wibble("replay", kept)
    assert status == 0
    assert f"Letterpress, {BOARD.upper()}, english, seed replayed" in output
    assert "0 Player 1: TEAMS +5 (a4 b4 c4 d4 e4) 5 0" in output
    assert "1 Player 2: CATS +7 (a5 c4 a4 e4) 2 4" in output
    assert "2 Player 1: passed 2 4" in output
    assert "3 Player 2: resigned 2 4" in output
    assert "Winner: Player 1." in output


def test_a_position_shows_whose_tiles_are_which_without_colour(kept: Path) -> None:
    status, output = wibble("replay", kept, "--ply", "2")
    assert status == 0
    assert "4 [t](e)[a](m)[s]" in output
    assert "5 [c] a t z z" in output
    assert "(a) Player 1 2, [a] Player 2 4" in output
    assert "Player 1: passed" in output


def test_the_analysis_names_the_best_words(kept: Path) -> None:
    status, output = wibble("replay", kept, "--analysis")
    assert status == 0
    assert "Player 1: accuracy" in output
    assert "TEAMS +5" in output.split("Analysis")[1]


def test_a_line_that_was_tampered_with_is_named(kept: Path) -> None:
    kept.write_text(kept.read_text().replace("[20,17,15,19]", "[20,17,15]"))
    status, output = wibble("replay", kept)
    assert status == 2
    assert "ply 1 does not follow" in output
