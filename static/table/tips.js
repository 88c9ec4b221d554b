/** Hints at a table: each is shown once, when what it explains first appears. */

import { all, byId } from "../site/elements.js";

/** Milliseconds for which a hint is shown. */
const SHOWN = 7000;

const tip = byId("tip", HTMLElement);
let sources = [...all(document, ".tip-source")];
/** Whether the player uses a mouse, and has a keyboard beside it. */
let mouse = false;
/** Whether a key was pressed: typing needs no hint then. */
let typed = false;
let hide = 0;

document.addEventListener("pointerdown", ({ pointerType }) => (mouse = pointerType === "mouse"), { capture: true });
document.addEventListener("keydown", () => (typed = true), { once: true });

/** @param {HTMLElement} source */
function applies({ dataset: { when = "", says = "", pointer } }) {
  if (pointer !== undefined && (typed || !mouse)) return false;
  return all(document, `#table ${when}`).some((one) => one.textContent?.includes(says));
}

function look() {
  const source = tip.textContent ? undefined : sources.find(applies);
  if (!(source instanceof HTMLTemplateElement)) return;
  sources = sources.filter((other) => other !== source);
  // A new element each time: one that changes its width would shift.
  const line = document.createElement("span");
  line.textContent = source.content.textContent;
  tip.replaceChildren(line);
  window.clearTimeout(hide);
  hide = window.setTimeout(() => tip.replaceChildren(), SHOWN);
  fetch(tip.dataset.url ?? "", { method: "POST", body: new URLSearchParams({ name: source.dataset.name ?? "" }), keepalive: true }).catch(() => undefined);
}

// Not while the page is being built: what lies there from before is no news.
new MutationObserver(look).observe(byId("main", HTMLElement), {
  subtree: true,
  childList: true,
  characterData: true,
  attributes: true,
  attributeFilter: ["aria-pressed"],
});
