"""Cookie files: permissions, format of curl, errors."""

from pathlib import Path

import httpx
import pytest

from app.client import BadCookieFile, CookieFile


def keep(file: Path, value: str) -> None:
    cookies = CookieFile(file)
    answer = httpx.Response(
        200, headers={"set-cookie": f"wibble_player={value}; Max-Age=1000; Path=/; HttpOnly"}
    )
    with httpx.Client(cookies=cookies.jar, transport=httpx.MockTransport(lambda _: answer)) as client:
        client.get("http://words.example/")
    cookies.save()


def sent(file: Path, url: str = "http://words.example/") -> str | None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200)

    with httpx.Client(cookies=CookieFile(file).jar, transport=httpx.MockTransport(answer)) as client:
        client.get(url)
    cookie: str | None = asked[0].headers.get("cookie")
    return cookie


def test_a_file_is_made_for_its_owner_alone_and_stays_so(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "cookies.txt"
    keep(file, "one")
    keep(file, "two")
    assert file.stat().st_mode & 0o777 == 0o600
    assert sent(file) == "wibble_player=two"
    assert sent(file, "http://other.example/") is None
    assert [each.name for each in file.parent.iterdir()] == ["cookies.txt"]


def test_what_curl_has_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "jar"
    file.write_text(
        "# Netscape HTTP Cookie File\n# https://curl.se/docs/http-cookies.html\n\n"
        "#HttpOnly_words.example\tFALSE\t/\tFALSE\t4102444800\twibble_player\tabc\n"
    )
    assert sent(file) == "wibble_player=abc"


def test_each_server_has_a_file_of_its_own(tmp_path: Path) -> None:
    urls = (
        "http://a.example",
        "http://b.example",
        "http://a.example:81",
        "http://[::1]:80",
        "http://[::1]:81",
    )
    files = {CookieFile.of_server(tmp_path, httpx.URL(url)).file for url in urls}
    assert len(files) == len(urls)
    assert all(file.parent == tmp_path for file in files)


@pytest.mark.parametrize(
    "content", [b"hello\n", b"\xff\xfe\x00", b"# Netscape HTTP Cookie File\nbroken line\n"]
)
def test_another_file_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes"
    file.write_bytes(content)
    with pytest.raises(BadCookieFile, match="is not a cookie file"):
        CookieFile(file)
    assert file.read_bytes() == content


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadCookieFile, match="file"):
        CookieFile(tmp_path / "file" / "cookies.txt")
