/** The solver page: typing and painting the board, and solving after every change. */

import { say } from "../site/announce.js";
import { all, byId, closest } from "../site/elements.js";
import { PAUSE, solving } from "../site/workbench.js";
import { MARKS, paint, showMarks } from "./painting.js";

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {string} id */
const field = (id) => byId(id, HTMLInputElement);
const form = byId("position", HTMLFormElement);
const board = byId("board", HTMLElement);
const tiles = all(board, ".tile");
const side = Math.sqrt(tiles.length);

// Without script a tile submits the form to be painted.
for (const tile of tiles) {
  tile.setAttribute("type", "button");
  tile.removeAttribute("name");
}

const solve = solving(form, byId("caption", HTMLElement), () => {});

function letters() {
  return field("letters").value.toLowerCase().replace(/[^a-z]/g, "");
}

form.addEventListener("change", (event) => {
  const name = event.target instanceof HTMLElement ? event.target.getAttribute("name") : "";
  // A board of another size is rendered by the server.
  if (name === "board" && letters().length !== tiles.length) form.submit();
  else if (name !== "brush" && letters()) solve(0);
});

field("letters").addEventListener("input", () => {
  const typed = letters();
  for (const [cell, tile] of tiles.entries()) {
    const letter = tile.querySelector(".letter");
    if (letter) letter.textContent = (typed[cell] ?? "").toUpperCase();
    tile.querySelector(".value")?.replaceChildren();
  }
  showMarks(form, tiles);
  if (typed.length === tiles.length) solve(PAUSE);
});

/** Paints a tile, or removes the mark that is there. @param {number} cell */
function put(cell) {
  const brush = new FormData(form).get("brush");
  const mark = MARKS.find((each) => each === brush);
  if (mark) paint(form, mark, cell);
  showMarks(form, tiles);
  say(tiles[cell].getAttribute("aria-label") ?? "");
  if (letters().length === tiles.length) solve(PAUSE);
}

board.addEventListener("click", (event) => {
  const tile = closest(event, ".tile");
  if (!tile) return;
  event.preventDefault();
  put(Number(tile.dataset.cell));
});

// One tile is in the tab order; arrows move to the others.

/** @param {number} cell */
function rove(cell) {
  for (const [other, tile] of tiles.entries()) tile.tabIndex = other === cell ? 0 : -1;
}
rove(0);
board.addEventListener("focusin", (event) => {
  const tile = closest(event, ".tile");
  if (tile) rove(Number(tile.dataset.cell));
});
board.addEventListener("keydown", (event) => {
  const tile = closest(event, ".tile");
  const step = ARROWS[event.key];
  if (!tile || !step || event.ctrlKey || event.metaKey || event.altKey) return;
  const cell = Number(tile.dataset.cell);
  const [column, row] = [(cell % side) + step[0], Math.floor(cell / side) + step[1]];
  if (column >= 0 && column < side && row >= 0 && row < side) tiles[row * side + column].focus({ focusVisible: true });
  event.preventDefault();
});
showMarks(form, tiles);
