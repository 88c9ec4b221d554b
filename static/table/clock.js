/** A table's clock, on the server's time: no drift, and correct after the page was suspended. Reports when the time is up. */

import { isPost, onFailure, say } from "../site/announce.js";
import { cue } from "./cues.js";
import { post, posting, receivedAt, refresh, report, table } from "./session.js";

/** Milliseconds between refreshes while the server's clock has not run out yet. */
const RETRY = 700;

/**
 * @typedef {object} Player
 * @property {() => boolean} mine whether the player's own time runs
 * @property {() => void} [stop] the player's time is up
 * @property {() => boolean} [waits] whether moves have no response yet; `timeUp` is called after them
 */

/** Server time minus local time, in seconds. Responses arrive late, never early, so the greatest value is the most exact. */
let offset = -Infinity;
let timer = 0;
/** Whether the clock of this table has run out on the page. */
export let hasRunOut = false;
/** The end of the clock for which `time_up` was sent. @type {string | undefined} */
let reportedEnd;
/** @type {Player} */
let player;

/** @param {Player} newPlayer */
export function watchClock(newPlayer) {
  player = newPlayer;
  // A timer may be late after the page was suspended.
  document.addEventListener("visibilitychange", tick);
  document.addEventListener("htmx:afterRequest", (event) => {
    // The clock ran out during the request.
    if (hasRunOut && isPost(event) && event.detail.successful) timeUp();
  });
  onFailure(() => {
    if (!hasRunOut) return;
    reportedEnd = undefined;
    // Longer each time, as the server may be overloaded.
    const late = Number(table.dataset.late ?? RETRY);
    table.dataset.late = String(Math.min(2 * late, 9000));
    window.clearTimeout(timer);
    timer = window.setTimeout(timeUp, late);
  });
}

/** Starts the clock of a new table. */
export function startClock() {
  hasRunOut = false;
  offset = Math.max(offset, Number(table.dataset.now) - receivedAt / 1000);
  tick();
}

/** Shows the remaining time until it is over. */
function tick() {
  if (hasRunOut) return;
  window.clearTimeout(timer);
  const face = document.getElementById("clock");
  if (!face || !table.dataset.endsAt) return;
  const left = Number(table.dataset.endsAt) - Date.now() / 1000 - offset;
  const shown = Math.max(0, Math.ceil(left));
  const text = timeText(shown);
  if (face.textContent !== text) {
    face.textContent = text;
    if (shown <= 10 && player.mine()) cue("tick");
    const announced = table.dataset.clocks === undefined || player.mine();
    if (announced && (shown === 60 || shown === 30 || shown === 10)) say(`${shown} seconds left`, "#clock");
  }
  face.toggleAttribute("data-urgent", shown <= 10);
  if (left <= 0) timeUp();
  // Fire just after the shown second ends.
  else timer = window.setTimeout(tick, (left - Math.ceil(left) + 1) * 1000 + 5);
}

/** @param {number} seconds */
function timeText(seconds) {
  const minutes = Math.floor(seconds / 60);
  return `${seconds < 3600 ? minutes : `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}`}:${twoDigits(seconds % 60)}`;
}

/** @param {number} number */
function twoDigits(number) {
  return String(number).padStart(2, "0");
}

/** Ends the player's time at once, without waiting for the server; on another's turn, refreshes until that has ended. */
export function timeUp() {
  if (!hasRunOut) {
    hasRunOut = true;
    if (player.mine()) {
      player.stop?.();
      report("Time’s up");
    }
  }
  // Called again after the pending requests.
  if (posting || player.waits?.()) return;
  const { clocks, endsAt } = table.dataset;
  // A clock per player has already run out on the server; a limit per turn waits for the page.
  if (clocks !== undefined) refreshUntilReplaced();
  else if (!player.mine() || reportedEnd === endsAt) refreshUntilReplaced(RETRY);
  else {
    reportedEnd = endsAt;
    post({ type: "time_up" });
  }
}

/** @param {number} [delay] milliseconds */
export function refreshUntilReplaced(delay = 0) {
  const shown = table;
  window.setTimeout(() => {
    if (table !== shown || !shown.isConnected) return;
    refresh();
    refreshUntilReplaced(RETRY);
  }, delay);
}
