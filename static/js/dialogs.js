/** Questions in dialogs: opened and closed by their buttons. */

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
