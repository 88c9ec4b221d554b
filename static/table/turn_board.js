/** Turns the board on the page; loaded with the first turn. */

import { glide } from "./effects.js";
import { calm } from "./motion.js";
import { isSideways, pointOnBoard, turnQuarter, turns } from "./rotation.js";

/**
 * Turns the board by a quarter clockwise.
 *
 * @param {HTMLElement} table
 * @param {import("./board.js").Board} board
 * @returns {string} the rows as now shown, for announcing them
 */
export function turn(table, board) {
  const places = new Map(board.tiles.map(({ element }) => [element, element.getBoundingClientRect()]));
  turnQuarter();
  arrange(table, board);
  if (!calm.matches) glide(places, 280);
  return spokenRows(board);
}

/**
 * Turns a new board from the server like the old one. Rows and columns are numbered as shown.
 *
 * @param {HTMLElement} table
 * @param {import("./board.js").Board} board
 */
export function arrange(table, board) {
  const frame = table.querySelector("#board");
  const grid = frame?.querySelector(".tiles");
  const line = grid?.querySelector(".row");
  if (!(frame instanceof HTMLElement) || !grid || !line || board.tiles.length === 0) return;
  const focused = document.activeElement;
  const { rows, columns } = shown(board);
  grid.replaceChildren(
    ...Array.from({ length: rows }, (_, row) => {
      const copy = /** @type {HTMLElement} */ (line.cloneNode());
      copy.setAttribute("aria-rowindex", String(row + 1));
      copy.append(
        ...tilesOf(board, row).map(({ element }, column) => {
          const cell = /** @type {HTMLElement} */ (element.parentElement);
          cell.setAttribute("aria-colindex", String(column + 1));
          return cell;
        }),
      );
      return copy;
    }),
  );
  grid.setAttribute("aria-rowcount", String(rows));
  grid.setAttribute("aria-colcount", String(columns));
  // Boards that may not be square have their shape here.
  if (frame.dataset.columns) Object.assign(frame.dataset, { rows, columns });
  turnTrail(frame, board);
  // The server's announcement has the rows of the unturned board.
  const { announce = "" } = table.dataset;
  table.dataset.announce = announce.replace(/Board: .*/, `Board: ${spokenRows(board)}.`);
  if (focused instanceof HTMLElement && grid.contains(focused)) focused.focus({ preventScroll: true });
}

/**
 * Turns the lines drawn over the tiles; their points stay those of the unturned board.
 *
 * @param {HTMLElement} frame
 * @param {import("./board.js").Board} board
 */
function turnTrail(frame, board) {
  const { rows, columns } = shown(board);
  frame.querySelector(".trail")?.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
  const corner = ["0 0", `${board.rows} 0`, `${board.columns} ${board.rows}`, `0 ${board.columns}`][turns];
  for (const line of frame.querySelectorAll(".trail polyline")) {
    line.setAttribute("transform", `translate(${corner}) rotate(${turns * 90})`);
  }
}

/**
 * The shape of the shown board.
 *
 * @param {import("./board.js").Board} board
 */
const shown = ({ rows, columns }) => (isSideways() ? { rows: columns, columns: rows } : { rows, columns });

/**
 * The letters of the shown rows, for announcing them.
 *
 * @param {import("./board.js").Board} board
 */
function spokenRows(board) {
  const rows = Array.from({ length: shown(board).rows }, (_, row) => tilesOf(board, row).map(spoken));
  return rows.map((letters) => letters.join(" ")).join(". ");
}

/** @param {import("./board.js").Tile} tile */
function spoken({ element, letter }) {
  const face = (element.querySelector(".letter")?.textContent ?? letter).toUpperCase();
  return element.matches(".tile--wall") ? "wall" : element.matches(".tile--frozen") ? `frozen ${face}` : face;
}

/**
 * The tiles of a shown row.
 *
 * @param {import("./board.js").Board} board
 * @param {number} row
 */
function tilesOf(board, row) {
  const { rows, columns } = shown(board);
  return Array.from({ length: columns }, (_, column) => {
    const { x, y } = pointOnBoard((column + 0.5) / columns, (row + 0.5) / rows);
    return board.tiles[Math.floor(y * board.rows) * board.columns + Math.floor(x * board.columns)];
  });
}
