/** Keys of a question whether a word is valid: Y and N press its buttons. @module */

/** @param {KeyboardEvent} event */
const press = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target instanceof HTMLInputElement) return;
  const key = CSS.escape(event.key.toLowerCase());
  const button = document.querySelector(`button[aria-keyshortcuts="${key}"]`);
  if (button instanceof HTMLButtonElement) button.click();
};

document.addEventListener("keydown", press);
