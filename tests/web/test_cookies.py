"""After a first cookie, the next page checks that the browser kept it; other pages do not."""

from fastapi.testclient import TestClient

PAGE = {"Accept": "text/html"}


def location(client: TestClient, path: str, headers: dict[str, str]) -> str:
    answer = client.post(path, data={}, headers=headers, follow_redirects=False)
    assert answer.status_code == 303
    return str(answer.headers["location"])


def test_a_browser_goes_on_with_its_cookie_and_sees_an_error_without(
    client: TestClient,
) -> None:
    asked = location(client, "/play", PAGE)
    kept = client.get(asked, headers=PAGE, follow_redirects=False)
    assert (kept.status_code, kept.headers["location"]) == (303, asked.partition("?")[0])
    assert client.get(kept.headers["location"], headers=PAGE).status_code == 200
    client.cookies.clear()
    refused = client.get(asked, headers=PAGE)
    assert refused.status_code == 403
    assert "Your browser blocked the cookie" in refused.text
    assert "Content-Security-Policy" in refused.headers


def test_programs_and_known_players_are_not_asked(client: TestClient) -> None:
    assert "?" not in location(client, "/play", {"Accept": "*/*"})
    assert "?" not in location(client, "/play", PAGE)
    assert "?" not in location(client, "/me/erase", PAGE)


def test_the_cookie_check_leads_back_to_this_site_only(client: TestClient) -> None:
    location(client, "/play", PAGE)
    for path in (
        "//elsewhere.example/x",
        "///elsewhere.example/x",
        "/%2F/elsewhere.example/x",
        "/\\elsewhere.example",
    ):
        answer = client.get(
            f"http://testserver{path}?cookie-given=&a=1", headers=PAGE, follow_redirects=False
        )
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/elsewhere") or "%5C" in answer.headers["location"]
        assert answer.headers["location"].endswith("?a=1")
