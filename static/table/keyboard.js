/** Keyboard input: letters type a word, arrows move on the board. */

import { closest } from "../site/elements.js";

/**
 * @typedef {object} Keys
 * @property {() => boolean} ready whether input is on
 * @property {(letter: string) => void} letter
 * @property {() => void} backspace
 * @property {() => boolean} enter plays the typed word; false if there is none
 * @property {() => void} escape
 * @property {(rows: number, columns: number) => void} walk
 * @property {() => boolean} [explores] whether arrows move on the board while input is off, as on another's turn: once a tile has the focus
 * @property {() => void} [turn] turns the board or shuffles the tiles: Shift and R, since R alone is a letter of a word
 */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** @param {Keys} keys */
export function watchKeyboard(keys) {
  /** Whether Tab has moved the focus since the last letter: Enter presses the button that it has reached. */
  let tabbed = false;
  document.addEventListener("keydown", (event) => {
    if (event.key === "Tab") tabbed = true;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    // A dialog handles its own keys.
    if (document.querySelector("dialog:modal") || !(keys.ready() || (event.key in ARROWS && keys.explores?.()))) return;
    // Escape closes an open sheet and does nothing else.
    if (event.key === "Escape" && !document.querySelector(":popover-open")) keys.escape();
    // A text field handles its own letters and arrows.
    if (closest(event, "input, select, textarea")) return;
    const link = closest(event, "a[href]");
    if (keys.turn && event.shiftKey && /^r$/i.test(event.key)) keys.turn();
    else if (/^[a-z]$/i.test(event.key)) {
      // Typing moves the focus to the game, so that Enter plays the word instead of following a link.
      if (link instanceof HTMLElement) link.blur();
      tabbed = false;
      keys.letter(event.key.toLowerCase());
    } else if ((link || (tabbed && closest(event, "button:not(.tile)"))) && event.key === "Enter") return;
    else if (event.key === "Backspace") keys.backspace();
    else if (event.key in ARROWS && !closest(event, ".history-list")) keys.walk(...ARROWS[event.key]);
    else if (event.key !== "Enter" || !keys.enter()) return;
    event.preventDefault();
  });
}
