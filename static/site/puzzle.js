/** Answers puzzles on the board: a path that is drawn or tapped, any tiles, letters that repeat, or tiles laid on squares. @module */

import { drawTrail, reach, touches } from "../table/board.js";
import { watchPointer } from "../table/gestures.js";
import { all, byId, closest, find } from "./elements.js";

const SIDE = 15;

/** @typedef {{ cells: number[], tiles: string[] }} Picked */

/** What was picked before the server refused it. @returns {Picked} */
function picked() {
  const cells = byId("cells", HTMLInputElement).value;
  return { cells: cells ? cells.split(",").map(Number).filter(Number.isInteger) : [], tiles: [...byId("tiles", HTMLInputElement).value] };
}

/** Starts handling taps on the board of the page's puzzle. */
export function startPuzzle() {
  const board = document.getElementById("puzzle-board");
  if (!board || !document.getElementById("puzzle-form")) return;
  const entry = board.dataset.entry ?? "";
  const word = byId("word", HTMLInputElement);
  const clear = byId("clear", HTMLButtonElement);
  board.toggleAttribute("data-taps", true);
  if (entry === "squares") laySquares(board, word, clear);
  else pickTiles(board, entry, word, clear);
}

/**
 * Writes the picked tiles into the form.
 *
 * @param {string} spelled
 * @param {Picked} picked
 * @param {HTMLInputElement} word
 * @param {HTMLButtonElement} clear
 */
function fill(spelled, picked, word, clear) {
  word.value = spelled;
  byId("cells", HTMLInputElement).value = picked.cells.join(",");
  byId("tiles", HTMLInputElement).value = picked.tiles.join("");
  clear.hidden = !spelled;
}

/**
 * Discards the tapped tiles when a word is typed.
 *
 * @param {HTMLInputElement} word
 * @param {HTMLButtonElement} clear
 * @param {() => void} forget
 */
function onTyping(word, clear, forget) {
  word.addEventListener("input", () => {
    const { value, selectionStart } = word;
    forget();
    word.value = value;
    word.setSelectionRange(selectionStart, selectionStart);
    clear.hidden = !value;
  });
  clear.addEventListener("click", forget);
  clear.hidden = !word.value;
  if (!word.ariaInvalid) return;
  // What is typed replaces the refused answer, also what was typed into the field before this script had come.
  const typed = word.value.slice(0, word.value.length - word.defaultValue.length);
  if (typed && word.value === typed + word.defaultValue) {
    word.value = typed;
    word.dispatchEvent(new Event("input"));
  } else word.setSelectionRange(0, -1);
}

/**
 * Words from tiles: along a path of neighbours, or from any tiles.
 *
 * @param {HTMLElement} board
 * @param {string} entry
 * @param {HTMLInputElement} word
 * @param {HTMLButtonElement} clear
 */
function pickTiles(board, entry, word, clear) {
  const tiles = all(board, ".tile:not(.sheet-letter)");
  const rows = board.querySelectorAll(".row").length || Math.round(Math.sqrt(tiles.length));
  const columns = tiles.length / rows;
  let { cells } = picked();
  const letter = (/** @type {number} */ cell) => tiles[cell]?.querySelector(".letter")?.textContent ?? tiles[cell]?.textContent ?? "";
  const show = () => {
    drawTrail(board, cells, columns);
    tiles.forEach((tile, cell) => tile.toggleAttribute("data-picked", cells.includes(cell)));
    fill(cells.map((cell) => letter(cell).trim()).join("").toUpperCase(), { cells, tiles: [] }, word, clear);
  };
  /** @param {number[]} next */
  const pick = (next) => {
    cells = next;
    show();
  };
  if (entry === "path") {
    const trail = `<svg class="trail" viewBox="0 0 ${columns} ${rows}" aria-hidden="true"><polyline id="trail-line"/></svg>`;
    const tray = /** @type {HTMLElement} */ (board.querySelector(".board"));
    tray.insertAdjacentHTML("beforeend", trail);
    drawPath(tray, { rows, columns }, () => cells, pick);
    swapLetters(tray, show);
    if (cells.length === word.value.length) cells.forEach((cell, place) => setLetter(tiles[cell], word.value[place].toUpperCase()));
  } else {
    board.addEventListener("click", (event) => {
      const tile = closest(event, ".tile");
      const cell = tile ? tiles.indexOf(tile) : -1;
      if (cell < 0) return;
      if (entry === "tiles" && cells.includes(cell)) pick(cells.filter((each) => each !== cell));
      else pick([...cells, cell]);
    });
  }
  onTyping(word, clear, () => {
    for (const tile of tiles) if (tile.dataset.letter) setLetter(tile, tile.dataset.letter);
    pick([]);
  });
  if (cells.length > 0) show();
}

/** Shows a letter on a tile, which is swapped unless it is the tile's own. @param {HTMLElement} tile @param {string} letter */
function setLetter(tile, letter) {
  const face = tile.querySelector(".letter");
  if (!face) return;
  tile.dataset.letter ??= face.textContent ?? "";
  face.textContent = letter;
  tile.toggleAttribute("data-swapped", letter !== tile.dataset.letter);
}

/**
 * Swaps letters: after the button, a tap chooses the tile, and a sheet the new letter; the old letter undoes the swap.
 *
 * @param {HTMLElement} tray
 * @param {() => void} changed
 */
function swapLetters(tray, changed) {
  const button = find("swap", HTMLButtonElement);
  if (!button) return;
  const dialog = byId("swap-dialog", HTMLDialogElement);
  /** @type {HTMLElement | null} */
  let chosen = null;
  /** @param {boolean} on */
  const choose = (on) => {
    button.setAttribute("aria-pressed", String(on));
    button.textContent = on ? "Tap the tile to swap" : "Swap a letter";
  };
  const choosing = () => button.getAttribute("aria-pressed") === "true";
  const dialogs = () => import("../table/dialogs.js");
  button.addEventListener("click", () => {
    dialogs();
    choose(!choosing());
  });
  tray.addEventListener("pointerdown", (event) => choosing() && event.stopPropagation(), { capture: true });
  tray.addEventListener("click", (event) => {
    const tile = closest(event, ".tile");
    if (!choosing() || !tile) return;
    if (!tile.matches("[data-swapped]") && all(tray, "[data-swapped]").length >= Number(button.dataset.most)) {
      button.textContent = "No swap left: tap a swapped tile";
      return;
    }
    choose(false);
    chosen = tile;
    byId("swap-from", HTMLElement).textContent = tile.querySelector(".letter")?.textContent ?? "";
    dialogs().then(({ showModal }) => showModal(dialog), () => dialog.showModal());
  });
  dialog.addEventListener("click", (event) => {
    const letter = closest(event, ".sheet-letter");
    if (!(letter instanceof HTMLButtonElement) || !chosen) return;
    setLetter(chosen, letter.value);
    dialogs().then(({ closeDialog }) => closeDialog(), () => dialog.close());
    changed();
  });
}

/**
 * Draws a path, by strokes or taps. A stroke continues from the last tile, or from tapped ones, or starts a new word; a
 * tap on a tile of the path removes that tile and those after it.
 *
 * @param {HTMLElement} tray
 * @param {import("../table/gestures.js").Shape} shape
 * @param {() => number[]} path the path picked so far
 * @param {(cells: number[]) => void} pick
 */
function drawPath(tray, shape, path, pick) {
  /** @type {number[]} */
  let stroke = [];
  /** @type {number[]} */
  let before = [];
  let again = -1;
  let drawn = false;
  const callbacks = {
    board: () => shape,
    /** @param {number} cell */
    press(cell) {
      const last = path().at(-1);
      before = path();
      again = before.indexOf(cell);
      const longer = last === undefined || touches(last, cell, shape.columns) ? [...before, cell] : [cell];
      stroke = last === cell ? before : again < 0 && !drawn ? longer : [cell];
      if (again < 0) pick(longer);
    },
    /** @param {number} cell */
    enter(cell) {
      stroke = reach(stroke, cell, shape.columns);
      pick(stroke);
    },
    trace: (/** @type {{ x: number, y: number }} */ at) => drawTrail(tray, stroke, shape.columns, at),
    /** @param {boolean} dragged */
    release(dragged) {
      drawn = dragged;
      pick(dragged || again < 0 ? path() : path().slice(0, again));
    },
    abandon: () => pick(before),
  };
  watchPointer(callbacks, tray);
  // Without a pointer: repeated by early.js, or by a screen reader.
  tray.addEventListener("click", (event) => {
    const tile = closest(event, ".tile");
    if (event.detail > 0 || !tile || document.querySelector("#swap[aria-pressed=true]")) return;
    callbacks.press(all(tray, ".tile").indexOf(tile));
    callbacks.release(false);
  });
}

/**
 * Tiles on squares: tap a square (again to change the direction), then tiles of the rack; a tap takes back a laid tile.
 *
 * @param {HTMLElement} board
 * @param {HTMLInputElement} word
 * @param {HTMLButtonElement} clear
 */
function laySquares(board, word, clear) {
  const squares = /** @type {HTMLElement[]} */ ([...board.querySelectorAll(".fri-square")]);
  const rack = /** @type {HTMLElement[]} */ ([...board.querySelectorAll(".fri-still-rack .tile")]);
  const labels = squares.map((square) => square.ariaLabel);
  const kinds = [...(board.dataset.rack ?? "")];
  /** @type {Map<number, { slot: number, letter: string }>} */
  const laid = new Map();
  const before = picked();
  before.cells.forEach((cell, order) => {
    const letter = before.tiles[order] ?? "";
    const used = [...laid.values()].map((tile) => tile.slot);
    const slot = kinds.findIndex((kind, place) => !used.includes(place) && kind === (letter === letter.toUpperCase() ? letter : "?"));
    if (slot >= 0) laid.set(cell, { slot, letter });
  });
  let cursor = -1;
  let down = false;
  const isFree = (/** @type {number} */ cell) => !squares[cell]?.classList.contains("tile") && !laid.has(cell);
  const forward = () => {
    do {
      const last = down ? cursor + SIDE >= SIDE * SIDE : cursor % SIDE === SIDE - 1;
      if (last) return;
      cursor += down ? SIDE : 1;
    } while (!isFree(cursor));
  };
  const show = () => {
    squares.forEach((square, cell) => {
      const tile = laid.get(cell);
      const isLaid = "laid" in square.dataset;
      if (tile) {
        square.textContent = tile.letter.toUpperCase();
        square.ariaLabel = `${labels[cell]}, ${square.textContent} laid`;
        square.dataset.laid = "";
        square.toggleAttribute("data-picked", true);
        square.classList.add("tile");
      } else if (isLaid) {
        square.textContent = "";
        square.ariaLabel = labels[cell];
        delete square.dataset.laid;
        square.toggleAttribute("data-picked", false);
        square.classList.remove("tile");
      }
      if (cell === cursor && !tile) square.dataset.cursor = down ? "down" : "across";
      else delete square.dataset.cursor;
    });
    const used = [...laid.values()].map((tile) => tile.slot);
    rack.forEach((tile, slot) => tile.toggleAttribute("data-picked", used.includes(slot)));
    const cells = [...laid.keys()].sort((one, other) => one - other);
    const tiles = cells.map((cell) => laid.get(cell)?.letter ?? "");
    fill(tiles.join("").toUpperCase(), { cells, tiles }, word, clear);
  };
  board.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const slot = rack.indexOf(/** @type {HTMLElement} */ (target?.closest(".fri-still-rack .tile")));
    const cell = squares.indexOf(/** @type {HTMLElement} */ (target?.closest(".fri-square")));
    if (slot >= 0 && cursor >= 0 && isFree(cursor) && ![...laid.values()].some((tile) => tile.slot === slot)) {
      const kind = kinds[slot] ?? "";
      const letter = kind === "?" ? (window.prompt("Letter of the blank") ?? "").trim().slice(0, 1).toLowerCase() : kind;
      if (!/^[a-z]$/i.test(letter)) return;
      laid.set(cursor, { slot, letter });
      forward();
    } else if (cell >= 0 && laid.has(cell)) {
      laid.delete(cell);
      cursor = cell;
    } else if (cell >= 0 && isFree(cell)) {
      down = cell === cursor ? !down : down;
      cursor = cell;
    }
    show();
  });
  onTyping(word, clear, () => {
    laid.clear();
    show();
  });
  if (laid.size > 0) show();
}

// As at a table, letters typed anywhere are a word. The browser does not insert those that early.js repeats.
document.addEventListener("keydown", (event) => {
  const word = find("word", HTMLInputElement);
  const { key, target, altKey, ctrlKey, metaKey } = event;
  if (!word || !/^[a-z?]$/i.test(key) || altKey || ctrlKey || metaKey || target !== document.body) return;
  event.preventDefault();
  word.focus();
  word.setRangeText(key, word.selectionStart ?? 0, word.selectionEnd ?? 0, "end");
  word.dispatchEvent(new Event("input", { bubbles: true }));
});
startPuzzle();
