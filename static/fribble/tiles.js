/** Board and rack: read from the table's markup after every swap, and painted. */

import { all } from "../site/elements.js";

const SIDE = 15;
const COLUMNS = "ABCDEFGHIJKLMNO";

/** @typedef {"across" | "down"} Way */

/**
 * @typedef {object} Laid a tile laid on a square and not yet played
 * @property {number} index its place in the rack
 * @property {string} letter upper case for a tile, lower case for a blank
 */

/**
 * @typedef {object} Board
 * @property {HTMLElement[]} squares by cell
 * @property {boolean[]} taken whether it has a played tile
 * @property {string[]} labels the label of each square without a laid tile
 */

/**
 * @param {HTMLElement} table
 * @returns {Board}
 */
export function readBoard(table) {
  const squares = all(table, "#board .fri-square");
  squares.forEach((square, cell) => (square.id = `square-${cell}`));
  return {
    squares,
    taken: squares.map((square) => square.classList.contains("tile")),
    labels: squares.map((square) => square.getAttribute("aria-label") ?? ""),
  };
}

/**
 * The next square in this direction, or null at the edge.
 *
 * @param {number} cell
 * @param {Way} way
 * @param {number} step 1 or -1
 */
export function nextSquare(cell, way, step) {
  const place = way === "across" ? cell % SIDE : Math.floor(cell / SIDE);
  if (place + step < 0 || place + step >= SIDE) return null;
  return cell + step * (way === "across" ? 1 : SIDE);
}

/**
 * The first free square from `cell` on, or null if there is none before the edge.
 *
 * @param {Board} board
 * @param {Map<number, Laid>} laid
 * @param {number} cell
 * @param {Way} way
 */
export function freeFrom(board, laid, cell, way) {
  /** @type {number | null} */
  let next = cell;
  while (next !== null && (board.taken[next] || laid.has(next))) next = nextSquare(next, way, 1);
  return next;
}

/**
 * Shows the laid tiles and the selected square.
 *
 * @param {Board} board
 * @param {Map<number, Laid>} laid
 * @param {(letter: string) => number | undefined} valueOf
 */
export function paint(board, laid, valueOf) {
  board.squares.forEach((square, cell) => {
    if (board.taken[cell]) return;
    const tile = laid.get(cell);
    const blank = tile !== undefined && tile.letter !== tile.letter.toUpperCase();
    const value = tile && !blank ? valueOf(tile.letter) : undefined;
    square.classList.toggle("tile", tile !== undefined);
    square.classList.toggle("tile--laid", tile !== undefined);
    square.classList.toggle("tile--blank", blank);
    square.textContent = tile?.letter.toUpperCase() ?? "";
    if (value === undefined) delete square.dataset.value;
    else square.dataset.value = String(value);
    square.setAttribute("aria-label", tile ? `${nameOf(cell)}, ${blank ? "blank as " : ""}${tile.letter.toUpperCase()}, laid` : board.labels[cell]);
  });
}

/** @param {number} cell */
export function nameOf(cell) {
  return `${Math.floor(cell / SIDE) + 1}${COLUMNS[cell % SIDE]}`;
}

/* The rack: seven places for tiles, in the player's own order. */

const ORDER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ?";

/** The points of a tile of each letter seen so far. @type {Map<string, number>} */
const values = new Map();

/** @param {HTMLElement} table */
function buttonsOf(table) {
  return all(table, "#rack .tile");
}

/** @param {string} letter */
export const valueOf = (letter) => values.get(letter);

/**
 * Reads the tiles' points from the server's markup.
 *
 * @param {HTMLElement} table
 */
export function readValues(table) {
  for (const button of buttonsOf(table)) {
    if (button.dataset.value) values.set(button.dataset.tile ?? "", Number(button.dataset.value));
  }
}

/**
 * The rack after a draw: kept tiles stay in place, new ones fill the gaps.
 *
 * @param {string[]} rack
 * @param {string} tiles what is on the rack now
 */
export function keepOrder(rack, tiles) {
  const fresh = [...tiles];
  /** @type {(string | null)[]} */
  const kept = rack.map((tile) => {
    const at = fresh.indexOf(tile);
    return at === -1 ? null : fresh.splice(at, 1)[0];
  });
  return [...kept.map((tile) => tile ?? fresh.shift() ?? null), ...fresh].filter((tile) => tile !== null);
}

/**
 * Shows the rack; laid tiles leave their place empty.
 *
 * @param {HTMLElement} table
 * @param {string[]} rack
 * @param {(index: number) => boolean} isLaid
 * @param {number | null} selected
 */
export function showRack(table, rack, isLaid, selected) {
  buttonsOf(table).forEach((button, index) => {
    const tile = rack[index];
    const value = valueOf(tile);
    button.hidden = tile === undefined || isLaid(index);
    button.dataset.tile = tile;
    button.textContent = tile === "?" ? "" : tile;
    button.classList.toggle("tile--blank", tile === "?");
    if (value === undefined) delete button.dataset.value;
    else button.dataset.value = String(value);
    button.setAttribute("aria-label", tile === "?" ? "blank" : `${tile}, ${value}`);
    button.setAttribute("aria-pressed", String(selected === index));
  });
}

/** @param {string[]} rack */
export function sorted(rack) {
  return rack.map((_, index) => index).sort((a, b) => ORDER.indexOf(rack[a]) - ORDER.indexOf(rack[b]));
}
