/** The tiles of the hand: their letters, the points of a word, and their order. */

/**
 * @typedef {object} Tile
 * @property {HTMLElement} element
 * @property {string} letter a to z, or "?" for a blank
 * @property {number} score
 */

import { all } from "../site/elements.js";
import { shuffled } from "../table/motion.js";

/** The player's shuffled order, kept over swaps. @type {string[]} */
let order = [];

/**
 * @param {HTMLElement} table
 * @returns {Tile[]}
 */
export function readHand(table) {
  return all(table, "#hand .tile").map((element) => ({
    element,
    letter: element.dataset.letter ?? "",
    score: Number(element.dataset.value),
  }));
}

/**
 * The points of the word, or null if the hand lacks a letter.
 *
 * @param {Tile[]} tiles
 * @param {string} word a to z
 */
export function points(tiles, word) {
  const scores = new Map(tiles.map(({ letter, score }) => [letter, score]));
  const missing = new Set([...word].filter((letter) => !scores.has(letter)));
  if (missing.size > tiles.filter(({ letter }) => letter === "?").length) return null;
  return [...word].reduce((sum, letter) => sum + (scores.get(letter) ?? 0), 0);
}

/**
 * Highlights the tiles that the word uses.
 *
 * @param {Tile[]} tiles
 * @param {string} word
 */
export function light(tiles, word) {
  let blanks = new Set([...word].filter((letter) => !tiles.some((tile) => tile.letter === letter))).size;
  for (const { element, letter } of tiles) {
    const used = letter === "?" ? blanks-- > 0 : word.includes(letter);
    element.classList.toggle("tile--drawn", used);
  }
}

/**
 * Shuffles the tiles into a different order.
 *
 * @param {HTMLElement} table
 */
export function shuffle(table) {
  const ids = readHand(table).map(({ element }) => element.id);
  order = ids;
  for (let tries = 0; tries < 8 && order.join() === ids.join(); tries++) order = shuffled(ids);
  arrange(table);
}

/**
 * Restores the last shuffled order and keeps the focus.
 *
 * @param {HTMLElement} table
 */
export function arrange(table) {
  const hand = table.querySelector("#hand");
  if (!hand || order.length !== hand.children.length) return;
  const focused = document.activeElement;
  hand.append(...order.flatMap((id) => document.getElementById(id)?.parentElement ?? []));
  if (focused instanceof HTMLElement && hand.contains(focused)) focused.focus({ preventScroll: true });
}
