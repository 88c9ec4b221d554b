"""Cards on their pages and in the API: adding, answering, changing and undoing, lists, export and import."""

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.web.browsing import HTML, HTMX
from tests.web.conftest import Serve

RETINA = {"word": "retina", "ask": "anagram"}
RIGHT = "ratine retain retina"


def add(client: TestClient, *words: str, **more: Any) -> None:
    client.post("/api/cards", json={"words": words, **more}).raise_for_status()


def fields(page: str) -> dict[str, str]:
    """The hidden fields of the card on the page."""
    form = page[page.index('action="/cards/answer"') :]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w*)">', form))


def answer(client: TestClient, page: str, **said: str) -> str:
    """The page after an answer."""
    shown = client.post("/cards/answer", data=fields(page) | said, headers=HTML)
    assert shown.status_code == 200, shown.text
    return str(shown.text)


def named_answer(page: str, act: str) -> dict[str, str]:
    """The hidden fields of a form on the page that changes the latest answer."""
    form = page[page.index(f'action="/cards/{act}"') :].partition("</form>")[0]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w*)">', form))


def test_a_card_is_reviewed_without_script(client: TestClient, clock: Any) -> None:
    assert "No cards yet" in client.get("/cards", headers=HTML).text
    assert "due" not in client.get("/").text
    shown = client.post("/cards", data={"word": ["retina"], "ask": "anagram"}, headers=HTML)
    assert "1 card added" in shown.text
    assert "AEINRT" in shown.text
    assert "1 card due" in client.get("/").text
    page = answer(client, shown.text, answer="RETAIN, retina")
    assert "Right, but not all." in page
    assert "Again in 6 minutes." in page
    assert "Nothing is due." in page
    page = client.post("/cards/grade", data={"grade": "easy"}, headers=HTML).text
    assert "Again in 8 days." in page
    page = client.post("/cards/undo", headers=HTML).text
    page = answer(client, page, answer="nothing")
    assert "Wrong." in page
    assert 'action="/cards/grade"' not in page
    clock.now += 61
    page = answer(client, client.get("/cards").text, answer=RIGHT)
    assert "<b>Right.</b>" in page


def test_a_review_by_script_gets_only_the_review(client: TestClient) -> None:
    add(client, "retina", "satire")
    page = client.get("/cards").text
    shown = client.post("/cards/answer", data=fields(page) | {"answer": RIGHT}, headers=HTMX)
    assert shown.text.strip().startswith('<div class="review"')
    assert "AEIRST" in shown.text


def test_an_answer_sent_twice_counts_once(client: TestClient) -> None:
    add(client, "retina")
    page = client.get("/cards").text
    for _ in range(2):
        answer(client, page, answer=RIGHT)
    assert client.get("/api/cards?due=false").json()["cards"][0]["reps"] == 1
    said = RETINA | {"reps": 0, "answer": RIGHT}
    assert client.post("/api/cards/answers", json=said).status_code == 409


def test_an_undo_sent_twice_counts_once(client: TestClient, clock: Any) -> None:
    add(client, "retina", "satire")
    page = client.get("/cards").text
    for _ in range(2):
        clock.now += 1
        page = answer(client, page, answer=RIGHT)
    for _ in range(2):
        assert client.post("/cards/undo", data=named_answer(page, "undo"), headers=HTML).status_code == 200
    cards = client.get("/api/cards?due=false").json()["cards"]
    assert sorted(card["reps"] for card in cards) == [0, 1]
    (answered,) = (card for card in cards if card["reps"])
    named = {"word": answered["word"], "ask": "anagram", "reps": 1}
    assert client.post("/api/cards/undo", json=named | {"reps": 2}).status_code == 409
    assert client.post("/api/cards/undo", json=named).json()["reps"] == 0
    assert client.post("/api/cards/undo", json=named).status_code == 404
    assert client.post("/api/cards/undo", json={"reps": 1}).status_code == 422


def test_a_grade_from_a_stale_page_changes_no_later_answer(client: TestClient, clock: Any) -> None:
    add(client, "retina", "satire")
    stale = answer(client, client.get("/cards").text, answer=RIGHT)
    clock.now += 1
    said = {"word": "satire", "ask": "anagram"}
    client.post("/api/cards/answers", json=said | {"reps": 0, "answer": "satire"}).raise_for_status()
    before = client.get("/api/cards?due=false").json()
    page = client.post("/cards/grade", data=named_answer(stale, "grade") | {"grade": "easy"}, headers=HTML)
    assert "SATIRE" in page.text
    for named in (RETINA | {"reps": 1}, said | {"reps": 2}):
        refused = client.post("/api/cards/grade", json={"grade": "easy", "answer": named})
        assert (refused.status_code, "'satire' (anagram" in refused.json()["detail"]) == (409, True)
    assert client.get("/api/cards?due=false").json() == before
    client.post("/cards/grade", data=named_answer(page.text, "grade") | {"grade": "easy"}, headers=HTML)
    assert client.get("/api/cards?due=false").json() != before
    latest = {"grade": "hard", "answer": said | {"reps": 1}}
    assert client.post("/api/cards/grade", json=latest).json()["reps"] == 1


def test_each_kind_is_asked_and_graded(client: TestClient) -> None:
    add(client, "cat", ask="hooks")
    add(client, "cat", "zzyx", ask="validity")
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"word": "cat", "ask": "validity", "answer": "no"}, "again"),
        ({"word": "zzyx", "ask": "validity", "answer": "no"}, "good"),
        ({"word": "cat", "ask": "hooks", "front": "", "back": ""}, "again"),
    )
    for said, grade in cases:
        graded = client.post("/api/cards/answers", json=said | {"reps": 0})
        assert graded.json()["grade"] == grade, graded.text
    solution = graded.json()["solution"]
    front, back = re.findall(r"front (\w+), back (\w+)", solution)[0]
    said = {"word": "cat", "ask": "hooks", "front": front, "back": back, "reps": 1}
    assert client.post("/api/cards/answers", json=said).json()["grade"] == "good"


def test_the_same_letters_make_one_anagram_card(client: TestClient) -> None:
    assert client.post("/api/cards", json={"words": ["retina", "retain"]}).json() == {"added": 1}
    assert client.post("/api/cards", json={"words": ["Retain"]}).json() == {"added": 0}
    assert client.post("/api/cards", json={"words": ["retain"], "ask": "validity"}).json() == {"added": 1}


@pytest.mark.parametrize(
    "body",
    [
        {"words": ["zzyx"]},
        {"words": ["retina", "rétina"], "ask": "validity"},
        {"words": ["\0"], "ask": "validity"},
        {"words": []},
        {"words": ["a" * 31]},
        {"words": ["retina"] * 201},
        {"words": ["retina"], "ask": "guess"},
        {"words": ["retina"], "ask": "definition"},
        {"words": ["retina"], "lexicon": "klingon"},
        {"words": ["retina"], "more": 1},
    ],
)
def test_cards_that_cannot_be_asked_are_refused(client: TestClient, body: Any) -> None:
    assert client.post("/api/cards", json=body).status_code == 422
    assert client.get("/api/cards").json()["total"] == 0


def test_words_of_a_form_that_cannot_be_asked_are_left_out(client: TestClient) -> None:
    client.post("/cards", data={"word": ["retina", "zzyx"], "ask": "anagram"}).raise_for_status()
    assert [card["word"] for card in client.get("/api/cards").json()["cards"]] == ["retina"]
    assert client.post("/cards", data={"word": ["zzyx"], "ask": "anagram"}).status_code == 422
    away = {"word": "retina", "ask": "anagram", "back": "//elsewhere.example"}
    assert client.post("/cards", data=away).status_code == 422


def test_the_cards_of_others_cannot_be_changed(client: TestClient, stranger: TestClient) -> None:
    add(client, "retina")
    client.post("/api/cards/answers", json=RETINA | {"reps": 0, "answer": RIGHT}).raise_for_status()
    assert stranger.get("/api/cards?due=false").json()["cards"] == []
    assert stranger.post("/api/cards/answers", json=RETINA | {"reps": 1}).status_code == 404
    for act, body in (("undo", None), ("grade", {"grade": "easy"})):
        refused = stranger.post(f"/api/cards/{act}", json=body)
        assert refused.status_code == 404
        wanted = "to take back" if act == "undo" else "to grade"
        assert refused.json()["detail"] == f"you have no answer {wanted}: answer a card first"
    assert stranger.delete("/api/cards/english/anagram/retina").status_code == 404
    assert client.delete("/api/cards/english/anagram/retina").status_code == 204
    assert client.delete("/api/cards/english/anagram/retina").status_code == 404
    assert client.delete("/api/cards/english/guess/retina").status_code == 422
    assert client.post("/api/cards/undo").status_code == 404


def test_the_list_has_pages(client: TestClient) -> None:
    words = client.get("/api/words/studies/lists/two-letters?limit=60").json()["words"]
    add(client, *(each["word"] for each in words[:60]), ask="validity")
    page = client.get("/cards/all").text
    assert "60 cards" in page
    assert page.count(">Remove<") == 50
    last = client.get("/cards/all?start=50").text
    assert last.count(">Remove<") == 10
    word = re.findall(r'name="word" value="(\w+)"', last)[0]
    gone = {"word": word, "ask": "validity", "start": "50"}
    assert "59 cards" in client.post("/cards/remove", data=gone, headers=HTML).text


def test_cards_go_out_and_come_in_as_they_were(client: TestClient, stranger: TestClient) -> None:
    add(client, "retina", "satire")
    client.post("/api/cards/answers", json=RETINA | {"reps": 0, "answer": RIGHT}).raise_for_status()
    table = client.get("/cards/export.csv")
    assert table.headers["content-type"].startswith("text/csv")
    assert table.text == client.get("/api/cards/export").text
    shown = stranger.post("/cards/import", files={"file": ("cards.csv", table.content)}, headers=HTML)
    assert "2 cards added" in shown.text
    assert stranger.get("/cards/export.csv").text == table.text
    kept = client.get("/me/export").json()["cards"]
    assert [(card["word"], card["reps"]) for card in kept] == [("retina", 1), ("satire", 0)]
    notes = client.get("/cards/export.txt").text
    assert notes == client.get("/api/cards/export?format=anki").text
    again = stranger.post("/api/cards/import", content=notes, headers={"content-type": "text/plain"})
    assert again.json() == {"added": 0}, "its cards are older"


def test_a_file_that_is_wrong_imports_nothing(client: TestClient) -> None:
    wrong = "word,ask\nretina,anagram\nzzyx,anagram\n"
    shown = client.post("/cards/import", files={"file": ("cards.csv", wrong)}, headers=HTML)
    assert shown.status_code == 422
    assert "Line 3, column word: &#39;zzyx&#39; is not in the list english." in shown.text
    answer = client.post("/api/cards/import", content=wrong, headers={"content-type": "text/plain"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["location"] == ["body", 3, "word"]
    binary = client.post("/cards/import", files={"file": ("cards.csv", b"\xff\xfe")}, headers=HTML)
    assert (binary.status_code, "UTF-8" in binary.text) == (422, True)
    binary = client.post("/api/cards/import", content=b"\xff\xfe", headers={"content-type": "text/plain"})
    assert (binary.status_code, binary.json()["detail"]) == (422, "text in UTF-8 expected, other bytes given")
    assert client.get("/api/cards").json()["total"] == 0


def test_as_many_cards_as_there_may_be_are_exported_and_imported(
    client: TestClient, stranger: TestClient
) -> None:
    letters = "abcdefghijklmnopqr"
    words = [a + b + c + d for a in letters for b in letters for c in letters for d in letters[:1]][:5000]
    time = "2027-01-15T08:00:00.123000+00:00"
    line = f",validity,english,review,,12.345678901234567,5.112170705601056,{time},{time},100,10,{time}\n"
    head = "word,ask,lexicon,state,step,stability,difficulty,due,last_review,reps,lapses,created_at\n"
    table = head + "".join(word + line for word in words)
    assert 500_000 < len(table) < 1_000_000
    text = {"content-type": "text/plain"}
    assert client.post("/api/cards/import", content=table, headers=text).json() == {"added": 5000}
    exported = client.get("/api/cards/export").text
    assert sorted(exported.splitlines()) == sorted(table.splitlines())
    shown = stranger.post("/cards/import", files={"file": ("cards.csv", exported)}, headers=HTML)
    assert "5,000 cards added" in shown.text
    assert client.post("/api/cards", json={"words": ["retina"]}).status_code == 429
    assert client.post("/api/cards/import", content=table + 1_500_000 * " ", headers=text).status_code == 413
    assert client.post("/api/cards", json={"words": ["a" * 70_000]}).status_code == 413


def test_cards_that_the_player_has_already_do_not_count_again(serve: Serve) -> None:
    client = serve(rate_cards="4/day")
    text = {"content-type": "text/plain"}
    table = "word,ask\nstone,anagram\nretina,anagram\nstone,validity\n"

    def add(*words: str) -> int:
        status: int = client.post("/api/cards", json={"words": words}).status_code
        return status

    assert add("stone", "notes", "stone") == 201, "they have the same letters, which counts once"
    for _ in range(3):
        assert client.post("/api/cards/import", content=table, headers=text).status_code == 200
        assert add("stone", "onset", "retina") == 201
        client.post("/cards", data={"word": "stone", "ask": "validity"}).raise_for_status()
    assert add("listen") == 201
    assert add("enlist", "stone") == 201
    assert add("planet") == 429


def test_a_card_whose_word_is_gone_can_be_removed(client: TestClient) -> None:
    table = "word,ask\ncat,definition\n"  # no dictionary is installed
    client.post("/cards/import", files={"file": ("cards.csv", table)}).raise_for_status()
    page = client.get("/cards").text
    assert "CAT can no longer be asked" in page
    said = {"word": "cat", "ask": "definition", "reps": 0, "answer": "cat"}
    assert client.post("/api/cards/answers", json=said).status_code == 422
    assert client.get("/api/cards").json()["cards"][0]["prompt"] is None
    client.post("/cards/remove", data={"word": "cat", "ask": "definition"}).raise_for_status()
    assert client.get("/api/cards").json()["total"] == 0


def test_the_page_of_a_word_says_which_cards_it_has(client: TestClient) -> None:
    page = client.get("/words/retain", headers=HTML).text
    assert [f'value="{ask}"' in page for ask in ("anagram", "hooks", "validity")] == [True] * 3
    for ask in ("anagram", "hooks"):
        data = {"word": "retina", "ask": ask, "back": "/words/retina"}
        assert client.post("/cards", data=data, headers=HTML).url.path == "/words/retina"
    page = client.get("/words/retain", headers=HTML).text
    assert [f'value="{ask}"' in page for ask in ("anagram", "hooks", "validity")] == [False, True, True]
    assert 'value="anagram"' not in client.get("/words/zzyx", headers=HTML).text


def test_a_study_list_and_a_quiz_become_cards(client: TestClient) -> None:
    for address, number in (("/words?study=lists&list=q-without-u", 50), (quiz(client), 1)):
        page = client.get(address, headers=HTML).text
        form = page[page.index('action="/cards"') :].partition("</form>")[0]
        words = re.findall(r'name="word" value="(\w+)"', form)
        ask = re.findall(r'name="ask" value="(\w+)"', form)[0]
        before = client.get("/api/cards").json()["total"]
        assert client.post("/cards", data={"word": words, "ask": ask}, headers=HTML).status_code == 200
        added = client.get("/api/cards").json()["total"] - before
        assert len(words) == number
        assert 0 < added <= number


def quiz(client: TestClient) -> str:
    """The address of the result of a quiz with one word missed."""
    data = {"list": "two-letters", "kind": "hooks", "questions": "1"}
    address = client.post("/quiz", data=data, headers=HTML).url.path
    return str(client.post(address, data={"front": "q"}, headers=HTML).url.path)
