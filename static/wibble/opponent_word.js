/** Draws another player's word over the old tiles, before they are replaced. */

import { find, first } from "../site/elements.js";
import { drawTrail } from "../table/board.js";
import { calm } from "../table/motion.js";

/** Milliseconds per tile, and for reading the whole word. */
const PER_TILE = 150;
const READING = 650;

/**
 * The move in a response, if it is another player's word on the tiles shown.
 *
 * @param {HTMLElement} table as shown now
 * @param {string} answer the fragment that will replace it
 * @returns {{cells: number[], word: string} | null}
 */
export function opponentWord(table, answer) {
  if (calm.matches || document.hidden) return null;
  const next = new DOMParser().parseFromString(answer, "text/html").getElementById("table");
  if (!next || table.dataset.several === undefined || next.dataset.result !== "scored") return null;
  const { ply, by, cells = "", word = "" } = next.dataset;
  const own = table.dataset.watching === undefined && by === table.dataset.seat;
  if (own || Number(ply) <= Number(table.dataset.ply)) return null;
  const move = { cells: cells.split(",").map(Number), word };
  // With two moves since the last refresh, the first may be a swap; with more, the board differs.
  const strange = move.cells.filter((cell, order) => tileAt(table, cell)?.dataset.letter !== word[order]);
  return strange.length <= 1 ? move : null;
}

/**
 * Draws the word tile by tile.
 *
 * @param {HTMLElement} table
 * @param {{cells: number[], word: string}} move
 * @returns {number} milliseconds to draw and read it
 */
export function drawOpponentWord(table, { cells, word }) {
  const field = find("word-field", HTMLInputElement);
  cells.forEach((cell, order) => {
    window.setTimeout(() => {
      const tile = tileAt(table, cell);
      tile?.setAttribute("aria-pressed", "true");
      // A new element: to the browser, a wider letter in the old one, after a swap, would be a shift of the page.
      const letter = document.createElement("span");
      letter.className = "letter";
      letter.textContent = word[order].toUpperCase();
      tile?.querySelector(".letter")?.replaceWith(letter);
      drawTrail(table, cells.slice(0, order + 1), Number(table.dataset.size));
      if (field) field.value = word.slice(0, order + 1);
    }, order * PER_TILE);
  });
  return cells.length * PER_TILE + READING;
}

/**
 * @param {HTMLElement} table
 * @param {number} cell
 */
function tileAt(table, cell) {
  return first(table, `#tile-${cell}`);
}
