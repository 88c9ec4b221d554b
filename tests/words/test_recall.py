"""Quiz questions about words, and the scoring of answers."""

from pathlib import Path

import pytest

from app.words.definitions import Dictionary
from app.words.family import has_offensive_word
from app.words.lexicon import Lexicon
from app.words.recall import Question, Response, grade, no_word_like, question_on, shuffled

WORDS = ["retains", "nastier", "retinas", "top", "tops", "stop", "atop", "zzz"]


@pytest.fixture(scope="module")
def few() -> Lexicon:
    return Lexicon.from_words(WORDS, "few", profanity={"retinas"})


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Dictionary:
    return Dictionary(tmp_path_factory.mktemp("wordnet"))


class Meanings(Dictionary):
    """Two words with one meaning, and one with another."""

    def __init__(self) -> None:
        super().__init__(Path())

    def in_one_line(self, word: str) -> str | None:
        return {"stop": "to end", "stay": "to end", "step": "a pace"}.get(word)


def asked(few: Lexicon, empty: Dictionary, word: str, kind: str) -> Question:
    found = question_on(few, empty, word, kind, "seed")  # type: ignore[arg-type]
    assert found is not None
    return found


def test_an_anagram_asks_for_all_words_fit_to_be_shown(few: Lexicon, empty: Dictionary) -> None:
    question = asked(few, empty, "retains", "anagram")
    assert question.words == ("nastier", "retains")
    assert sorted(question.prompt) == sorted("retains")
    assert question.prompt not in WORDS
    assert question == question_on(few, empty, "retains", "anagram", "seed")
    for answer, seconds, expected in (
        ("retains nastier", None, "good"),
        ("NASTIER, Retains", 4, "easy"),
        ("retains nastier retinas", 10, "good"),
        ("retains nastier", 40, "hard"),
        ("retains", 4, "hard"),
        ("nastier", 4, "again"),
        ("retains stainer", 4, "again"),
        ("", 4, "again"),
    ):
        assert grade(question, Response(answer), few, empty, seconds) == expected, answer


def test_hooks_are_graded_by_missing_and_wrong_letters(few: Lexicon, empty: Dictionary) -> None:
    question = asked(few, empty, "top", "hooks")
    assert (question.front, question.back) == ("as", "s")
    assert question.solution == "front as, back s"
    for front, back, expected in (
        ("s a", "S", "good"),
        ("as", "", "hard"),
        ("a", "", "again"),
        ("asx", "s", "again"),
        ("s", "as", "again"),
        ("", "", "again"),
    ):
        assert grade(question, Response(front=front, back=back), few, empty, None) == expected, (front, back)
    assert question_on(few, empty, "zzz", "hooks", "seed") is None


def test_validity_is_graded_by_the_answer_and_the_time_taken(few: Lexicon, empty: Dictionary) -> None:
    for word, right in (("top", "yes"), ("pot", "no")):
        question = asked(few, empty, word, "validity")
        assert question.solution == right
        for answer in ("yes", "no", ""):
            expected = "good" if answer == right else "again"
            assert grade(question, Response(answer), few, empty, None) == expected
    assert grade(question, Response("no"), few, empty, 1) == "easy"
    assert grade(question, Response("no"), few, empty, 60) == "hard"


def test_what_is_no_word_has_no_letters_hooks_or_meaning(few: Lexicon, empty: Dictionary) -> None:
    for kind in ("anagram", "hooks", "definition"):
        assert question_on(few, empty, "pot", kind, "seed") is None
    assert question_on(few, empty, "top", "definition", "seed") is None


def test_a_word_with_the_same_meaning_counts() -> None:
    lexicon, meanings = Lexicon.from_words(["stop", "stay", "step"], "few"), Meanings()
    question = question_on(lexicon, meanings, "stop", "definition", "seed")
    assert question is not None
    assert (question.prompt, question.clue) == ("to end", "s, 4 letters")
    for answer, expected in (("stop", "good"), ("stay", "good"), ("step", "again"), ("", "again")):
        assert grade(question, Response(answer), lexicon, meanings, None) == expected


def test_shuffled_letters_are_no_solution() -> None:
    for seed in range(30):
        assert shuffled("top", ("top", "pot", "opt"), str(seed)) in {"tpo", "otp", "pto"}
        assert not has_offensive_word(shuffled("this", (), str(seed)))
    assert shuffled("aa", ("aa",), "seed") == "aa"


def test_an_invented_word_differs_from_a_valid_one_in_one_letter(lexicon: Lexicon) -> None:
    for word in ("quiz", "friends", "qi", "za"):
        found = no_word_like(lexicon, word, "seed")
        assert found is not None
        assert found not in lexicon
        assert sum(a != b for a, b in zip(found, word, strict=True)) == 1
    every = Lexicon.from_words([chr(97 + letter) for letter in range(26)], "letters")
    assert no_word_like(every, "a", "seed") is None


def test_an_answer_is_repeated_in_letters_alone() -> None:
    assert Response("Top, <b>STOP</b>!").shown("anagram") == "top b stop b"
    assert Response(front="S,a", back="").shown("hooks") == "front as, back none"
