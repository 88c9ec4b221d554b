/** Pointer input on the board, as press, enter, trace and release. */

import { closest } from "../site/elements.js";
import { isSideways, pointOnBoard } from "./rotation.js";

/** Hit radius around a tile's centre, in tiles: smaller than the tile, so that a diagonal does not touch its neighbours. */
const HIT_RADIUS = 0.42;
/** Step between two pointer samples, in tiles, so that a fast pointer skips no tile. */
const STEP = 0.2;
/** Pixels outside the board, or half a tile if that is more, beyond which a release cancels the word. */
const AWAY = 24;

/** @typedef {{rows: number, columns: number}} Shape */

/**
 * @typedef {object} Callbacks
 * @property {() => Shape | null} board its shape, or null if input is off
 * @property {(cell: number) => void} press
 * @property {(cell: number) => void} enter the pointer reached another tile
 * @property {(at: {x: number, y: number}) => void} trace pointer position, in tiles from the board's corner
 * @property {(dragged: boolean) => void} release
 * @property {() => void} abandon released outside the board, or cancelled by the system or by turning the phone
 */

/** @type {{id: number, callbacks: Callbacks, board: HTMLElement, shape: Shape, cell: number | null, dragged: boolean, at: {x: number, y: number}, wide: number | null} | null} */
let grip = null;
/** Where the board and its tiles are on the screen; asked once per gesture, since each question may cost a layout. @type {{board: DOMRect, tiles: DOMRect} | null} */
let places = null;

const forgetPlaces = () => (places = null);
for (const change of ["scroll", "resize"]) window.addEventListener(change, forgetPlaces, { capture: true, passive: true });
// Turning a phone moves the tiles away from the finger. A keyboard on the screen changes the height alone.
window.addEventListener("resize", () => {
  if (!grip?.wide || grip.wide === innerWidth) return;
  const { callbacks } = grip;
  stopDrawing();
  callbacks.abandon();
});

/** @param {HTMLElement} board */
function placesOf(board) {
  return (places ??= { board: board.getBoundingClientRect(), tiles: (board.querySelector(".tiles") ?? board).getBoundingClientRect() });
}

/** Whether the pointer is down on the board. */
export const isDrawing = () => grip !== null;

/** Ignores the pointer until it is pressed again. */
export function stopDrawing() {
  grip?.board.removeAttribute("data-away");
  grip = null;
}

/**
 * Watches one board, or the table's current one.
 *
 * @param {Callbacks} callbacks
 * @param {HTMLElement} [own] the board, if it is not the table's
 */
export function watchPointer(callbacks, own) {
  /** @param {PointerEvent} event */
  const start = (event) => {
    const board = own ?? closest(event, "#board");
    const shape = callbacks.board();
    if (!board || !shape || grip || event.button !== 0) return;
    forgetPlaces();
    const at = place(event, board, shape);
    const cell = cellAt(at, shape, Infinity);
    if (cell === null) return;
    grip = { id: event.pointerId, callbacks, board, shape, cell, dragged: false, at, wide: event.pointerType === "mouse" ? null : innerWidth };
    board.setPointerCapture(event.pointerId);
    callbacks.press(cell);
  };
  if (own) own.addEventListener("pointerdown", start);
  else document.addEventListener("pointerdown", start);
}

document.addEventListener("pointermove", (event) => {
  if (!grip || event.pointerId !== grip.id) return;
  if (document.documentElement.dataset.pointer === "tap") return;
  const { callbacks } = grip;
  const samples = event.getCoalescedEvents?.() ?? [];
  for (const sample of samples.length > 0 ? samples : [event]) {
    const to = place(sample, grip.board, grip.shape);
    const steps = Math.max(1, Math.ceil(Math.hypot(to.x - grip.at.x, to.y - grip.at.y) / STEP));
    const from = grip.at;
    for (let step = 1; step <= steps; step++) {
      const x = from.x + ((to.x - from.x) * step) / steps;
      const y = from.y + ((to.y - from.y) * step) / steps;
      const cell = cellAt({ x, y }, grip.shape, HIT_RADIUS);
      if (cell === null || cell === grip.cell) continue;
      grip.cell = cell;
      grip.dragged = true;
      callbacks.enter(cell);
    }
    grip.at = to;
  }
  grip.board.toggleAttribute("data-away", isAway(event, grip.board, grip.shape));
  if (grip.dragged) callbacks.trace(grip.at);
});

/** @param {PointerEvent} event */
function release(event) {
  if (!grip || event.pointerId !== grip.id) return;
  const { callbacks, board, shape, dragged } = grip;
  stopDrawing();
  if (event.type === "pointerup" && !isAway(event, board, shape)) callbacks.release(dragged);
  else callbacks.abandon();
}
document.addEventListener("pointerup", release);
document.addEventListener("pointercancel", release);
// The board was swapped during the gesture.
document.addEventListener("lostpointercapture", release);

/** Ignores the click after a release, which would hit the element now under the finger. */
export function dropClick() {
  const next = new AbortController();
  /** @param {MouseEvent} event */
  const drop = (event) => {
    // By keyboard.
    if (event.detail === 0) return;
    next.abort();
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("click", drop, { capture: true, signal: next.signal });
  document.addEventListener("pointerdown", () => next.abort(), { capture: true, once: true });
}

/**
 * @param {PointerEvent} event
 * @param {HTMLElement} board
 * @param {Shape} shape
 * @returns {{x: number, y: number}} on the unturned board
 */
function place(event, board, { rows, columns }) {
  const { left, top, width, height } = placesOf(board).tiles;
  const { x, y } = pointOnBoard((event.clientX - left) / width, (event.clientY - top) / height);
  return { x: x * columns, y: y * rows };
}

/**
 * Whether the pointer is clearly outside the board.
 *
 * @param {PointerEvent} event
 * @param {HTMLElement} board
 * @param {Shape} shape
 */
function isAway({ clientX, clientY }, board, { rows, columns }) {
  const { left, right, top, bottom, width } = placesOf(board).board;
  const away = Math.max(left - clientX, clientX - right, top - clientY, clientY - bottom);
  return away > Math.max(AWAY, width / (isSideways() ? rows : columns) / 2);
}

/**
 * @param {{x: number, y: number}} at
 * @param {Shape} shape
 * @param {number} radius
 */
function cellAt({ x, y }, { rows, columns }, radius) {
  const column = Math.floor(x);
  const row = Math.floor(y);
  if (column < 0 || row < 0 || column >= columns || row >= rows) return null;
  return Math.hypot(x - column - 0.5, y - row - 0.5) <= radius ? row * columns + column : null;
}
