/** Refreshes the parts of a page marked `data-fresh`, and the number of games where it is the player's turn, while the page is open. */

import { refreshParts } from "./fresh_parts.js";

const EVERY = 10_000;
const PARTS = "[data-fresh], #site-turn";

/**
 * Whether a refresh would disturb: the page is hidden, or the player is using a part; one with a field in use is kept by
 * `refreshParts`. Safari does not focus a pressed button.
 */
const isBusy = () =>
  document.hidden || Boolean(document.activeElement?.matches(`:is(${PARTS}) :not(input)`) || document.querySelector(`:is(${PARTS}):active`));

window.setInterval(() => {
  if (!isBusy()) void refreshParts();
}, EVERY);
