/** A study board: arrow keys step through the moves, and swaps keep the focus. */

import { say } from "../site/announce.js";
import { closest, find } from "../site/elements.js";

/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "step-previous", ArrowRight: "step-next", Home: "step-first", End: "step-last" };

/** The ID of the element that had the focus before a swap. */
let focused = "";
/** The scroll position of the list of moves. */
let scrolled = 0;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
  if (closest(event, "input, textarea, select, [role=grid]")) return;
  const step = KEYS[event.key] ? find(KEYS[event.key], HTMLAnchorElement) : null;
  if (!step) return;
  event.preventDefault();
  if (step.href) step.click();
});

document.addEventListener("htmx:beforeSwap", () => {
  focused = document.activeElement?.id ?? "";
  scrolled = find("rows", HTMLElement)?.scrollTop ?? 0;
});

document.addEventListener("htmx:afterSwap", (event) => {
  const study = find("study", HTMLElement);
  if (!study || !(event.target instanceof HTMLElement)) return;
  if (event.detail.target?.id === "engine") {
    const best = study.querySelector(".study-line b")?.textContent;
    if (best) say(`Best: ${best}`);
    return;
  }
  if (focused) find(focused, HTMLElement)?.focus({ preventScroll: true });
  showCurrent();
  const error = study.querySelector(".field-error:not(:empty)")?.textContent;
  say(error || find("caption", HTMLElement)?.textContent?.trim() || "");
});

/** Scrolls the list, not the page, so that the current move is in sight. */
function showCurrent() {
  const rows = find("rows", HTMLElement);
  const current = rows?.querySelector("[aria-current]");
  if (!rows || !(current instanceof HTMLElement)) return;
  rows.scrollTop = scrolled;
  const [list, move] = [rows.getBoundingClientRect(), current.getBoundingClientRect()];
  if (move.top < list.top || move.bottom > list.bottom) rows.scrollTop += move.top - list.top - list.height / 2;
}

for (const failure of /** @type {const} */ (["responseError", "sendError", "timeout"])) {
  document.addEventListener(`htmx:${failure}`, (event) => {
    const { xhr } = event.detail;
    const message =
      xhr?.status === 429
        ? `Too many requests. Try again in ${xhr.getResponseHeader("Retry-After")} s.`
        : xhr?.status === 409
          ? "This board has been changed elsewhere. Reload the page."
          : "That did not work. Try again in a moment.";
    const caption = find("caption", HTMLElement);
    if (caption) caption.textContent = message;
    say(message);
  });
}

showCurrent();
