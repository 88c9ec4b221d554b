/** The board as the page holds it, read anew from the table's markup after every swap. */

export const SIDE = 15;
export const COLUMNS = "ABCDEFGHIJKLMNO";

/** @typedef {"across" | "down"} Way */

/**
 * @typedef {object} Laid a tile laid on a square and not yet played
 * @property {number} index its place in the hand
 * @property {string} letter upper case a tile, lower case a blank
 */

/**
 * @typedef {object} Board
 * @property {HTMLElement[]} squares by cell
 * @property {boolean[]} taken whether a played tile lies there
 * @property {string[]} labels what is told of each square while nothing is laid on it
 */

/**
 * @param {HTMLElement} table
 * @returns {Board}
 */
export function readBoard(table) {
  const squares = [.../** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("#board .fri-square"))];
  squares.forEach((square, cell) => (square.id = `square-${cell}`));
  return {
    squares,
    taken: squares.map((square) => square.classList.contains("fri-tile")),
    labels: squares.map((square) => square.getAttribute("aria-label") ?? ""),
  };
}

/**
 * The square one step on, or null at the edge.
 *
 * @param {number} cell
 * @param {Way} way
 * @param {1 | -1} step
 */
export function beside(cell, way, step) {
  const place = way === "across" ? cell % SIDE : Math.floor(cell / SIDE);
  if (place + step < 0 || place + step >= SIDE) return null;
  return cell + step * (way === "across" ? 1 : SIDE);
}

/**
 * The first square from `cell` on that nothing lies on, or null where there is none before the edge.
 *
 * @param {Board} board
 * @param {Map<number, Laid>} laid
 * @param {number} cell
 * @param {Way} way
 */
export function freeFrom(board, laid, cell, way) {
  /** @type {number | null} */
  let next = cell;
  while (next !== null && (board.taken[next] || laid.has(next))) next = beside(next, way, 1);
  return next;
}

/**
 * Shows the tiles laid, and which square is in use.
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
    square.classList.toggle("fri-tile", tile !== undefined);
    square.classList.toggle("fri-tile--laid", tile !== undefined);
    square.classList.toggle("fri-tile--blank", blank);
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
