/** Hints at a table: each is shown once, when the element that it explains first appears. */

import { all, byId, closest } from "../site/elements.js";

/** Milliseconds for which a hint is shown; from `READ` on, the next input on the board hides it. */
const SHOWN = 7000;
const READ = 1500;
/** Least width of a hint, in its letters' size. */
const NARROWEST = 6;

const tip = byId("tip", HTMLElement);
let sources = [...all(document, ".tip-source")];
/** Whether the player uses a mouse, and so has a keyboard. */
let mouse = false;
/** Whether a key was pressed: typing needs no hint then. */
let typed = false;
let hide = 0;
let shownAt = 0;
/** Pixels left of the hint. */
let beside = 0;

const clear = () => tip.replaceChildren();
const played = () => Date.now() - shownAt > READ && clear();

/** @param {Event} event */
function onPointer(event) {
  mouse = event instanceof PointerEvent && event.pointerType === "mouse";
  if (closest(event, "#board, #hand, #rack")) played();
}

function onKey() {
  typed = true;
  played();
}

/** @param {HTMLElement} source */
function applies({ dataset: { when = "", says = "", pointer } }) {
  if (pointer !== undefined && (typed || !mouse)) return false;
  return all(document, `#table ${when}`).some((one) => one.textContent?.includes(says));
}

/** Where the newest word ends, in pixels from the left, if hints are shown over the words played. */
function wordEnd() {
  const word = all(document, "#history > li:not(.history-empty)").find((one) => one.checkVisibility());
  const list = word?.offsetParent?.getBoundingClientRect();
  // Not the box of the word itself, which may just be growing.
  return word && list && list.bottom > tip.getBoundingClientRect().top ? list.left + word.offsetLeft + word.offsetWidth + 4 : 0;
}

/** @param {number} end the end of the newest word, which stays clear: see strip.css */
function hasRoom(end) {
  beside = end;
  tip.style.setProperty("--beside", `${end}px`);
  return tip.clientWidth > NARROWEST * parseFloat(getComputedStyle(tip).fontSize);
}

function look() {
  const end = wordEnd();
  if (tip.textContent) {
    // It goes rather than moves.
    if (end > beside) clear();
    return;
  }
  const source = sources.find(applies);
  if (!(source instanceof HTMLTemplateElement) || !hasRoom(end)) return;
  sources = sources.filter((other) => other !== source);
  // A new element each time: a change of width would count as a layout shift.
  const line = document.createElement("span");
  line.textContent = source.content.textContent;
  tip.replaceChildren(line);
  shownAt = Date.now();
  window.clearTimeout(hide);
  hide = window.setTimeout(clear, SHOWN);
  fetch(tip.dataset.url ?? "", { method: "POST", body: new URLSearchParams({ name: source.dataset.name ?? "" }), keepalive: true }).catch(() => undefined);
}

/** Shows hints from now on. @param {Event} input the player's first, which loaded this */
export function startTips(input) {
  if (input.type === "keydown") onKey();
  else onPointer(input);
  document.addEventListener("pointerdown", onPointer, { capture: true });
  document.addEventListener("keydown", onKey);
  new MutationObserver(look).observe(byId("main", HTMLElement), {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ["aria-pressed"],
  });
  look();
}
