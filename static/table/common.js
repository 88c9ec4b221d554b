/** Shared by all tables: sending moves, failures, dialogs, focus. */

const NO_ANSWER = "No answer from the server. Nothing is lost: try again.";
const NO_GOOD_ANSWER = "The server has a problem. Nothing is lost: try again.";

/** @param {string} name @param {(event: CustomEvent) => void} handler */
export const onHtmx = (name, handler) => document.addEventListener(`htmx:${name}`, /** @type {EventListener} */ (handler));
/** Whether the event is about a POST: a move, a claim or a remark. */
export const isPost = (/** @type {CustomEvent} */ event) => event.detail.requestConfig?.verb === "post";
export const isMove = (/** @type {CustomEvent} */ event) => isPost(event) && event.detail.requestConfig.path.endsWith("/moves");

/**
 * Sends a move; the response replaces the table.
 *
 * @param {HTMLElement} table
 * @param {Record<string, string | undefined>} values
 */
export function postMove(table, values) {
  /** @type {any} */ (window).htmx
    // A request by the table would queue behind a refresh, and be lost when that replaces the table.
    .ajax("POST", table.dataset.movesUrl, { source: document.body, target: "#table", swap: "outerHTML", values })
    .catch(() => undefined); // handled by `onFailure`
}

/** @param {(text: string) => void} handler called for a POST without a response, or with an unusable one */
export function onFailure(handler) {
  for (const failure of ["sendError", "timeout", "responseError"]) {
    onHtmx(failure, (event) => {
      if (!isPost(event)) return;
      document.querySelector(/** @type {any} */ ("dialog:modal"))?.close();
      handler(failure === "responseError" ? NO_GOOD_ANSWER : NO_ANSWER);
    });
  }
}

/* The focus */

/** Whether the last input came from the keyboard or a screen reader. */
let byKeyboard = false;

document.addEventListener("keydown", () => (byKeyboard = true), { capture: true });
document.addEventListener("pointerdown", () => (byKeyboard = false), { capture: true });
document.addEventListener("click", ({ detail }) => (byKeyboard ||= detail === 0), { capture: true });

/**
 * Focuses an element if nothing has the focus and the player uses the keyboard: after a touch the ring would look like a selection.
 *
 * @param {HTMLElement | null | undefined} place
 */
export function restoreFocus(place) {
  if (byKeyboard && document.activeElement === document.body) place?.focus({ preventScroll: true });
}

/* Dialogs */

/** Whether updates of the table must wait: the page is hidden, or a dialog or sheet is open. */
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
    // Without script it opens as a popover; with script it is modal.
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
  // In the sheet of letters a typed letter selects.
  const letter = /** @type {HTMLButtonElement | null} */ (
    document.querySelector(`dialog:modal .sheet-letter[value="${event.key.toLowerCase()}"]`)
  );
  if (!letter) return;
  event.preventDefault();
  event.stopImmediatePropagation(); // it is no letter of a word
  letter.click();
});
