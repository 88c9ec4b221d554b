"""Passkeys in a real browser, with Chromium's virtual authenticator."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Request, expect

from tests.browser.conftest import Complaints, Sit
from tests.browser.page_checks import violations
from tests.browser.seat import Seat
from tests.browser.slow_network import Held

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
UNPROCESSABLE = "422 (Unprocessable"
"""The console message for a passkey that the server refuses."""


class Device:
    """A browser with an authenticator; the site has a host name, as passkeys require."""

    def __init__(self, seat: Seat) -> None:
        self.seat, self.page = seat, seat.page
        self.url = seat.url.replace("127.0.0.1", "localhost")
        self._devtools = self.page.context.new_cdp_session(self.page)
        self._devtools.send("WebAuthn.enable")
        made = self._devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
        self._authenticator = {"authenticatorId": made["authenticatorId"]}
        self.sent: list[Request] = []
        self.page.on("request", self._note)

    def _note(self, request: Request) -> None:
        if request.method == "POST" and urlsplit(request.url).path in {"/me/passkeys", "/me/sign-in/passkey"}:
            self.sent.append(request)

    @property
    def passkeys(self) -> int:
        """The number of passkeys that the authenticator keeps."""
        return len(self._devtools.send("WebAuthn.getCredentials", self._authenticator)["credentials"])

    def begin(self, name: str) -> None:
        """Give this browser a profile."""
        self.page.goto(f"{self.url}/me")
        self.page.get_by_label("Choose a name").fill(name)
        self.page.get_by_role("button", name="Save").click()
        self.expect_name(name)

    def add_passkey(self) -> None:
        self.page.get_by_role("button", name="Add a passkey").click()

    def sign_in(self) -> None:
        self.page.goto(f"{self.url}/me/sign-in")
        self.page.get_by_role("button", name="Sign in with a passkey").click()

    def expect_name(self, name: str) -> None:
        expect(self.page.get_by_role("heading", level=1)).to_have_text(name)

    def expect_refusal(self, text: str) -> None:
        expect(self.page.get_by_role("alert")).to_have_text(text)

    def send(self, path: str, body: object) -> Any:
        """Send JSON as the page's script would."""
        return self.page.request.post(f"{self.url}{path}", data=body, headers={"Accept": "application/json"})


@pytest.fixture
def device(sit: Sit) -> Device:
    return Device(sit())


def test_a_passkey_brings_a_lost_profile_back(device: Device, complaints: Complaints) -> None:
    complaints.allow(UNPROCESSABLE)
    device.begin("Ada")
    device.add_passkey()
    expect(device.page.get_by_text("Kept by your passkey.")).to_be_visible()
    assert device.passkeys == 1
    assert violations(device.seat) == []
    device.add_passkey()
    device.expect_refusal("This device has a passkey for your profile already.")

    device.page.context.clear_cookies()
    device.page.goto(f"{device.url}/me")
    device.expect_name("You")
    device.page.get_by_role("link", name="Sign in").click()
    assert violations(device.seat) == []
    device.page.get_by_role("button", name="Sign in with a passkey").click()
    device.expect_name("Ada")

    device.page.get_by_role("button", name="Remove the passkey").click()
    expect(device.page.get_by_role("button", name="Remove the passkey")).to_have_count(0)
    device.sign_in()
    device.expect_refusal("No profile has this passkey: it may have been removed.")


def test_a_passkey_brings_along_what_was_played_in_this_browser(device: Device) -> None:
    device.begin("Ada")
    device.add_passkey()
    expect(device.page.get_by_text("Kept by your passkey.")).to_be_visible()
    device.page.context.clear_cookies()
    played = device.page.request.post(f"{device.url}/api/games", data={"kind": "letterpress"}).json()["id"]
    device.sign_in()
    device.expect_name("Ada")
    assert device.page.request.get(f"{device.url}/api/games/{played}").json()["seat"] == 0


def test_no_press_is_lost_while_the_page_loads(device: Device) -> None:
    held = Held(device.page, "**/passkey.js")
    device.page.goto(f"{device.url}/me/sign-in", wait_until="commit")
    button = device.page.get_by_role("button", name="Sign in with a passkey")
    expect(button).to_be_disabled()
    held.release()
    expect(button).to_be_enabled()


def test_what_a_passkey_has_answered_is_of_no_use_again(device: Device, sit: Sit) -> None:
    device.begin("Ada")
    device.add_passkey()
    expect(device.page.get_by_text("Kept by your passkey.")).to_be_visible()
    device.sign_in()
    device.expect_name("Ada")
    adding, using = (request.post_data_json for request in device.sent)
    thief = Device(sit())
    thief.begin("Thief")
    for path, body in (("/me/passkeys", adding), ("/me/sign-in/passkey", using)):
        for browser in (device, thief):
            refused = browser.send(path, body)
            assert refused.status == 422
            assert "sent twice" in refused.json()["detail"]
    thief.page.reload()
    thief.expect_name("Thief")


def test_closing_the_browsers_dialog_stays_on_the_page(device: Device) -> None:
    """A headless browser has no dialog to cancel, so the call is replaced by the rejection it would give."""
    device.page.add_init_script(
        "navigator.credentials.get = () => Promise.reject(new DOMException('', 'NotAllowedError'))"
    )
    device.sign_in()
    device.expect_refusal("No passkey was used.")
    assert urlsplit(device.page.url).path == "/me/sign-in"
    expect(device.page.get_by_role("button", name="Sign in with a passkey")).to_be_enabled()


def test_an_answer_to_another_site_is_refused(device: Device) -> None:
    """The challenge is ours, but according to the browser it was answered on another site."""
    device.begin("Ada")
    device.page.route("**/me/passkeys", lambda route: route.abort())
    device.page.goto(f"{device.url}/me")
    options = device.send("/me/passkeys/options", None).json()
    made = device.page.evaluate(
        """async (options) => {
            const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
            return (await navigator.credentials.create({ publicKey })).toJSON();
        }""",
        options,
    )
    elsewhere = device.page.request.post(
        f"{device.seat.url}/me/passkeys",
        data={"credential": made},
        headers={"Cookie": "; ".join(f"{c['name']}={c['value']}" for c in device.page.context.cookies())},
    )
    assert elsewhere.status == 422
    assert "could not be checked" in elsewhere.json()["detail"]
    device.page.reload()
    expect(device.page.get_by_role("button", name="Remove the passkey")).to_have_count(0)
