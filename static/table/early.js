/** Keys pressed before the scripts of a game have loaded: this small script comes first and keeps them. */

/** @type {KeyboardEvent[]} */
const keys = [];

/** @param {KeyboardEvent} event */
const keep = (event) => keys.push(event);
document.addEventListener("keydown", keep);

/** Presses the kept keys again, once the game listens. */
export function pressAgain() {
  document.removeEventListener("keydown", keep);
  for (const key of keys.splice(0)) key.target?.dispatchEvent(new KeyboardEvent("keydown", key));
}
