/** What a player does while a POST is under way: a button is pressed again after the response. */

import { closest, first } from "../site/elements.js";
import { posting, report, sentBy } from "./session.js";

/** @type {Element | null} */
let held = null;

/** @param {Element} button */
export function hold(button) {
  // A double press counts once. A confirmation comes before what was pressed earlier.
  if (button !== sentBy && (!held || button.closest("dialog"))) held = button;
}

export function drop() {
  held = null;
}

/** Presses the button, or the one that has taken its place in a new table. */
export function repeat() {
  const button = held;
  held = null;
  if (!button) return;
  const selector = button.closest("#talk") ? `#talk [value="${button.getAttribute("value")}"]` : button.id && `#${button.id}`;
  const now = button.isConnected ? button : selector && first(document, button.closest("dialog") ? `dialog:modal ${selector}` : selector);
  if (now instanceof HTMLElement && now.ariaDisabled !== "true") now.click();
}

/** Reports why a remark was refused, if its response is not shown. @param {string} html */
export function reportNotice(html) {
  const { notice } = new DOMParser().parseFromString(html, "text/html").getElementById("table")?.dataset ?? {};
  if (notice) report(notice);
}

document.addEventListener(
  "submit",
  (event) => {
    // HTMX would let a second remark wait for the first, and drop it with the old table.
    if (!posting || !event.submitter || !closest(event, "#talk")) return;
    hold(event.submitter);
    first(document, "#talk:popover-open")?.hidePopover();
    event.preventDefault();
    event.stopPropagation();
  },
  { capture: true },
);

document.addEventListener("close", () => held?.closest("dialog") && drop(), { capture: true });
