/** The list of found words and its sort order. */

import { all, first } from "../site/elements.js";

/** @typedef {(one: DOMStringMap, other: DOMStringMap) => number} Comparison */

/** @type {Comparison} */
const byAlphabet = (one, other) => ((one.word ?? "") < (other.word ?? "") ? -1 : 1);

/** @type {Record<string, Comparison>} */
const ORDERS = {
  found: (one, other) => Number(other.found) - Number(one.found),
  alphabet: byAlphabet,
  points: (one, other) => Number(other.points) - Number(one.points) || byAlphabet(one, other),
  length: (one, other) => (other.word?.length ?? 0) - (one.word?.length ?? 0) || byAlphabet(one, other),
};

/** Kept across swaps. Until the player chooses, a list beside the hand is grouped by length, as the server sent it. */
let chosen = window.matchMedia("(min-width: 60rem) and (min-height: 36rem)").matches ? "length" : "found";

/** @param {string} order one of ORDERS */
export function choose(order) {
  chosen = order;
}

/** @param {HTMLElement} table */
export function sort(table) {
  const select = table.querySelector("#found-order");
  if (select instanceof HTMLSelectElement) select.value = chosen;
  const list = first(table, "#found");
  if (list && chosen !== "length") list.dataset.order = chosen;
  else list?.removeAttribute("data-order");
  const words = all(table, "#found [data-word]");
  list?.append(...words.sort((one, other) => ORDERS[chosen](one.dataset, other.dataset)));
}

/**
 * The line of a found word.
 *
 * @param {HTMLElement} table
 * @param {string} word
 */
export function lineOf(table, word) {
  return first(table, `#found [data-word="${word}"]`);
}

/**
 * Scrolls the list, not the page, to a word.
 *
 * @param {HTMLElement} line
 */
export function reveal(line) {
  const list = line.parentElement;
  if (!list) return;
  const { top, bottom } = list.getBoundingClientRect();
  const place = line.getBoundingClientRect();
  if (place.top < top) list.scrollTop -= top - place.top;
  else if (place.bottom > bottom) list.scrollTop += place.bottom - bottom;
}
