/** Fribble's study board: previews of moves, and starting a move by choosing a square. */

import { all, closest, find } from "../site/elements.js";
import { watchArrows } from "../study/tiles.js";

const SIDE = 15;
const COLUMNS = "ABCDEFGHIJKLMNO";
const PLACED = /^\s*(?:(?<row>\d{1,2})(?<column>[a-o])|(?<downColumn>[a-o])(?<downRow>\d{1,2}))(?:\s+(?<word>[a-z.()?]*))?\s*$/i;

const squaresNow = () => all(document, "#board .fri-square");
const move = () => find("move", HTMLInputElement);

/** The squares with preview tiles. @type {HTMLElement[]} */
let shown = [];

/**
 * Shows only these preview tiles on the board.
 *
 * @param {number[]} cells
 * @param {string} letters
 */
function show(cells, letters) {
  for (const square of shown) {
    square.classList.remove("tile", "tile--laid", "tile--blank");
    square.textContent = "";
  }
  shown = [];
  const squares = squaresNow();
  for (const [place, cell] of cells.entries()) {
    const square = squares[cell];
    if (!square || square.classList.contains("tile")) continue;
    square.classList.add("tile", "tile--laid");
    square.classList.toggle("tile--blank", letters[place] !== letters[place].toUpperCase());
    square.textContent = letters[place].toUpperCase();
    shown.push(square);
  }
}

function showTyped() {
  const found = move()?.value.match(PLACED)?.groups;
  if (!found) return show([], "");
  const down = found.row === undefined;
  const column = COLUMNS.indexOf((found.column ?? found.downColumn).toUpperCase());
  const row = Number(found.row ?? found.downRow) - 1;
  const word = (found.word ?? "").replace(/[()]/g, "");
  const small = word === word.toLowerCase(); // without capitals, small letters are tiles, except after a ?
  const cells = [];
  let letters = "";
  for (const [step, sign] of (word.match(/\??[a-z.]/gi) ?? []).entries()) {
    const letter = sign[0] === "?" ? sign[1].toLowerCase() : small ? sign.toUpperCase() : sign;
    const [x, y] = down ? [column, row + step] : [column + step, row];
    if (x >= SIDE || y < 0 || y >= SIDE) break;
    if (letter === ".") continue;
    cells.push(SIDE * y + x);
    letters += letter;
  }
  show(cells, letters);
}

/** @param {HTMLElement | null} line */
function preview(line) {
  for (const other of all(document, ".study-line")) other.toggleAttribute("data-shown", other === line);
  if (line?.dataset.cells) show(line.dataset.cells.split(",").map(Number), line.dataset.letters ?? "");
  else showTyped();
}

/** Starts a move at this square: across, or down if it is chosen again. @param {number} cell */
function begin(cell) {
  const field = move();
  if (!field) return;
  const across = `${Math.floor(cell / SIDE) + 1}${COLUMNS[cell % SIDE]}`;
  const down = `${COLUMNS[cell % SIDE]}${Math.floor(cell / SIDE) + 1}`;
  const [place, ...word] = field.value.trim().split(/\s+/);
  field.value = `${place?.toUpperCase() === across ? down : across} ${word.join(" ")}`;
  showTyped();
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}

document.addEventListener("input", (event) => {
  if (event.target === move()) showTyped();
});
for (const over of ["pointerover", "focusin"]) {
  document.addEventListener(over, (event) => preview(closest(event, ".study-line")));
}
document.addEventListener("click", (event) => {
  const square = closest(event, "#board .fri-square");
  if (square) begin(squaresNow().indexOf(square));
});
document.addEventListener("keydown", (event) => {
  const square = closest(event, "#board .fri-square");
  if (!square || !["Enter", " "].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  begin(squaresNow().indexOf(square));
  event.preventDefault();
});
watchArrows("#board .fri-square");
document.addEventListener("htmx:afterSwap", () => {
  shown = [];
  showTyped();
});
showTyped();
