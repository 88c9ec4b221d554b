/** The form that opens a table with one to five opponents: counts them. */

import { byId } from "./elements.js";

const MAX_OPPONENTS = 5;
const form = byId("opponents-form", HTMLFormElement);
const boxes = [...form.elements].filter((field) => field instanceof HTMLInputElement).filter(({ name }) => name === "opponents");
const count = byId("opponent-count", HTMLElement);
const openTable = byId("open-table", HTMLButtonElement);

function recount() {
  const chosen = boxes.filter((box) => box.checked).length;
  for (const box of boxes) box.disabled = !box.checked && chosen >= MAX_OPPONENTS;
  openTable.disabled = chosen === 0;
  if (chosen === 0) count.textContent = "Choose at least one opponent.";
  else count.textContent = `${chosen + 1} players${chosen === MAX_OPPONENTS ? ", the maximum" : ""}.`;
}

form.addEventListener("change", recount);
recount();
