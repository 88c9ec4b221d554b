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
 * Opens the device's share sheet. Browsers refuse it long after the press, as when this script came late.
 *
 * @param {string} text
 * @returns {Promise<string | null>} the button's new text, if it is not to keep its own
 */
const openShareSheet = (text) =>
  navigator.share({ text }).then(
    () => null,
    ({ name }) => (name === "AbortError" ? null : "Press again"),
  );

/**
 * Opens the device's share sheet, or else copies the text. Returns the button's new text.
 *
 * @param {string} text
 */
async function shareResult(text) {
  if ("share" in navigator) return openShareSheet(text);
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
  const { share: shared, shareResult: result } = button.dataset;
  if (shared || result) {
    const label = await (shared ? openShareSheet(field(shared).value) : shareResult(result ?? ""));
    if (label) confirm(button, label, "Share");
    return;
  }
  confirm(button, await copy(button.dataset.copy ?? ""), "Copy");
});

document.addEventListener("focusin", (event) => {
  if (event.target instanceof HTMLInputElement && event.target.closest(".copy-field")) event.target.select();
});
