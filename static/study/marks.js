/** Moves on a study board: marked on its tiles, or made by tapping them. */

import { all, closest, find } from "../site/elements.js";
import { watchArrows } from "./tiles.js";

/** @param {number[]} cells */
export function mark(cells) {
  for (const tile of all(document, "#board .tile")) {
    tile.toggleAttribute("data-word", cells.includes(Number(tile.dataset.cell)));
  }
}

/** The cells after the word in the field. */
export function typed() {
  const [, ...cells] = (find("move", HTMLInputElement)?.value ?? "").trim().split(/[\s,]+/);
  return cells.filter((cell) => /^\d+$/.test(cell)).map(Number);
}

/**
 * Starts marking moves: the engine's line under the pointer, or the move in the field.
 *
 * @param {(cells: number[], letters: string) => void} [show] shows a move; `letters` are those of an engine's line
 * @param {() => number[]} [read] the cells of the move in the field
 */
export function markMoves(show = mark, read = typed) {
  /** @param {HTMLElement | null} line */
  const preview = (line) => {
    for (const other of all(document, ".study-line")) other.toggleAttribute("data-shown", other === line);
    if (line?.dataset.cells) show(line.dataset.cells.split(",").map(Number), line.dataset.letters ?? "");
    else show(read(), "");
  };
  for (const over of ["pointerover", "focusin"]) {
    document.addEventListener(over, (event) => preview(closest(event, ".study-line")));
  }
  document.addEventListener("input", (event) => {
    if (event.target === find("move", HTMLInputElement)) show(read(), "");
  });
  document.addEventListener("htmx:afterSwap", () => show(read(), ""));
}

/**
 * Starts handling taps and arrow keys on the tiles: a word is written into the field with its cells.
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
  watchArrows();
}
