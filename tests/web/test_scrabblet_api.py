"""`/api/scrabblet`."""

from math import prod
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.words.lexicon import Lexicon
from tests.driver import problem
from tests.games.scrabblet.brute import words_of


def ask(client: TestClient, path: str, **body: Any) -> dict[str, Any]:
    answer = client.post(f"/api/scrabblet/{path}", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize(
    "body",
    [
        {"rack": "RUOLFNT"},
        {"rack": "ab c_", "min_length": 3},
        {"rack": "crpei?", "min_length": 6, "centre": "P"},
        {"rack": "aeinrst", "min_length": 2, "sort": "score"},
    ],
)
def test_all_words_of_a_hand_are_listed_with_points_and_letters(
    client: TestClient, lexicon: Lexicon, body: dict[str, Any]
) -> None:
    found = ask(client, "words", **body)
    hand = body["rack"].lower().replace(" ", "").replace("_", "?")
    expected = words_of(lexicon, hand, body.get("min_length", 4), body.get("centre", "").lower())
    assert found["rack"] == hand
    assert {one["word"]: one["points"] for one in found["words"]} == expected
    assert (found["word_count"], found["points"]) == (len(expected), sum(expected.values()))
    for one in found["words"]:
        assert sorted(one["letters"] + one["blanks"]) == sorted(set(one["word"]))
        assert set(one["letters"]) <= set(hand)
        assert len(one["blanks"]) <= hand.count("?")


def test_words_are_sorted_as_asked_and_may_leave_profanity_out(client: TestClient) -> None:
    scores = [one["points"] for one in ask(client, "words", rack="ruolfnt", sort="score")["words"]]
    assert scores == sorted(scores, reverse=True)
    everything, family = (ask(client, "words", rack="shit?", family=family) for family in (False, True))
    words = {one["word"] for one in everything["words"]} - {one["word"] for one in family["words"]}
    assert "shit" in words
    assert family["word_count"] == everything["word_count"] - len(words)
    assert family["points"] == sum(one["points"] for one in family["words"])


def test_a_seed_deals_a_hand(client: TestClient) -> None:
    dealt = ask(client, "deal", seed="lake", max_vowels=2, min_words=100)
    assert dealt == ask(client, "deal", seed="lake", max_vowels=2, min_words=100)
    assert dealt["seed"] == "lake"
    assert "".join(tile["letter"] for tile in dealt["tiles"]) == dealt["rack"]
    assert len(dealt["rack"]) == 7
    assert dealt["word_count"] == ask(client, "words", rack=dealt["rack"])["word_count"] >= 100
    assert {redraw["reason"] for redraw in dealt["redraws"]} <= {
        "Vowel Count",
        "Word Count",
        "Required Count",
        "Pangram Count",
    }


def test_each_deal_has_another_seed_that_deals_the_same_hand_again(client: TestClient) -> None:
    one, other = (ask(client, "deal", size=9) for _ in range(2))
    assert one["seed"] != other["seed"]
    assert ask(client, "deal", size=9, seed=one["seed"]) == one


def test_a_hand_dealt_as_for_the_daily_has_seven_different_letters(client: TestClient) -> None:
    assert len(set(ask(client, "deal", mode="daily", seed="x")["rack"]) - {"?"}) == 7


def test_a_signature_comes_with_points_primes_and_anagrams(client: TestClient) -> None:
    found = client.get("/api/scrabblet/signature/Creepie").json()
    assert (found["word"], found["valid"], found["points"], found["signature"]) == (
        "creepie",
        True,
        11,
        4089745,
    )
    assert (found["letters"], found["primes"]) == ("ceipr", [5, 11, 23, 53, 61])
    assert {"creepie", "price", "recipe"} <= set(found["anagrams"])
    assert all(set(word) == set("creepie") for word in found["anagrams"])
    none = client.get("/api/scrabblet/signature/crpei").json()
    assert (none["valid"], none["signature"], none["anagrams"]) == (False, 4089745, found["anagrams"])


def test_a_signature_is_exact_beyond_64_bits(client: TestClient) -> None:
    found = client.get("/api/scrabblet/signature/abcdefghijklmnopqrstuvwxyz").json()
    assert found["signature"] == prod(found["primes"]) > 2**64


@pytest.mark.parametrize(
    ("path", "body", "field", "says"),
    [
        ("words", {}, "rack", "required"),
        ("words", {"rack": ""}, "rack", "there are 0 tiles: a hand has 1 to 15"),
        ("words", {"rack": "ab1"}, "rack", "tile 2 is '1': tiles are the letters a to z, and ? for a blank"),
        ("words", {"rack": "???"}, "rack", "there are 3 blanks: the bank has 2"),
        ("words", {"rack": "abc", "min_length": 1}, "min_length", "2 or more expected"),
        ("words", {"rack": "abc", "min_length": 16}, "min_length", "15 or less expected"),
        ("words", {"rack": "abc", "centre": "x"}, "body", "the centre 'x' is not in the rack 'abc'"),
        ("words", {"rack": "abc", "centre": "ab"}, "centre", "one letter a to z or A to Z expected"),
        ("words", {"rack": "abc", "lexicon": "nope"}, "lexicon", "there is no lexicon named 'nope'"),
        ("words", {"rack": "abc", "wrong": 1}, "wrong", "there is no such field"),
        ("deal", {"size": 1}, "size", "2 or more expected"),
        ("deal", {"size": 2, "min_words": 5000}, "min_words", "hands drawn, none has 2 tiles"),
        ("deal", {"seed": ""}, "seed", "1 or more characters expected"),
        ("deal", {"lexicon": "nope"}, "lexicon", "there is no lexicon named 'nope'"),
    ],
)
def test_errors_name_their_field(
    client: TestClient, path: str, body: dict[str, Any], field: str, says: str
) -> None:
    error = problem(client.post(f"/api/scrabblet/{path}", json=body), 422)
    assert says in error["detail"]
    assert field in error["errors"][0]["location"]


def test_a_hand_that_makes_nearly_every_word_is_counted_whole_and_listed_in_part(client: TestClient) -> None:
    found = ask(client, "words", rack="etaoinshrdluc??", min_length=2, sort="score")
    assert found["word_count"] > 100_000
    assert len(found["words"]) == 20_000
    first = ask(client, "words", rack="etaoinshrdluc??", min_length=2, sort="score", limit=3)
    assert (first["words"], first["points"]) == (found["words"][:3], found["points"])


def test_a_signature_is_of_letters(client: TestClient) -> None:
    error = problem(client.get("/api/scrabblet/signature/cr3p"), 422)
    assert "only the letters a to z are accepted" in error["detail"]
    problem(client.get("/api/scrabblet/signature/crap?lexicon=nope"), 422)


def test_the_engine_is_described_with_examples(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert {"/api/scrabblet/words", "/api/scrabblet/deal", "/api/scrabblet/signature/{word}"} <= set(
        document["paths"]
    )
    asked = document["paths"]["/api/scrabblet/words"]["post"]["requestBody"]["content"]["application/json"]
    name = asked["schema"]["$ref"].rpartition("/")[2]
    for body in document["components"]["schemas"][name]["examples"]:
        assert ask(client, "words", **body)["word_count"] > 0
