/** Buttons that copy or share the text of a field: `data-copy` and `data-share` hold the field's id. */

import { say } from "./announce.js";
import { closest } from "./elements.js";

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
    // Without HTTPS only the old clipboard command works.
    field(id).select();
    if (!document.execCommand("copy")) return "Press Ctrl+C";
  }
  return "Copied";
}

document.addEventListener("click", async (event) => {
  const button = closest(event, "[data-copy], [data-share]");
  if (!button) return;
  if (button.dataset.share) {
    // Closing the share sheet is no error.
    navigator.share({ text: field(button.dataset.share).value }).catch(() => undefined);
    return;
  }
  const label = await copy(button.dataset.copy ?? "");
  say(label);
  button.textContent = label;
  window.setTimeout(() => (button.textContent = "Copy"), SHOWN_FOR);
});

document.addEventListener("focusin", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.closest(".copy-field")) event.target.select();
});
