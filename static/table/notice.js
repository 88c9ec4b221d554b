/** Failures at a table without a line for them: one that waits, has ended or was cancelled. */

import { GONE, NO_ANSWER, onFailure, say } from "../site/announce.js";

/** Milliseconds between two attempts to reach the server again, and for which a failure is readable at least. */
const PATIENCE = 4000;
let attempt = 0;

/**
 * Shows `text` and announces it, before or after the game.
 *
 * @param {string} text
 */
export function showNotice(text) {
  const place = [...document.querySelectorAll("#after, .lobby, .summary")].at(-1);
  if (!place) return;
  const line = document.getElementById("failure") ?? document.createElement("p");
  line.id = "failure";
  line.className = "notice";
  line.textContent = text;
  place.prepend(line);
  line.scrollIntoView({ block: "nearest" });
  say(text);
  window.clearTimeout(attempt);
  if (text === NO_ANSWER) attempt = window.setTimeout(awaitServer, PATIENCE, line);
}

/** Removes a failure once the server answers again. @param {HTMLElement} line */
async function awaitServer(line) {
  const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
  if (line.textContent !== NO_ANSWER) return;
  if (answer?.ok) line.remove();
  else if (line.isConnected) attempt = window.setTimeout(awaitServer, PATIENCE, line);
}

/** Stops all requests of the page. */
function stopAsking() {
  document.getElementById("table")?.setAttribute("data-over", "");
}

/** Shows that the game is gone, without the controls of a table that waited. */
function showGone() {
  stopAsking();
  const link = Object.assign(document.createElement("a"), { className: "button", href: "/lobby", textContent: "Lobby" });
  document.querySelector(".lobby")?.replaceChildren(link);
  showNotice(GONE);
}

onFailure((text) => (text === GONE ? showGone() : showNotice(text)));

document.addEventListener("submit", ({ target }) => {
  if (target instanceof Element && target.matches(".lobby-close")) stopAsking(); // the player leaves the page
});
document.addEventListener("htmx:responseError", ({ detail: { requestConfig, xhr } }) => {
  if (requestConfig.verb !== "get" || xhr.status !== 404) return;
  showGone();
});
