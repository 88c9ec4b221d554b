/** The board, read from the table's markup after every swap, and chains of tiles on it. */

import { all } from "../site/elements.js";

/** Search steps after which the best path so far is used: a board with only one letter has very many paths. */
const PATIENCE = 40_000;

/**
 * @typedef {object} Tile
 * @property {number} cell row by row from 0
 * @property {string} letter a to z; "qu" for a Qu face
 * @property {number} value points before any bonus; 0 if tiles have none
 * @property {number} letterFactor
 * @property {number} wordFactor
 * @property {boolean} gem
 * @property {HTMLElement} element
 */

/**
 * @typedef {object} Board
 * @property {number} columns
 * @property {number} rows
 * @property {Tile[]} tiles
 * @property {number} longWordLength letters from which the bonus applies; Infinity if there is none
 * @property {number} longWordBonus
 */

/**
 * @param {HTMLElement} table
 * @returns {Board}
 */
export function readBoard(table) {
  const { size, columns = size, longWordLength, longWordBonus } = table.dataset;
  const tiles = all(table, "#board button.tile")
    .map(readTile)
    .sort((a, b) => a.cell - b.cell);
  return {
    columns: Number(columns),
    rows: tiles.length / Number(columns),
    tiles,
    longWordLength: longWordLength ? Number(longWordLength) : Infinity,
    longWordBonus: Number(longWordBonus ?? 0),
  };
}

/**
 * @param {HTMLElement} element
 * @returns {Tile}
 */
function readTile(element) {
  const { cell, letter, value = 0, letterFactor = 1, wordFactor = 1, gem } = element.dataset;
  return {
    cell: Number(cell),
    letter: letter ?? "",
    value: Number(value),
    letterFactor: Number(letterFactor),
    wordFactor: Number(wordFactor),
    gem: gem !== undefined,
    element,
  };
}

/**
 * The screen rectangle of each tile, by cell.
 *
 * @param {Board} board
 */
export const placesOf = (board) => new Map(board.tiles.map(({ cell, element }) => [cell, element.getBoundingClientRect()]));

/**
 * Whether two cells touch at a side or a corner.
 *
 * @param {number} a
 * @param {number} b
 * @param {number} columns
 */
export function touches(a, b, columns) {
  const down = Math.abs(Math.floor(a / columns) - Math.floor(b / columns));
  const across = Math.abs((a % columns) - (b % columns));
  return a !== b && down <= 1 && across <= 1;
}

/**
 * @param {Board} board
 * @param {number[]} cells
 */
export function wordOf(board, cells) {
  return cells.map((cell) => board.tiles[cell].letter).join("");
}

/**
 * The chain after the pointer reaches `cell`: extended if it touches the last tile, shortened if it is the second-to-last
 * tile, else unchanged; the same rule as the server's.
 *
 * @param {number[]} chain
 * @param {number} cell
 * @param {number} columns
 * @returns {number[]}
 */
export function reach(chain, cell, columns) {
  if (chain.length === 0) return [cell];
  if (cell === chain.at(-2)) return chain.slice(0, -1);
  if (chain.includes(cell) || !touches(cell, chain[chain.length - 1], columns)) return chain;
  return [...chain, cell];
}

/**
 * Draws the line through the chain's tiles to the pointer.
 *
 * @param {HTMLElement} table
 * @param {number[]} cells
 * @param {number} columns
 * @param {{x: number, y: number} | null} [pointer] the pointer's position, in tiles from the board's corner
 */
export function drawTrail(table, cells, columns, pointer = null) {
  const line = table.querySelector("#trail-line");
  if (!line) return;
  const centres = cells.map((cell) => `${(cell % columns) + 0.5},${Math.floor(cell / columns) + 0.5}`);
  // A line of one point is drawn as a dot only if it has two.
  if (pointer && cells.length > 0) centres.push(`${pointer.x.toFixed(2)},${pointer.y.toFixed(2)}`);
  else if (cells.length === 1) centres.push(centres[0]);
  line.setAttribute("points", centres.join(" "));
}

/**
 * The points of a chain, as a preview; the server decides.
 *
 * @param {Board} board
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
 * The path with the most points (then the most gems, then the lowest cells), or null if the board has no path for `word`.
 *
 * @param {Board} board
 * @param {string} word a to z
 * @returns {number[] | null}
 */
export function bestPath(board, word) {
  const { columns, tiles } = board;
  /** @type {number[] | null} */
  let best = null;
  let bestValue = -1;
  let steps = 0;
  /** @type {number[]} */
  const path = [];

  const search = (spelled = 0) => {
    if (spelled === word.length) {
      const gems = path.filter((cell) => tiles[cell].gem).length;
      const value = points(board, path) * 100 + gems;
      if (value > bestValue) {
        best = [...path];
        bestValue = value;
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
