/** Dragging tiles by touch or mouse: from the rack to the board, on the board, and back. */

import { atPoint, closest } from "../site/elements.js";

/** Movement in pixels below which a press is a tap. */
const SLIP = 6;
/** Distance of the target square above a finger, in pixels, so that the finger does not hide it. */
const LIFT = 34;
/** Pixels between that square and the dragged tile above it. */
const GAP = 6;
/** Milliseconds within which a browser turns a tap into a click, if it does. */
const CLICK = 700;

/**
 * @typedef {object} Grip
 * @property {number} id of the pointer
 * @property {HTMLElement} tile the pressed tile
 * @property {number} x
 * @property {number} y
 * @property {number} lift
 * @property {HTMLElement | null} ghost the dragged copy, once it moves
 */

/**
 * @typedef {object} Callbacks
 * @property {() => boolean} ready
 * @property {(tile: HTMLElement) => void} tap with a finger
 * @property {(tile: HTMLElement, square: HTMLElement) => void} drop
 * @property {(tile: HTMLElement, place: number | null) => void} back returns to this place of the rack, or its old one
 */

/** @type {Grip | null} */
let grip = null;
/** Ignore the click that ends a drag. */
let justDragged = false;
/** The tile tapped last, whose click, if any, was handled already. @type {HTMLElement | null} */
let tapped = null;
let tappedAt = 0;

export const isDragging = () => Boolean(grip?.ghost);

/** Whether this click ends a drag, or a tap that was handled. @param {MouseEvent} click */
export function isHeard(click) {
  const ends = justDragged;
  justDragged = false;
  const again = click.detail > 0 && click.target === tapped && click.timeStamp - tappedAt < CLICK;
  if (again) tapped = null;
  return ends || again;
}

/** @param {Callbacks} callbacks */
export function watchDrag(callbacks) {
  document.addEventListener("pointerdown", (event) => {
    justDragged = false;
    const tile = closest(event, "#rack .tile, #board .tile--laid");
    if (!tile || grip || event.button !== 0 || !callbacks.ready()) return;
    const lift = event.pointerType === "touch" ? LIFT : 0;
    grip = { id: event.pointerId, tile, x: event.clientX, y: event.clientY, lift, ghost: null };
  });

  document.addEventListener("pointermove", (event) => {
    if (!grip || event.pointerId !== grip.id) return;
    if (!grip.ghost) {
      if (Math.hypot(event.clientX - grip.x, event.clientY - grip.y) < SLIP) return;
      grip.ghost = ghostOf(grip.tile);
      grip.tile.toggleAttribute("data-lifted", true);
      grip.tile.setPointerCapture(grip.id);
    }
    const square = squareAt(event.clientX, event.clientY - grip.lift);
    carry(grip.ghost, event.clientX, event.clientY - grip.lift, square);
    point(square);
  });

  /** @param {PointerEvent} event */
  const release = (event) => {
    if (!grip || event.pointerId !== grip.id) return;
    const { tile, ghost, lift } = grip;
    grip = null;
    if (!ghost) {
      // Right after a flick, a tap stops the scrolling, and browsers create no click.
      // A blank waits for its click, which would close the choice of its letter.
      if (event.type === "pointerup" && event.pointerType === "touch" && !tile.classList.contains("tile--blank")) {
        [tapped, tappedAt] = [tile, event.timeStamp];
        callbacks.tap(tile);
      }
      return;
    }
    ghost.remove();
    tile.removeAttribute("data-lifted");
    point(null);
    if (event.type !== "pointerup") return;
    justDragged = true;
    window.setTimeout(() => (justDragged = false));
    const square = squareAt(event.clientX, event.clientY - lift);
    if (square) callbacks.drop(tile, square);
    else callbacks.back(tile, placeAt(event.clientX, event.clientY));
  };
  document.addEventListener("pointerup", release);
  document.addEventListener("pointercancel", release);
}

/** @param {HTMLElement} tile */
function ghostOf(tile) {
  const ghost = document.importNode(tile, true);
  const side = Math.max(tile.getBoundingClientRect().width, 40);
  for (const name of ["id", "role", "aria-label", "tabindex"]) ghost.removeAttribute(name);
  ghost.setAttribute("aria-hidden", "true");
  ghost.classList.remove("fri-square");
  ghost.classList.add("fri-ghost");
  ghost.style.setProperty("--cell", `${side}px`);
  document.body.append(ghost);
  return ghost;
}

/**
 * Places the dragged tile above its target square, or beside it at the top of the window.
 *
 * @param {HTMLElement} ghost
 * @param {number} x
 * @param {number} y
 * @param {HTMLElement | null} square
 */
function carry(ghost, x, y, square) {
  const side = ghost.offsetWidth;
  let [left, top] = [x, y];
  if (square) {
    const box = square.getBoundingClientRect();
    top = box.top - GAP - side / 2;
    if (top < side / 2) {
      top = y;
      left = x < window.innerWidth / 2 ? box.right + GAP + side / 2 : box.left - GAP - side / 2;
    }
    left = Math.min(Math.max(left, side / 2), window.innerWidth - side / 2);
    top = Math.max(top, side / 2);
  }
  ghost.style.transform = `translate(${left}px, ${top}px) translate(-50%, -50%)`;
}

/** @param {number} x @param {number} y */
function squareAt(x, y) {
  const stage = document.getElementById("stage")?.getBoundingClientRect();
  if (!stage || x < stage.left || x > stage.right || y < stage.top || y > stage.bottom) return null;
  return atPoint(x, y, ".fri-square");
}

/** The place of the rack at this point, or null outside it. @param {number} x @param {number} y */
function placeAt(x, y) {
  const slots = [...document.querySelectorAll("#rack .fri-slot")].map((slot) => slot.getBoundingClientRect());
  const place = slots.findIndex((box) => x >= box.left - 4 && x <= box.right + 4 && y >= box.top - 16 && y <= box.bottom + 16);
  return place === -1 ? null : place;
}

/** @param {HTMLElement | null} square */
function point(square) {
  for (const over of document.querySelectorAll("[data-over-here]")) over.removeAttribute("data-over-here");
  square?.toggleAttribute("data-over-here", true);
}
