/** A clock on the server's time: no drift, and correct after the page was suspended. */

import { say } from "../site/announce.js";

/** Server time minus local time, in seconds. Responses arrive late, never early, so the greatest seen is the most exact. */
let offset = -Infinity;

/**
 * Adjusts to the server's time in a response.
 *
 * @param {number} serverNow seconds since the epoch
 * @param {number} receivedAt local time of the response, in milliseconds since the epoch
 */
export function synchronise(serverNow, receivedAt) {
  offset = Math.max(offset, serverNow - receivedAt / 1000);
}

/** @param {number} endsAt seconds since the epoch, by the server's clock */
function secondsLeft(endsAt) {
  return endsAt - Date.now() / 1000 - offset;
}

let timer = 0;

/** Stops the running clock. */
export function stopClock() {
  window.clearTimeout(timer);
}

/**
 * Shows the remaining time on `face` until it is over.
 *
 * @param {HTMLElement} face
 * @param {number} endsAt seconds since the epoch, by the server's clock
 * @param {() => void} over called once, when nothing is left
 */
export function runClock(face, endsAt, over) {
  stopClock();
  const left = secondsLeft(endsAt);
  const shown = Math.max(0, Math.ceil(left));
  const text = `${Math.floor(shown / 60)}:${String(shown % 60).padStart(2, "0")}`;
  if (face.textContent !== text) {
    face.textContent = text;
    if (shown === 60 || shown === 30 || shown === 10) say(`${shown} seconds left`);
  }
  face.toggleAttribute("data-urgent", shown <= 10);
  if (left <= 0) over();
  // Fire just after the shown second ends.
  else timer = window.setTimeout(() => runClock(face, endsAt, over), (left - Math.ceil(left) + 1) * 1000 + 5);
}
