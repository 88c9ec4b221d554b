"""Word studies without scripts."""

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from app.words.lexicon import Lexicon
from app.words.patterns import matching
from app.words.studies import anagrams, beginnings, hooks, statistics
from app.words.vocabulary import LEVELS, level_of

PAGE = {"accept": "text/html"}


def page(client: TestClient, path: str = "/words", status: int = 200, /, **fields: object) -> str:
    params = {name: str(value) for name, value in fields.items()}
    answer = client.get(path, params=params or None, headers=PAGE)
    assert answer.status_code == status, answer.text
    return unescape(answer.text)


def listed(html: str) -> list[str]:
    return re.findall(r'class="word-name" href="/words/(\w+)"', html)


def linked(html: str, heading: str) -> list[str]:
    (part,) = re.findall(rf"<dt>{heading}</dt><dd>(.*?)</dd>", html, re.DOTALL)
    return re.findall(r'href="/words/(\w+)"', part)


def test_without_a_question_every_study_has_its_form(client: TestClient) -> None:
    for study in ("anagrams", "hooks", "pattern"):
        html = page(client, study=study)
        assert 'name="letters"' in html
        assert listed(html) == []
        assert re.findall(r'aria-current="page">(\w+)<', html)


def test_anagrams_come_in_pages(client: TestClient, lexicon: Lexicon) -> None:
    found = anagrams(lexicon, "retains?")
    seen: list[str] = []
    address = "/words?letters=RETAINS%3F"
    while address:
        html = page(client, address)
        seen += listed(html)
        more = re.findall(r'href="([^"]+)" rel="next"', html)
        address = more[0] if more else ""
    assert tuple(seen) == found
    assert len(found) > 50
    assert f"{len(found)} words" in html


def test_shorter_words_are_found_when_asked_for(client: TestClient, lexicon: Lexicon) -> None:
    assert tuple(listed(page(client, letters="caterg", shortest=5))) == anagrams(lexicon, "caterg", 5)
    assert "Set a shortest word to find those" in page(client, letters="qqq")


def test_a_vocabulary_leaves_rarer_words_out(client: TestClient, lexicon: Lexicon) -> None:
    everything = anagrams(lexicon, "retains")
    known = [word for word in everything if level_of(lexicon, word) in LEVELS[:3]]
    assert listed(page(client, letters="retains", level="highbrow")) == known
    assert 0 < len(known) < len(everything)


def test_a_pattern_lists_words_with_hooks_and_levels(client: TestClient, lexicon: Lexicon) -> None:
    html = page(client, study="pattern", letters="q[^u]*")
    assert tuple(listed(html)) == matching(lexicon, "q[^u]*")[:50]
    assert '<span class="visually-hidden">back hooks </span>' in html
    assert "https://en.wiktionary.org/wiki/qi" in html


def test_hooks_lead_to_the_longer_words(client: TestClient, lexicon: Lexicon) -> None:
    html, found = page(client, study="hooks", letters="top"), hooks(lexicon, "top")
    assert linked(html, "Front hooks") == [letter + "top" for letter in found.front]
    assert linked(html, "Back hooks") == ["top" + letter for letter in found.back]
    assert len(linked(html, "With it inside")) == 20
    assert "more" in html


def test_stems_lead_to_the_bingos_they_make(client: TestClient) -> None:
    html = page(client, study="stems")
    stem = re.findall(r'<td><a href="(/words\?study=stems&letters=\w{6})">', html)[0]
    assert "with" in page(client, stem)
    assert "insanest" not in linked(page(client, study="stems", letters="satine"), "S")
    assert "entasis" in linked(page(client, study="stems", letters="satine"), "S")


def test_figures_are_those_of_the_list(client: TestClient, lexicon: Lexicon) -> None:
    html, found = page(client, study="statistics"), statistics(lexicon)
    four = beginnings(lexicon)
    assert f"{len(four):,} of 456,976" in html
    assert f'letters=over%2A">OVER</a> {four["over"]:,}' in html
    assert f"{found.words:,}" in html
    assert f"{found.plurals:,}" in html
    assert f"{100 * found.plurals_share:.1f}%" in html


@pytest.mark.parametrize(
    ("typed", "name", "says"),
    [
        ({"letters": "a1"}, "letters", "'a1' are not letters"),
        ({"letters": "a" * 31}, "letters", "30 or fewer characters"),
        ({"study": "pattern", "letters": "a("}, "letters", "'a(' is not a pattern"),
        ({"study": "hooks", "letters": "to?"}, "letters", "'to?' is not a word"),
        ({"study": "stems", "letters": "sat?"}, "letters", "'sat?' is not a word"),
        ({"letters": "cat", "shortest": "x"}, "shortest", "whole number expected"),
        ({"letters": "cat", "level": "genius"}, "level", "expected"),
        ({"letters": "cat", "lexicon": "klingon"}, "lexicon", "klingon"),
    ],
)
def test_errors_stand_beside_their_field_and_typed_input_is_kept(
    client: TestClient, typed: dict[str, str], name: str, says: str
) -> None:
    html = page(client, "/words", 422, **typed)
    (said,) = re.findall(rf'id="error-{name}">([^<]*)</p>', html)
    assert says in said
    assert f'value="{typed["letters"]}"' in html


def test_a_word_has_a_page_of_its_own(client: TestClient) -> None:
    html = page(client, "/words/friends")
    assert ">valid<" in html
    assert "a basic word" in html
    assert 'href="/words/redfins"' in html
    assert linked(html, "Shortened") == ["friend"]
    assert "https://en.wiktionary.org/wiki/friends" in html
    assert "not valid" in page(client, "/words/friendz")


def test_capitals_lead_to_the_word_and_nonsense_nowhere(client: TestClient) -> None:
    answer = client.get("/words/FriendS", headers=PAGE, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (301, "/words/friends")
    assert "is not a word" in page(client, "/words/fr1ends", 404)
    page(client, "/words/" + "a" * 31, 404)
    page(client, "/words/daily")


def test_every_page_leads_to_the_words(client: TestClient) -> None:
    assert 'href="/words"' in page(client, "/")


def test_study_lists_come_in_pages_and_orders(client: TestClient, lexicon: Lexicon) -> None:
    two = [word for word in lexicon if len(word) == 2]
    html = page(client, study="lists", list="two-letters")
    assert listed(html) == two[:50]
    assert 'rel="next"' in html
    common = page(client, study="lists", list="all", length=5, level="common", order="frequency")
    assert len(listed(common)) == 50
    assert {len(word) for word in listed(common)} == {5}
    for wrong in ({"list": "none"}, {"length": "x"}, {"order": "random"}):
        assert "field-error" in page(client, "/words", 422, study="lists", **wrong)
