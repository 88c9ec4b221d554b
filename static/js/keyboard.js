/** The whole game from the keyboard: letters type a word, arrows walk the board. */

/**
 * @typedef {object} Keys
 * @property {() => boolean} ready whether the table takes input
 * @property {(letter: string) => void} letter
 * @property {() => void} backspace
 * @property {() => boolean} enter plays what was typed; false if there is nothing to play
 * @property {() => void} escape
 * @property {(rows: number, columns: number) => void} walk
 */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** @param {Keys} keys */
export function watchKeyboard(keys) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = /** @type {HTMLElement} */ (event.target);
    // A dialog has the keyboard for itself.
    if (document.querySelector("dialog:modal") || !keys.ready()) return;
    // An open sheet is closed by Escape, and that is all.
    if (event.key === "Escape" && !document.querySelector(":popover-open")) keys.escape();
    // Inside a field letters and arrows are the field's own.
    if (target.matches("input, select, textarea")) return;
    if (/^[a-z]$/i.test(event.key)) keys.letter(event.key.toLowerCase());
    else if (event.key === "Backspace") keys.backspace();
    else if (event.key in ARROWS && !target.closest(".history-list")) keys.walk(...ARROWS[event.key]);
    else if (event.key !== "Enter" || !keys.enter()) return;
    event.preventDefault();
  });
}
