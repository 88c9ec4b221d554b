/** Steps through a finished game without a reload: links, arrow keys, slider or autoplay. */

import { say } from "../site/announce.js";
import { byId, closest, first, keepState } from "../site/elements.js";

/** Milliseconds per move in autoplay. */
const BEAT = 1600;
/** @type {Record<string, number>} */
const KEYS = { ArrowLeft: -1, ArrowRight: 1 };

const slider = byId("slider", HTMLInputElement);
/** The pages fetched so far, by ply. @type {Map<number, Promise<HTMLElement>>} */
const pages = new Map();
/** The latest requested ply; late responses for earlier ones are dropped. */
let wanted = shown();
let running = 0;

function replayNow() {
  return byId("replay", HTMLElement);
}

function shown() {
  return Number(replayNow().dataset.ply);
}

function last() {
  return Number(replayNow().dataset.last);
}

/** @param {number} ply */
function address(ply) {
  return `${replayNow().dataset.address}${ply}`;
}

/** @param {number} ply */
function page(ply) {
  let known = pages.get(ply);
  if (!known) {
    known = fetch(address(ply)).then(async (answer) => {
      if (!answer.ok) throw new Error(`${answer.status}`);
      const { title, body } = new DOMParser().parseFromString(await answer.text(), "text/html");
      const replay = first(body, "#replay");
      if (!replay) throw new Error("no replay");
      replay.dataset.title = title;
      return replay;
    });
    known.catch(() => pages.delete(ply));
    pages.set(ply, known);
  }
  return known;
}

/**
 * Shows another ply and updates the URL.
 *
 * @param {number} ply
 */
async function go(ply) {
  if (ply < 0 || ply > last() || ply === wanted) return;
  wanted = ply;
  try {
    const next = await page(ply);
    if (wanted === ply) show(document.importNode(next, true));
  } catch {
    if (wanted === ply) window.location.assign(address(ply));
  }
}

/** @param {HTMLElement} next */
function show(next) {
  const replay = replayNow();
  for (const part of [".replay-round", "#study-link", ".seats", ".replay-event", ".stage", ".replay-meaning"]) {
    const fresh = next.querySelector(part);
    if (fresh) replay.querySelector(part)?.replaceWith(fresh);
  }
  // The controls are kept, so that focus and slider drag continue.
  for (const link of replay.querySelectorAll("a.step")) {
    const fresh = next.querySelector(`#${link.id}`);
    for (const name of ["href", "aria-disabled", "role", "rel", "tabindex"]) {
      const value = fresh?.getAttribute(name) ?? null;
      if (value === null) link.removeAttribute(name);
      else link.setAttribute(name, value);
    }
  }
  replay.dataset.ply = next.dataset.ply;
  byId("replay-ply", HTMLElement).textContent = `${shown()} / ${last()}`;
  slider.value = String(shown());
  document.title = next.dataset.title ?? document.title;
  // One history entry for the whole replay, so that the back button leaves it.
  keepState(null, address(shown()));
  say(byId("replay-event", HTMLElement).textContent?.trim() ?? "");
  for (const near of [shown() - 1, shown() + 1]) if (near >= 0 && near <= last()) page(near).catch(() => undefined);
}

/** @param {boolean} on */
function run(on) {
  window.clearInterval(running);
  running = 0;
  byId("run", HTMLElement).setAttribute("aria-pressed", String(on));
  if (!on) return;
  if (wanted === last()) go(0);
  running = window.setInterval(() => {
    if (wanted < last()) go(wanted + 1);
    if (wanted >= last()) run(false);
  }, BEAT);
}

/**
 * Goes to this ply; using the controls stops autoplay.
 *
 * @param {number} ply
 */
function take(ply) {
  if (running) run(false);
  return go(ply);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (closest(event, "input")) return;
  const step = KEYS[event.key];
  const target = step ? wanted + step : event.key === "Home" ? 0 : event.key === "End" ? last() : null;
  if (target === null) return;
  event.preventDefault();
  take(target);
});

document.addEventListener("click", (event) => {
  if (closest(event, "#run")) {
    run(!running);
    return;
  }
  const link = closest(event, "a.step");
  if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  if (link.href) take(Number(link.href.split("/").pop()));
});

slider.addEventListener("input", () => {
  take(Number(slider.value));
});
