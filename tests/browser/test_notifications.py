"""The notifications page, and the notifications of the service worker."""

import json
import re

from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.page_checks import SMALL, fits_width
from tests.browser.test_installed import READY

MESSAGE = {"id": "one", "title": "Your turn", "body": "Wibble against Bob", "path": "/lobby", "turns": 2}
# Headless browsers cannot show notifications and badges, so these are recorded.
PUSHED = """(message) => {
  const shown = [];
  self.registration.showNotification = async (...notification) => shown.push(notification);
  navigator.setAppBadge = async (turns) => shown.push(turns);
  self.addEventListener("error", (event) => event.preventDefault());
  self.dispatchEvent(new PushEvent("push", { data: message }));
  return shown;
}"""


def test_the_service_worker_shows_what_is_pushed(sit: Sit) -> None:
    me = sit(service_workers="allow")
    me.home()
    me.page.evaluate(READY)
    [worker] = me.page.context.service_workers
    [turns, [title, options]] = worker.evaluate(PUSHED, json.dumps(MESSAGE))
    assert (turns, title) == (2, "Your turn")
    assert (options["body"], options["tag"], options["data"]) == ("Wibble against Bob", "one", "/lobby")
    for picture in ("icon", "badge"):
        assert me.page.request.get(me.url + options[picture]).headers["content-type"] == "image/png"


def test_the_page_takes_the_time_zone_and_says_why_push_is_unavailable(sit: Sit) -> None:
    me = sit(timezone_id="America/New_York")
    me.home()
    me.page.request.put(f"{me.url}/api/me", data={"nickname": "Ada"})
    me.page.goto(f"{me.url}/me/notifications")
    expect(me.page.locator("#zone")).to_have_value("America/New_York")
    me.page.get_by_label("Quiet from").fill("22:00")
    me.page.get_by_label("until").fill("07:00")
    me.page.get_by_role("button", name="Save").click()
    expect(me.page.get_by_text("Saved.")).to_be_visible()
    expect(me.page.get_by_label("Quiet from")).to_have_value("22:00")
    me.page.get_by_role("button", name="Notify this browser").click()
    expect(me.page.locator("#subscribe-notice")).to_contain_text("blocked for this site")
    me.page.get_by_text("Discord, Slack or another webhook").click()
    me.page.get_by_label("Address of the webhook").fill("https://discord.com/api/webhooks/1154821/token")
    me.page.get_by_role("button", name="Add", exact=True).click()
    expect(me.page.get_by_label("signed with this key")).to_have_value(re.compile("whsec_.+"))
    me.page.set_viewport_size(SMALL)
    expect(me.page.get_by_role("button", name="Remove Discord …4821")).to_be_visible()
    expect(me.page.get_by_text("Discord …4821 webhook, every turn, added just now")).to_be_visible()
    fits_width(me)
    me.page.get_by_role("button", name="Remove Discord …4821").click()
    expect(me.page.get_by_text("No channels yet.")).to_be_visible()
