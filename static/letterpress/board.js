/** The board, read from the table's markup after every swap. */

import { all } from "../site/elements.js";
import { has, protectedOf } from "./territory.js";

/**
 * @typedef {object} Board
 * @property {HTMLElement[]} tiles by cell
 * @property {number} ours
 * @property {number} theirs
 */

/**
 * @param {HTMLElement} table
 * @returns {Board}
 */
export function readBoard(table) {
  return { tiles: all(table, ".press-board button.tile"), ours: Number(table.dataset.ours), theirs: Number(table.dataset.theirs) };
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
 * The tile for a typed letter: preferably one that turns, and theirs before free ones.
 *
 * @param {Board} board
 * @param {number[]} used cells already in the word
 * @param {string} letter
 * @returns {number | undefined}
 */
export function tileFor(board, used, letter) {
  const { tiles, ours, theirs } = board;
  const kept = ours | protectedOf(theirs);
  const priority = (/** @type {number} */ cell) => (has(kept, cell) ? 0 : has(theirs, cell) ? 2 : 1);
  return tiles
    .map((_, cell) => cell)
    .filter((cell) => letterOf(board, cell) === letter && !used.includes(cell))
    .sort((a, b) => priority(b) - priority(a))[0];
}
