/** Hears from the server that the table has changed or that somebody came or went, and looks again. */

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

const table = () => document.getElementById("table");
const over = () => table()?.dataset.over !== undefined;

function look() {
  htmx.trigger("#table", "look");
}

/** Looks if a later version was told of than is shown; it counts plies, then seats, then remarks. */
function lookIfNew() {
  const shown = table()?.dataset.version ?? "";
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
document.addEventListener("htmx:afterSwap", () => {
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
