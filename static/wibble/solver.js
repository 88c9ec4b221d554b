/** The solver page: typing and painting the board, and solving after every change. */

import { say } from "../site/announce.js";
import { all, byId, closest } from "../site/elements.js";
import { PAUSE, solving } from "../site/workbench.js";
import { watchArrows } from "../study/tiles.js";
import { MARKS, paint, showMarks } from "./painting.js";

/** @param {string} id */
const field = (id) => byId(id, HTMLInputElement);
const form = byId("position", HTMLFormElement);
const board = byId("board", HTMLElement);
const tiles = all(board, ".tile");

// Without script a tile submits the form to be painted.
for (const tile of tiles) {
  tile.setAttribute("type", "button");
  tile.removeAttribute("name");
  tile.tabIndex = tile === tiles[0] ? 0 : -1;
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

watchArrows();
showMarks(form, tiles);
