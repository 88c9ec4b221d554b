/** The dialog for choosing tiles to exchange. */

import { say } from "../site/announce.js";
import { all, byId, closest } from "../site/elements.js";
import { table } from "../table/session.js";
import { rack } from "./play.js";

const picked = () => all(table, "[data-exchange][aria-pressed='true']");

/** Shows how many tiles are chosen. */
export function showPicked() {
  const confirm = document.getElementById("exchange-confirm");
  if (!confirm) return;
  const tiles = picked().map((one) => one.dataset.exchange);
  byId("exchange-tiles", HTMLInputElement).value = tiles.join("");
  confirm.textContent = tiles.length > 0 ? `Exchange ${tiles.length}` : "Exchange";
  confirm.setAttribute("aria-disabled", String(tiles.length === 0));
}

/** Puts the tiles in the order of the player's rack. */
function sortAsRack() {
  const tiles = all(table, "[data-exchange]");
  for (const kind of rack) {
    const tile = tiles.splice(tiles.findIndex(({ dataset }) => dataset.exchange === kind), 1)[0];
    tile.parentElement?.append(tile);
  }
}

// Before the dialog opens: a tile that is moved would lose the focus.
document.addEventListener("click", (event) => closest(event, "#open-exchange") && sortAsRack(), { capture: true });

document.addEventListener("click", (event) => {
  if (closest(event, "#exchange-confirm[aria-disabled='true']")) {
    event.preventDefault();
    say("Choose the tiles to exchange");
    return;
  }
  const tile = closest(event, "[data-exchange]");
  if (!tile) return;
  const on = tile.getAttribute("aria-pressed") === "true";
  if (!on && picked().length >= Number(closest(event, "[data-most]")?.dataset.most)) return;
  tile.setAttribute("aria-pressed", String(!on));
  showPicked();
});
