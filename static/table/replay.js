/** Steps through a finished game without a reload: links, arrow keys, slider or autoplay. */

import { say } from "../site/announce.js";

/** Milliseconds per move in autoplay. */
const BEAT = 1600;
const KEYS = { ArrowLeft: -1, ArrowRight: 1 };

/** The pages fetched so far, by ply. @type {Map<number, Promise<Element>>} */
const pages = new Map();
/** The latest requested ply; late responses for earlier ones are dropped. */
let wanted = shown();
let running = 0;

/** @template {HTMLElement} T @param {string} id @returns {T} */
function byId(id) {
  return /** @type {T} */ (document.getElementById(id));
}

function shown() {
  return Number(byId("replay").dataset.ply);
}

function last() {
  return Number(byId("replay").dataset.last);
}

/** @param {number} ply */
function address(ply) {
  return `${byId("replay").dataset.address}${ply}`;
}

/** @param {number} ply */
function page(ply) {
  let known = pages.get(ply);
  if (!known) {
    known = fetch(address(ply)).then(async (answer) => {
      if (!answer.ok) throw new Error(`${answer.status}`);
      const { title, body } = new DOMParser().parseFromString(await answer.text(), "text/html");
      const replay = /** @type {HTMLElement} */ (body.querySelector("#replay"));
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
    const next = /** @type {HTMLElement} */ ((await page(ply)).cloneNode(true));
    if (wanted === ply) show(next);
  } catch {
    window.location.assign(address(ply));
  }
}

/** @param {HTMLElement} next */
function show(next) {
  const replay = byId("replay");
  for (const part of [".replay-round", ".seats", ".replay-event", ".stage"]) {
    /** @type {Element} */ (replay.querySelector(part)).replaceWith(/** @type {Element} */ (next.querySelector(part)));
  }
  // The controls are kept, so that focus and slider drag continue.
  for (const link of replay.querySelectorAll("a.step")) {
    const fresh = /** @type {Element} */ (next.querySelector(`#${link.id}`));
    for (const name of ["href", "aria-disabled", "role", "rel", "tabindex"]) {
      const value = fresh.getAttribute(name);
      if (value === null) link.removeAttribute(name);
      else link.setAttribute(name, value);
    }
  }
  replay.dataset.ply = next.dataset.ply;
  byId("replay-ply").textContent = `${shown()} / ${last()}`;
  /** @type {HTMLInputElement} */ (byId("slider")).value = String(shown());
  document.title = next.dataset.title ?? document.title;
  // One history entry for the whole replay: the back button leaves it.
  window.history.replaceState(null, "", address(shown()));
  say(byId("replay-event").textContent?.trim() ?? "");
  for (const near of [shown() - 1, shown() + 1]) if (near >= 0 && near <= last()) page(near).catch(() => undefined);
}

/** @param {boolean} on */
function run(on) {
  window.clearInterval(running);
  running = 0;
  byId("run").setAttribute("aria-pressed", String(on));
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
  if (/** @type {Element} */ (event.target).matches("input")) return;
  const step = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
  const target = step ? wanted + step : event.key === "Home" ? 0 : event.key === "End" ? last() : null;
  if (target === null) return;
  event.preventDefault();
  take(target);
});

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (target.closest("#run")) {
    run(!running);
    return;
  }
  const link = /** @type {HTMLAnchorElement | null} */ (target.closest("a.step"));
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  if (link.href) take(Number(link.href.split("/").pop()));
});

byId("slider").addEventListener("input", (event) => {
  take(Number(/** @type {HTMLInputElement} */ (event.target).value));
});
