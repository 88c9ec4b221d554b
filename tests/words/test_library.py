"""The lexicons of an installation: found, added, replaced, cached, and never used when damaged."""

import hashlib
import lzma
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from app.words.lexicon import UNRANKED, Lexicon
from app.words.library import DEFAULT_LEXICON, BadName, DamagedLexicon, Library, UnknownLexicon
from app.words.wordlist import MalformedList

SHIPPED = ["ace", "damn", "the", "zax"]


def sha256_of(words: list[str]) -> str:
    return hashlib.sha256("".join(f"{word}\n" for word in words).encode()).hexdigest()


def ship(data: Path, *, words: list[str], frequency: list[str], profanity: list[str]) -> None:
    """Minimal shipped data."""
    folder = data / "words"
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in {
        DEFAULT_LEXICON: words,
        "frequency": frequency,
        "profanity": profanity,
        "slurs": [],
    }.items():
        (folder / f"{name}.txt.xz").write_bytes(
            lzma.compress("".join(f"{word}\n" for word in content).encode())
        )
    (folder / "lexicons.toml").write_text(
        f'[{DEFAULT_LEXICON}]\ntitle = "Small"\nfile = "{DEFAULT_LEXICON}.txt.xz"\nwords = {len(words)}\n'
        f'sha256 = "{sha256_of(words)}"\n'
    )


class Installation:
    """A library with minimal data; ``open`` returns it as a new process would see it."""

    def __init__(self, root: Path) -> None:
        self.data, self.home, self.cache = root / "data", root / "home", root / "cache"
        self.root = root
        ship(self.data, words=SHIPPED, frequency=["the", "damn", "ace"], profanity=["damn"])

    def open(self) -> Library:
        return Library(self.data, self.home, self.cache)

    def list_of(self, *words: str) -> Path:
        file = self.root / "list.txt"
        file.write_text("\n".join(words))
        return file

    @property
    def cached(self) -> list[Path]:
        return sorted((self.cache / "lexicons").iterdir())


@pytest.fixture
def installation(tmp_path: Path) -> Installation:
    return Installation(tmp_path)


def assert_shipped(lexicon: Lexicon) -> None:
    assert list(lexicon) == SHIPPED
    assert lexicon.sha256 == sha256_of(SHIPPED)
    assert lexicon.ranks.tolist() == [3, 2, 1, UNRANKED]
    assert lexicon.family.tolist() == [1, 0, 1, 1]
    assert [lexicon.index(word) for word in SHIPPED] == [0, 1, 2, 3]
    assert lexicon.letter_counts.sum() == 13
    assert not any(array.flags.writeable for array in (*lexicon.trie, lexicon.ranks, lexicon.letter_masks))


def test_built_and_cached_lexicons_are_the_same(installation: Installation) -> None:
    built = installation.open().load()
    cached = installation.open().load()
    for lexicon in (built, cached):
        assert_shipped(lexicon)
        assert lexicon.name == DEFAULT_LEXICON
    for built_array, cached_array in zip(built.trie, cached.trie, strict=True):
        assert built_array.dtype == cached_array.dtype
        np.testing.assert_array_equal(built_array, cached_array)


def test_a_lexicon_is_loaded_once(installation: Installation) -> None:
    library = installation.open()
    with ThreadPoolExecutor(8) as threads:
        loaded = {id(lexicon) for lexicon in threads.map(lambda _: library.load(), range(32))}
    assert len(loaded) == 1


def test_a_cache_is_used(installation: Installation) -> None:
    installation.open().load()
    (installation.data / "words" / f"{DEFAULT_LEXICON}.txt.xz").unlink()
    assert_shipped(installation.open().load())


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def flip_a_bit(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)


def empty(file: Path) -> None:
    file.write_bytes(b"")


def overwrite(file: Path) -> None:
    file.write_bytes(b'{"format": 1, "arrays": []}')


@pytest.mark.parametrize("damage", [cut, flip_a_bit, empty, overwrite, Path.unlink])
def test_a_damaged_cache_is_built_again(installation: Installation, damage: Callable[[Path], None]) -> None:
    installation.open().load()
    [folder] = installation.cached
    names = sorted(file.name for file in folder.iterdir())
    assert len(names) == 11
    for name in names:
        damage(folder / name)
        assert_shipped(installation.open().load())
        cut(installation.data / "words" / f"{DEFAULT_LEXICON}.txt.xz")
        assert_shipped(installation.open().load())  # from the repaired cache
        ship(installation.data, words=SHIPPED, frequency=["the", "damn", "ace"], profanity=["damn"])
    assert installation.cached == [folder]


def test_the_cache_of_another_list_is_not_used(installation: Installation) -> None:
    library = installation.open()
    library.load()
    [ours] = installation.cached
    library.load(library.add("mine", installation.list_of("quiz")).name)
    [theirs] = [folder for folder in installation.cached if folder != ours]
    shutil.rmtree(ours)
    shutil.copytree(theirs, ours)
    assert_shipped(installation.open().load())


def test_new_shipped_ranks_or_family_reach_every_lexicon(installation: Installation) -> None:
    library = installation.open()
    library.add("mine", installation.list_of("the", "zax", "quiz"))
    library.load(), library.load("mine")
    ship(installation.data, words=SHIPPED, frequency=["zax", "the"], profanity=["zax"])
    library = installation.open()
    assert library.load().ranks.tolist() == [UNRANKED, UNRANKED, 2, 1]
    assert library.load("mine").ranks.tolist() == [UNRANKED, 2, 1]
    assert library.load("mine").family.tolist() == [1, 1, 0]
    assert len(installation.cached) == 2


def test_a_loaded_lexicon_stays_usable_when_its_cache_is_deleted(installation: Installation) -> None:
    installation.open().load()
    lexicon = installation.open().load()
    cut(installation.cached[0] / "manifest.json")
    installation.open().load()
    shutil.rmtree(installation.cache)
    assert_shipped(lexicon)


@pytest.mark.parametrize("place", ["cache", "home"])
def test_loading_needs_no_place_to_write(installation: Installation, place: str) -> None:
    getattr(installation, place).write_text("a file where a folder should be")
    assert_shipped(installation.open().load())
    assert [info.name for info in installation.open().names()] == [DEFAULT_LEXICON]


def test_adding_without_a_place_to_write_says_so(installation: Installation) -> None:
    installation.home.write_text("a file where a folder should be")
    with pytest.raises(OSError, match="home"):
        installation.open().add("mine", installation.list_of("quiz"))


def test_an_added_list_is_there_for_every_process(installation: Installation) -> None:
    other = installation.open()
    info = installation.open().add("mine", installation.list_of("zebra", "the", "QUIZ"))
    assert (info.name, info.words, info.shipped) == ("mine", 3, False)
    assert list(other.load("mine")) == ["quiz", "the", "zebra"]
    assert other.load("mine").sha256 == info.sha256
    assert [entry.name for entry in other.names()] == [DEFAULT_LEXICON, "mine"]


def test_games_keep_the_content_they_were_played_with(installation: Installation) -> None:
    library = installation.open()
    former = library.add("mine", installation.list_of("quiz"))
    library.load("mine")
    latter = library.add("mine", installation.list_of("quiz", "zebra"))
    for each in (library, installation.open()):
        assert list(each.load("mine")) == ["quiz", "zebra"]
        assert list(each.load("mine", former.sha256)) == ["quiz"]
        assert list(each.load("mine", latter.sha256)) == ["quiz", "zebra"]
        assert_shipped(each.load(DEFAULT_LEXICON, sha256_of(SHIPPED)))
    shutil.rmtree(installation.cache)
    assert list(installation.open().load("mine", former.sha256)) == ["quiz"]


@pytest.mark.parametrize(
    "name",
    ["", "Mine", "1st", "-x", "a b", "x" * 33, "../mine", "mine.txt", "mine\n", "möhre", DEFAULT_LEXICON],
)
def test_a_bad_name_is_refused(installation: Installation, name: str) -> None:
    with pytest.raises(BadName, match=r"letter a-z|ships with Wibble"):
        installation.open().add(name, installation.list_of("quiz"))
    assert not installation.home.exists()


def test_a_malformed_list_changes_nothing(installation: Installation) -> None:
    library = installation.open()
    library.add("mine", installation.list_of("quiz"))
    before = sorted(installation.home.rglob("*"))
    with pytest.raises(MalformedList, match="line 2"):
        library.add("mine", installation.list_of("zebra", "rock'n'roll"))
    assert sorted(installation.home.rglob("*")) == before
    assert list(library.load("mine")) == ["quiz"]


@pytest.mark.parametrize("name", ["nope", "", "..", "../../etc/passwd", "mine.json", "x" * 5000, "a\0b"])
def test_an_unknown_name_is_answered_and_the_known_ones_are_named(
    installation: Installation, name: str
) -> None:
    library = installation.open()
    library.add("mine", installation.list_of("quiz"))
    with pytest.raises(UnknownLexicon, match=r"there are english, mine$"):
        library.load(name)


@pytest.mark.parametrize("sha256", ["0" * 64, "", "../names/mine.json", sha256_of(["quiz"]).upper()])
def test_an_unknown_content_is_refused(installation: Installation, sha256: str) -> None:
    library = installation.open()
    library.add("mine", installation.list_of("quiz"))
    for name in ("mine", DEFAULT_LEXICON):
        with pytest.raises(UnknownLexicon, match="is not kept here"):
            library.load(name, sha256)


def test_a_damaged_list_is_not_played_with(installation: Installation) -> None:
    info = installation.open().add("mine", installation.list_of("quiz", "zebra"))
    [stored] = installation.home.rglob(f"{info.sha256}*")
    stored.write_text("quiz\n")
    with pytest.raises(DamagedLexicon, match="'mine'"):
        installation.open().load("mine")


def test_damaged_entries_of_own_lists_are_ignored(installation: Installation) -> None:
    installation.open().add("mine", installation.list_of("quiz"))
    for entry in installation.home.rglob("mine*"):
        entry.write_text("{")
    assert [info.name for info in installation.open().names()] == [DEFAULT_LEXICON]


def test_more_lists_than_stay_in_memory_can_be_used(installation: Installation) -> None:
    library = installation.open()
    names = [f"list-{number}" for number in range(20)]
    for name in names:
        library.add(
            name,
            installation.list_of(f"{name.replace('-', '')}".rstrip("0123456789") + "abcdefghijklmnopqrst"),
        )
    assert all(len(library.load(name)) == 1 for name in names)
