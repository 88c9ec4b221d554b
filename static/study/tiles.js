/** Arrow keys on a board outside a game: they move the focus between its tiles, of which one is in the tab order. */

import { all, closest } from "../site/elements.js";

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {string} [selector] of the tiles */
export function watchArrows(selector = "#board .tile") {
  document.addEventListener("focusin", (event) => {
    const tile = closest(event, selector);
    if (!tile) return;
    for (const other of all(document, `${selector}[tabindex="0"]`)) other.tabIndex = -1;
    tile.tabIndex = 0;
  });
  document.addEventListener("keydown", (event) => {
    const tile = closest(event, selector);
    const step = STEPS[event.key];
    if (!tile || !step || event.ctrlKey || event.metaKey || event.altKey) return;
    const tiles = all(document, selector);
    const columns = tile.closest("[role=row]")?.querySelectorAll(selector).length ?? 1;
    const cell = tiles.indexOf(tile);
    const [column, row] = [(cell % columns) + step[0], Math.floor(cell / columns) + step[1]];
    if (column >= 0 && column < columns) tiles[row * columns + column]?.focus({ focusVisible: true });
    event.preventDefault();
  });
}
