/** Another's move, drawn as a hand would draw it: over the tiles that still lie there, before they fall. */

import { drawTrail } from "./board.js";

/** Milliseconds a tile, and those that the whole word is left to be read. */
const PER_TILE = 150;
const READING = 650;

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

/**
 * The move that an answer tells of, if it is another's word on the tiles shown.
 *
 * @param {HTMLElement} table as it stands
 * @param {string} answer the fragment that is to take its place
 * @returns {{cells: number[], word: string} | null}
 */
export function othersWord(table, answer) {
  if (calm.matches || document.hidden) return null;
  const next = new DOMParser().parseFromString(answer, "text/html").getElementById("table");
  if (!next || table.dataset.several === undefined || next.dataset.result !== "scored") return null;
  const { ply, by, cells = "", word = "" } = next.dataset;
  const own = table.dataset.watching === undefined && by === table.dataset.seat;
  if (own || Number(ply) <= Number(table.dataset.ply)) return null;
  const move = { cells: cells.split(",").map(Number), word };
  // Of two moves between two looks the first may have been a swap; more would be another board.
  const strange = move.cells.filter((cell, order) => tileAt(table, cell)?.dataset.letter !== word[order]);
  return strange.length <= 1 ? move : null;
}

/**
 * Draws the word tile by tile.
 *
 * @param {HTMLElement} table
 * @param {{cells: number[], word: string}} move
 * @returns {number} milliseconds until it has been drawn and read
 */
export function drawOthersWord(table, { cells, word }) {
  const field = /** @type {HTMLInputElement | null} */ (table.querySelector("#word-field"));
  cells.forEach((cell, order) => {
    window.setTimeout(() => {
      const tile = tileAt(table, cell);
      tile?.setAttribute("aria-pressed", "true");
      const letter = tile?.querySelector(".letter");
      if (letter) letter.textContent = word[order].toUpperCase();
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
  return /** @type {HTMLElement | null} */ (table.querySelector(`#tile-${cell}`));
}
