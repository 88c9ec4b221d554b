/** What a chain is worth, and the best chain that spells a typed word. */

import { touches } from "./board.js";

/** A board of one letter has more paths than anybody waits for; beyond this many steps the best so far will do. */
const PATIENCE = 40_000;

/**
 * The points of a chain; the server has the last word.
 *
 * @param {import("./board.js").Board} board
 * @param {number[]} cells
 */
export function points(board, cells) {
  let letters = 0;
  let factor = 1;
  for (const cell of cells) {
    const tile = board.tiles[cell];
    letters += tile.value * tile.letterFactor;
    factor *= tile.wordFactor;
  }
  return letters * factor + (cells.length >= board.longWordLength ? board.longWordBonus : 0);
}

/**
 * The path with the most points (then the most gems, then the lowest cells), or null if the board cannot spell `word`.
 *
 * @param {import("./board.js").Board} board
 * @param {string} word a to z
 * @returns {number[] | null}
 */
export function bestPath(board, word) {
  const { columns, tiles } = board;
  /** @type {number[] | null} */
  let best = null;
  let bestWorth = -1;
  let steps = 0;
  /** @type {number[]} */
  const path = [];

  const search = (spelled = 0) => {
    if (spelled === word.length) {
      const gems = path.filter((cell) => tiles[cell].gem).length;
      const worth = points(board, path) * 100 + gems;
      if (worth > bestWorth) {
        best = [...path];
        bestWorth = worth;
      }
      return;
    }
    for (const { cell, letter } of tiles) {
      if (!word.startsWith(letter, spelled) || path.includes(cell)) continue;
      if (path.length > 0 && !touches(cell, path[path.length - 1], columns)) continue;
      if (steps++ > PATIENCE) return;
      path.push(cell);
      search(spelled + letter.length);
      path.pop();
    }
  };

  if (word.length > 0) search();
  return best;
}
