"""Quizzes without scripts."""

import re
from html import unescape

from fastapi.testclient import TestClient

from app.words.lexicon import Lexicon
from app.words.studies import anagrams, hooks
from tests.web.conftest import Clock, Serve

HTML = {"accept": "text/html"}


def start(client: TestClient, **fields: object) -> str:
    """Start a quiz; return the page of its first question."""
    answer = client.post("/quiz", data={name: str(value) for name, value in fields.items()}, headers=HTML)
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def prompt(page: str) -> str:
    (found,) = re.findall(r'id="prompt">([^<]+)<', page)
    return str(found).lower()


def reply(client: TestClient, page: str, **fields: str) -> str:
    (action,) = re.findall(r'action="(/quiz/[^"]+)"', page)
    answer = client.post(action, data=fields, headers=HTML)
    assert answer.status_code == 200, answer.text
    return unescape(answer.text)


def test_a_quiz_without_a_mistake_ends_with_full_marks_and_the_speed(
    client: TestClient, lexicon: Lexicon, clock: Clock
) -> None:
    page = start(client, list="three-letters-jqxz", questions=10)
    for number in range(1, 11):
        assert f"question {number} of 10" in page
        clock.now += 3
        page = reply(client, page, answer=" ".join(anagrams(lexicon, prompt(page))))
        assert "Right" in page
    assert "10 of 10" in page
    assert "100%" in page
    assert re.search(r"Words a minute</dt><dd>20.0<", page)
    assert "0:30" in page
    assert "Missed" not in page


def test_a_wrong_answer_is_shown_with_the_right_one(client: TestClient, lexicon: Lexicon) -> None:
    page = start(client, list="two-letters", kind="hooks", questions=2)
    word = prompt(page)
    page = reply(client, page, front="", back="")
    assert "Wrong" in page
    assert f'href="/words/{word}"' in page
    second = hooks(lexicon, prompt(page))
    page = reply(client, page, front=second.front, back=second.back)
    assert "1 of 2" in page
    assert "50%" in page
    assert f'href="/words/{word}">{word}</a>' in page


def test_valid_or_not_asks_about_both(client: TestClient, lexicon: Lexicon) -> None:
    page, seen = start(client, list="all", length=5, level="common", kind="validity", questions=50), set()
    for _ in range(50):
        valid = prompt(page) in lexicon
        seen.add(valid)
        page = reply(client, page, answer="yes" if valid else "no")
    assert seen == {True, False}
    assert "50 of 50" in page


def test_a_quiz_that_is_over_stays_as_it_is(client: TestClient) -> None:
    page = start(client, kind="validity", questions=1)
    (action,) = re.findall(r'action="(/quiz/[^"]+)"', page)
    done = client.post(action, data={"answer": "x"}, headers=HTML).url.path
    assert client.post(done, data={"answer": "yes"}, headers=HTML).url.path == done
    assert "0 of 1" in client.get(done, headers=HTML).text


def test_a_forged_quiz_is_not_found(client: TestClient) -> None:
    page = start(client, questions=1)
    (action,) = re.findall(r'action="(/quiz/[^"]+)"', page)
    for token in ("nonesuch", action.removeprefix("/quiz/")[:-1] + "~"):
        assert client.get(f"/quiz/{token}", headers=HTML).status_code == 404
        assert client.post(f"/quiz/{token}", data={"answer": "x"}, headers=HTML).status_code == 404


def test_wrong_settings_are_named_at_their_fields(client: TestClient) -> None:
    for field, value in (
        ("list", "none"),
        ("kind", "chess"),
        ("lexicon", "klingon"),
        ("length", "x"),
        ("questions", "51"),
    ):
        answer = client.post("/quiz", data={field: value}, headers=HTML)
        assert answer.status_code == 422
        assert re.search(rf'id="error-{field}">[^<]', answer.text), field
    none = client.post("/quiz", data={"list": "two-letters", "length": "9"}, headers=HTML)
    assert none.status_code == 422
    assert "word of this list has such a question" in none.text


def test_definitions_are_asked_where_a_dictionary_is_installed(serve: Serve) -> None:
    bare = serve()
    assert 'value="definition"' not in bare.get("/quiz", headers=HTML).text


def test_a_study_list_leads_to_its_quiz(client: TestClient) -> None:
    page = unescape(client.get("/words?study=lists&list=q-without-u&length=4", headers=HTML).text)
    (address,) = re.findall(r'href="(/quiz\?[^"]+)"', page)
    form = client.get(address, headers=HTML).text
    assert re.search(r'value="q-without-u" selected', form)
    assert 'name="length" value="4"' in form
