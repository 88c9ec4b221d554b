"""A player's notification channels and times: adding, changing, refusals and display."""

import asyncio
import re
from dataclasses import replace
from ipaddress import ip_address
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.store.channels import Channel
from app.web.notices.public_http import NotPublic, client, public_address
from app.web.site.notifications import address_end
from tests.driver import problem
from tests.receiver import Receiver
from tests.web.browsing import HTML
from tests.web.conftest import Clock, Serve
from tests.web.inbox import Inbox
from tests.web.notices import CHANNELS, Browser, add, their_turn, with_notices
from tests.web.test_mail_sign_in import with_mail

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")


@pytest.fixture
def ada(serve: Serve, inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    return with_notices(serve, inbox, monkeypatch)


def test_the_page_adds_changes_and_removes(ada: TestClient, receiver: Receiver) -> None:
    shown = ada.post("/me/notifications/webhooks", data={"url": receiver.url}, headers=HTML).text
    assert "whsec_" in shown
    assert 'href="/me/notifications"' in ada.get("/me", headers=HTML).text
    assert "whsec_" not in ada.get("/me/notifications").text
    [channel] = ada.get("/api/me/notifications").json()["channels"]
    path = f"/me/notifications/channels/{channel['channel_id']}"
    assert "once a day" in ada.post(path, data={"daily": "true"}, headers=HTML).text
    times = {"zone": "Europe/Berlin", "quiet_from": "22:00", "quiet_until": "07:30", "digest_at": "08:15"}
    assert "Saved" in ada.post("/me/notifications/times", data=times, headers=HTML).text
    assert ada.get("/api/me/notifications").json()["times"] == times
    game = their_turn(ada)
    chosen = ada.post(f"/me/notifications/games/{game['id']}", data={"kinds": ["push"]}, headers=HTML)
    assert chosen.status_code == 200
    assert ada.get("/api/me/notifications").json()["games"] == {game["id"]: ["push"]}
    ada.post(
        f"/me/notifications/games/{game['id']}", data={"kinds": ["push", "mail", "webhook"]}, headers=HTML
    )
    assert ada.get("/api/me/notifications").json()["games"] == {}
    assert "test message is on its way" in ada.post(f"{path}/test", headers=HTML).text
    ada.post(f"{path}/remove", headers=HTML)
    assert ada.get("/api/me/notifications").json()["channels"] == []


def test_webhooks_on_one_host_have_different_labels(
    ada: TestClient, receiver: Receiver, clock: Clock
) -> None:
    for team in ("crows", "owls"):
        add(ada, kind="webhook", url=f"{receiver.url}/{team}?key=secret")
        clock.now += 3600
    ends = [each["address_end"] for each in ada.get("/api/me/notifications").json()["channels"]]
    assert ends == ["…ows", "…ls"]
    page = ada.get("/me/notifications", headers=HTML).text
    assert re.findall(r'aria-label="Remove ([^"]+)"', page) == ["127.0.0.1 …ows", "127.0.0.1 …ls"]
    assert re.findall(r"every turn, added ([^<]+)<", page) == ["2 hours ago", "1 hour ago"]
    assert "secret" not in page


@pytest.mark.parametrize(
    ("url", "end"),
    [
        ("https://discord.com/api/webhooks/1154821/TOKEN-x_y", "…4821"),
        ("https://ptb.discord.com/api/v10/webhooks/1154821/TOKEN-x_y/slack", "…4821"),
        ("https://discord.com/api/webhooks/TOKEN", None),
        ("https://discord.com./api/webhooks/TOKEN/1", None),
        ("https://discord.com/TOKEN", None),
        ("https://hooks.slack.com/services/T0AAAA/B0BBCD/TOKEN", "…BBCD"),
        ("https://hooks.slack.com/triggers/T0AAAA/12345/TOKEN", "…2345"),
        ("https://hooks.slack-gov.com/services/T0AAAA/B0BBCD/TOKEN", "…BBCD"),
        ("https://hooks.slack.com/services/TOKEN", None),
        ("https://hooks.slack.com/services/T0AAAA/TOKEN", None),
        ("https://hooks.example/wibble", "…ble"),
        ("https://hooks.example/catch/TOKEN/", "…KEN"),
        ("https://hooks.example/1?token=TOKEN#TOKEN", "…1"),
        ("https://hooks.example/" + "x" * 900, "…xxxx"),
        ("https://hooks.example", None),
    ],
)
def test_the_shown_part_of_an_address_is_no_secret(url: str, end: str | None) -> None:
    channel = Channel("a", "b", "webhook", url, "", "", daily=False, created_at=0.0, failing_since=None)
    assert address_end(channel) == end
    assert address_end(replace(channel, kind="push")) is None


@pytest.mark.parametrize(
    ("channel", "field", "reason"),
    [
        ({"kind": "webhook", "url": "https://user:word@example.org/"}, "url", "not an address"),
        ({"kind": "webhook", "url": "ftp://example.org/"}, "url", "not an address"),
        ({"kind": "webhook", "url": "https://[::1/"}, "url", "not an address"),
        ({"kind": "webhook", "url": ""}, "url", "not an address"),
        ({"kind": "webhook", "url": "https://example.org/\0"}, "url", "not an address"),
        ({"kind": "webhook", "url": "https://example.org/" + "x" * 1000}, "url", "1000"),
        ({"kind": "webhook", "url": "https://example.org/", "daily": True}, "daily", "no such field"),
        ({"kind": "pigeon"}, "kind", "push"),
        ({**Browser().channel("https://example.org/"), "p256dh": "AAAA"}, "p256dh", "p256dh"),
        ({**Browser().channel("https://example.org/"), "auth": "AAAA"}, "auth", "auth"),
        ({**Browser().channel("https://example.org/"), "name": "\0"}, "name", "printable"),
        ({"kind": "mail"}, "kind", "confirm a mail address"),
        ({**Browser().channel("nowhere"), "auth": "c2l4dGVlbiBieXRlcyBvaw"}, "endpoint", "not an address"),
    ],
)
def test_a_channel_that_cannot_work_is_refused(
    ada: TestClient, channel: dict[str, Any], field: str, reason: str
) -> None:
    refused = ada.post(CHANNELS, json={"channel": channel})
    assert (refused.status_code, refused.headers["content-type"]) == (422, "application/problem+json")
    assert reason in refused.text
    assert refused.json()["errors"][0]["location"] == ["body", "channel", field]
    assert ada.get("/api/me/notifications").json()["channels"] == []


@pytest.mark.parametrize("host", [".", "a b", "a..b", "a%20b", "-" * 64, "a,b", "[::1%25eth0]"])
def test_an_impossible_host_is_refused_where_private_ones_are_accepted(ada: TestClient, host: str) -> None:
    for kind in ({"kind": "webhook", "url": f"http://{host}/"}, Browser().channel(f"http://{host}/")):
        (fault,) = problem(ada.post(CHANNELS, json={"channel": kind}), 422)["errors"]
        assert fault["location"] == ["body", "channel", "url" if "url" in kind else "endpoint"]
        assert "the name of a host" in fault["message"]


@pytest.mark.parametrize("host", ["hooks", "hooks.lan.", "a_b-c.lan:8080", "10.0.0.1", "[::1]:80"])
def test_a_private_host_is_accepted_where_they_are(ada: TestClient, host: str) -> None:
    add(ada, kind="webhook", url=f"http://{host}/hook")


@pytest.mark.parametrize(
    ("times", "field", "reason"),
    [
        ({"zone": "Mars/Olympus"}, "zone", "not a time zone"),
        ({"quiet_from": "22:00"}, "quiet_until", "neither"),
        ({"quiet_until": "22:00"}, "quiet_from", "neither"),
        ({"quiet_from": "22:00", "quiet_until": "22:00"}, "quiet_until", "the same time"),
        ({"quiet_from": "22", "quiet_until": "22:00"}, "quiet_from", "not a time of day"),
        ({"digest_at": "25:00"}, "digest_at", "not a time of day"),
        ({"digest_at": "9"}, "digest_at", "not a time of day"),
    ],
)
def test_times_that_are_none_are_refused(
    ada: TestClient, times: dict[str, str], field: str, reason: str
) -> None:
    before = ada.get("/api/me/notifications").json()["times"]
    refused = ada.put("/api/me/notifications/times", json=times)
    assert refused.status_code == 422
    assert reason in refused.json()["detail"]
    assert refused.json()["errors"][0]["location"] == ["body", field]
    assert ada.get("/api/me/notifications").json()["times"] == before


def test_times_need_a_profile(ada: TestClient) -> None:
    visitor = TestClient(ada.app)
    refused = visitor.put("/api/me/notifications/times", json={"zone": "Europe/Berlin"})
    assert (refused.status_code, "profile" in refused.json()["detail"]) == (401, True)
    page = visitor.post("/me/notifications/times", data={"zone": "Europe/Berlin"}, headers=HTML)
    assert page.status_code == 422
    assert "Play a game or choose a name first" in page.text


def test_others_channels_and_games_are_not_touched(ada: TestClient, receiver: Receiver) -> None:
    channel = add(ada, kind="webhook", url=receiver.url)
    game = their_turn(ada)
    stranger = TestClient(ada.app)
    path = f"{CHANNELS}/{channel['channel_id']}"
    for answer in (
        stranger.delete(path),
        stranger.put(path, json={"daily": True}),
        stranger.post(f"{path}/test"),
        stranger.post(f"/me/notifications/channels/{channel['channel_id']}/remove"),
    ):
        assert answer.status_code == 404, answer.text
    assert stranger.put(f"/api/me/notifications/games/{game['id']}", json={"kinds": []}).status_code == 403
    assert ada.put("/api/me/notifications/games/nowhere", json={"kinds": []}).status_code == 404
    unknown = stranger.post(CHANNELS, json={"channel": {"kind": "webhook", "url": receiver.url}})
    assert unknown.status_code == 401
    assert ada.get("/api/me/notifications").json()["channels"][0]["daily"] is False


def test_a_site_without_an_address_says_so(serve: Serve) -> None:
    visitor = serve()
    assert visitor.get("/api/me/notifications").json()["available"] == []
    refused = visitor.post(CHANNELS, json={"channel": {"kind": "webhook", "url": "https://example.org/"}})
    assert refused.status_code == 404
    assert "address" in refused.json()["detail"]
    assert "sends no messages" in visitor.get("/me/notifications", headers=HTML).text
    for form, data in (("webhooks", {"url": "https://example.org/"}), ("mail", {})):
        assert visitor.post(f"/me/notifications/{form}", data=data, headers=HTML).status_code == 404, form
    assert 'href="/me/notifications"' not in visitor.get("/me", headers=HTML).text


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "localhost", "10.1.2.3", "169.254.169.254", "0.0.0.1", "100.64.0.1", "224.0.0.1"),
        *("::1", "fd00::1", "fec0::1", "ff0e::1"),
        *("::127.0.0.1", "::ffff:127.0.0.1", "64:ff9b::10.1.2.3", "64:ff9b:1::10.1.2.3", "2002:a01:203::1"),
    ],
)
def test_no_message_reaches_the_operators_network(serve: Serve, inbox: Inbox, host: str) -> None:
    with pytest.raises(NotPublic):
        asyncio.run(public_address(host, 443))

    async def post() -> None:
        async with client() as web:
            address = f"[{host}]" if ":" in host else host
            await web.post(f"https://{address}/")

    with pytest.raises(NotPublic):
        asyncio.run(post())
    ada = with_mail(serve, inbox)
    written = f"[{host}]" if ":" in host else host
    refused = ada.post(CHANNELS, json={"channel": {"kind": "webhook", "url": f"https://{written}/"}})
    assert (refused.status_code, "public" in refused.json()["detail"]) == (422, True)


@pytest.mark.parametrize("host", ["8.8.8.8", "2606:4700::1111", "64:ff9b::8.8.8.8", "2002:808:808::1"])
def test_a_public_address_is_used(host: str) -> None:
    assert ip_address(asyncio.run(public_address(host, 443))) == ip_address(host)
