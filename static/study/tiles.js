/** Words made by tapping the tiles of a study board, written into the field of the move with their cells. */

import { all, closest, find } from "../site/elements.js";
import { typed } from "./marks.js";

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Starts handling taps and arrow keys on the tiles.
 *
 * @param {(before: number[], cell: number) => number[]} tapped the cells of the word after a tap
 */
export function tapTiles(tapped) {
  document.addEventListener("click", (event) => {
    const tile = closest(event, "#board .tile");
    const move = find("move", HTMLInputElement);
    if (!tile || !move) return;
    const cells = tapped(typed(), Number(tile.dataset.cell));
    const letters = all(document, "#board .tile").map(({ dataset }) => dataset.letter ?? "");
    const word = cells.map((cell) => letters[cell]).join("").toUpperCase();
    move.value = cells.length ? `${word} ${cells.join(" ")}` : "";
    move.dispatchEvent(new Event("input", { bubbles: true }));
  });
  document.addEventListener("keydown", walk);
}

/** Moves the focus between tiles by arrow keys. @param {KeyboardEvent} event */
export function walk(event) {
  const tile = closest(event, "#board .tile");
  const step = STEPS[event.key];
  if (!tile || !step || event.ctrlKey || event.metaKey || event.altKey) return;
  const tiles = all(document, "#board .tile");
  const columns = tile.closest("[role=row]")?.querySelectorAll(".tile").length ?? 1;
  const cell = tiles.indexOf(tile);
  const [column, row] = [(cell % columns) + step[0], Math.floor(cell / columns) + step[1]];
  if (column >= 0 && column < columns && row >= 0 && row < tiles.length / columns) {
    tile.tabIndex = -1;
    tiles[row * columns + column].tabIndex = 0;
    tiles[row * columns + column].focus({ focusVisible: true });
  }
  event.preventDefault();
}
