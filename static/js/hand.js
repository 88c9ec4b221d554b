/** The word in the hand: tiles that touch, drawn, tapped, typed or walked to. What tables with such a board share. */

import { say } from "./announce.js";
import { bestPath, drawTrail, reach, readBoard, touches, wordOf } from "./board.js";
import { dropClick, stopDrawing, watchPointer } from "./gestures.js";
import { watchKeyboard } from "./keyboard.js";

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
const NO = [0, -5, 5, -4, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));

/**
 * What a game makes of the word in the hand.
 *
 * @typedef {object} Player
 * @property {() => boolean} ready whether the table takes input
 * @property {() => void} submit
 * @property {() => string} worth what stands beside the word
 * @property {() => string} told what is said of it
 * @property {() => void} begun there is a word again: what was wrong with the one before has been read
 * @property {() => boolean} [picks] whether the next tile touched is wanted by itself
 * @property {(tile: import("./board.js").Tile) => unknown} [pick] it was touched
 * @property {() => void} [escape]
 */

/** @type {HTMLElement} */
let table;
/** @type {import("./board.js").Board} */
let board;
/** @type {number[]} */
let chain = [];
/** What was typed, or null while the chain was made by hand. @type {string | null} */
let typed = null;
/** Whether the tile pressed was the chain's last already, so that letting go plays the chain. */
let pressedLast = false;
/** The tile the arrow keys are on. */
let standing = 0;
/** @type {Player} */
let player;

export const chainInHand = () => chain;
export const textInHand = () => typed ?? wordOf(board, chain);
/** Whether what was typed has no path on the board. */
export const isLost = () => Boolean(typed) && chain.length === 0;
/** The tile that has the keyboard, or had it last. */
export const standingTile = () => board.tiles[standing]?.element;

/**
 * Takes up the tiles of a new table.
 *
 * @param {HTMLElement} next
 * @param {boolean} keep whether the word in the hand stays, as after a remark
 * @returns {import("./board.js").Board}
 */
export function hold(next, keep) {
  if (!keep) {
    chain = [];
    typed = null;
  }
  table = next;
  board = readBoard(table);
  stand(Math.min(standing, Math.max(0, board.tiles.length - 1)));
  return board;
}

/** Takes no more input: the time is up. */
export function stopInput() {
  stopDrawing();
  clear();
  table.toggleAttribute("data-rung", true);
  for (const part of table.querySelectorAll("#word-field, #word-send")) part.toggleAttribute("disabled", true);
}

/** @param {{x: number, y: number} | null} [pointer] */
export function show(pointer = null) {
  for (const { cell, element } of board.tiles) element.setAttribute("aria-pressed", String(chain.includes(cell)));
  drawTrail(table, chain, board.columns, pointer);
  const field = /** @type {HTMLInputElement | null} */ (table.querySelector("#word-field"));
  if (!field) return;
  const word = textInHand();
  if (field.value !== word) {
    field.value = word;
    field.scrollLeft = field.scrollWidth;
  }
  field.toggleAttribute("data-lost", isLost());
  const beside = /** @type {HTMLElement} */ (table.querySelector("#word-points"));
  beside.textContent = isLost() ? "no path" : chain.length > 0 ? player.worth() : "";
  beside.toggleAttribute("data-text", /\D/.test(beside.textContent));
  table.querySelector("#word")?.toggleAttribute("data-ready", chain.length > 1);
  if (word) player.begun();
}

export function clear() {
  typed = null;
  setChain([]);
}

/** @param {number[]} cells */
function setChain(cells) {
  if (cells.length > chain.length) navigator.vibrate?.(6);
  chain = cells;
  show();
}

function sayChain() {
  if (isLost()) say(`${typed}: no path on this board`);
  else if (chain.length > 0) say(player.told());
}

/** @param {string} text */
function type(text) {
  typed = text.toLowerCase().replace(/[^a-z]/g, "") || null;
  setChain(typed ? (bestPath(board, typed) ?? []) : []);
  sayChain();
}

/** @param {number} cell */
function press(cell) {
  stand(cell);
  if (player.picks?.()) return;
  typed = null;
  pressedLast = cell === chain.at(-1);
  if (pressedLast) return;
  const far = chain.length > 0 && !chain.includes(cell) && !touches(cell, chain[chain.length - 1], board.columns);
  setChain(reach(far ? [] : chain, cell, board.columns));
}

/** @param {boolean} dragged */
function release(dragged) {
  if (player.picks?.()) player.pick?.(board.tiles[standing]);
  else if (dragged || pressedLast) player.submit();
  else show();
}

/** @param {number} cell */
function stand(cell) {
  standingTile()?.setAttribute("tabindex", "-1");
  standing = cell;
  standingTile()?.setAttribute("tabindex", "0");
}

/** @param {number} rows @param {number} columns */
function walk(rows, columns) {
  const focused = board.tiles.find(({ element }) => element === document.activeElement);
  if (focused) {
    const row = Math.min(board.rows - 1, Math.max(0, Math.floor(focused.cell / board.columns) + rows));
    const column = Math.min(board.columns - 1, Math.max(0, (focused.cell % board.columns) + columns));
    stand(row * board.columns + column);
  }
  standingTile()?.focus();
}

/**
 * A gentle no: shakes the word, and the tiles that spell it.
 *
 * @param {HTMLElement} table
 * @param {number[]} cells
 */
export function shake(table, cells) {
  if (calm.matches) return;
  table.querySelector("#word")?.animate(NO, { duration: 320, easing: "ease-in-out" });
  const colours = getComputedStyle(document.documentElement);
  for (const cell of cells) {
    const tile = table.querySelector(`#tile-${cell}`);
    tile?.animate(NO, { duration: 320, easing: "ease-in-out" });
    tile?.animate([{ background: colours.getPropertyValue("--line") }, {}], { duration: 480, easing: "ease-out" });
  }
}

/**
 * Listens to pointer, keyboard and field from now on.
 *
 * @param {Player} who
 */
export function initInput(who) {
  player = who;

  watchPointer({
    board: () => (player.ready() ? board : null),
    press,
    enter(cell) {
      if (player.picks?.()) return;
      pressedLast = false;
      setChain(reach(chain, cell, board.columns));
    },
    trace: (at) => player.picks?.() || show(at),
    release(dragged) {
      if (player.picks?.()) dropClick();
      release(dragged);
    },
    abandon: () => (player.picks?.() ? undefined : clear()),
  });

  watchKeyboard({
    ready: player.ready,
    letter: (letter) => type(textInHand() + letter),
    backspace() {
      if (typed !== null) type(typed.slice(0, -1));
      else setChain(chain.slice(0, -1));
      sayChain();
    },
    enter() {
      // On a tile Enter is a tap, on a button its own, unless a word was typed.
      if (typed === null && document.activeElement?.matches("a, button, summary")) return false;
      player.submit();
      return true;
    },
    escape() {
      stopDrawing();
      player.escape?.();
      clear();
    },
    walk,
  });

  document.addEventListener("click", (event) => {
    const tile = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button.tile"));
    // A click without a count comes from the keyboard or a screen reader; the pointer's own are gestures.
    if (!tile || event.detail !== 0 || !player.ready()) return;
    press(Number(tile.dataset.cell));
    release(false);
    sayChain();
  });

  document.addEventListener("pointerdown", (event) => {
    // It has the focus as if from the keyboard, and would hand the ring on to the board.
    /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("#start"))?.blur();
  });

  document.addEventListener("focusin", (event) => {
    const tile = /** @type {Element} */ (event.target).closest("button.tile");
    if (tile instanceof HTMLElement) stand(Number(tile.dataset.cell));
  });

  document.addEventListener("input", (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (field.id === "word-field") type(field.value);
  });

  document.addEventListener(
    "submit",
    (event) => {
      if (/** @type {Element} */ (event.target).id !== "word") return;
      // The server would find a path as well; the page has found and shown one already.
      event.preventDefault();
      event.stopPropagation();
      player.submit();
    },
    { capture: true },
  );
}
