"""Card files: exports can be imported unchanged, and errors name the line and column."""

import csv
import io
from datetime import UTC, datetime
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.store.card_schedule import GRADES, after_answer, new_schedule
from app.store.cards import Card, CardKey
from app.web.site.card_files import ANKI_COLUMNS, BadCards, read_cards, write_notes, write_table
from app.words.library import UnknownLexicon
from app.words.recall import Question, RecallKind

AT = 1_700_000_000.0
WORDS = ("retina", "cat", "quiz")


def exists(lexicon: str, word: str) -> bool:
    if lexicon not in {"english", "enable"}:
        raise UnknownLexicon(f"there is no list {lexicon}")
    return word in WORDS


def read(text: str, at: float = AT) -> list[Card]:
    return read_cards(text, "anagram", "english", at, exists)


def refusal(text: str) -> str:
    with pytest.raises(BadCards) as refused:
        read(text)
    assert refused.value.errors
    assert all(error.location[0] == "body" for error in refused.value.errors)
    return str(refused.value)


@st.composite
def cards(draw: st.DrawFn) -> Card:
    """A card after some answers."""
    at = draw(st.floats(1.6e9, 2e9).map(lambda at: round(at, 3)))
    schedule, created = new_schedule(at), at
    grades = draw(st.lists(st.tuples(st.sampled_from(GRADES), st.integers(0, 10**7)), max_size=6))
    for grade, later in grades:
        at = round(at + later, 3)
        schedule = after_answer(schedule, grade, at)
    key = CardKey(
        draw(st.sampled_from(["english", "enable"])),
        draw(st.sampled_from(WORDS)),
        draw(st.sampled_from(get_args(RecallKind))),
    )
    return Card(key, schedule, len(grades), draw(st.integers(0, 5)), created)


@given(st.lists(cards(), min_size=1, max_size=5))
def test_a_table_is_read_as_it_was_written(kept: list[Card]) -> None:
    text = write_table(kept)
    assert read(text) == kept
    assert read("\ufeff" + text.replace("\n", "\r\n")) == kept
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row if cell]
    assert all(cell[0].isalnum() for cell in cells), "no cell is a formula"


def test_a_table_may_have_words_only() -> None:
    found = read("Word;Ask\nRetina;anagram\n\n zzz ;validity\n")
    assert [card.key for card in found] == [
        ("english", "retina", "anagram"),
        ("english", "zzz", "validity"),
    ]
    assert [card.schedule for card in found] == [new_schedule(AT)] * 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: '' is not a column"),
        ("word,ask\n", "line 1: no cards"),
        ("word,asks\ncat,hooks\n", "line 1: 'asks' is not a column"),
        ("word,word\ncat,cat\n", "line 1: 'word' is not a column, or is there twice"),
        ("word\ncat\n", "line 1, column ask: this column is required"),
        ("word,ask\ncat\n", "line 2: 1 column: expected 2"),
        ("word,ask\n\ncat,hook\n", "line 3, column ask: "),
        ("word,ask\ncat,\n", "line 2, column ask: required"),
        ("word,ask\n=1+1,hooks\n", "line 2, column word: "),
        ("word,ask\n" + 31 * "a" + ",hooks\n", "line 2, column word: "),
        ("word,ask\ndog,hooks\n", "line 2, column word: 'dog' is not in the list english"),
        ("word,ask,lexicon\ncat,hooks,klingon\n", "line 2, column lexicon: there is no list klingon"),
        ("word,ask,state\ncat,hooks,new\n", "line 2, column state: "),
        ("word,ask,state\ncat,hooks,review\n", "line 2: due: required"),
        ("word,ask,reps\ncat,hooks,-1\n", "line 2, column reps: "),
        ("word,ask,difficulty\ncat,hooks,nan\n", "line 2, column difficulty: "),
        ("word,ask,stability\ncat,hooks,inf\n", "line 2, column stability: "),
        ("word,ask,due\ncat,hooks,tomorrow\n", "line 2, column due: a time such as 2026-"),
        ("word,ask,due\ncat,hooks,2026-01-01T00:00:00\n", "line 2, column due: a time such as "),
        ("word,ask,due\ncat,hooks,9026-01-01T00:00:00Z\n", "line 2, column due: "),
        ("word,ask,state,due\ncat,hooks,review,2026-01-01T00:00:00Z\n", "line 2: stability, difficulty and"),
        ("word,ask,state,due\ncat,hooks,learning,2026-01-01T00:00:00Z\n", "line 2: step: "),
        ('word,ask\n"cat,hooks\n', "line 2: "),
        ("#separator:tab\n#html:false\nrétina\tx\n", "line 3, column word: "),
        ("#separator:long\ncat\n", "line 1: separator 'long'"),
        ("#columns:Word\tAsk\ncat\tguess\n", "line 2, column ask: "),
        (f"#separator:tab\n&#{5000 * '9'};\tx\n", "line 2, column word: "),
    ],
)
def test_an_error_in_a_file_of_cards_is_named_with_its_place(text: str, message: str) -> None:
    assert refusal(text).startswith(message)


def test_a_word_is_read_in_one_pass_and_a_file_no_further_than_cards_are_kept() -> None:
    """A backtracking pattern would take minutes, and so would checking every remaining line."""
    assert refusal(f"#columns:Word\tAsk\n{130_000 * '<'}\tvalidity\n").startswith("line 2, column word: ")
    lines_read = []

    def exists_and_counts(lexicon: str, word: str) -> bool:
        lines_read.append(word)
        return exists(lexicon, word)

    with pytest.raises(BadCards, match="line 5002: more than 5,000 cards"):
        read_cards("word,ask\n" + 20_000 * "cat,hooks\n", "anagram", "english", AT, exists_and_counts)
    assert len(lines_read) == 5000


def test_the_first_of_many_errors_are_named() -> None:
    message = refusal("word,ask\n" + 20 * "dog,hooks\n")
    assert message.count("is not in the list") == 10
    assert message.endswith("and 10 more errors")


def test_notes_of_ours_are_read_again() -> None:
    key = CardKey("enable", "cat", "hooks")
    asked = Question("hooks", "cat", "cat", front="s", back="es")
    gone = CardKey("enable", "quiz", "definition")
    text = write_notes([(key, asked), (gone, None)])
    assert text.splitlines()[:2] == ["#separator:tab", "#html:false"]
    assert text.splitlines()[-1].split("\t") == [
        "Hooks of cat",
        "front s, back es",
        "cat",
        "hooks",
        "enable",
        "wibble hooks enable",
    ]
    assert len(text.splitlines()[-1].split("\t")) == len(ANKI_COLUMNS)
    assert read(text) == [Card(key, new_schedule(AT), created_at=AT)]


def test_notes_of_others_have_the_word_first() -> None:
    head = "#separator:tab\n#html:true\n#tags column:3\n"
    text = head + '<b>RETINA</b>\tlight &amp; more\t\n"cat"\ta pet\tanimals\n'
    assert [card.key for card in read(text)] == [
        ("english", "retina", "anagram"),
        ("english", "cat", "anagram"),
    ]


def test_times_are_in_utc() -> None:
    text = write_table([Card(CardKey("english", "cat", "hooks"), new_schedule(AT), created_at=AT)])
    assert datetime.fromtimestamp(AT, UTC).isoformat() in text
    assert "+00:00" in text
