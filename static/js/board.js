/** The board as the page holds it, read anew from the table's markup after every swap, and how a chain grows on it. */

/**
 * @typedef {object} Tile
 * @property {number} cell row by row from 0
 * @property {string} letter a to z; "qu" where a face bears both
 * @property {number} value points before any bonus; 0 where tiles have none
 * @property {number} letterFactor
 * @property {number} wordFactor
 * @property {boolean} gem
 * @property {HTMLButtonElement} element
 */

/**
 * @typedef {object} Board
 * @property {number} columns
 * @property {number} rows
 * @property {Tile[]} tiles
 * @property {number} longWordLength letters from which the bonus is due; Infinity where there is none
 * @property {number} longWordBonus
 */

/**
 * @param {HTMLElement} table
 * @returns {Board}
 */
export function readBoard(table) {
  const { size, columns = size, longWordLength, longWordBonus } = table.dataset;
  const tiles = [.../** @type {NodeListOf<HTMLButtonElement>} */ (table.querySelectorAll("button.tile"))].map(readTile);
  return {
    columns: Number(columns),
    rows: tiles.length / Number(columns),
    tiles,
    longWordLength: longWordLength ? Number(longWordLength) : Infinity,
    longWordBonus: Number(longWordBonus ?? 0),
  };
}

/**
 * @param {HTMLButtonElement} element
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
 * Whether two cells touch, by a side or a corner.
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
 * The chain after the hand has come to `cell`: longer by it if it touches the end, shorter if it is the
 * second-to-last tile again, else unchanged; the same rule as the server's.
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
