/** The swap power: choosing a tile and its new letter. */

import { byId } from "../site/elements.js";
import { showModal } from "../table/dialogs.js";
import { table } from "../table/session.js";

/** @param {boolean} choosing whether the player is choosing the tile to swap */
export function showChoosing(choosing) {
  table.querySelector("#board")?.toggleAttribute("data-choosing", choosing);
  table.querySelector("#power-swap")?.setAttribute("aria-pressed", String(choosing));
}

/**
 * Opens the sheet of letters for one tile.
 *
 * @param {import("../table/board.js").Tile} tile
 */
export function openSheet(tile) {
  const dialog = byId("swap-dialog", HTMLDialogElement);
  byId("swap-cell", HTMLInputElement).value = String(tile.cell);
  byId("swap-from", HTMLElement).textContent = tile.letter.toUpperCase();
  for (const button of dialog.querySelectorAll("button")) {
    if (button.matches(".sheet-letter")) button.disabled = button.value === tile.letter;
  }
  tile.element.dataset.swapped = "";
  dialog.addEventListener("close", () => delete tile.element.dataset.swapped, { once: true });
  showModal(dialog);
}
