/** Dialogs and sheets of a table: opened and closed by buttons, letters chosen by key; and when updates must wait. */

import { closest, find, first } from "../site/elements.js";

/** Milliseconds after which a press holds back no updates: its end may have gone unnoticed, as in a menu. */
const LONGEST_PRESS = 10_000;
/** When the control was pressed that is not released yet. */
let pressedAt = -Infinity;

/** Whether updates of the table must wait: the page is hidden, a dialog or sheet is open, or a control is pressed, whose click would be lost. */
export const newsWaits = () =>
  document.hidden || performance.now() - pressedAt < LONGEST_PRESS || document.querySelector("dialog:modal, :popover-open") !== null;

document.addEventListener(
  "pointerdown",
  (event) => (pressedAt = event.button === 0 && closest(event, "a, button:not(.tile), summary, label") ? event.timeStamp : -Infinity),
  true,
);
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => (pressedAt = -Infinity), true);

/** Whether the last input came from the keyboard or a screen reader. */
export let byKeyboard = false;
document.addEventListener("keydown", () => (byKeyboard = true), true);
document.addEventListener("pointerdown", () => (byKeyboard = false), true);
// A press that a script repeats is no input.
document.addEventListener("click", ({ detail, isTrusted }) => (byKeyboard ||= isTrusted && detail === 0), true);

/** Removes the ring around what a dialog has focused: Safari shows it even after a touch. */
function removeRing() {
  const focused = byKeyboard ? null : first(document, ":focus-visible:not(input, textarea)");
  focused?.blur();
  focused?.focus({ focusVisible: false, preventScroll: true });
}

/** Closes the modal dialog, if there is one. */
export function closeDialog() {
  const dialog = document.querySelector("dialog:modal");
  if (!(dialog instanceof HTMLDialogElement)) return;
  dialog.close();
  removeRing();
}

/** @param {HTMLDialogElement} dialog */
export function showModal(dialog) {
  dialog.showModal();
  removeRing();
}

/** @param {string} id */
export function openDialog(id) {
  const dialog = find(id, HTMLDialogElement);
  if (dialog) showModal(dialog);
}

/**
 * Opens the page that a link leads to as a sheet, or follows the link if that fails.
 *
 * @param {HTMLAnchorElement} link
 */
const openSheet = (link) =>
  import("./sheets.js").then((sheets) => sheets.openSheet(link)).catch(() => window.open(link.href, link.target || "_self"));

// The click is marked as handled by `preventDefault`, which games respect.
document.addEventListener("click", (event) => {
  const link = closest(event, "a[data-sheet]");
  if (link instanceof HTMLAnchorElement && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    openSheet(link);
    return;
  }
  const opener = closest(event, "[popovertarget]:not([data-closes])");
  const opened = find(opener?.getAttribute("popovertarget") ?? "", HTMLDialogElement);
  if (opened) {
    // Without script, it opens as a popover; with script, it is modal.
    event.preventDefault();
    closeDialog();
    showModal(opened);
    return;
  }
  const dialog = closest(event, "dialog:modal");
  if (dialog && (event.target === dialog || closest(event, "[data-closes]"))) {
    event.preventDefault();
    closeDialog();
  }
});

document.addEventListener("submit", (event) => {
  const form = closest(event, "form.vote");
  if (!(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  import("./vote.js").then(({ vote }) => vote(form), () => form.submit());
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !/^[a-z]$/i.test(event.key)) return;
  // In the sheet of letters, typing selects a letter.
  const letter = document.querySelector(`dialog:modal .sheet-letter[value="${event.key.toLowerCase()}"]`);
  if (!(letter instanceof HTMLButtonElement)) return;
  event.preventDefault();
  // Not a letter of a word.
  event.stopImmediatePropagation();
  letter.click();
});
