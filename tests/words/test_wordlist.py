"""Parsing word lists in various formats."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.words.wordlist import LARGEST_FILE, MalformedList, read_words


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.txt"


@pytest.mark.parametrize(
    "content",
    [
        b"ab\ncd\n",
        b"cd\nab",
        b"ab\r\ncd\r\n",
        b"\xef\xbb\xbfab\ncd\n",
        b"AB\nCd\n",
        b"\n\nab\n  \n\t\ncd\n\n",
        b"ab\ncd\nab\nAB\n",
        b"a\nab\ncd\nI\n",
    ],
)
def test_harmless_differences_are_tolerated(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert read_words(file) == ["ab", "cd"]


@pytest.mark.parametrize(
    "line",
    ["x" * 65, "na\u00efve", "rock-n-roll", "two words", " ab", "ab1", "\u0430\u0431", "# comment"],
)
def test_any_other_line_is_refused_by_its_number(file: Path, line: str) -> None:
    file.write_text(f"ab\n\n{line}\ncd\n", "utf-8")
    with pytest.raises(MalformedList, match=r"mine\.txt: line 3 .* is not a word; accepted:") as error:
        read_words(file)
    assert [(fault.line, fault.text) for fault in error.value.faults] == [(3, line)]


def test_the_first_ten_of_many_faults_are_named_and_all_are_counted(file: Path) -> None:
    file.write_text("".join(f"{number}\n" for number in range(1, 1235)))
    with pytest.raises(MalformedList) as error:
        read_words(file)
    text = str(error.value)
    assert "1,234 lines are not words: line 1 '1'," in text
    assert "line 10 '10', and 1,224 more" in text
    assert "line 11" not in text


def test_a_long_line_is_shown_in_part(file: Path) -> None:
    file.write_text("ab\n" + "!" * 10_000)
    with pytest.raises(MalformedList) as error:
        read_words(file)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize("content", [b"", b"\n\n", b"a\ni\n", b"\xef\xbb\xbf"])
def test_a_list_without_a_word_is_refused(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(MalformedList, match="contains no words"):
        read_words(file)


def test_a_far_too_large_file_is_refused_unread(file: Path) -> None:
    with file.open("wb") as handle:
        handle.truncate(LARGEST_FILE + 1)
    with pytest.raises(MalformedList, match="bytes are more than"):
        read_words(file)


@given(content=st.binary(max_size=200))
def test_any_bytes_are_either_words_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.txt"
    file.write_bytes(content)
    try:
        words = read_words(file)
    except MalformedList:
        return
    assert words == sorted(set(words))
    assert all(word.isascii() and word.isalpha() and word.islower() for word in words)
