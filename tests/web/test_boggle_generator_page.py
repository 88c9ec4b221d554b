"""The board generator's page, and the boards of its gallery."""

import html
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from app.games.boggle import catalogue
from tests.web.boggle_tables import begin_round
from tests.web.browsing import HTML


def gallery(page: str) -> list[str]:
    return re.findall(r'class="bog-letters"[^>]*value="([^"]+)"', page)


def test_the_generators_address_holds_everything(client: TestClient, stranger: TestClient) -> None:
    first = client.get("/boggle/generator?algorithm=greedy-cad&size=3x5&count=4", headers=HTML)
    query = parse_qs(urlsplit(str(first.url)).query)
    assert query["seed"], "a random seed is chosen and shown"
    boards = gallery(first.text)
    assert len(boards) == 4
    assert all(re.fullmatch(r"(\w{5} ){2}\w{5}", board) for board in boards)
    assert gallery(stranger.get(str(first.url)).text) == boards
    api = client.get("/api/boggle", params=query).json()
    assert [" ".join(board["board"]) for board in api["boards"]] == boards
    for board in api["boards"]:
        assert f"<b>{board['count']}</b>" in first.text
        assert f"<b>{board['points']}</b>" in first.text
    fresh = client.get(f"{first.url}&fresh=1", headers=HTML)
    assert gallery(fresh.text) != boards


def test_every_algorithm_is_described(client: TestClient) -> None:
    page = html.unescape(client.get("/boggle/generator?seed=a&count=1").text)
    for entry in client.get("/api/boggle/algorithms").json()["algorithms"]:
        assert entry["description"] in page
        assert f'value="{entry["name"]}"' in page
        if entry["averages"]:
            assert f"<td>{round(entry['averages']['words'])}</td>" not in page


def test_averages_are_shown_only_for_the_list_and_size_they_were_measured_with(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Treat the shipped list as that of the published study."""
    page = html.unescape(client.get("/boggle/generator?seed=a&count=3&algorithm=cad").text)
    assert "dwyl’s words_alpha (370,073 words)" in page
    assert "The 3 boards below" in page
    assert "100,000 boards" not in page
    boards = client.get("/api/boggle", params={"seed": "a", "count": 3, "algorithm": "cad"}).json()["boards"]
    assert f"<b>{sum(board['points'] for board in boards) / 3:.1f}</b> points on average" in page
    ours = client.app.state.services.library.info("english").sha256  # type: ignore[attr-defined]
    monkeypatch.setattr(catalogue, "PUBLISHED_LIST", ours)
    (entry,) = [
        one for one in client.get("/api/boggle/algorithms").json()["algorithms"] if one["name"] == "cad"
    ]
    page = html.unescape(client.get("/boggle/generator?seed=a&count=3&algorithm=cad").text)
    assert "Of 100,000 boards" in page
    assert f"<td>{round(entry['averages']['words'])}</td>" in page
    for other in ("size=5", "min_length=4", "qu=true"):
        page = client.get(f"/boggle/generator?seed=a&count=3&algorithm=cad&{other}").text
        assert "100,000 boards" not in page


@pytest.mark.parametrize(
    ("query", "field", "says"),
    [
        ("size=9", "size", "2 to 8"),
        ("size=big", "size", "4x5"),
        ("algorithm=magic", "algorithm", "there are rnd, vcr"),
        ("count=61", "count", "60 or less expected"),
        ("count=many", "count", "A whole number expected"),
        ("algorithm=adj&seeds=99", "seeds", "64 or less expected"),
        ("algorithm=adj&seeds=20", "seeds", "16 cells"),
        ("algorithm=target&word=x1", "word", "cannot be hidden"),
        ("algorithm=rnd&min_words=5000&budget_ms=20&count=1", "budget_ms", "ask for fewer words"),
        ("algorithm=target&word=abcdefghijklmnopqrst&count=1", "word", ""),
        ("lexicon=klingon", "lexicon", "klingon"),
    ],
)
def test_errors_stand_beside_their_field(client: TestClient, query: str, field: str, says: str) -> None:
    answer = client.get(f"/boggle/generator?seed=a&{query}", headers=HTML)
    assert answer.status_code == 422
    wrong = re.search(rf'class="field-error" id="{field}-error">([^<]+)<', answer.text)
    assert wrong, answer.text
    assert says in html.unescape(wrong[1])
    assert f'aria-describedby="{field}-error"' in answer.text
    assert gallery(answer.text) == []


@pytest.mark.parametrize(
    "query", ["count=60&size=8x8&include_words=true", "include_words=x", "hue=red", "algorithm=rnd&words=x"]
)
def test_an_error_of_a_field_that_the_page_lacks_is_shown_too(client: TestClient, query: str) -> None:
    answer = client.get(f"/boggle/generator?seed=a&{query}", headers=HTML)
    assert (answer.status_code == 422) == ("field-error" in answer.text) == (query != "hue=red")


def test_no_error_is_shown_twice(client: TestClient) -> None:
    page = client.get("/boggle/generator?seed=a", headers=HTML).text
    fields = set(re.findall(r'<(?:input|select) id="(\w+)" name="\1"', page))
    assert {"algorithm", "count", "budget_ms"} <= fields
    for field in sorted(fields):
        algorithm = {"vowels": "fve", "seeds": "adj", "decay": "sdr"}.get(field, "target")
        query = {"seed": "a", "algorithm": algorithm, field: "!" * 99}
        answer = client.get("/boggle/generator", params=query, headers=HTML)
        assert answer.text.count(f'id="{field}-error"') <= 1, field


def test_options_of_another_algorithm_do_no_harm(client: TestClient) -> None:
    with_option = client.get("/boggle/generator?algorithm=rnd&decay=0.5&word=cat&seed=a&count=2")
    assert with_option.status_code == 200
    plain = client.get("/boggle/generator?algorithm=rnd&seed=a&count=2")
    assert gallery(with_option.text) == gallery(plain.text)


def test_a_board_of_the_gallery_is_played_and_shows_all_its_words(client: TestClient) -> None:
    page = client.get("/boggle/generator?algorithm=dice&seed=b&count=1", headers=HTML).text
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
    assert fields["qu"] == "true"
    address = client.post("/boggle/play", data=fields, follow_redirects=False).headers["location"]
    begin_round(client, address)
    view = client.get(f"/api{address}").json()["view"]
    assert " ".join(view["board"]) == fields["board"] == gallery(page)[0]
    link = re.search(r'href="(/boggle/board[^"]+)"', page)
    assert link
    solved = client.get(html.unescape(link[1]), headers=HTML)
    api = client.post("/api/boggle/solve", json={"rows": view["board"], "qu": True}).json()
    assert solved.text.count('class="pill"') == api["count"]
    shown = client.get(html.unescape(link[1]) + f"&show={api['words'][0]['word']}").text
    assert shown.count("tile--drawn") == len(api["words"][0]["path"])


@pytest.mark.parametrize("query", ["", "?rows=ab", "?rows=ab+c1", "?rows=abcd&min_length=99"])
def test_an_invalid_board_is_refused(client: TestClient, query: str) -> None:
    assert client.get(f"/boggle/board{query}", headers=HTML).status_code == 422
