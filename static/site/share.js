/**
 * Buttons that copy or share: `data-copy` and `data-share` hold the id of a field with the text, `data-share-result` the text.
 * A choice with `data-styles` puts its value into that field. `data-print` prints the page.
 */

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

/**
 * Opens the device's share sheet, or else copies the text. Returns the button's new text.
 *
 * @param {string} text
 */
async function shareResult(text) {
  if (navigator.share) {
    await navigator.share({ text }).catch(() => undefined);
    return null;
  }
  const holder = document.createElement("textarea");
  holder.id = "shared-result";
  holder.value = text;
  holder.readOnly = true;
  holder.className = "visually-hidden";
  document.body.append(holder);
  const label = await copy(holder.id);
  holder.remove();
  return label;
}

/**
 * Shows a button's result for a while.
 *
 * @param {HTMLElement} button
 * @param {string} label
 * @param {string} usual
 */
function confirm(button, label, usual) {
  say(label);
  button.textContent = label;
  window.setTimeout(() => (button.textContent = usual), SHOWN_FOR);
}

document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.dataset.styles) field(target.dataset.styles).value = target.value;
});

document.addEventListener("click", async (event) => {
  const button = closest(event, "[data-copy], [data-share], [data-share-result], [data-print]");
  if (!button) return;
  if ("print" in button.dataset) {
    window.print();
    return;
  }
  if (button.dataset.shareResult) {
    const label = await shareResult(button.dataset.shareResult);
    if (label) confirm(button, label, "Share");
    return;
  }
  if (button.dataset.share) {
    // Closing the share sheet is not an error.
    navigator.share({ text: field(button.dataset.share).value }).catch(() => undefined);
    return;
  }
  confirm(button, await copy(button.dataset.copy ?? ""), "Copy");
});

document.addEventListener("focusin", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.closest(".copy-field")) event.target.select();
});
