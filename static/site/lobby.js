/** Refreshes the lobby, and the number of games where it is the player's turn. */

import { showTurns } from "./app.js";

const EVERY = 10_000;

window.setInterval(async () => {
  // Do not move what the player is about to press.
  if (document.activeElement?.closest("#lobby, #site-rooms")) return;
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const { body, documentElement } = new DOMParser().parseFromString(await answer.text(), "text/html");
    showTurns(Number(documentElement.dataset.turns));
    for (const id of ["#lobby", "#site-rooms"]) {
      const next = body.querySelector(id);
      const now = document.querySelector(id);
      if (next && now && next.innerHTML !== now.innerHTML) now.replaceWith(next);
    }
  } catch {
    // No network: try again at the next refresh.
  }
}, EVERY);
