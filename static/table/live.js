/** Listens for changes of the table and of presence, and refreshes the page. */

import { say } from "../site/announce.js";
import { all } from "../site/elements.js";
import { newsWaits } from "./dialogs.js";

/** Milliseconds between refreshes while the event stream is down. */
const PATIENCE = 2000;
/** Milliseconds after which a hidden page stops listening, as browsers have few connections. */
const ASLEEP = 10 * 60 * 1000;

/** @type {EventSource | null} */
let source = null;
/** Seats with a page open. @type {number[]} */
let here = [];
let sleep = 0;
let claim = 0;
/** Whether a form is being sent: its response usually includes the latest changes. */
let sending = false;
/** The latest version announced by the server. */
let announced = "";
/** The latest table that came with the news. @type {import("./pushed_table.js").Pushed | null} */
let pushed = null;
/** Whether a table from the stream is being unpacked. */
let unpacking = false;
/** Rematch line and remark before the refresh. @type {(string | undefined)[]} */
let known = [];
/** Whether the page was hidden: from then on it shows the number of turns in the title and on the app's icon. */
let counts = false;

const table = () => document.getElementById("table");
/** The part that still changes after the game: rematch and remarks. */
const after = () => document.getElementById("after");
const over = () => table()?.dataset.over !== undefined;

function look() {
  window.htmx.trigger(after() ?? table(), "look");
}

/** Refreshes if the server announced a later version than shown; versions count plies, changes of seats and rematch, and remarks. */
function lookIfNew() {
  const shown = (after() ?? table())?.dataset.version ?? "";
  if (after() && newsWaits()) return;
  if (sending || unpacking || over() || announced.localeCompare(shown, "en", { numeric: true }) <= 0) return;
  if (pushed?.version !== announced || after()) look();
  else if (pushed.show()) pushed = null;
}

function listen() {
  window.clearTimeout(sleep);
  if (source && source.readyState !== EventSource.CLOSED) return;
  source = new EventSource(`/games/${table()?.dataset.game}/events`);
  source.addEventListener("table", ({ data }) => {
    announced = data;
    lookIfNew();
    countTurns();
  });
  source.addEventListener("view", async (event) => {
    announced = event.lastEventId;
    unpacking = true;
    pushed = await import("./pushed_table.js").then(({ unpack }) => unpack(event)).catch(() => null);
    unpacking = false;
    lookIfNew();
    countTurns();
  });
  source.addEventListener("here", ({ data }) => {
    here = JSON.parse(data);
    showPresence();
  });
}

function showPresence() {
  for (const seat of all(document, "[data-presence]")) {
    seat.toggleAttribute("data-here", here.includes(Number(seat.dataset.presence)));
  }
}

/** Rematch line and latest remark after the game. */
const linesAfter = () => ["#rematch", ".talk-bubble"].map((part) => after()?.querySelector(part)?.textContent?.trim());

function countTurns() {
  if (counts) import("../site/app.js").then((app) => app.refreshTurns()).catch(() => null);
}

/** Shows the claim once it is allowed. */
function timeClaim() {
  window.clearTimeout(claim);
  const form = document.getElementById("claim");
  if (!form?.hidden) return;
  claim = window.setTimeout(() => form.removeAttribute("hidden"), Math.min(Number(form.dataset.in) * 1000 + 500, 2 ** 31 - 1));
}

document.addEventListener("visibilitychange", () => {
  window.clearTimeout(sleep);
  if (document.hidden) {
    sleep = window.setTimeout(() => source?.close(), ASLEEP);
    counts = true;
    countTurns();
  } else if (!over()) listen();
});
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.requestConfig.verb !== "get") sending = true;
});
document.addEventListener("htmx:afterRequest", (event) => {
  const { requestConfig, successful } = event.detail;
  if (requestConfig.verb !== "get") sending = false;
  // After a failure, wait before trying again.
  else if (!successful) return;
  lookIfNew();
});
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  known = linesAfter();
  if (newsWaits() && detail.target.id === "after" && detail.requestConfig.verb === "get") detail.shouldSwap = false;
});
// After the click, which follows; a tap's does so later.
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => window.setTimeout(lookIfNew, 100), true);
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id === "after") {
    const news = linesAfter().filter((text, part) => text && text !== known[part]);
    if (news.length > 0) say(news.join(". "), "#after");
  }
  if (over()) source?.close();
  showPresence();
  timeClaim();
  countTurns();
});
window.addEventListener("pagehide", () => source?.close());
window.setInterval(() => {
  if (over()) source?.close();
  if (document.hidden || over()) return;
  if (source?.readyState === EventSource.OPEN) {
    // Updates held back are not announced again.
    lookIfNew();
  } else {
    listen();
    look();
  }
}, PATIENCE);
listen();
timeClaim();
