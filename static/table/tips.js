/** Hints at a table: each is shown when the element that it explains appears, until there was time to read it. */

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
/** The timer of the hint shown. */
let timer = 0;
/** Whether there was time to read it. */
let read = false;
/** Pixels that the hint leaves to the newest word. */
let beside = 0;
/** The frame that will look for hints. */
let looking = 0;

function clear() {
  window.clearTimeout(timer);
  tip.replaceChildren();
}

const played = () => read && clear();

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

/** How far the newest word is under the hint, in pixels, if hints are shown over the words played. */
function wordUnder() {
  const word = all(document, "#history > li:not(.history-empty)").find((one) => one.checkVisibility());
  const list = word?.offsetParent?.getBoundingClientRect();
  const { left, top, bottom } = tip.getBoundingClientRect();
  // Not the box of the word itself, which may just be growing.
  return word && list && list.bottom > top && list.top < bottom ? Math.max(0, list.left + word.offsetLeft + word.offsetWidth + 4 - left) : 0;
}

/** Counts a hint as seen. @param {HTMLTemplateElement} source */
function note(source) {
  read = true;
  timer = window.setTimeout(clear, SHOWN - READ);
  sources = sources.filter((other) => other !== source);
  fetch(tip.dataset.url ?? "", { method: "POST", body: new URLSearchParams({ name: source.dataset.name ?? "" }), keepalive: true }).catch(() => undefined);
}

function look() {
  looking = 0;
  if (tip.textContent) {
    // Without a width it is hidden: the game is over.
    if (!tip.offsetWidth || wordUnder() > beside) clear();
    return;
  }
  const source = sources.find(applies);
  if (!(source instanceof HTMLTemplateElement)) return;
  const covered = wordUnder();
  const least = NARROWEST * parseFloat(getComputedStyle(tip).fontSize);
  if (tip.offsetWidth - covered < least) return;
  beside = covered;
  // Not its place: a hint that moves would count as a layout shift.
  tip.style.paddingInlineStart = `${beside}px`;
  // A new element each time: a change of width would count as a layout shift.
  const line = document.createElement("span");
  line.textContent = source.content.textContent;
  tip.replaceChildren(line);
  read = false;
  timer = window.setTimeout(note, READ, source);
}

/** Shows hints from now on. @param {Event} input the player's first, which loaded this */
export function startTips(input) {
  if (input.type === "keydown") onKey();
  else onPointer(input);
  document.addEventListener("pointerdown", onPointer, { capture: true });
  document.addEventListener("keydown", onKey);
  // With the next frame, which needs the layout that the look asks for.
  const changes = new MutationObserver(() => (looking ||= requestAnimationFrame(look)));
  changes.observe(byId("main", HTMLElement), {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ["aria-pressed"],
  });
  look();
}
