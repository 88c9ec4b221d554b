/** Keys pressed before the scripts of a game have loaded: this small script comes first and keeps them. */

/** @type {KeyboardEvent[]} */
const keys = [];

/** @param {KeyboardEvent} event */
const keep = (event) => keys.push(event);

/** Presses the kept keys again, once the game listens. */
function pressAgain() {
  document.removeEventListener("keydown", keep);
  for (const key of keys) key.target?.dispatchEvent(new KeyboardEvent("keydown", key));
}

document.addEventListener("keydown", keep);
document.addEventListener("listening", pressAgain, { once: true });
