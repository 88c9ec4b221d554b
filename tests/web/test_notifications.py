"""Players are told of their turns by web push, mail and webhook, as they have chosen."""

import asyncio
import base64
import hashlib
import hmac
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import http_ece
import httpx
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from fastapi.testclient import TestClient
from py_vapid import Vapid02
from sqlalchemy import Engine, create_engine, text

from app.rooms import ROOMS
from app.store.channels import Channel
from app.store.notices import BURST, Stage
from app.store.outbox import Content, GameNotice
from app.web.live.bus import Bus
from app.web.live.presence import Presence
from app.web.notices import sender
from app.web.notices.public_http import NotPublic, client, public_address
from app.web.notices.texts import text_of
from app.web.notices.webhook import webhook_request
from app.web.site.notifications import address_end
from tests.listening import SOON, eventually
from tests.receiver import Receiver
from tests.serving import Served
from tests.web.browsing import HTML
from tests.web.conftest import Clock, Serve
from tests.web.inbox import SITE, Inbox
from tests.web.test_mail_sign_in import ADDRESS, confirmed, with_mail

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")

VERSUS = {"kind": "wibble", "options": {"mode": "versus"}}
PASS = {"type": "pass"}
CHANNELS = "/api/me/notifications/channels"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    found = Receiver()
    yield found
    found.close()


class Browser:
    """What a browser keeps of a subscription to web push."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = b"sixteen bytes ok"

    def channel(self, endpoint: str) -> dict[str, str]:
        point = self._key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return {
            "kind": "push",
            "endpoint": endpoint,
            "p256dh": base64.urlsafe_b64encode(point).decode().rstrip("="),
            "auth": base64.urlsafe_b64encode(self._auth).decode().rstrip("="),
            "name": "Firefox on Linux",
        }

    def read(self, body: bytes) -> dict[str, Any]:
        content = http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth, version="aes128gcm")
        found: dict[str, Any] = json.loads(content)
        return found


@pytest.fixture
def ada(serve: Serve, inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    """Ada at a server that tells players of their turns, also at private addresses, and looks often."""
    monkeypatch.setattr(sender, "TICK", 0.02)
    return with_mail(serve, inbox, private_webhooks=True, rate_limits=False)


def their_turn(ada: TestClient) -> dict[str, Any]:
    """A game against Bob in which it is Ada's turn."""
    bob = TestClient(ada.app)
    opened: dict[str, Any] = bob.post("/api/games", json=VERSUS).json()
    bob.post("/me/nickname", data={"nickname": "Bob"}, headers=HTML)
    ada.post(f"/api/games/{opened['id']}/seats", json={"invitation": opened["invitation"]}).raise_for_status()
    ply = bob.get(f"/api/games/{opened['id']}").json()["view"]["ply"]
    bob.post(f"/api/games/{opened['id']}/moves", json={"ply": ply, "move": PASS}).raise_for_status()
    return opened


def add(ada: TestClient, **channel: Any) -> dict[str, Any]:
    answer = ada.post(CHANNELS, json={"channel": channel})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_push_is_encrypted_for_the_browser_and_names_us(
    ada: TestClient, receiver: Receiver, clock: Clock
) -> None:
    browser = Browser()
    add(ada, **browser.channel(f"{receiver.url}/push/1"))
    game = their_turn(ada)
    clock.now += BURST
    [request] = receiver.wait_for(1)
    assert request.headers["content-encoding"] == "aes128gcm"
    assert int(request.headers["ttl"]) > 0
    told = browser.read(request.body)
    assert told["title"] == "Your turn in Wibble"
    assert told["body"] == "Wibble against Bob"
    assert (told["path"], told["turns"]) == (f"/games/{game['id']}", 1)
    assert told["id"] == request.headers["topic"]
    authorization = request.headers["authorization"]
    assert Vapid02.verify(authorization)
    claims = json.loads(base64.urlsafe_b64decode(authorization.split(".")[1] + "=="))
    assert (claims["aud"], claims["sub"]) == (receiver.url, SITE)
    key = ada.get("/api/me/notifications").json()["push_key"]
    assert authorization.endswith(f"k={key}")


def test_a_webhook_gets_signed_json(ada: TestClient, receiver: Receiver, clock: Clock) -> None:
    added = add(ada, kind="webhook", url=f"{receiver.url}/hook")
    game = their_turn(ada)
    clock.now += BURST
    [request] = receiver.wait_for(1)
    told = json.loads(request.body)
    assert (told["type"], told["turns"]) == ("wibble.turns", 1)
    assert told["games"][0]["url"] == f"{SITE}/games/{game['id']}"
    assert "Wibble against Bob" in told["text"]
    assert told["id"] == request.headers["webhook-id"]
    # As in the Standard Webhooks specification.
    key = base64.b64decode(added["signing_key"].removeprefix("whsec_"))
    stamp = f"{request.headers['webhook-id']}.{request.headers['webhook-timestamp']}.".encode()
    expected = base64.b64encode(hmac.digest(key, stamp + request.body, hashlib.sha256)).decode()
    assert request.headers["webhook-signature"] == f"v1,{expected}"
    assert "signing_key" not in ada.get("/api/me/notifications").text


def test_a_mail_says_how_to_stop_it_without_signing_in(
    ada: TestClient, inbox: Inbox, receiver: Receiver, clock: Clock
) -> None:
    assert ada.post(CHANNELS, json={"channel": {"kind": "mail"}}).status_code == 422, "no address yet"
    confirmed(ada, inbox)
    add(ada, kind="mail")
    add(ada, kind="webhook", url=receiver.url)
    before = len(inbox.mails)
    game = their_turn(ada)
    clock.now += BURST
    receiver.wait_for(1)
    eventually(lambda: len(inbox.mails) > before)
    mail = inbox.mails[-1]
    assert (mail["to"], mail["subject"]) == (ADDRESS, "Your turn in Wibble")
    assert f"{SITE}/games/{game['id']}" in mail.get_content()
    link = mail["list-unsubscribe"].strip("<>").removeprefix(SITE)
    assert f"\nList-Unsubscribe: <{SITE}{link}>\r\n".encode() in inbox.sources[-1], (
        "mail programs decode none"
    )
    assert mail["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    stranger = TestClient(ada.app)
    assert "Stop these messages?" in stranger.get(link, headers=HTML).text
    assert len(ada.get("/api/me/notifications").json()["channels"]) == 2
    damaged = stranger.post(link[:-2] + ("A" if link[-2] != "A" else "B") + link[-1])
    assert damaged.status_code == 404
    assert len(ada.get("/api/me/notifications").json()["channels"]) == 2
    assert stranger.post(link, data={"List-Unsubscribe": "One-Click"}).status_code == 200
    assert [each["kind"] for each in ada.get("/api/me/notifications").json()["channels"]] == ["webhook"]
    assert stranger.post(link).status_code == 200, "again changes nothing"


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_has_unsubscribed_is_forgotten(
    ada: TestClient, receiver: Receiver, clock: Clock, status: int
) -> None:
    receiver.status = status
    add(ada, **Browser().channel(receiver.url))
    their_turn(ada)
    clock.now += BURST
    receiver.wait_for(1)
    eventually(lambda: ada.get("/api/me/notifications").json()["channels"] == [])


@pytest.mark.parametrize("status", [302, 400, 500])
def test_what_is_refused_is_sent_again_under_its_id(
    ada: TestClient, receiver: Receiver, clock: Clock, status: int
) -> None:
    receiver.status = status
    add(ada, kind="webhook", url=receiver.url)
    their_turn(ada)
    clock.now += BURST
    receiver.wait_for(1)
    eventually(lambda: ada.get("/api/me/notifications").json()["channels"][0]["failing_since"] is not None)
    page = ada.get("/me/notifications", headers=HTML).text
    assert "not reached for" in page
    receiver.status = 200
    clock.now += 60
    first, again = receiver.wait_for(2)
    assert {each.path for each in receiver.requests} == {"/"}, "no redirect is followed"
    assert first.headers["webhook-id"] == again.headers["webhook-id"]
    eventually(lambda: ada.get("/api/me/notifications").json()["channels"][0]["failing_since"] is None)


def test_a_test_message_shows_that_it_works(ada: TestClient, receiver: Receiver) -> None:
    channel = add(ada, kind="webhook", url=receiver.url)
    assert ada.post(f"{CHANNELS}/{channel['channel_id']}/test").status_code == 202
    [request] = receiver.wait_for(1)
    assert json.loads(request.body)["type"] == "wibble.test"


def test_the_page_adds_changes_and_removes(ada: TestClient, receiver: Receiver) -> None:
    shown = ada.post("/me/notifications/webhooks", data={"url": receiver.url}, headers=HTML).text
    assert "whsec_" in shown
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


def test_webhooks_on_one_host_are_told_apart(ada: TestClient, receiver: Receiver, clock: Clock) -> None:
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
        ("https://hooks.slack.com/services/TOKEN", None),
        ("https://hooks.slack.com/services/T0AAAA/TOKEN", None),
        ("https://hooks.example/wibble", "…ble"),
        ("https://hooks.example/catch/TOKEN/", "…KEN"),
        ("https://hooks.example/1?token=TOKEN#TOKEN", "…1"),
        ("https://hooks.example/" + "x" * 900, "…xxxx"),
        ("https://hooks.example", None),
    ],
)
def test_what_is_shown_of_an_address_is_no_secret(url: str, end: str | None) -> None:
    channel = Channel("a", "b", "webhook", url, "", "", daily=False, created_at=0.0, failing_since=None)
    assert address_end(channel) == end
    assert address_end(replace(channel, kind="push")) is None


@pytest.mark.parametrize(
    ("channel", "reason"),
    [
        ({"kind": "webhook", "url": "https://user:word@example.org/"}, "not an address"),
        ({"kind": "webhook", "url": "ftp://example.org/"}, "not an address"),
        ({"kind": "webhook", "url": "https://[::1/"}, "not an address"),
        ({"kind": "webhook", "url": ""}, "not an address"),
        ({"kind": "webhook", "url": "https://example.org/" + "x" * 1000}, "1000"),
        ({"kind": "pigeon"}, "push"),
        ({**Browser().channel("https://example.org/"), "p256dh": "AAAA"}, "p256dh"),
        ({**Browser().channel("https://example.org/"), "auth": "AAAA"}, "auth"),
        ({**Browser().channel("nowhere"), "auth": "c2l4dGVlbiBieXRlcyBvaw"}, "not an address"),
    ],
)
def test_a_channel_that_cannot_work_is_refused(ada: TestClient, channel: dict[str, Any], reason: str) -> None:
    refused = ada.post(CHANNELS, json={"channel": channel})
    assert (refused.status_code, refused.headers["content-type"]) == (422, "application/problem+json")
    assert reason in refused.text
    assert ada.get("/api/me/notifications").json()["channels"] == []


@pytest.mark.parametrize(
    ("times", "reason"),
    [
        ({"zone": "Mars/Olympus"}, "not a time zone"),
        ({"quiet_from": "22:00"}, "neither"),
        ({"quiet_from": "22:00", "quiet_until": "22:00"}, "never end"),
        ({"digest_at": "25:00"}, "not a time of day"),
        ({"digest_at": "9"}, "not a time of day"),
    ],
)
def test_times_that_are_none_are_refused(ada: TestClient, times: dict[str, str], reason: str) -> None:
    before = ada.get("/api/me/notifications").json()["times"]
    refused = ada.put("/api/me/notifications/times", json=times)
    assert refused.status_code == 422
    assert reason in refused.json()["detail"]
    assert ada.get("/api/me/notifications").json()["times"] == before


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
    assert unknown.status_code == 404
    assert ada.get("/api/me/notifications").json()["channels"][0]["daily"] is False


def test_a_site_without_an_address_says_so(serve: Serve) -> None:
    visitor = serve()
    assert visitor.get("/api/me/notifications").json()["available"] == []
    refused = visitor.post(CHANNELS, json={"channel": {"kind": "webhook", "url": "https://example.org/"}})
    assert refused.status_code == 404
    assert "address" in refused.json()["detail"]
    assert "sends no messages" in visitor.get("/me/notifications", headers=HTML).text


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "10.1.2.3", "169.254.169.254", "::1", "0.0.0.1", "fd00::1", "100.64.0.1"],
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


def test_a_page_counts_as_open_while_it_listens() -> None:
    presence = Presence(Bus())
    with presence.attending("game", 1):
        assert presence.is_open("game", 1)
        assert not presence.is_open("game", 0)
        assert not presence.is_open("other", 1)
    assert not presence.is_open("game", 1)


def test_what_is_most_urgent_comes_first() -> None:
    def game(stage: Stage, *against: str | None, left: int | None = None) -> GameNotice:
        return {"game_id": "a", "kind": "fribble", "stage": stage, "against": [*against], "left": left}

    games = [game("turn", "Bob", left=86_400), game("tenth", None, "Cy", left=7200), game("turn", "Bob")]
    content: Content = {"kind": "turns", "turns": 3, "games": games}
    text = text_of(content, ROOMS)
    assert text.title == "Your turn in 3 games"
    assert text.lines == (
        "Fribble against a guest and Cy: only 2 hours left",
        "Fribble against Bob: a day left",
        "Fribble against Bob",
    )


def test_discord_and_slack_get_their_own_form() -> None:
    content: Content = {
        "kind": "turns",
        "turns": 1,
        "games": [
            {"game_id": "a", "kind": "wibble", "stage": "turn", "against": ["<@everyone>"], "left": None}
        ],
    }
    text = text_of(content, ROOMS)
    bodies = [
        json.loads(webhook_request(f"https://{host}/x", "whsec_AAAA", "id", content, text, SITE, 0.0)[1])
        for host in ("discord.com", "hooks.slack.com")
    ]
    assert bodies[0]["allowed_mentions"] == {"parse": []}
    assert set(bodies[1]) == {"text"}
    assert "&lt;@everyone&gt;" in bodies[1]["text"]


def waiting(store: Engine) -> int:
    with store.connect() as connection:
        return connection.scalar(text("SELECT count(*) FROM messages")) or 0


@pytest.mark.parametrize("moment", ["before", "while"])
def test_a_kill_loses_no_message(tmp_path: Path, shared_cache: Path, receiver: Receiver, moment: str) -> None:
    """Killed before a message is sent it is sent once; killed before that is recorded, twice with one ID."""
    served = Served(
        tmp_path, site_url=SITE, private_webhooks="true", rate_limits="false", cache_dir=str(shared_cache)
    )
    served.start()
    with (
        httpx.Client(base_url=served.url, timeout=SOON) as ada,
        httpx.Client(base_url=served.url, timeout=SOON) as bob,
    ):
        opened = bob.post("/api/games", json=VERSUS).json()
        ada.post(f"/api/games/{opened['id']}/seats", json={"invitation": opened["invitation"]})
        ada.post(CHANNELS, json={"channel": {"kind": "webhook", "url": receiver.url}}).raise_for_status()
        ply = bob.get(f"/api/games/{opened['id']}").json()["view"]["ply"]
        bob.post(f"/api/games/{opened['id']}/moves", json={"ply": ply, "move": PASS}).raise_for_status()
    served.kill()
    # What has to pass in time, passes while the server is down.
    store = create_engine(f"sqlite:///{tmp_path / 'data' / 'wibble.sqlite3'}")
    with store.begin() as connection:
        assert connection.execute(text("UPDATE notices SET due_at = 0")).rowcount == 1
    if moment == "while":
        started = threading.Event()
        receiver.before_answer = lambda: served.kill() if started.wait(30) else None
        served.start()
        started.set()
        receiver.wait_for(1)
        eventually(lambda: not served.runs)
        receiver.before_answer = lambda: None
        with store.begin() as connection:
            assert connection.execute(text("UPDATE messages SET next_at = 0")).rowcount == 1
    served.start()
    try:
        requests = receiver.wait_for(2 if moment == "while" else 1)
        eventually(lambda: waiting(store) == 0)
    finally:
        served.stop()
    assert len(requests) == (2 if moment == "while" else 1)
    assert len({each.headers["webhook-id"] for each in requests}) == 1
    assert re.search(opened["id"], requests[0].body.decode())
