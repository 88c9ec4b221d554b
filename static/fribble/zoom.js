/** The enlarged board on small screens: by button or pinch; scrolls with one finger. */

import { atPoint, closest } from "../site/elements.js";

const PINCH = 1.15;

let zoomed = false;
/** Initial distance of two fingers. */
let spread = 0;

const stageOf = () => document.getElementById("stage");

/** @param {HTMLElement} square */
function centre(square) {
  const stage = stageOf();
  if (!stage) return;
  const box = square.getBoundingClientRect();
  const room = stage.getBoundingClientRect();
  stage.scrollLeft += box.left + box.width / 2 - room.left - room.width / 2;
  stage.scrollTop += box.top + box.height / 2 - room.top - room.height / 2;
}

/**
 * Scrolls the enlarged board to make this square visible.
 *
 * @param {HTMLElement | null | undefined} square
 */
export function reveal(square) {
  const stage = stageOf();
  if (!zoomed || !stage || !square) return;
  const box = square.getBoundingClientRect();
  const room = stage.getBoundingClientRect();
  if (box.left < room.left || box.right > room.right || box.top < room.top || box.bottom > room.bottom) centre(square);
}

/**
 * @param {boolean} on
 * @param {HTMLElement | null | undefined} square to centre
 */
function zoom(on, square) {
  zoomed = on;
  show();
  if (on && square) centre(square);
}

/** Restores the board's zoom after a swap. */
export function show() {
  stageOf()?.toggleAttribute("data-zoomed", zoomed);
  document.getElementById("zoom")?.setAttribute("aria-pressed", String(zoomed));
}

/** Saves the scroll position; returns a function that restores it after a swap. */
export function scrolled() {
  const stage = stageOf();
  const { scrollLeft = 0, scrollTop = 0 } = stage ?? {};
  return () => {
    show();
    stageOf()?.scrollTo(scrollLeft, scrollTop);
  };
}

/** Enlarges the board around this square, or shows all of it again. @param {HTMLElement | null | undefined} square */
export function toggle(square) {
  zoom(!zoomed, square);
}

document.addEventListener(
  "touchstart",
  (event) => {
    spread = event.touches.length === 2 && closest(event, "#stage") ? apart(event) : 0;
  },
  { passive: true },
);
document.addEventListener(
  "touchmove",
  (event) => {
    if (!spread || event.touches.length !== 2) return;
    const now = apart(event);
    if (now <= spread * PINCH && now >= spread / PINCH) return;
    const x = (event.touches[0].clientX + event.touches[1].clientX) / 2;
    const y = (event.touches[0].clientY + event.touches[1].clientY) / 2;
    zoom(now > spread, atPoint(x, y, ".fri-square"));
    spread = 0;
  },
  { passive: true },
);

/** @param {TouchEvent} event */
function apart({ touches: [one, other] }) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}
