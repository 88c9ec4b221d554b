/** What all tables share: moves sent and refused, questions in dialogs, the focus after an answer. */

const NO_ANSWER = "No answer from the server. Nothing is lost: try again.";
const NO_GOOD_ANSWER = "The server has a problem. Nothing is lost: try again.";

/** @param {string} name @param {(event: CustomEvent) => void} heard */
export const onHtmx = (name, heard) => document.addEventListener(`htmx:${name}`, /** @type {EventListener} */ (heard));
/** Whether the event is about something sent: a move, a claim or a remark. */
export const isPost = (/** @type {CustomEvent} */ event) => event.detail.requestConfig?.verb === "post";
export const isMove = (/** @type {CustomEvent} */ event) => isPost(event) && event.detail.requestConfig.path.endsWith("/moves");

/**
 * Sends a move; the answer takes the table's place.
 *
 * @param {HTMLElement} table
 * @param {Record<string, string | undefined>} values
 */
export function postMove(table, values) {
  /** @type {any} */ (window).htmx
    // A request of the table's own would queue behind a look, and be lost with the table that is replaced.
    .ajax("POST", table.dataset.movesUrl, { source: document.body, target: "#table", swap: "outerHTML", values })
    .catch(() => undefined); // `onFailure` hears of it
}

/** @param {(text: string) => void} heard of something sent that got no answer, or none that can be shown */
export function onFailure(heard) {
  for (const failure of ["sendError", "timeout", "responseError"]) {
    onHtmx(failure, (event) => {
      if (!isPost(event)) return;
      document.querySelector(/** @type {any} */ ("dialog:modal"))?.close();
      heard(failure === "responseError" ? NO_GOOD_ANSWER : NO_ANSWER);
    });
  }
}

/* The focus */

/** Whether the player used the keyboard, or a screen reader, last. */
let byKeyboard = false;

document.addEventListener("keydown", () => (byKeyboard = true), { capture: true });
document.addEventListener("pointerdown", () => (byKeyboard = false), { capture: true });
document.addEventListener("click", ({ detail }) => (byKeyboard ||= detail === 0), { capture: true });

/**
 * Focuses an element if nothing has the focus and the player uses the keyboard: after a touch it would look chosen.
 *
 * @param {HTMLElement | null | undefined} place
 */
export function restoreFocus(place) {
  if (byKeyboard && document.activeElement === document.body) place?.focus({ preventScroll: true });
}

/* Dialogs */

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
