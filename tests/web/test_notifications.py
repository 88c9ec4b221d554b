"""Turn notifications by web push, mail and webhook, by the player's choice."""

import base64
import hashlib
import hmac
import json
import re
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from py_vapid import Vapid02
from sqlalchemy import Engine, create_engine, text

from app.store.notices import BURST
from app.store.outbox import Message
from app.store.sending_places import MOST_PER_PLAYER
from app.web.notices.sender import MOST_RUNNING, Sender
from app.web.notices.sending_process import Outcome
from tests.driver import named
from tests.event_streams import SOON, eventually
from tests.receiver import Receiver
from tests.servers import Served
from tests.web.browsing import HTML
from tests.web.conftest import Clock, Serve
from tests.web.inbox import SITE, Inbox
from tests.web.notices import CHANNELS, PASS, VERSUS, Browser, add, their_turn, with_notices
from tests.web.test_mail_sign_in import ADDRESS, confirmed

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")


@pytest.fixture
def ada(serve: Serve, inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    return with_notices(serve, inbox, monkeypatch)


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
    message = browser.read(request.body)
    assert message["title"] == "Your turn in Wibble"
    assert message["body"] == "Wibble against Bob"
    assert (message["path"], message["turns"]) == (f"/games/{game['id']}", 1)
    assert message["id"] == request.headers["topic"]
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
    message = json.loads(request.body)
    assert (message["type"], message["turns"]) == ("wibble.turns", 1)
    assert message["games"][0]["url"] == f"{SITE}/games/{game['id']}"
    assert "Wibble against Bob" in message["text"]
    assert message["id"] == request.headers["webhook-id"]
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
def test_a_refused_message_is_sent_again_with_the_same_id(
    ada: TestClient, receiver: Receiver, clock: Clock, status: int
) -> None:
    receiver.status = status
    add(ada, kind="webhook", url=receiver.url)
    their_turn(ada)
    clock.now += BURST
    receiver.wait_for(1)
    eventually(lambda: ada.get("/api/me/notifications").json()["channels"][0]["failing_since"] is not None)
    page = ada.get("/me/notifications", headers=HTML).text
    assert "unreachable for" in page
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


def test_a_webhook_that_does_not_answer_keeps_no_other_player_waiting(
    ada: TestClient, receiver: Receiver, clock: Clock
) -> None:
    answered = threading.Event()
    receiver.before_answer = lambda: answered.wait(60)
    add(ada, kind="webhook", url=receiver.url)
    their_turn(ada)
    clock.now += BURST
    receiver.wait_for(1)
    cleo = named(TestClient(ada.app), "Cleo")
    add(cleo, kind="webhook", url=f"{receiver.url}/cleo")
    their_turn(cleo)
    clock.now += BURST
    assert receiver.wait_for(2)[1].path == "/cleo"
    (channel,) = ada.get("/api/me/notifications").json()["channels"]
    assert channel["failing_since"] is None, "her webhook has not been given up yet"
    answered.set()


def test_many_webhooks_that_do_not_answer_keep_no_other_player_waiting(
    ada: TestClient, receiver: Receiver
) -> None:
    answered = threading.Event()
    receiver.before_answer = lambda: answered.wait(60)
    channel = add(ada, kind="webhook", url=f"{receiver.url}/ada")["channel_id"]
    for _ in range(MOST_RUNNING + 1):
        ada.post(f"{CHANNELS}/{channel}/test").raise_for_status()
    receiver.wait_for(MOST_PER_PLAYER)
    cleo = named(TestClient(ada.app), "Cleo")
    channel = add(cleo, kind="webhook", url=f"{receiver.url}/cleo")["channel_id"]
    cleo.post(f"{CHANNELS}/{channel}/test").raise_for_status()
    assert receiver.wait_for(MOST_PER_PLAYER + 1)[MOST_PER_PLAYER].path == "/cleo"
    answered.set()
    assert len(receiver.wait_for(MOST_RUNNING + 2)) == MOST_RUNNING + 2, "nothing is lost"


def test_a_message_that_cannot_be_written_stops_no_other(
    ada: TestClient, receiver: Receiver, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For example of a room that only another version has."""
    failed: list[Message] = []

    def send(sender: Sender, message: Message) -> Coroutine[Any, Any, Outcome]:
        if not failed:
            failed.append(message)
            raise KeyError("chess")
        return sent(sender, message)

    sent = Sender._send
    monkeypatch.setattr(Sender, "_send", send)
    for path in "ab":
        add(ada, kind="webhook", url=f"{receiver.url}/{path}")
    their_turn(ada)
    clock.now += BURST
    receiver.wait_for(1)

    def failing() -> list[str]:
        channels = ada.get("/api/me/notifications").json()["channels"]
        return [each["channel_id"] for each in channels if each["failing_since"] is not None]

    eventually(lambda: failing() == [message.channel.id for message in failed])


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
    # Make the notice due, as if time had passed while the server was down.
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
