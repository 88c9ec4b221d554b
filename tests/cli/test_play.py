"""`wibble play` in the terminal."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.games.game import LexiconRef
from app.games.wibble.moves import Start
from app.games.wibble.options import Options
from app.games.wibble.rules import Wibble
from app.terminal.cells import path
from app.words.lexicon import Lexicon
from tests.cli.shells import ENOUGH_PASSES, recorded, wibble

SEED = "terminal"


pytestmark = pytest.mark.usefixtures("wide")


@pytest.fixture(scope="module")
def words(lexicon: Lexicon) -> list[tuple[str, str, int]]:
    """Words on the first Classic board of SEED: word, path and points, best first."""
    game = Wibble(lexicon)
    options = Options(mode="classic", lexicon=LexiconRef.of(lexicon))
    board = game.apply(game.start(options, 1, SEED), 0, Start(), 0.0).board
    assert board is not None
    found = game.solver.words(board, options.size, game.scoring(options))
    return [(word.word, path(word.cells, options.size), word.points) for word in found]


def test_a_word_is_traced_the_best_way(words: list[tuple[str, str, int]]) -> None:
    word, path, points = words[10]
    status, output = wibble("play", "--mode", "classic", "--seed", SEED, typed=f"{word}\n{ENOUGH_PASSES}")
    assert status == 0
    assert f"You: {word.upper()}, {points} points" in output
    assert f"({path})" in output
    assert f"All 5 rounds played. You {points}." in output


def test_a_level_shows_its_goals_and_what_is_on_the_tiles() -> None:
    status, output = wibble("play", "--mode", "adventure", "--level", "storm", typed="/resign\n")
    assert status == 0
    assert "Storm. The storm takes what you do not hold." in output
    assert "moves left | Defuse 2 bombs: 0 of 2" in output
    for obstacle in ("####", "frozen 2", "bomb 7", "marked"):
        assert obstacle in output


def test_tiles_may_be_named_instead(words: list[tuple[str, str, int]]) -> None:
    word, path, points = words[10]
    output = wibble("play", "--mode", "classic", "--seed", SEED, typed=f"{path.upper()}\n")[1]
    assert f"You: {word.upper()}, {points} points" in output


def test_the_end_shows_accuracy_best_word_and_missed_words(words: list[tuple[str, str, int]]) -> None:
    word, _, points = words[0]
    output = wibble("play", "--mode", "classic", "--seed", SEED, typed=f"{word}\n{ENOUGH_PASSES}")[1]
    assert "You: accuracy" in output
    assert f"best word {word.upper()} for {points}" in output
    assert "Missed words" in output


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("/hint\n", "3 gems"),
        ("/shuffle\n", "You: shuffled"),
        ("/swap a1 q\n", "You: a1 is now Q"),
        ("/swap a1\n", "/swap b3 e"),
        ("/swap q9 e\n", "q9 is not on the board: tiles are a1 to e5"),
        ("a1 c3\n", "c3 does not touch a1"),
        ("a1 a2 a1\n", "a1 is in the chain already"),
        ("zzzzzz\n", "ZZZZZZ cannot be traced here"),
        ("w8rd!\n", "'w8rd!' is not a word, a list of tiles or a command"),
        ("/help\n", "Type a word to play it on its best path"),
        ("/resign\n", "Finished early. You 0."),
    ],
)
def test_typed_commands_and_words_get_these_answers(typed: str, says: str) -> None:
    status, output = wibble("play", "--mode", "classic", "--seed", SEED, typed=typed)
    assert status == 0
    assert says in output


def test_a_wrong_word_costs_nothing_and_is_reported() -> None:
    output = wibble("play", "--seed", "s", typed="a1 b1\n/resign\n")[1]
    assert "You: SM is not in the word list" in output
    assert "You 0." in output


def test_a_hint_spells_its_word() -> None:
    output = wibble("play", "--seed", SEED, typed="/hint\n")[1]
    word = output.split("a hint, ")[1].split()[0]
    assert f"You: {word}," in wibble("play", "--seed", SEED, typed=f"/hint\n{word}\n")[1]


def test_without_colours_bonuses_and_gems_are_marked_by_characters() -> None:
    output = wibble("play", "--mode", "classic", "--seed", SEED, "--no-color")[1]
    assert "*" in output
    assert any(bonus in output for bonus in (" DL ", " TL "))
    assert "\x1b" not in output


def test_bots_answer_with_word_and_path() -> None:
    output = wibble("play", "--mode", "versus", "--bots", "1,5", "--seed", SEED, typed=ENOUGH_PASSES)[1]
    assert output.count("Pip: ") >= 5
    assert re.search(r"Quill: [A-Z]+, \d+ points(, \d gems?)? \(([a-e][1-5] )+[a-e][1-5]\)", output)
    assert "Winner: Quill." in output
    assert "Quill: accuracy 100%" in output


def test_after_a_resignation_the_bots_play_on() -> None:
    output = wibble("play", "--mode", "versus", "--bots", "1,2", "--seed", SEED, typed="/resign\n")[1]
    assert "All 5 rounds played" in output


def test_zen_may_replace_the_tiles_of_a_chain_that_is_no_word(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    typed = "a1 b1 c1 d1 e1\na2 b2 c2 d2 e2\n/resign\n"
    status, output = wibble("play", "--replace", "releases", "--seed", SEED, "--save", file, typed=typed)
    assert status == 0
    assert output.count("is not in the word list, and its tiles are replaced") == 2
    assert '"replace":"releases"' in file.read_text()
    status, output = wibble("replay", file)
    assert status == 0
    assert output.count("and its tiles are replaced") == 2


def test_the_clock_starts_when_the_player_is_ready() -> None:
    output = wibble("play", "--mode", "blitz", "--seed", SEED, typed="\n/resign\n")[1]
    assert "Press Enter to start the clock" in output
    assert "120 s >" in output


def test_leaving_is_no_error_and_explains_how_to_save() -> None:
    status, output = wibble("play", "--seed", SEED, typed="/shuffle\n")
    assert status == 0
    assert "You left before the game was over. The game was not saved: use --save FILE" in output
    assert f"--seed {SEED}" in output


def test_ctrl_c_leaves_cleanly(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "app.cli", "play", "--save", str(tmp_path / "game.txt")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as playing:
        assert playing.stdout is not None
        shown_so_far = b""
        while b"> " not in shown_so_far:
            shown_so_far += playing.stdout.read(1)
        playing.send_signal(signal.SIGINT)
        output, errors = playing.communicate(timeout=60)
    assert playing.returncode == 130
    assert b"Saved." in output
    assert b"Traceback" not in errors
    assert (tmp_path / "game.txt").read_text().startswith("wibble record 1\n")


def test_the_options_of_a_deal_are_kept_in_the_record(tmp_path: Path) -> None:
    plain = recorded(tmp_path / "plain.txt", "--seed", SEED)
    chosen = recorded(
        tmp_path / "chosen.txt", "--seed", SEED, "--frequencies", "lexicon", "--min-words", "90"
    )
    assert '"frequencies":"prose","minimum_words":20' in plain
    assert '"frequencies":"lexicon","minimum_words":90' in chosen


def test_the_same_seed_deals_the_same_tiles() -> None:
    assert wibble("play", "--seed", SEED) == wibble("play", "--seed", SEED)
    assert wibble("play", "--seed", SEED) != wibble("play", "--seed", "another")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--mode", "chess"], "'chess' is invalid; accepted: zen, classic, blitz, versus"),
        (["--mode", "adventure"], "--mode adventure takes a --level"),
        (["--level", "1"], "other modes take none"),
        (["--mode", "adventure", "--level", "0"], "there is no level '0': levels are 1 to"),
        (["--mode", "adventure", "--level", "x" * 41], "--level: 40 or fewer characters expected, 41 given"),
        (["--bots", "1"], "add --mode versus"),
        (["--mode", "classic", "--bots", "1"], "add --mode versus"),
        (["--mode", "versus", "--bots", "0"], "levels from 1 to 5"),
        (["--mode", "versus", "--bots", "Pip"], "levels from 1 to 5"),
        (["--mode", "versus", "--bots", "1,1,1,1,1,1"], "1 to 5 levels"),
        (["--mode", "teams", "--bots", "1,1"], "3 or 5 levels"),
        (["--lexicon", "klingon"], "there is no lexicon named 'klingon'; there are english, letterpress"),
        (["--values", "chess"], "'chess' is invalid; accepted: scrabble, spellcast"),
        (["--replace", "all"], "'all' is invalid; accepted: words, releases"),
        (["--mode", "blitz", "--replace", "releases"], "Blitz replaces the tiles of words only; Zen"),
        (["--size", "9"], "7"),
        (["--frequencies", "chess"], "'chess' is invalid; accepted: prose, dictionary, lexicon"),
        (["--min-words", "101"], "100"),
        (["--seed", ""], "accepted: one line of text"),
        (["--seed", "two\nlines"], "accepted: one line of text"),
        (["--save", "no/such/folder/game.txt"], "the folder no/such/folder does not exist"),
    ],
)
def test_bad_input_is_refused(arguments: list[str], says: str) -> None:
    status, output = wibble("play", *arguments)
    assert status == 2
    assert says in output


def test_a_record_is_never_written_over(tmp_path: Path) -> None:
    before = recorded(tmp_path / "game.txt")
    status, output = wibble("play", "--save", tmp_path / "game.txt")
    assert status == 2
    assert "already exists" in output
    assert (tmp_path / "game.txt").read_text() == before
