/** Wibble's study board: words are drawn on it, gems and bonuses painted, new letters and engine lines previewed. */

import { say } from "../site/announce.js";
import { all, closest, find } from "../site/elements.js";
import { markMoves } from "../study/marks.js";
import { watchArrows } from "../study/tiles.js";
import { bestPath, drawTrail, reach, readBoard, touches } from "../table/board.js";
import { watchPointer } from "../table/gestures.js";
import { MARKS, paint, showMarks } from "./painting.js";

const UNKNOWN = ".";
/** Swaps, a word, and its cells. */
const MOVE = /^\s*(?<swaps>swap(?:[\s,;]+\d+[\s,;]+[a-z](?![a-z]))+)?[\s,;]*(?<word>[a-z]*\*?)[\s,;]*(?<cells>[\d\s,;]*)$/i;
const POWERS = /^(?:pass|shuffle|hint|resign)$/i;

const board = () => find("board", HTMLElement);
const tiles = () => all(document, "#board .tile");
const size = () => Math.sqrt(tiles().length);
const field = () => find("move", HTMLInputElement);
const known = () => find("known", HTMLFormElement);

/** The move in the field: its swaps as they were typed, the letters swapped in by cell, and the cells of the word. */
function typed() {
  const groups = field()?.value.match(MOVE)?.groups;
  const swaps = groups?.swaps ?? "";
  const letters = new Map([...swaps.matchAll(/(\d+)[\s,;]+([a-z])/gi)].map(([, cell, letter]) => [Number(cell), letter.toUpperCase()]));
  const cells = (groups?.cells.match(/\d+/g) ?? []).map(Number);
  return { swaps, letters, cells: cells.length || !groups?.word ? cells : pathOf(groups.word, letters) };
}

/** The best path of a word that is typed without cells; none for a power. @param {string} word @param {Map<number, string>} swapped */
function pathOf(word, swapped) {
  const editor = find("editor", HTMLElement);
  if (!editor || POWERS.test(word)) return [];
  const shown = readBoard(editor);
  for (const tile of shown.tiles) tile.letter = letterOf(tile.cell, swapped).toLowerCase() || UNKNOWN;
  return bestPath(shown, word.toLowerCase().replace("*", "")) ?? [];
}

/** @param {number} cell @param {Map<number, string>} swapped */
function letterOf(cell, swapped) {
  const letter = swapped.get(cell) ?? tiles()[cell]?.dataset.letter ?? UNKNOWN;
  return letter === UNKNOWN ? "" : letter.toUpperCase();
}

/** Shows a move on the board. @param {number[]} cells @param {string} letters of an engine's line, which may swap some */
function show(cells, letters) {
  const swapped = letters ? new Map(cells.map((cell, place) => [cell, letters[place]])) : typed().letters;
  for (const [cell, tile] of tiles().entries()) {
    tile.setAttribute("aria-pressed", String(cells.includes(cell)));
    tile.toggleAttribute("data-swapped", swapped.has(cell) && swapped.get(cell)?.toLowerCase() !== tile.dataset.letter);
    const text = tile.querySelector(".letter");
    if (text) text.textContent = letterOf(cell, swapped);
  }
  drawTrail(document.body, cells, size());
  if (!letters) showFresh();
}

/** Shows the typed new letters on their tiles. */
function showFresh() {
  const letters = find("fresh", HTMLInputElement)?.value.replace(/\s/g, "").toUpperCase() ?? "";
  const cells = find("fresh-cells", HTMLInputElement)?.value.split(",").map(Number) ?? [];
  for (const [place, cell] of cells.entries()) {
    const tile = tiles()[cell];
    const text = tile?.querySelector(".letter");
    if (text && tile.dataset.letter === UNKNOWN) text.textContent = (letters[place] ?? "").replace(UNKNOWN, "");
  }
}

/** Puts a word into the field. @param {number[]} cells */
function write(cells) {
  const move = field();
  if (!move) return;
  const { swaps, letters } = typed();
  const word = cells.map((cell) => letterOf(cell, letters)).join("");
  move.value = [swaps, ...(cells.length ? [word, ...cells] : [])].filter((part) => part !== "").join(" ");
  show(cells, "");
}

function play() {
  if (typed().cells.length > 1) find("play", HTMLFormElement)?.requestSubmit();
}

/** What a tap paints, or null if it makes words. */
function brush() {
  const form = known();
  const chosen = form && new FormData(form).get("brush");
  return MARKS.find((mark) => mark === chosen) ?? null;
}

/** Whether the pressed tile was the word's last, so that releasing it plays the word. */
let pressedLast = false;
/** The unknown tile that was pressed. @type {number | null} */
let asked = null;
/** Whether there are unsaved painted marks. */
let painted = false;
/** What to do after saving: the ID of a link or of the move's form, and the move. */
let next = { id: "", move: "" };

/** @param {number} cell */
function press(cell) {
  const mark = brush();
  const form = known();
  if (mark && form) {
    paint(form, mark, cell);
    showMarks(form, tiles());
    painted = true;
    say(tiles()[cell].getAttribute("aria-label") ?? "");
    return;
  }
  const { cells } = typed();
  pressedLast = cell === cells.at(-1);
  asked = tiles()[cell].dataset.letter === UNKNOWN ? cell : null;
  if (pressedLast || asked !== null) return;
  if (cells.includes(cell)) write(cells.slice(0, cells.indexOf(cell) + 1));
  else write(cells.length && touches(cell, cells[cells.length - 1], size()) ? [...cells, cell] : [cell]);
}

/** Goes to the letter of an unknown tile in the field for new letters. @param {number} cell */
function askFor(cell) {
  const fresh = find("fresh", HTMLInputElement);
  const place = find("fresh-cells", HTMLInputElement)?.value.split(",").map(Number).indexOf(cell) ?? -1;
  if (!fresh || place < 0) return;
  fresh.focus();
  fresh.setSelectionRange(place, place + 1);
}

/** @param {boolean} dragged */
function release(dragged) {
  if (brush()) return;
  // Not on press: the tile would get the focus after that.
  if (asked !== null) askFor(asked);
  else if (pressedLast || (dragged && !("confirm" in document.documentElement.dataset))) play();
}

watchPointer({
  board: () => (board() && field() ? { rows: size(), columns: size() } : null),
  press,
  enter(cell) {
    if (brush() || tiles()[cell].dataset.letter === UNKNOWN) return;
    pressedLast = false;
    asked = null;
    write(reach(typed().cells, cell, size()));
  },
  trace: (at) => brush() || drawTrail(document.body, typed().cells, size(), at),
  release,
  abandon: () => brush() || write([]),
});

document.addEventListener("click", (event) => {
  const tile = closest(event, "#board .tile");
  // A click with count 0 comes from the keyboard or a screen reader; pointer input is handled as gestures.
  if (!tile || event.detail !== 0) return;
  press(Number(tile.dataset.cell));
  release(false);
});

watchArrows();

document.addEventListener("input", (event) => {
  if (event.target === find("fresh", HTMLInputElement)) showFresh();
});

document.addEventListener("change", (event) => {
  // Switching back to drawing words ends painting: submit the marks.
  if (event.target instanceof HTMLInputElement && event.target.name === "brush" && !brush() && painted) {
    known()?.requestSubmit();
  }
});
document.addEventListener("htmx:beforeRequest", (event) => {
  const form = known();
  const { elt } = event.detail;
  if (!painted || !form || elt === form || elt.id === "engine") return;
  // The marks are saved first.
  event.preventDefault();
  next = { id: elt.id, move: field()?.value ?? "" };
  form.requestSubmit();
});
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  // The engine's answer does not change the board.
  if (detail.target?.id === "engine") return;
  painted = false;
  const { id, move } = next;
  next = { id: "", move: "" };
  find(id, HTMLAnchorElement)?.click();
  const moves = field();
  if (id !== "play" || !moves) return;
  moves.value = move;
  moves.form?.requestSubmit();
});

markMoves(show, () => typed().cells);
