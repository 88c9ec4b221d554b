/** Boggle's study board: words are entered by tapping neighbouring tiles, and moves are drawn on the board. */

import { mark, markMoves, tapTiles } from "../study/marks.js";
import { drawTrail, touches } from "../table/board.js";

const board = () => document.getElementById("board");
const columns = () => Number(board()?.dataset.columns ?? 1);

/** Marks a word and draws it over the tiles; without one the latest word is drawn. @param {number[]} cells */
function show(cells) {
  const latest = board()?.dataset.latest?.split(",").filter(Boolean).map(Number) ?? [];
  mark(cells);
  drawTrail(document.body, cells.length ? cells : latest, columns());
}

markMoves(show);
tapTiles((before, cell) => {
  if (before.includes(cell)) return before.slice(0, before.indexOf(cell));
  return before.length && touches(before[before.length - 1], cell, columns()) ? [...before, cell] : [cell];
});
