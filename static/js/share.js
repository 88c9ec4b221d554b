/** Buttons that copy or share the text of a field: `data-copy` and `data-share` hold the field's id. */

import { say } from "./announce.js";

const SHOWN_FOR = 1800;

document.documentElement.toggleAttribute("data-can-share", Boolean(navigator.share));

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement | HTMLTextAreaElement} */ (document.getElementById(id));

/** @param {string} id */
async function copy(id) {
  const { value } = field(id);
  try {
    await navigator.clipboard.writeText(value);
  } catch {
    // Away from https there is no clipboard but the old one.
    field(id).select();
    if (!document.execCommand("copy")) return "Press Ctrl+C";
  }
  return "Copied";
}

document.addEventListener("click", async (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-copy], [data-share]"));
  if (!button) return;
  if (button.dataset.share) {
    // Who closes the sheet of apps has simply thought better of it.
    navigator.share({ text: field(button.dataset.share).value }).catch(() => undefined);
    return;
  }
  const told = await copy(button.dataset.copy ?? "");
  say(told);
  button.textContent = told;
  window.setTimeout(() => (button.textContent = "Copy"), SHOWN_FOR);
});

document.addEventListener("focusin", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.closest(".to-copy")) event.target.select();
});
