/** Brings the parts of a page marked `data-fresh` up to date, and keeps what the player has entered. */

import { showTurns } from "./app.js";
import { say } from "./announce.js";
import { all } from "./elements.js";

const PAGE_PARTS = "[data-fresh]:not([data-fresh] *)";
const FIELDS = "input:not([type=hidden])";

/**
 * Whether the player is using a part. Safari does not focus a pressed button.
 *
 * @param {HTMLElement} part
 */
const isInUse = (part) => part.matches(":active") || Boolean(document.activeElement?.matches(FIELDS) && part.contains(document.activeElement));

export async function refreshParts() {
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    // The page of something that is gone, as a cancelled table, says so.
    const isGone = answer.status === 404;
    if (!answer.ok && !isGone) return;
    const { body, documentElement, title } = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!isGone) showTurns(Number(documentElement.dataset.turns ?? 0));
    const parts = isGone ? PAGE_PARTS : `${PAGE_PARTS}, #site-turn`;
    const fresh = all(body, isGone ? ".message" : parts);
    for (const [index, part] of all(document, parts).entries()) {
      const next = fresh[index];
      if (!next || next.innerHTML === part.innerHTML || (!isGone && isInUse(part))) continue;
      const heading = part.querySelector("h1")?.textContent;
      replace(part, next);
      if (next.matches(".message") && next.querySelector("h1")?.textContent !== heading) announce(title, next);
    }
  } catch {
    // No network: the page stays as it was.
  }
}

/**
 * Tells the player that the page has become another, as after a game was cancelled; the title keeps the number of turns.
 *
 * @param {string} title
 * @param {HTMLElement} message
 */
function announce(title, message) {
  const count = /^\(\d+\) /;
  document.title = (count.exec(document.title)?.[0] ?? "") + title.replace(count, "");
  say(all(message, "h1, h1 + p").map((line) => line.textContent).join(". "));
}

/**
 * @param {HTMLElement} part
 * @param {HTMLElement} next
 */
function replace(part, next) {
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (part.querySelectorAll(FIELDS))) {
    const named = `input[name="${field.name}"]`;
    const fresh = next.querySelectorAll(named)[[...part.querySelectorAll(named)].indexOf(field)];
    if (!(fresh instanceof HTMLInputElement)) continue;
    if (field.type !== "radio") fresh.value = field.value;
    fresh.checked = field.checked;
    // The text to share is that of the style chosen.
    const text = fresh.checked && fresh.dataset.styles && next.querySelector(`#${fresh.dataset.styles}`);
    if (text instanceof HTMLTextAreaElement) text.value = fresh.value;
  }
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  part.replaceWith(next);
  if (focused) all(next, "a, button").find(({ textContent }) => textContent === focused.textContent)?.focus({ preventScroll: true });
}
