/** Refreshes the lobby, and the number of games where it is the player's turn. */

import { refreshParts } from "./fresh_parts.js";

const EVERY = 10_000;

/** Whether a refresh would disturb: the page is hidden, or the player is using the lobby. Safari does not focus a pressed button. */
const isBusy = () =>
  document.hidden || Boolean(document.activeElement?.closest("#lobby, #site-rooms") ?? document.querySelector("#lobby:active, #site-rooms:active"));

window.setInterval(() => {
  if (!isBusy()) void refreshParts();
}, EVERY);
