/** Refreshes the lobby, and the number of games where it is the player's turn. */

import { showTurns } from "./app.js";

const EVERY = 10_000;

/** Whether a refresh would disturb: the page is hidden, or the player is using the lobby. Safari does not focus a pressed button. */
const isBusy = () =>
  document.hidden || Boolean(document.activeElement?.closest("#lobby, #site-rooms") ?? document.querySelector("#lobby:active, #site-rooms:active"));

window.setInterval(async () => {
  if (isBusy()) return;
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const { body, documentElement } = new DOMParser().parseFromString(await answer.text(), "text/html");
    showTurns(Number(documentElement.dataset.turns));
    if (isBusy()) return;
    for (const id of ["#lobby", "#site-rooms"]) {
      const next = body.querySelector(id);
      const now = document.querySelector(id);
      if (!next || !now || next.innerHTML === now.innerHTML) continue;
      for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (now.querySelectorAll("input:not([type=hidden])"))) {
        const fresh = next.querySelector(`input[name="${field.name}"]`);
        if (fresh instanceof HTMLInputElement) [fresh.value, fresh.checked] = [field.value, field.checked];
      }
      now.replaceWith(next);
    }
  } catch {
    // No network: try again at the next refresh.
  }
}, EVERY);
