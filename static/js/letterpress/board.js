/** The board as the page holds it, read anew from the table's markup after every swap. */

import { has, protectedOf } from "./territory.js";

/**
 * @typedef {object} Board
 * @property {HTMLButtonElement[]} tiles by cell
 * @property {number} ours
 * @property {number} theirs
 */

/**
 * @param {HTMLElement} table
 * @returns {Board}
 */
export function readBoard(table) {
  const tiles = /** @type {NodeListOf<HTMLButtonElement>} */ (table.querySelectorAll("button.press-tile"));
  return { tiles: [...tiles], ours: Number(table.dataset.ours), theirs: Number(table.dataset.theirs) };
}

/** @param {Board} board @param {number[]} cells */
export function wordOf(board, cells) {
  return cells.map((cell) => letterOf(board, cell)).join("");
}

/** @param {Board} board @param {number} cell */
export function letterOf(board, cell) {
  return board.tiles[cell]?.dataset.letter ?? "";
}

/**
 * The tile that a typed letter takes: one that turns, theirs before nobody's, as far as there is a choice.
 *
 * @param {Board} board
 * @param {number[]} used cells that lie in the word already
 * @param {string} letter
 * @returns {number | undefined}
 */
export function tileFor(board, used, letter) {
  const { tiles, ours, theirs } = board;
  const kept = ours | protectedOf(theirs);
  const worth = (/** @type {number} */ cell) => (has(kept, cell) ? 0 : has(theirs, cell) ? 2 : 1);
  return tiles
    .map((_, cell) => cell)
    .filter((cell) => letterOf(board, cell) === letter && !used.includes(cell))
    .sort((a, b) => worth(b) - worth(a))[0];
}
