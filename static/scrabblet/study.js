/** Scrabblet's study board: tapped tiles write a word, and the tiles of a move are marked. */

import { all, closest, find } from "../site/elements.js";
import { mark, markMoves } from "../study/marks.js";

/** The tiles that the word in the field uses. */
function tilesUsed() {
  const word = (find("move", HTMLInputElement)?.value ?? "").trim().toLowerCase();
  const tiles = all(document, "#board .tile").map(({ dataset }) => dataset.letter ?? "");
  let blanks = new Set([...word].filter((letter) => !tiles.includes(letter))).size;
  return tiles.flatMap((letter, cell) => ((letter === "?" ? blanks-- > 0 : word.includes(letter)) ? [cell] : []));
}

document.addEventListener("click", (event) => {
  const tile = closest(event, "#board .tile");
  const erases = closest(event, "#erase");
  const move = find("move", HTMLInputElement);
  if (!move || !(tile || erases)) return;
  const letter = tile?.dataset.letter ?? "";
  // The letter of a blank has to be typed.
  if (letter === "?") return move.focus();
  move.value = erases ? move.value.slice(0, -1) : move.value + letter.toUpperCase();
  move.dispatchEvent(new Event("input", { bubbles: true }));
});

markMoves(mark, tilesUsed);
