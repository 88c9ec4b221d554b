/** The current word on a board of adjacent tiles: dragged, tapped, typed or entered with arrow keys. Shared by Wibble and Boggle. */

import { say } from "../site/announce.js";
import { byId, closest, find, first } from "../site/elements.js";
import { bestPath, drawTrail, reach, readBoard, touches, wordOf } from "./board.js";
import { cue, showLargeWord } from "./cues.js";
import { dropClick, isDrawing, stopDrawing, watchPointer } from "./gestures.js";
import { watchKeyboard } from "./keyboard.js";
import { calm, shake } from "./motion.js";
import { directionOnBoard, turns } from "./rotation.js";
import { clearTrouble, posting, table } from "./session.js";

/**
 * Callbacks of a game.
 *
 * @typedef {object} Callbacks
 * @property {() => boolean} ready whether the table takes input
 * @property {() => void} submit
 * @property {() => string} score text beside the word
 * @property {() => string} spoken announcement of the word
 * @property {() => boolean} [picks] whether a single tile is being picked
 * @property {(tile: import("./board.js").Tile) => unknown} [pick] called with the picked tile
 * @property {() => void} [escape]
 */

/** Number of letters that fit into the field on the smallest phone. */
const FITS = 8;

/** The board of the table shown now. @type {import("./board.js").Board} */
export let board;
/** @type {number[]} */
let chain = [];
/** The typed text, or null if the chain was made with the pointer. @type {string | null} */
let typed = null;
/** Whether the pressed tile was already the chain's last, so that releasing it plays the chain. */
let pressedLast = false;
/** The tile the arrow keys are on. */
let cursor = 0;
/** @type {Callbacks} */
let callbacks;
/** Loaded with the first turn of the board. @type {typeof import("./turn_board.js") | null} */
let turning = null;

export const currentChain = () => chain;
export const currentWord = () => typed ?? wordOf(board, chain);
/** Whether the typed text has no path on the board. */
export const isLost = () => Boolean(typed) && chain.length === 0;
/** The form of the word, or null if this table takes no moves. */
export const wordForm = () => first(table, "#word");
/** The tile that has, or last had, the keyboard focus. */
export const cursorTile = () => board.tiles[cursor]?.element;

/**
 * Reads the tiles of a new table.
 *
 * @param {boolean} keep whether the current word stays, as after a remark
 * @param {boolean} [retype] whether a typed word is typed again on the new board
 */
export function readTiles(keep, retype = false) {
  const again = retype && typed;
  if (!keep) {
    chain = [];
    typed = null;
  }
  board = readBoard(table);
  if (turns > 0) turning?.arrange(table, board);
  moveCursor(Math.min(cursor, Math.max(0, board.tiles.length - 1)));
  // Typed into the field before the scripts had loaded.
  const early = find("word-field", HTMLInputElement)?.value;
  if (!keep && (again || early)) type(again || early || "");
}

/** Stops input: the time is up. */
export function stopInput() {
  stopDrawing();
  clear();
  table.toggleAttribute("data-run-out", true);
  for (const part of table.querySelectorAll("#word-field, #word-send")) part.toggleAttribute("disabled", true);
}

/** @param {{x: number, y: number} | null} [pointer] */
export function show(pointer = null) {
  for (const { cell, element } of board.tiles) {
    const pressed = String(chain.includes(cell));
    if (element.getAttribute("aria-pressed") !== pressed) element.setAttribute("aria-pressed", pressed);
  }
  drawTrail(table, chain, board.columns, pointer);
  const field = find("word-field", HTMLInputElement);
  if (!field) return;
  const word = currentWord();
  if (field.value !== word) {
    field.value = word;
    // Only if the end of the word may be out of sight: checking this costs a layout.
    if (word.length > FITS) field.scrollLeft = field.scrollWidth;
  }
  field.toggleAttribute("data-lost", isLost());
  const beside = byId("word-points", HTMLElement);
  beside.textContent = isLost() ? "no path" : chain.length > 0 ? callbacks.score() : "";
  beside.toggleAttribute("data-text", /\D/.test(beside.textContent));
  showLargeWord(table, word, /\d/.test(beside.textContent) ? `+${beside.textContent}` : beside.textContent);
  table.querySelector("#word")?.toggleAttribute("data-ready", chain.length > 1);
  // While the word has no path or no response, the line shows that.
  if (word && !posting && !isLost()) clearTrouble();
}

/** The frame that will draw the trail to the pointer. */
let tracing = 0;

/**
 * Draws the trail to the pointer with the next frame; the pointer may move several times before that.
 *
 * @param {{x: number, y: number}} pointer
 */
function traceTo(pointer) {
  cancelAnimationFrame(tracing);
  tracing = requestAnimationFrame(() => isDrawing() && drawTrail(table, chain, board.columns, pointer));
}

export function clear() {
  typed = null;
  setChain([]);
}

/** @param {number[]} cells */
function setChain(cells) {
  if (cells.length > chain.length) cue("path", cells.length);
  chain = cells;
  show();
}

function sayChain() {
  if (isLost()) say(`${typed}: no path on this board`);
  else if (chain.length > 0) say(callbacks.spoken());
}

/** @param {string} text */
function type(text) {
  typed = text.toLowerCase().replace(/[^a-z]/g, "") || null;
  setChain(typed ? (bestPath(board, typed) ?? []) : []);
  sayChain();
}

/** Whether there is a tile that words may use: Adventure has walls and frozen tiles. @param {number} cell */
const isOpen = (cell) => board.tiles[cell].letter !== ".";

/** @param {number} cell */
function press(cell) {
  moveCursor(cell);
  if (callbacks.picks?.()) return;
  typed = null;
  pressedLast = cell === chain.at(-1);
  if (pressedLast || !isOpen(cell)) return;
  const far = chain.length > 0 && !chain.includes(cell) && !touches(cell, chain[chain.length - 1], board.columns);
  setChain(reach(far ? [] : chain, cell, board.columns));
}

/** @param {boolean} dragged */
function release(dragged) {
  if (callbacks.picks?.()) callbacks.pick?.(board.tiles[cursor]);
  else if (pressedLast || (dragged && !("confirm" in document.documentElement.dataset))) callbacks.submit();
  else {
    show();
    sayChain();
  }
}

/** @param {number} cell */
function moveCursor(cell) {
  cursorTile()?.setAttribute("tabindex", "-1");
  cursor = cell;
  cursorTile()?.setAttribute("tabindex", "0");
}

/** @param {number} rows @param {number} columns */
function walk(rows, columns) {
  const focused = board.tiles.find(({ element }) => element === document.activeElement);
  if (focused) {
    const { down, across } = directionOnBoard(rows, columns);
    const row = Math.min(board.rows - 1, Math.max(0, Math.floor(focused.cell / board.columns) + down));
    const column = Math.min(board.columns - 1, Math.max(0, (focused.cell % board.columns) + across));
    moveCursor(row * board.columns + column);
  }
  cursorTile()?.focus({ focusVisible: true });
}

async function turnBoard() {
  // Without a network, the next press tries again.
  turning ??= await import("./turn_board.js").catch(() => null);
  if (turning && board.tiles.length > 0 && !isDrawing()) say(`Board: ${turning.turn(table, board)}`);
}

/**
 * Shakes the word and its tiles.
 *
 * @param {number[]} cells
 */
export function shakeWord(cells) {
  if (calm.matches) return;
  shake(wordForm());
  const colours = getComputedStyle(document.documentElement);
  for (const cell of cells) {
    const tile = table.querySelector(`#tile-${cell}`);
    shake(tile);
    tile?.animate([{ background: colours.getPropertyValue("--line") }, {}], { duration: 480, easing: "ease-out" });
  }
}

/**
 * Starts listening to pointer, keyboard and text field.
 *
 * @param {Callbacks} own
 */
export function initInput(own) {
  callbacks = own;

  watchPointer({
    board: () => (callbacks.ready() ? board : null),
    press,
    enter(cell) {
      if (callbacks.picks?.()) return;
      pressedLast = false;
      if (isOpen(cell)) setChain(reach(chain, cell, board.columns));
    },
    trace: (at) => callbacks.picks?.() || traceTo(at),
    release(dragged) {
      if (callbacks.picks?.()) dropClick();
      release(dragged);
    },
    abandon: () => (callbacks.picks?.() ? undefined : clear()),
  });

  watchKeyboard({
    ready: callbacks.ready,
    letter: (letter) => type(currentWord() + letter),
    backspace() {
      if (typed !== null) type(typed.slice(0, -1));
      else setChain(chain.slice(0, -1));
      sayChain();
    },
    enter() {
      // Unless a word was typed, Enter acts on the focused tile or button.
      if (typed === null && document.activeElement?.matches("a, button, summary")) return false;
      callbacks.submit();
      return true;
    },
    escape() {
      stopDrawing();
      callbacks.escape?.();
      clear();
    },
    walk,
    explores: () => Boolean(document.activeElement?.matches("#board .tile")),
    turn: turnBoard,
  });

  document.addEventListener("click", (event) => {
    if (closest(event, "#rotate")) turnBoard();
    const tile = closest(event, "#board button.tile");
    // A click with count 0 comes from the keyboard or a screen reader; pointer input is handled as gestures.
    if (!tile || event.detail !== 0 || !callbacks.ready()) return;
    press(Number(tile.dataset.cell));
    release(false);
  });

  document.addEventListener("pointerdown", (event) => {
    // Browsers focus it as if by keyboard, which would show a focus ring on the board.
    closest(event, "#start")?.blur();
  });

  document.addEventListener("focusin", (event) => {
    const tile = closest(event, "#board button.tile");
    if (tile) moveCursor(Number(tile.dataset.cell));
  });

  document.addEventListener("input", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.id === "word-field") type(event.target.value);
  });

  document.addEventListener(
    "submit",
    (event) => {
      if (event.target !== wordForm()) return;
      // The server can find a path itself, but the page already shows one.
      event.preventDefault();
      event.stopPropagation();
      callbacks.submit();
    },
    { capture: true },
  );
}
