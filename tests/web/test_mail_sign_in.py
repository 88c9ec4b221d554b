"""Signing in by a link sent by mail, through a local mail server."""

import logging

import pytest
from fastapi.testclient import TestClient
from pydantic import SecretStr, ValidationError

from app.settings import Settings
from app.store.mail_addresses import LINK_SECONDS, BadAddress, clean_address
from app.web.guard.guests import COOKIE
from tests.web.browsing import HTML
from tests.web.conftest import Clock, Serve
from tests.web.inbox import SITE, Inbox
from tests.web.test_sign_in import known_as_ada, name_of

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
"""The mail server of the tests has no certificate."""

ADDRESS = "ada@example.org"


def with_mail(serve: Serve, inbox: Inbox, login: str = "wibble:pass%3Aword", **changed: object) -> TestClient:
    """Ada at a server that sends mail."""
    settings: dict[str, object] = {
        "mail_url": SecretStr(f"smtp://{login}@127.0.0.1:{inbox.port}"),
        "mail_from": "Wibble <wibble@example.org>",
        "site_url": f"{SITE}/",
        **changed,
    }
    return known_as_ada(serve(**settings))


@pytest.fixture
def ada(serve: Serve, inbox: Inbox) -> TestClient:
    return with_mail(serve, inbox)


def confirmed(ada: TestClient, inbox: Inbox, address: str = ADDRESS) -> TestClient:
    """Ada, with this address confirmed."""
    ada.post("/me/mail", data={"address": address}, headers=HTML).raise_for_status()
    link = inbox.link()
    assert ada.get(link, headers=HTML).status_code == ada.get(link, headers=HTML).status_code == 200
    assert ada.post(link, headers=HTML).url.path == "/me"
    return ada


def test_a_link_by_mail_brings_a_lost_profile_back(ada: TestClient, inbox: Inbox) -> None:
    confirmed(ada, inbox, "  ADA@example.org ")
    assert f'value="{ADDRESS}"' in ada.get("/me").text
    assert ada.get("/me/export").json()["mail_address"] == ADDRESS
    again = TestClient(ada.app)
    page = again.post("/me/sign-in/mail", data={"address": "Ada@Example.org"}, headers=HTML)
    assert "a link is on its way" in page.text
    mail = inbox.mails[-1]
    assert (mail["to"], mail["from"]) == (ADDRESS, "Wibble <wibble@example.org>")
    assert "Ada" not in mail.get_content()
    again.post(inbox.link(), headers=HTML)
    assert name_of(again) == "Ada"
    assert TestClient(ada.app).post(inbox.link(), headers=HTML).status_code == 404, "it works once"
    ada.post("/me/sign-out", headers=HTML)
    assert COOKIE not in ada.cookies, "the address allows signing in again"


def test_the_answer_is_the_same_for_known_and_unknown_addresses(ada: TestClient, inbox: Inbox) -> None:
    confirmed(ada, inbox)
    before = len(inbox.mails)
    pages = []
    for address in (ADDRESS, "bob@example.org"):
        answer = ada.post("/me/sign-in/mail", data={"address": address}, headers=HTML)
        assert answer.status_code == 200
        pages.append(answer.text.replace(address, ""))
    assert pages[0] == pages[1]
    assert [mail["to"] for mail in inbox.mails[before:]] == [ADDRESS]


def test_links_expire(ada: TestClient, inbox: Inbox, clock: Clock) -> None:
    confirmed(ada, inbox)
    ada.post("/me/sign-in/mail", data={"address": ADDRESS}, headers=HTML)
    by_mail = inbox.link()
    ada.post("/me/mail", data={"address": "new@example.org"}, headers=HTML)
    confirming = inbox.link()
    clock.now += LINK_SECONDS
    for link in (by_mail, confirming):
        assert ada.post(link, headers=HTML).status_code == 404
    assert f'value="{ADDRESS}"' in ada.get("/me").text


def test_an_address_leads_to_one_profile(ada: TestClient, inbox: Inbox) -> None:
    confirmed(ada, inbox)
    bob = TestClient(ada.app)
    bob.post("/me/nickname", data={"nickname": "Bob"})
    bob.post("/me/mail", data={"address": ADDRESS}, headers=HTML)
    refused = bob.post(inbox.link(), headers=HTML)
    assert refused.status_code == 422
    assert "belongs to another profile" in refused.text
    ada.post("/me/mail/remove", headers=HTML)
    confirmed(bob, inbox)
    ada.post("/me/sign-in/mail", data={"address": ADDRESS}, headers=HTML)
    ada.post(inbox.link(), headers=HTML)
    assert name_of(ada) == "Bob"


def test_an_erased_player_leaves_no_address(ada: TestClient, inbox: Inbox) -> None:
    confirmed(ada, inbox)
    ada.post("/me/mail", data={"address": "new@example.org"}, headers=HTML)
    link, before = inbox.link(), len(inbox.mails)
    ada.post("/me/erase", headers=HTML)
    assert ada.post(link, headers=HTML).status_code == 404
    ada.post("/me/sign-in/mail", data={"address": ADDRESS}, headers=HTML)
    assert len(inbox.mails) == before


def test_a_refused_address_stays_in_its_field(ada: TestClient) -> None:
    for path in ("/me/mail", "/me/sign-in/mail"):
        refused = ada.post(path, data={"address": "ada@example"}, headers=HTML)
        assert 'value="ada@example"' in refused.text


@pytest.mark.parametrize(
    "address",
    ["", "ada", "ada@", "@x.org", "a b@x.org", "a@x", "a@x.org\r\nBcc: b@x.org", f"{'a' * 255}@x.org"],
)
def test_an_invalid_address_is_refused(ada: TestClient, inbox: Inbox, address: str) -> None:
    with pytest.raises(BadAddress):
        clean_address(address)
    for path in ("/me/mail", "/me/sign-in/mail"):
        refused = ada.post(path, data={"address": address}, headers=HTML)
        assert refused.status_code == 422
        assert "one like ada@example.org" in refused.text
    assert inbox.mails == []


def test_mails_to_one_address_are_limited(serve: Serve, inbox: Inbox) -> None:
    ada = with_mail(serve, inbox, rate_limits=True)
    statuses: list[int] = []
    for _ in range(10):
        other = TestClient(ada.app, client=(f"10.0.0.{len(statuses)}", 1))
        statuses.append(other.post("/me/sign-in/mail", data={"address": ADDRESS}).status_code)
    assert statuses == [200] * 5 + [429] * 5


def test_a_mail_server_that_fails_is_logged_without_the_address(
    serve: Serve, inbox: Inbox, caplog: pytest.LogCaptureFixture
) -> None:
    ada = with_mail(serve, inbox, login="wibble:wrong")
    with caplog.at_level(logging.WARNING):
        assert ada.post("/me/mail", data={"address": ADDRESS}, headers=HTML).status_code == 200
    assert "could not be sent" in caplog.text
    assert ADDRESS not in caplog.text
    assert inbox.mails == []


def test_without_a_mail_server_sign_in_by_mail_is_not_offered(client: TestClient) -> None:
    known_as_ada(client)
    assert "mail-address" not in client.get("/me").text + client.get("/me/sign-in").text
    for path in ("/me/mail", "/me/sign-in/mail"):
        refused = client.post(path, data={"address": ADDRESS})
        assert refused.status_code == 404
        assert "sends no mail" in refused.json()["detail"]


@pytest.mark.parametrize("url", ["", "mail.example.org", "https://mail.example.org", "smtp://"])
def test_an_invalid_mail_server_is_refused_at_start(url: str) -> None:
    with pytest.raises(ValidationError, match="not a mail server"):
        Settings.model_validate({"mail_url": url, "mail_from": "a@example.org", "site_url": SITE})


def test_a_mail_server_needs_a_sender_and_the_sites_address() -> None:
    with pytest.raises(ValidationError, match="WIBBLE_SITE_URL"):
        Settings.model_validate({"mail_url": "smtp://mail.example.org", "mail_from": "a@example.org"})
