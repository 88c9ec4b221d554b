/** The row with the word: a tapped letter is removed, a dragged one moves to another place. */

import { all, closest, first } from "../site/elements.js";

/** Movement in pixels below which a press is a tap. */
const SLIP = 6;

/**
 * @typedef {object} Callbacks
 * @property {() => boolean} ready
 * @property {(index: number) => void} takeBack
 * @property {(from: number, to: number) => void} move
 */

/** @type {{id: number, from: number, startX: number, dragging: boolean} | null} */
let grip = null;

/** Whether the next click ends a drag: Safari clicks the letter, although the row has captured the pointer. */
let dragged = false;

/** Whether a letter is being dragged. */
export const isDragging = () => grip?.dragging ?? false;

/**
 * Shows the letters of `cells`; buttons of letters that stay are reused, which keeps focus and drag.
 *
 * @param {HTMLElement} row
 * @param {{cell: number, letter: string, kept: boolean}[]} letters `kept`: the tile stays the opponent's; a negative cell: there is no tile
 */
export function lay(row, letters) {
  const known = new Map(buttons(row).map((button) => [button.dataset.cell, button]));
  const items = letters.map(({ cell, letter, kept }, index) => {
    const button = known.get(String(cell)) ?? newButton(cell, letter);
    button.setAttribute("aria-label", `${letter.toUpperCase()}, letter ${index + 1} of ${letters.length}, ${cell < 0 ? "not on the board, " : ""}take back`);
    button.dataset.owner = cell < 0 ? "none" : kept ? "theirs" : "ours";
    return placeOf(button);
  });
  // Move only what changed: an element that is moved in the document loses the focus.
  for (const item of [...row.children]) if (!items.some((kept) => kept === item)) item.remove();
  items.forEach((item, index) => {
    if (row.children[index] !== item) row.insertBefore(item, row.children[index] ?? null);
  });
  row.toggleAttribute("data-many", letters.length > 7);
}

/** @param {number} cell @param {string} letter */
function newButton(cell, letter) {
  const item = document.createElement("li");
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: "tile press-letter",
    id: `letter-${cell}`,
    textContent: letter.toUpperCase(),
  });
  button.dataset.cell = String(cell);
  item.append(button);
  return button;
}

const rowNow = () => first(document, ".press-letters");

/** @param {HTMLElement} row */
function buttons(row) {
  return all(row, ".press-letter");
}

/** The list item of a letter, which stays where it is while the letter is dragged. @param {HTMLElement} button */
const placeOf = (button) => /** @type {HTMLElement} */ (button.parentElement);

/** @param {Event} event @returns {[HTMLElement, HTMLElement, number] | null} */
function touched(event) {
  const button = closest(event, ".press-letter");
  const row = closest(event, ".press-letters");
  return button && row ? [row, button, buttons(row).indexOf(button)] : null;
}

/** @param {Callbacks} callbacks */
export function watchRow(callbacks) {
  document.addEventListener("click", (event) => {
    const found = touched(event);
    const ends = dragged && event.detail > 0;
    dragged = false;
    if (!found || ends || !callbacks.ready()) return;
    const [row, button, index] = found;
    const focused = button === document.activeElement && event.detail === 0;
    callbacks.takeBack(index);
    if (focused) (buttons(row)[Math.max(0, index - 1)] ?? first(document, ".press-board .tile[tabindex='0']"))?.focus();
  });

  document.addEventListener("pointerdown", (event) => {
    dragged = false;
    const found = touched(event);
    if (!found || grip || event.button !== 0 || !callbacks.ready()) return;
    grip = { id: event.pointerId, from: found[2], startX: event.clientX, dragging: false };
  });

  document.addEventListener("pointermove", (event) => {
    if (!grip || event.pointerId !== grip.id) return;
    const row = rowNow();
    const held = row && buttons(row)[grip.from];
    if (!row || !held) return;
    if (!grip.dragging) {
      if (Math.abs(event.clientX - grip.startX) < SLIP) return;
      grip.dragging = true;
      row.setPointerCapture(event.pointerId);
    }
    const to = placeAt(row, event.clientX);
    if (to !== grip.from) {
      callbacks.move(grip.from, to);
      grip.from = to;
    }
    const home = placeOf(held).getBoundingClientRect();
    held.style.translate = `${event.clientX - home.left - home.width / 2}px 0`;
    held.toggleAttribute("data-held", true);
  });

  /** @param {PointerEvent} event */
  const release = (event) => {
    if (!grip || event.pointerId !== grip.id) return;
    dragged = grip.dragging;
    grip = null;
    for (const button of all(document, ".press-letter[data-held]")) {
      button.removeAttribute("data-held");
      button.style.translate = "";
    }
  };
  document.addEventListener("pointerup", release);
  document.addEventListener("pointercancel", release);

  // Arrows move the focus in the row; with Shift, the letter.
  document.addEventListener(
    "keydown",
    (event) => {
      const found = touched(event);
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!found || !step || event.ctrlKey || event.metaKey || event.altKey || !callbacks.ready()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const [row, button, index] = found;
      const to = index + step;
      if (to < 0 || to >= buttons(row).length) return;
      if (event.shiftKey) {
        callbacks.move(index, to);
        button.focus({ focusVisible: true });
      } else {
        buttons(row)[to].focus({ focusVisible: true });
      }
    },
    { capture: true },
  );
}

/** @param {HTMLElement} row @param {number} x */
function placeAt(row, x) {
  const boxes = buttons(row).map((button) => placeOf(button).getBoundingClientRect());
  const place = boxes.findIndex((box) => x < box.right);
  return place === -1 ? boxes.length - 1 : place;
}
