/** Hears from the server that the table has changed or that somebody came or went, and looks again. */

import { say } from "./announce.js";
import { newsWaits } from "./common.js";

/** Milliseconds between two looks while the server cannot be heard. */
const PATIENCE = 2000;
/** Milliseconds after which a page that nobody sees stops listening: a browser has few connections. */
const ASLEEP = 10 * 60 * 1000;

const htmx = /** @type {any} */ (window).htmx;
/** @type {EventSource | null} */
let source = null;
/** Seats with somebody there. @type {number[]} */
let here = [];
let sleep = 0;
let claim = 0;
/** Whether a form is on its way: its answer shows what one is told of meanwhile, as a rule. */
let sending = false;
/** The version told of last. */
let told = "";
/** What was asked and said before the page looked. @type {(string | undefined)[]} */
let known = [];

const table = () => document.getElementById("table");
/** Once the game is over only what is around it changes: what is asked and said. */
const after = () => document.getElementById("after");
const over = () => table()?.dataset.over !== undefined;

function look() {
  htmx.trigger(after() ?? table(), "look");
}

/** Looks if a later version was told of than is shown; it counts plies, seats, remarks, and changes of the rematch. */
function lookIfNew() {
  const shown = (after() ?? table())?.dataset.version ?? "";
  if (after() && newsWaits()) return;
  if (!sending && !over() && told.localeCompare(shown, "en", { numeric: true }) > 0) look();
}

function listen() {
  window.clearTimeout(sleep);
  if (source && source.readyState !== EventSource.CLOSED) return;
  source = new EventSource(`/games/${table()?.dataset.game}/events`);
  source.addEventListener("table", ({ data }) => {
    told = data;
    lookIfNew();
  });
  source.addEventListener("here", ({ data }) => {
    here = JSON.parse(data);
    showPresence();
  });
}

function showPresence() {
  for (const seat of document.querySelectorAll("[data-presence]")) {
    seat.toggleAttribute("data-here", here.includes(Number(/** @type {HTMLElement} */ (seat).dataset.presence)));
  }
}

/** What is asked and said after the game. */
const asked = () => ["#rematch", ".talk-bubble"].map((part) => after()?.querySelector(part)?.textContent?.trim());

/** Shows the claim as soon as it may be made. */
function timeClaim() {
  window.clearTimeout(claim);
  const form = document.getElementById("claim");
  if (!form?.hidden) return;
  claim = window.setTimeout(() => form.removeAttribute("hidden"), Math.min(Number(form.dataset.in) * 1000 + 500, 2 ** 31 - 1));
}

document.addEventListener("visibilitychange", () => {
  window.clearTimeout(sleep);
  if (document.hidden) sleep = window.setTimeout(() => source?.close(), ASLEEP);
  else if (!over()) listen();
});
document.addEventListener("htmx:beforeRequest", (event) => {
  if (/** @type {CustomEvent} */ (event).detail.requestConfig.verb !== "get") sending = true;
});
document.addEventListener("htmx:afterRequest", (event) => {
  const { requestConfig, successful } = /** @type {CustomEvent} */ (event).detail;
  if (requestConfig.verb !== "get") sending = false;
  // A server in trouble is asked again after a while, not at once.
  else if (!successful) return;
  lookIfNew();
});
document.addEventListener("htmx:beforeSwap", () => (known = asked()));
document.addEventListener("htmx:afterSwap", (event) => {
  if (/** @type {CustomEvent} */ (event).detail.target.id === "after") {
    const news = asked().filter((text, part) => text && text !== known[part]);
    if (news.length > 0) say(news.join(". "));
  }
  if (over()) source?.close();
  showPresence();
  timeClaim();
});
window.addEventListener("pagehide", () => source?.close());
window.setInterval(() => {
  if (document.hidden || over()) return;
  if (source?.readyState === EventSource.OPEN) {
    // What was held back, as by a dialog, is not told again.
    lookIfNew();
  } else {
    listen();
    look();
  }
}, PATIENCE);
listen();
timeClaim();
