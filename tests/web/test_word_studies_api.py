"""The word studies over HTTP give the same results as the commands."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.driver import problem

STUDIES = "/api/words/studies"


def study(client: TestClient, name: str, **query: Any) -> Any:
    answer = client.get(f"{STUDIES}/{name}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_anagrams_are_listed_in_parts(client: TestClient) -> None:
    whole = study(client, "anagrams", letters="Stare", min_length=3)
    assert whole["word_count"] == len(whole["words"]) > 20
    part = study(client, "anagrams", letters="stare", min_length=3, limit=2, offset=3)
    assert part == {"word_count": whole["word_count"], "words": whole["words"][3:5]}
    assert {len(found["word"]) for found in study(client, "anagrams", letters="star?")["words"]} == {5}


def test_patterns_have_hooks(client: TestClient) -> None:
    found = study(client, "patterns", pattern="t?p")
    top = next(each for each in found["words"] if each["word"] == "top")
    assert "s" in top["front"]
    assert "s" in top["back"]


def test_a_word_has_hooks_and_longer_words(client: TestClient) -> None:
    found = study(client, "hooks", word="TOP", limit=1)
    assert found["valid"]
    assert "s" in found["front"]
    assert found["extensions"]["back"]["word_count"] > 10
    assert [len(part["words"]) for part in found["extensions"].values()] == [1, 1, 1]


def test_a_stem_makes_the_bingos_that_the_list_of_stems_counts(client: TestClient) -> None:
    found = study(client, "stems", limit=1)
    assert found["stem_count"] > 1000
    best = found["stems"][0]
    made = study(client, "bingos", stem=best["letters"])
    assert "".join(made["with_letters"]) == best["with_letters"]
    assert sum(each["word_count"] for each in made["with_letters"].values()) == best["word_count"]
    assert not set(made["without"]) & set(best["with_letters"])


def test_statistics_count_all_words_and_beginnings_come_in_parts(client: TestClient) -> None:
    found = study(client, "statistics")
    assert sum(found["lengths"].values()) == found["word_count"]
    four = study(client, "beginnings", limit=2, offset=1)
    assert len(four["beginnings"]) == 2
    assert four["beginning_count"] > 1000


def test_several_words_are_defined_in_one_request(client: TestClient) -> None:
    found = study(client, "definitions", word=["Mice", "quiz"])
    assert [each["word"] for each in found] == ["mice", "quiz"]
    assert found[0]["definition"] == "https://en.wiktionary.org/wiki/mice"


@pytest.mark.parametrize(
    ("name", "query", "field"),
    [
        ("anagrams", {}, "letters"),
        ("anagrams", {"letters": "c4t"}, "letters"),
        ("anagrams", {"letters": "cat", "limit": 0}, "limit"),
        ("patterns", {"pattern": "[a"}, "pattern"),
        ("hooks", {"word": "c-t"}, "word"),
        ("bingos", {"stem": "?"}, "stem"),
        ("stems", {"lexicon": "none"}, "lexicon"),
        ("definitions", {"word": "c-t"}, "word"),
    ],
)
def test_an_invalid_word_study_names_the_parameter(
    client: TestClient, name: str, query: dict[str, Any], field: str
) -> None:
    error = problem(client.get(f"{STUDIES}/{name}", params=query), 422)
    assert error["errors"][0]["location"][:2] == ["query", field]


def test_words_named_like_studies_are_looked_up_as_before(client: TestClient) -> None:
    for word in ("anagrams", "hooks", "studies"):
        assert client.get(f"/api/words/{word}").json()["word"] == word


def test_every_study_list_has_words_and_takes_a_length(client: TestClient) -> None:
    lists = study(client, "lists")
    assert [each["name"] for each in lists][:2] == ["two-letters", "three-letters-jqxz"]
    for each in lists:
        assert study(client, f"lists/{each['name']}", limit=3)["word_count"] > 50
    found = study(client, "lists/q-without-u", length=4, lexicon="enable")
    assert [each["word"] for each in found["words"]] == ["qaid", "qats", "qoph", "suqs"]
    problem(client.get(f"{STUDIES}/lists/none"), 422)
    problem(client.get(f"{STUDIES}/lists/all", params={"lexicon": "none"}), 422)
