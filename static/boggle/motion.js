/** Animations for the result of a word, one per kind of refusal. */

import { first } from "../site/elements.js";
import { shakeWord } from "../table/chain.js";
import { cue } from "../table/cues.js";
import { pop } from "../table/effects.js";
import { calm, celebrate, tumble } from "../table/motion.js";
import { table } from "../table/session.js";

/**
 * @param {string} result
 * @param {number[]} cells
 * @param {string} word
 */
export function show(result, cells, word) {
  const found = first(table, `[data-found="${word}"]`);
  if (result === "scored" || result === "repeated") found?.scrollIntoView({ block: "nearest", inline: "nearest" });
  cue(result === "scored" ? "accepted" : "refused", word.length ** 2);
  if (result === "scored") celebrate(table.querySelector("#board"), word.length);
  else tumble();
  if (calm.matches) return;
  const tiles = cells.map((cell) => table.querySelector(`#tile-${cell}`));
  if (result === "scored") {
    tiles.forEach((tile, order) => light(tile, order * 25));
    found?.animate([{ scale: 0.6, opacity: 0 }, { scale: 1.08, opacity: 1, offset: 0.7 }, { scale: 1 }], { duration: 320 });
    pop(table.querySelector("#score"));
  } else if (result === "repeated") {
    // Highlights the word that is already in the list.
    found?.animate([{}, { background: colour("--accent"), color: colour("--accent-ink") }, {}], { duration: 900 });
    for (const tile of tiles) light(tile, 0);
  } else if (result === "too_short") {
    for (const tile of tiles) tile?.animate([{ scale: 1 }, { scale: 0.88 }, { scale: 1 }], { duration: 280 });
  } else if (result === "not_a_word") {
    shakeWord(cells);
  } else {
    shakeWord([]);
  }
}

/** Shakes the dice into place at the start of a round. */
export function rattle() {
  if (calm.matches) {
    table.querySelector("#board .tiles")?.animate([{ opacity: 0 }, {}], 200);
    return;
  }
  for (const tile of table.querySelectorAll("#board .tile")) {
    const lean = Math.random() * 40 - 20;
    tile.animate(
      [
        { transform: `translateY(-30%) rotate(${lean * 4}deg)`, opacity: 0 },
        { transform: `translate(${lean / 3}%, 6%) rotate(${-lean}deg)`, opacity: 1, offset: 0.4 },
        { transform: `translate(${-lean / 4}%, -4%) rotate(${lean / 2}deg)`, offset: 0.6 },
        { transform: `rotate(${-lean / 4}deg)`, offset: 0.8 },
        { transform: "none" },
      ],
      { duration: 520 + Math.random() * 160, easing: "ease-out", fill: "backwards" },
    );
  }
}

/** @param {Element | null} tile @param {number} delay */
function light(tile, delay) {
  const lit = { background: colour("--accent"), color: colour("--accent-ink") };
  tile?.animate([lit, { ...lit, offset: 0.3 }, {}], { duration: 520, delay, easing: "ease-out" });
}

/** @param {string} name */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name);
}
