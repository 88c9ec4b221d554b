/** The swap power: choosing a tile and its new letter. */

/**
 * @param {HTMLElement} table
 * @param {boolean} choosing whether the player is choosing the tile to swap
 */
export function showChoosing(table, choosing) {
  table.querySelector("#board")?.toggleAttribute("data-choosing", choosing);
  table.querySelector("#power-swap")?.setAttribute("aria-pressed", String(choosing));
}

/**
 * Opens the sheet of letters for one tile.
 *
 * @param {HTMLElement} table
 * @param {import("../table/board.js").Tile} tile
 */
export function openSheet(table, tile) {
  const dialog = /** @type {HTMLDialogElement} */ (table.querySelector("#swap-dialog"));
  /** @type {HTMLInputElement} */ (dialog.querySelector("#swap-cell")).value = String(tile.cell);
  /** @type {HTMLElement} */ (dialog.querySelector("#swap-from")).textContent = tile.letter.toUpperCase();
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (dialog.querySelectorAll(".sheet-letter"))) {
    button.disabled = button.value === tile.letter;
  }
  dialog.showModal();
}
