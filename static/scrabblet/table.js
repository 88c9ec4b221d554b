/** Scrabblet's table: connects hand, keyboard, server and animation. */

import { say } from "../site/announce.js";
import { handleDialogClick, isPost, onFailure, onHtmx, restoreFocus } from "../table/common.js";
import { watchKeyboard } from "../table/keyboard.js";
import { choose, sort } from "./found.js";
import { arrange, light, points, readHand, shuffle } from "./hand.js";
import { glide, play, shake } from "./motion.js";

/** @type {HTMLElement} */
let table;
/** @type {import("./hand.js").Tile[]} */
let tiles = [];
let posting = false;
/** The table before the response. @type {HTMLElement | null} */
let before = null;
/** The word before the response, and whether it was sent. */
let kept = "";
let sent = false;

/** @template {HTMLElement} T @param {string} id @returns {T} */
const byId = (id) => /** @type {T} */ (document.getElementById(id));

const ready = () => tiles.length > 0 && table.dataset.watching === undefined && !posting;
const field = () => /** @type {HTMLInputElement} */ (byId("word-field"));

/* The word */

/** @param {string} text */
function spell(text) {
  const word = text.toLowerCase().replace(/[^a-z]/g, "");
  if (field().value !== word) {
    field().value = word;
    field().scrollLeft = field().scrollWidth;
  }
  const worth = points(tiles, word);
  light(tiles, word);
  field().toggleAttribute("data-lost", worth === null);
  byId("word-points").textContent = worth === null ? "not dealt" : word ? String(worth) : "";
  if (word) byId("report").classList.remove("word-report--trouble");
}

/** Restores a word on a new table and keeps its notice. @param {string} word */
function keep(word) {
  spell(word);
  byId("report").classList.toggle("word-report--trouble", Boolean(table.dataset.notice));
}

/** @param {string} letter */
function add(letter) {
  navigator.vibrate?.(6);
  spell(field().value + letter);
}

function back() {
  spell(field().value.slice(0, -1));
  say(field().value ? [...field().value].join(" ").toUpperCase() : "Nothing spelled");
}

function submit() {
  if (!posting && field().value) /** @type {HTMLFormElement} */ (byId("word")).requestSubmit();
}

/**
 * Shows an error above the word and announces it.
 *
 * @param {string} text
 */
function report(text) {
  const line = byId("report");
  if (line) {
    line.textContent = text;
    line.classList.add("word-report--trouble");
  }
  say(text);
}

/** @param {boolean} under */
function setPosting(under) {
  posting = under;
  table.toggleAttribute("data-pending", under);
}

/* The tiles under the keyboard */

/**
 * Moves the focus between tiles with the arrow keys.
 *
 * @param {number} rows
 * @param {number} columns
 */
function walk(rows, columns) {
  const standing = tiles.findIndex(({ element }) => element === document.activeElement);
  const next = standing < 0 ? 0 : standing + rows * Number(table.dataset.columns) + columns;
  tiles[Math.min(tiles.length - 1, Math.max(0, next))]?.element.focus();
}

function mix() {
  glide(table, () => shuffle(table));
  tiles = readHand(table);
  say(`Shuffled: ${tiles.map(({ letter }) => (letter === "?" ? "blank" : letter)).join(" ")}`);
}

/* A new table */

function arrive() {
  table = byId("table");
  arrange(table);
  sort(table);
  tiles = readHand(table);
}

/** @param {HTMLElement} old */
function tell(old) {
  const { notice, announce, ply, result } = table.dataset;
  const news = ply !== old.dataset.ply;
  if (news) play(old, table);
  if (notice) {
    shake(table);
    say(notice);
  } else if (news && announce) {
    say(announce);
  }
  if (news && result === "hinted") openHints();
  restoreFocus(byId("again"));
}

/** Opens the hints as a sheet unless there is room for them beside the hand. */
function openHints() {
  const hints = byId("hints");
  if (hints && getComputedStyle(hints).display === "none") /** @type {HTMLDialogElement} */ (hints).showModal();
}

/* Listening */

watchKeyboard({
  ready,
  letter: add,
  backspace: back,
  enter() {
    // Unless a word is spelled, Enter acts on the focused button or link.
    if (!field().value && document.activeElement?.matches("a, button, summary")) return false;
    submit();
    return true;
  },
  escape: () => spell(""),
  walk,
});

document.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const letter = /** @type {HTMLButtonElement | null} */ (target.closest("#blank-dialog .sheet-letter"));
  if (letter) {
    /** @type {HTMLDialogElement} */ (byId("blank-dialog")).close();
    add(letter.value);
    return;
  }
  if (handleDialogClick(event) || !ready()) return;
  const tile = /** @type {HTMLElement | null} */ (target.closest("#hand .tile"));
  if (tile?.dataset.letter === "?") /** @type {HTMLDialogElement} */ (byId("blank-dialog")).showModal();
  else if (tile) {
    add(tile.dataset.letter ?? "");
    // A click with count 0 comes from the keyboard or a screen reader.
    if (event.detail === 0) say([...field().value].join(" ").toUpperCase());
  } else if (target.closest("#delete")) back();
  else if (target.closest("#shuffle")) mix();
});

document.addEventListener("input", (event) => {
  if (event.target === field()) spell(field().value);
});

document.addEventListener("change", (event) => {
  if (!(event.target instanceof HTMLSelectElement) || event.target.id !== "found-order") return;
  choose(event.target.value);
  sort(table);
});

document.addEventListener(
  "submit",
  (event) => {
    if (event.target !== byId("word") || field().value) return;
    event.preventDefault();
    event.stopPropagation();
  },
  { capture: true },
);

onHtmx("beforeRequest", (event) => {
  if (!isPost(event)) {
    // An update must not disturb a request or a dialog.
    if (event.target === table && (document.hidden || posting || document.querySelector("dialog:modal"))) event.preventDefault();
  } else if (posting) event.preventDefault();
  else setPosting(true);
});
onHtmx("afterRequest", (event) => {
  if (isPost(event)) setPosting(false);
});
onHtmx("beforeSwap", (event) => {
  if (!isPost(event) && posting) event.detail.shouldSwap = false;
  before = event.detail.target?.id === "table" && event.detail.shouldSwap ? table : null;
  kept = field()?.value;
  sent = event.detail.requestConfig?.parameters?.type === "guess";
});
onHtmx("afterSettle", () => {
  if (!before || byId("table") === before) return;
  const old = before;
  before = null;
  arrive();
  // The guess is used up, unless the game had moved on before.
  if (kept && field() && (!sent || table.dataset.notice)) keep(kept);
  tell(old);
});
onFailure((text) => {
  setPosting(false);
  report(text);
});

arrive();
