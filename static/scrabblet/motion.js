/** Scrabblet's animations for the result of a guess. */

import { first } from "../site/elements.js";
import { countUp, flying, glide, pop } from "../table/effects.js";
import { calm, shake } from "../table/motion.js";
import { lineOf, reveal } from "./found_words.js";
import { readHand } from "./hand.js";

/**
 * Animates the change from the old table to the new one.
 *
 * @param {HTMLElement} before
 * @param {HTMLElement} table
 */
export function play(before, table) {
  const { result, word = "", points, lost } = table.dataset;
  const line = result === "scored" || result === "duplicate" ? lineOf(table, word) : null;
  if (line) reveal(line);
  if (calm.matches) return;
  if (result === "scored") {
    if (table.dataset.pangram !== undefined) hop(table);
    pop(line);
    if (before.dataset.rank !== table.dataset.rank) pop(table.querySelector(".rank-name"), 700);
    fly(before, table, `+${points}`);
  } else if (result === "duplicate") {
    glow(line);
  } else if (result === "not_a_word" || result === "too_short" || result === "not_dealt") {
    shake(table.querySelector("#word"));
    if (result === "not_dealt") highlightHand(table);
    if (Number(lost)) drop(before, table, `−${lost}`);
  }
}

/**
 * Moves the tiles from their old to their new places.
 *
 * @param {HTMLElement} table
 * @param {() => void} rearrange
 */
export function glideTiles(table, rearrange) {
  const places = new Map(readHand(table).map(({ element }) => [element, element.getBoundingClientRect()]));
  rearrange();
  if (!calm.matches) glide(places, 420);
}

/**
 * Makes all tiles hop, for a pangram.
 *
 * @param {HTMLElement} table
 */
function hop(table) {
  readHand(table).forEach(({ element }, index) => {
    element.animate([{ translate: "0 0" }, { translate: "0 -18%" }, { translate: "0 0" }], {
      duration: 380,
      delay: index * 60,
      easing: "ease-out",
    });
  });
}

/**
 * Highlights the hand, for a word with other letters.
 *
 * @param {HTMLElement} table
 */
function highlightHand(table) {
  for (const { element } of readHand(table)) {
    element.animate([{ scale: 1 }, { scale: 0.93 }, { scale: 1 }], { duration: 320, easing: "ease-in-out" });
  }
}

/**
 * Highlights the word that was already found.
 *
 * @param {HTMLElement | null} line
 */
function glow(line) {
  const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent");
  line?.animate([{ boxShadow: `0 0 0 3px ${accent}` }, { boxShadow: `0 0 0 3px ${accent}`, offset: 0.7 }, {}], { duration: 1200 });
}

/**
 * Moves the points from the report to the score.
 *
 * @param {HTMLElement} before
 * @param {HTMLElement} table
 * @param {string} text
 */
function fly(before, table, text) {
  const score = first(table, "#score");
  const source = table.querySelector("#report b");
  if (!score || !source) return;
  const was = Number(before.dataset.score);
  const now = Number(table.dataset.score);
  const goal = score.getBoundingClientRect();
  score.textContent = String(was);
  const chip = flying("flying-points", source.getBoundingClientRect());
  chip.textContent = text;
  const own = chip.getBoundingClientRect();
  const x = goal.left + goal.width / 2 - own.left - own.width / 2;
  const y = goal.top + goal.height / 2 - own.top - own.height / 2;
  chip
    .animate(
      [
        { transform: "scale(.5)", opacity: 0 },
        { transform: "scale(1.1)", opacity: 1, offset: 0.2 },
        { transform: "scale(1)", opacity: 1, offset: 0.4, easing: "cubic-bezier(.6,0,.3,1)" },
        { transform: `translate(${x}px, ${y}px) scale(.8)`, opacity: 0.9 },
      ],
      { duration: 700, fill: "both" },
    )
    .finished.then(() => {
      chip.remove();
      countUp(score, was, now);
      pop(score);
    });
}

/**
 * Drops the points of a wrong guess from the score.
 *
 * @param {HTMLElement} before
 * @param {HTMLElement} table
 * @param {string} text
 */
function drop(before, table, text) {
  const score = first(table, "#score");
  if (!score) return;
  countUp(score, Number(before.dataset.score), Number(table.dataset.score));
  const chip = flying("flying-points flying-points--lost", score.getBoundingClientRect());
  chip.textContent = text;
  chip
    .animate([{ transform: "none", opacity: 1 }, { transform: "translateY(3.5rem)", opacity: 0 }], {
      duration: 800,
      easing: "ease-in",
      fill: "both",
    })
    .finished.then(() => chip.remove());
}
