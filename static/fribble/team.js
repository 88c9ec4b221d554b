/** Team mode: shows the move under the pointer on the board; choosing a square starts a typed move there. */

import { say } from "../site/announce.js";
import { all, byId, closest, find } from "../site/elements.js";

const SIDE = 15;
const COLUMNS = "ABCDEFGHIJKLMNO";
/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const PLACED = /^\s*(?:(?<row>\d{1,2})(?<column>[a-o])|(?<downColumn>[a-o])(?<downRow>\d{1,2}))(?:\s+(?<word>[a-z.()?]*))?\s*$/i;

const board = byId("board", HTMLElement);
const caption = byId("caption", HTMLElement);
const turn = find("turn", HTMLInputElement);
const squares = all(board, ".fri-square");
const empty = squares.map((square) => !square.classList.contains("tile"));
const usual = caption.textContent || (turn ? "Choose a square to start a move there." : "");

document.body.dataset.scripted = "";

// Preview tiles

/** @type {number[]} */
let shown = [];

/**
 * Shows these preview tiles on the board, and no others.
 *
 * @param {number[]} cells
 * @param {string} letters
 * @param {string} text
 */
function show(cells, letters, text) {
  for (const cell of shown) {
    squares[cell].classList.remove("tile", "tile--laid", "tile--blank");
    squares[cell].textContent = "";
  }
  shown = cells.filter((cell) => empty[cell]);
  for (const [place, cell] of cells.entries()) {
    if (!empty[cell]) continue;
    const letter = letters[place];
    squares[cell].classList.add("tile", "tile--laid");
    squares[cell].classList.toggle("tile--blank", letter !== letter.toUpperCase());
    squares[cell].textContent = letter.toUpperCase();
  }
  caption.textContent = text;
}

const moves = all(document, ".team-move[data-cells]");

/** The move shown while none is under the pointer. @type {HTMLElement | null} */
let pinned = null;

/** @param {HTMLElement | null} move */
function preview(move) {
  for (const other of moves) other.toggleAttribute("data-shown", other === move);
  if (!move) {
    showTyped();
    return;
  }
  const { cells = "", letters = "" } = move.dataset;
  show(cells.split(",").map(Number), letters, `With ${move.querySelector("a")?.textContent?.trim() ?? ""}.`);
}

for (const move of moves) {
  move.addEventListener("pointerenter", () => preview(move));
  move.addEventListener("pointerleave", () => preview(pinned));
  move.addEventListener("focusin", () => preview(move));
  move.addEventListener("focusout", () => preview(pinned));
  move.querySelector("a")?.addEventListener("click", (event) => {
    event.preventDefault();
    pinned = pinned === move ? null : move;
    preview(pinned ?? move);
    const { top, bottom } = board.getBoundingClientRect();
    if (bottom < 0 || top > window.innerHeight) board.scrollIntoView({ block: "center" });
    say(caption.textContent ?? "");
  });
}

// Typed moves

function showTyped() {
  const found = turn?.value.match(PLACED)?.groups;
  if (!found) {
    show([], "", usual);
    return;
  }
  const down = found.row === undefined;
  const column = COLUMNS.indexOf((found.column ?? found.downColumn).toUpperCase());
  const row = Number(found.row ?? found.downRow) - 1;
  const word = (found.word ?? "").replace(/[()]/g, "");
  const small = word === word.toLowerCase(); // without capitals small letters are tiles, but for those after a ?
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
  show(cells, letters, word ? usual : `From ${squareName(SIDE * row + column)} ${down ? "down" : "across"}: type the word.`);
}

turn?.addEventListener("input", showTyped);

/** @param {number} cell */
function squareName(cell) {
  return `row ${Math.floor(cell / SIDE) + 1}, column ${COLUMNS[cell % SIDE]}`;
}

/**
 * Starts the typed move at this square: across, or down if it is chosen again.
 *
 * @param {number} cell
 */
function begin(cell) {
  if (!turn) return;
  const across = `${Math.floor(cell / SIDE) + 1}${COLUMNS[cell % SIDE]}`;
  const down = `${COLUMNS[cell % SIDE]}${Math.floor(cell / SIDE) + 1}`;
  const [place, ...word] = turn.value.trim().split(/\s+/);
  turn.value = `${place?.toUpperCase() === across ? down : across} ${word.join(" ")}`;
  pinned = null;
  preview(null);
  turn.focus();
  turn.setSelectionRange(turn.value.length, turn.value.length);
}

board.addEventListener("click", (event) => {
  const cell = squares.findIndex((square) => square === closest(event, ".fri-square"));
  if (cell >= 0) begin(cell);
});

board.addEventListener("keydown", (event) => {
  const cell = squares.findIndex((square) => square === event.target);
  if (cell < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = STEPS[event.key];
  if (step) {
    const [column, row] = [(cell % SIDE) + step[0], Math.floor(cell / SIDE) + step[1]];
    if (column >= 0 && column < SIDE && row >= 0 && row < SIDE) {
      squares[cell].tabIndex = -1;
      const next = squares[SIDE * row + column];
      next.tabIndex = 0;
      next.focus();
    }
  } else if (event.key === "Enter" || event.key === " ") begin(cell);
  else return;
  event.preventDefault();
});

showTyped();
