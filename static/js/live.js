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

const table = () => document.getElementById("table");
const over = () => table()?.dataset.over !== undefined;

function look() {
  htmx.trigger("#table", "look");
}

function listen() {
  window.clearTimeout(sleep);
  if (source && source.readyState !== EventSource.CLOSED) return;
  source = new EventSource(`/games/${table()?.dataset.game}/events`);
  source.addEventListener("table", ({ data }) => {
    if (data !== table()?.dataset.version) look();
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

document.addEventListener("visibilitychange", () => {
  window.clearTimeout(sleep);
  if (document.hidden) sleep = window.setTimeout(() => source?.close(), ASLEEP);
  else if (!over()) listen();
});
document.addEventListener("htmx:afterSwap", () => {
  if (over()) source?.close();
  showPresence();
});
window.addEventListener("pagehide", () => source?.close());
window.setInterval(() => {
  if (!document.hidden && !over() && source?.readyState !== EventSource.OPEN) {
    listen();
    look();
  }
}, PATIENCE);
listen();
