/** Questions in dialogs: opened and closed by their buttons. */

/** Whether news of the table must wait: nobody looks, or a question or a sheet is open. */
export const newsWaits = () => document.hidden || document.querySelector("dialog:modal, :popover-open") !== null;

/**
 * Handles the buttons that open and close dialogs; true if this click was one of them.
 *
 * @param {MouseEvent} event
 */
export function handleDialogClick(event) {
  const target = /** @type {Element} */ (event.target);
  const opener = target.closest("[popovertarget]:not([data-closes])");
  const opened = document.getElementById(opener?.getAttribute("popovertarget") ?? "");
  if (opened instanceof HTMLDialogElement) {
    // Without script the popover opens by itself; with script it is modal.
    event.preventDefault();
    opened.showModal();
    return true;
  }
  const dialog = /** @type {HTMLDialogElement | null} */ (target.closest("dialog:modal"));
  if (dialog && (target === dialog || target.closest("[data-closes]"))) {
    event.preventDefault();
    dialog.close();
    return true;
  }
  return false;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !/^[a-z]$/i.test(event.key)) return;
  // In the sheet of letters a typed letter is the choice.
  const letter = /** @type {HTMLButtonElement | null} */ (
    document.querySelector(`dialog:modal .sheet-letter[value="${event.key.toLowerCase()}"]`)
  );
  if (!letter) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // it is no letter of a word
  letter.click();
});
