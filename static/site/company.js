/** Choosing one to five opponents, with a count. */

const MOST = 5;
const form = /** @type {HTMLFormElement} */ (document.getElementById("company"));
const boxes = [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name=opponents]"))];
const count = /** @type {HTMLElement} */ (document.getElementById("company-count"));
const open = /** @type {HTMLButtonElement} */ (document.getElementById("company-open"));

function recount() {
  const chosen = boxes.filter((box) => box.checked).length;
  for (const box of boxes) box.disabled = !box.checked && chosen >= MOST;
  open.disabled = chosen === 0;
  if (chosen === 0) count.textContent = "Choose at least one opponent.";
  else count.textContent = `${chosen + 1} at the table${chosen === MOST ? ", which is full" : ""}.`;
}

form.addEventListener("change", recount);
recount();
