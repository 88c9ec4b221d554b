/** Ownership and protection after a word, as on the server. Sets of cells are masks, bit i for cell i. */

export const SIDE = 5;
export const CELLS = SIDE * SIDE;

/** Mask of the orthogonal neighbours of each cell. */
const NEIGHBOURS = Array.from({ length: CELLS }, (_, cell) => {
  const column = cell % SIDE;
  const beside = [cell - SIDE, cell + SIDE, column > 0 ? cell - 1 : -1, column < SIDE - 1 ? cell + 1 : -1];
  return maskOf(beside.filter((other) => other >= 0 && other < CELLS));
});

/** @param {number[]} cells */
function maskOf(cells) {
  return cells.reduce((mask, cell) => mask | (1 << cell), 0);
}

/** @param {number} mask @param {number} cell */
export function has(mask, cell) {
  return ((mask >> cell) & 1) === 1;
}

/** @param {number} mask */
export function count(mask) {
  let number = 0;
  for (let rest = mask; rest; rest &= rest - 1) number++;
  return number;
}

/**
 * The cells of `own` with every neighbour in `own` as well.
 *
 * @param {number} own
 */
export function protectedOf(own) {
  return maskOf(Array.from({ length: CELLS }, (_, cell) => cell).filter((cell) => has(own, cell) && !(NEIGHBOURS[cell] & ~own)));
}

/**
 * The board after our word on `cells`: they turn ours, except those that the other side protects.
 *
 * @param {{ours: number, theirs: number}} before
 * @param {number[]} cells
 */
export function afterWord({ ours, theirs }, cells) {
  const taken = maskOf(cells) & ~protectedOf(theirs);
  return { ours: ours | taken, theirs: theirs & ~taken };
}

/**
 * Marks tiles by owner; the elements have `data-cell`.
 *
 * @param {Iterable<HTMLElement>} tiles
 * @param {{ours: number, theirs: number}} owned
 */
export function paint(tiles, { ours, theirs }) {
  const safe = protectedOf(ours) | protectedOf(theirs);
  for (const tile of tiles) {
    const cell = Number(tile.dataset.cell);
    if (has(ours | theirs, cell)) tile.dataset.owner = has(ours, cell) ? "ours" : "theirs";
    else delete tile.dataset.owner;
    tile.toggleAttribute("data-protected", has(safe, cell));
  }
}
