"""Signing in by a recovery phrase, the list of devices, and signing out, without scripts."""

import json
import re

import pytest
from fastapi.testclient import TestClient
from itsdangerous import URLSafeSerializer
from webauthn.helpers import bytes_to_base64url

from app.settings import Settings
from app.store.passkeys import CHALLENGE_SECONDS
from app.store.schema import players
from app.web.guard.guests import COOKIE, device_name
from app.web.services import Services
from tests.web.browsing import HTML, finish_wibble
from tests.web.conftest import Clock, Serve

ANDROID = "Mozilla/5.0 (Android 15; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0"


def made_phrase(client: TestClient) -> str:
    """Make a recovery phrase and read it from the page."""
    answer = client.post("/me/phrase", headers=HTML)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    words = re.findall(r"<li>([a-z]+)</li>", answer.text)
    assert len(words) == 12
    return " ".join(words)


def known_as_ada(client: TestClient) -> TestClient:
    client.post("/me/nickname", data={"nickname": "Ada"}).raise_for_status()
    return client


def name_of(client: TestClient) -> str | None:
    name: str | None = client.get("/api/me").json()["nickname"]
    return name


def devices_of(client: TestClient) -> list[str]:
    return re.findall(r'class="line-name">([^<]+)</span><span class="line-aside">', client.get("/me").text)


def sign_out_addresses(client: TestClient) -> list[str]:
    """The addresses that sign devices out, in the order of the page."""
    return re.findall(r'action="(/me/sign-out/[\w-]+)#devices"', client.get("/me").text)


def signed_in(client: TestClient, phrase: str, user_agent: str = "") -> TestClient:
    """Another browser, signed in by the phrase."""
    other = TestClient(client.app, headers={"user-agent": user_agent})
    assert other.post("/me/sign-in", data={"phrase": phrase}, headers=HTML).url.path == "/me"
    return other


def test_twelve_words_bring_a_lost_profile_back(client: TestClient) -> None:
    game = finish_wibble(known_as_ada(client))
    phrase = made_phrase(client)
    assert phrase not in client.get("/me").text, "it is shown once"
    assert "recovery phrase just now" in re.sub(r"\s+", " ", client.get("/me").text)
    again = signed_in(client, f" {phrase.upper()} ", ANDROID)
    assert name_of(again) == "Ada"
    assert game in again.get("/me").text
    assert again.get(f"/api{game}").json()["seat"] == 0
    assert "Firefox on Android" in devices_of(client)


@pytest.mark.parametrize("typed", ["", "not a phrase", "abandon " * 12, "abandon " * 11 + "about", "é" * 500])
def test_a_wrong_phrase_changes_nothing(client: TestClient, typed: str) -> None:
    known_as_ada(client)
    cookie = client.cookies[COOKIE]
    refused = client.post("/me/sign-in", data={"phrase": typed}, headers=HTML)
    assert refused.status_code == 422
    assert 'id="phrase-notice"' in refused.text
    assert "set-cookie" not in refused.headers
    assert (client.cookies[COOKIE], name_of(client)) == (cookie, "Ada")


def test_a_phrase_that_is_too_long_is_refused_before_it_is_read(client: TestClient) -> None:
    assert client.post("/me/sign-in", data={"phrase": "x" * 501}).status_code == 422


def test_a_phrase_is_void_once_replaced_removed_or_erased(client: TestClient, stranger: TestClient) -> None:
    known_as_ada(client)
    void = [made_phrase(client)]
    void.append(made_phrase(client))
    client.post("/me/phrase/remove", headers=HTML)
    assert "Make a recovery phrase" in client.get("/me").text
    void.append(made_phrase(client))
    client.post("/me/erase", headers=HTML)
    for phrase in void:
        assert stranger.post("/me/sign-in", data={"phrase": phrase}, headers=HTML).status_code == 422
    assert COOKIE not in stranger.cookies


def test_the_number_of_phrases_tried_is_limited(serve: Serve) -> None:
    client = serve(rate_limits=True, rate_sign_in="3/minute")
    tried = [client.post("/me/sign-in", data={"phrase": "x"}).status_code for _ in range(20)]
    assert tried[0] == 422
    assert tried[-1] == 429


def test_a_visitor_without_a_profile_makes_no_phrase(stranger: TestClient) -> None:
    for path in ("phrase", "phrase/remove", "phrase/decline", "sign-out", "sign-out-others", "sign-out/x"):
        answer = stranger.post(f"/me/{path}", headers=HTML)
        assert (answer.status_code, answer.url.path) == (200, "/me"), path
        assert COOKIE not in stranger.cookies


def test_a_device_is_signed_out_from_another(client: TestClient) -> None:
    phrase = made_phrase(known_as_ada(client))
    phone = signed_in(client, phrase, ANDROID)
    [theirs] = set(sign_out_addresses(client)) - {_own(client)}
    assert client.post(theirs, headers=HTML).url.path == "/me"
    assert (name_of(client), name_of(phone)) == ("Ada", None)
    assert "Firefox on Android" not in devices_of(client)
    assert client.post(theirs, headers=HTML).status_code == 404
    assert "not signed in on this device" in client.post(theirs, headers=HTML).text


def test_a_device_signed_out_by_another_worker_is_refused_after_the_next_check(client: TestClient) -> None:
    phrase = made_phrase(known_as_ada(client))
    other = signed_in(client, phrase, ANDROID)
    services: Services = client.app.state.services  # type: ignore[attr-defined]
    player, device = services.guests._serializer.loads(other.cookies[COOKIE])
    services.devices.sign_out(player, device)
    assert name_of(other) == "Ada", "cached for some seconds"
    assert name_of(client) == "Ada"
    services.guests.check_in_use()
    assert (name_of(other), name_of(client)) == (None, "Ada")


def test_devices_of_another_player_cannot_be_signed_out(client: TestClient, stranger: TestClient) -> None:
    known_as_ada(client)
    stranger.post("/me/nickname", data={"nickname": "Bob"})
    for address in sign_out_addresses(client):
        assert stranger.post(address, headers=HTML).status_code == 404
    assert (name_of(client), name_of(stranger)) == ("Ada", "Bob")


def test_all_others_are_signed_out_at_once(client: TestClient) -> None:
    phrase = made_phrase(known_as_ada(client))
    others = [signed_in(client, phrase) for _ in range(3)]
    client.post("/me/sign-out-others", headers=HTML)
    assert [name_of(other) for other in others] == [None] * 3
    assert name_of(client) == "Ada"
    assert len(devices_of(client)) == 1


def test_signing_out_requires_a_way_back(client: TestClient) -> None:
    known_as_ada(client)
    for address in ("/me/sign-out", *sign_out_addresses(client)):
        refused = client.post(address, headers=HTML)
        assert refused.status_code == 409
        assert "make a recovery phrase before" in refused.text
        assert name_of(client) == "Ada"
    phrase = made_phrase(client)
    assert client.post(_own(client), headers=HTML).status_code == 200
    assert COOKIE not in client.cookies
    assert name_of(signed_in(client, phrase)) == "Ada"


def test_a_copied_cookie_is_void_once_its_browser_has_signed_out(client: TestClient) -> None:
    made_phrase(known_as_ada(client))
    thief = TestClient(client.app, cookies={COOKIE: client.cookies[COOKIE]})
    assert name_of(thief) == "Ada"
    client.post("/me/sign-out", headers=HTML)
    assert name_of(thief) is None
    thief.post("/me/nickname", data={"nickname": "Thief"})
    assert thief.get("/me/export").json()["games"] == []


def test_an_old_cookie_without_a_device_is_still_valid(
    client: TestClient, stranger: TestClient, settings: Settings
) -> None:
    known_as_ada(client)
    signed = URLSafeSerializer(settings.signing_key(), salt="player")
    player, _ = signed.loads(client.cookies[COOKIE])
    with client.app.state.services.games.database.writing() as connection:  # type: ignore[attr-defined]
        connection.execute(players.update().values(listed_from=None))
    client.app.state.services.guests._forget_sessions()  # type: ignore[attr-defined]
    stranger.cookies.set(COOKIE, str(signed.dumps(player)))
    assert name_of(stranger) == "Ada"
    assert "signed in before this list existed" in stranger.get("/me").text
    stranger.post("/me/sign-out-others", headers=HTML)
    assert (name_of(stranger), name_of(client)) == ("Ada", None)
    late = TestClient(client.app, cookies={COOKIE: str(signed.dumps(player))})
    assert name_of(late) is None


def test_a_phrase_is_offered_after_the_third_game_until_declined(client: TestClient, clock: Clock) -> None:
    for _ in range(2):
        assert "keep-offer" not in client.get(finish_wibble(client), headers=HTML).text
    third = finish_wibble(client)
    offer = client.get(third, headers=HTML).text
    assert "keep-offer" in offer
    assert 'href="/me#devices"' in offer, "passkeys and mail are also offered"
    declined = client.post("/me/phrase/decline", data={"game": third.removeprefix("/games/")}, headers=HTML)
    assert declined.url.path == third
    assert "keep-offer" not in declined.text
    assert "keep-offer" not in client.get(finish_wibble(client), headers=HTML).text


def test_a_player_with_a_phrase_is_not_offered_one(client: TestClient, stranger: TestClient) -> None:
    games = [finish_wibble(client) for _ in range(3)]
    assert "keep-offer" not in stranger.get(games[-1], headers=HTML).text
    made_phrase(client)
    assert "keep-offer" not in client.get(games[-1], headers=HTML).text


@pytest.mark.parametrize(
    ("user_agent", "name"),
    [
        (ANDROID, "Firefox on Android"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
            "Safari on iPhone",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0", "Edge on Windows"),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0 Safari/537.36", "Chrome on Linux"),
        ("curl/8.5.0", "A browser"),
        ("", "A browser"),
        ("<b>" * 2000, "A browser"),
    ],
)
def test_only_the_kind_of_a_browser_is_stored(user_agent: str, name: str) -> None:
    assert device_name(user_agent) == name


def device_link(client: TestClient) -> str:
    found = re.search(r"/me/devices/[\w-]+", client.post("/me/devices", headers=HTML).text)
    assert found
    return found[0]


@pytest.mark.parametrize("form", ["phrase", "link"])
@pytest.mark.parametrize("merged", [True, False])
def test_games_played_in_this_browser_are_kept_on_signing_in_if_wished(
    client: TestClient, stranger: TestClient, form: str, merged: bool
) -> None:
    own, phrase = finish_wibble(known_as_ada(client)), made_phrase(client)
    theirs, old_phrase = finish_wibble(stranger), made_phrase(stranger)
    cookie = stranger.cookies[COOKIE]
    page, data = ("/me/sign-in", {"phrase": phrase}) if form == "phrase" else (device_link(client), {})
    box = re.search(r'name="merge" value="true"( checked)?>', stranger.get(page).text)
    assert box
    assert bool(box[1]) == (form == "phrase"), "a link may come from another person"
    signed = stranger.post(page, data=data | ({"merge": "true"} if merged else {}), headers=HTML)
    assert signed.url.path == "/me"
    assert name_of(stranger) == "Ada"
    assert own in signed.text
    assert (theirs in signed.text) == merged
    again = TestClient(client.app)
    answer = again.post("/me/sign-in", data={"phrase": old_phrase}, headers=HTML)
    assert answer.status_code == (422 if merged else 200)
    assert (theirs in answer.text) == (not merged)
    late = TestClient(client.app, cookies={COOKIE: cookie})
    assert late.get("/me/export").json()["games"] == []


def test_there_is_nothing_to_bring_along_in_a_new_browser(client: TestClient, stranger: TestClient) -> None:
    known_as_ada(client)
    for page in ("/me/sign-in", device_link(client)):
        assert 'name="merge"' not in stranger.get(page).text


def test_signing_in_as_oneself_merges_nothing(client: TestClient) -> None:
    game, phrase = finish_wibble(known_as_ada(client)), made_phrase(client)
    signed = client.post("/me/sign-in", data={"phrase": phrase, "merge": "true"}, headers=HTML)
    assert game in signed.text
    assert name_of(client) == "Ada"


def test_after_a_wrong_phrase_the_choice_is_remembered(client: TestClient) -> None:
    known_as_ada(client)
    for data, checked in (({"merge": "true"}, True), ({}, False)):
        page = client.post("/me/sign-in", data={"phrase": "x"} | data, headers=HTML).text
        assert ('value="true" checked>' in page) == checked


def _own(client: TestClient) -> str:
    """The address that signs this browser out."""
    pattern = r'this browser</span>\s*<form method="post" action="([^"#]+)#devices"'
    found = re.search(pattern, client.get("/me").text)
    assert found
    return found[1]


@pytest.mark.parametrize(
    "credential",
    [
        {},
        {"id": "q83v", "rawId": "q83v", "type": "public-key"},
        {"response": {"clientDataJSON": "!"}},
        {"response": {"clientDataJSON": "e30"}},
        {"response": {"clientDataJSON": "W10"}},
        {"response": 1},
        {"rawId": 1, "response": {"clientDataJSON": "eyJjaGFsbGVuZ2UiOiJxODN2In0"}},
    ],
)
@pytest.mark.parametrize("path", ["/me/passkeys", "/me/sign-in/passkey"])
def test_an_invalid_passkey_changes_nothing(
    client: TestClient, path: str, credential: dict[str, object]
) -> None:
    known_as_ada(client)
    refused = client.post(path, json={"credential": credential})
    assert refused.status_code == 422
    assert "try again" in refused.json()["detail"]
    assert "set-cookie" not in refused.headers


def test_a_passkey_challenge_belongs_to_its_player_and_expires(
    client: TestClient, stranger: TestClient, clock: Clock
) -> None:
    def sent(sender: TestClient, challenge: str) -> str:
        data = json.dumps({"challenge": challenge, "type": "webauthn.create", "origin": "http://testserver"})
        credential = {"response": {"clientDataJSON": bytes_to_base64url(data.encode())}, "rawId": "q83v"}
        detail: str = sender.post("/me/passkeys", json={"credential": credential}).json()["detail"]
        return detail

    known_as_ada(client)
    stranger.post("/me/nickname", data={"nickname": "Bob"})
    challenge = client.post("/me/passkeys/options").json()["challenge"]
    assert "sent twice" in sent(stranger, challenge)
    assert "could not be checked" in sent(client, challenge), "it is Ada's, but not answered by a passkey"
    assert "sent twice" in sent(client, challenge)
    late = client.post("/me/passkeys/options").json()["challenge"]
    clock.now += CHALLENGE_SECONDS
    assert "took too long" in sent(client, late)


def test_adding_a_passkey_requires_a_profile(client: TestClient, stranger: TestClient) -> None:
    known_as_ada(client)
    assert stranger.post("/me/passkeys/options").status_code == 403
    assert "play a game first" in stranger.post("/me/passkeys/options").json()["detail"]
    assert client.post("/me/passkeys/unknown/remove").status_code == 422
    options = stranger.post("/me/sign-in/passkey/options").json()
    assert options["allowCredentials"] == [], "the response does not list credentials"
