/** Scrabblet's table: words spelled from the tiles of the hand. */

import { onFailure, say } from "../site/announce.js";
import { all, byId, closest, find } from "../site/elements.js";
import { cue } from "../table/cues.js";
import { openDialog } from "../table/dialogs.js";
import { watchKeyboard } from "../table/keyboard.js";
import { clearTrouble, posting, sendNext, startSession, table } from "../table/session.js";
import { choose, sort } from "./found_words.js";
import { arrange, light, points, readHand, shuffle } from "./hand.js";
import { glideTiles, play } from "./motion.js";

/** @type {import("./hand.js").Tile[]} */
let tiles = [];
/** The word before the response. */
let kept = "";
/** The guess under way. */
let sent = "";
/** Whether the next word was begun meanwhile, and whether it is sent after the response. */
let begun = false;
let waits = false;

/** A guess changes no tiles, so the next word may be spelled before its response. */
const ready = () => tiles.length > 0 && table.dataset.watching === undefined && (!posting || sent !== "");
/** The field of the word, or null after the game. */
const field = () => find("word-field", HTMLInputElement);
const spelled = () => field()?.value ?? "";
/** Whether the field shows the guess under way. */
const isSent = () => sent !== "" && !begun;

/* The word */

/** @param {string} text @param {boolean} [isRead] whether the line above the word has been read */
function spell(text, isRead = true) {
  const word = text.toLowerCase().replace(/[^a-z]/g, "");
  const line = byId("word-field", HTMLInputElement);
  if (line.value !== word) {
    line.value = word;
    line.scrollLeft = line.scrollWidth;
  }
  const score = points(tiles, word);
  light(tiles, word);
  line.toggleAttribute("data-lost", score === null);
  const beside = byId("word-points", HTMLElement);
  beside.textContent = score === null ? "not dealt" : word ? String(score) : "";
  beside.toggleAttribute("data-text", score === null);
  if (word && isRead) clearTrouble();
}

/** Spells the next word: a guess under way stays as it is. @param {string} text */
function spellNext(text) {
  begun ||= sent !== "";
  spell(text);
  sayWord();
}

function sayWord() {
  const score = byId("word-points", HTMLElement).textContent ?? "";
  const points = /\d/.test(score) ? `${score} point${score === "1" ? "" : "s"}` : score;
  say(spelled() ? `${[...spelled()].join(" ").toUpperCase()}, ${points}` : "No letters");
}

/** @param {string} letter */
function add(letter) {
  cue("path", spelled().length + 1);
  spellNext(isSent() ? letter : spelled() + letter);
}

function back() {
  if (!isSent()) spellNext(spelled().slice(0, -1));
}

function submit() {
  if (spelled()) byId("word", HTMLFormElement).requestSubmit();
}

function forgetSent() {
  sent = "";
  begun = waits = false;
}

onFailure(() => {
  // The guess is to be tried again.
  if (begun) spell(sent, false);
  forgetSent();
});

/* The tiles */

/**
 * Moves the focus between tiles with the arrow keys.
 *
 * @param {number} rows
 * @param {number} columns
 */
function walk(rows, columns) {
  const focused = tiles.findIndex(({ element }) => element === document.activeElement);
  const next = focused < 0 ? 0 : focused + rows * Number(table.dataset.columns) + columns;
  tiles[Math.min(tiles.length - 1, Math.max(0, next))]?.element.focus({ focusVisible: true });
}

function mix() {
  glideTiles(table, () => shuffle(table));
  tiles = readHand(table);
  say(`Shuffled: ${tiles.map(({ letter }) => (letter === "?" ? "blank" : letter)).join(" ")}`);
}

/* Listening */

watchKeyboard({
  ready,
  letter: add,
  backspace: back,
  enter() {
    // Unless a word is spelled, Enter acts on the focused button or link.
    if (!spelled() && document.activeElement?.matches("a, button, summary")) return false;
    submit();
    return true;
  },
  escape: () => isSent() || spell(""),
  walk,
  turn: mix,
});

document.addEventListener("click", (event) => {
  const letter = closest(event, "#blank-dialog .sheet-letter");
  if (letter instanceof HTMLButtonElement) {
    byId("blank-dialog", HTMLDialogElement).close();
    add(letter.value);
    return;
  }
  if (event.defaultPrevented || !ready()) return;
  const tile = closest(event, "#hand .tile");
  if (tile?.dataset.letter === "?") openDialog("blank-dialog");
  else if (tile) add(tile.dataset.letter ?? "");
  else if (closest(event, "#delete")) back();
  else if (closest(event, "#shuffle")) mix();
});

document.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  const text = spelled();
  spellNext(isSent() && text.startsWith(sent) ? text.slice(sent.length) : text);
});

document.addEventListener("change", (event) => {
  if (!(event.target instanceof HTMLSelectElement) || event.target.id !== "found-order") return;
  choose(event.target.value);
  sort(table);
});

document.addEventListener(
  "submit",
  (event) => {
    if (!(event.target instanceof HTMLElement) || event.target.id !== "word" || (spelled() && !posting)) return;
    waits = begun && spelled() !== "";
    event.preventDefault();
    event.stopPropagation();
  },
  { capture: true },
);

startSession({
  beforePost({ detail }) {
    if (detail.requestConfig.parameters.type === "guess") sent = spelled();
  },
  leave() {
    kept = spelled();
  },
  arrive(before) {
    arrange(table);
    sort(table);
    tiles = readHand(table);
    const { notice } = table.dataset;
    // The guess has been used, unless the game had already moved on.
    const word = !sent || (begun && !notice) ? kept : notice ? sent : "";
    const goesOn = waits && !notice;
    const isRead = !begun && !notice;
    forgetSent();
    if (!before || !word || !field()) return;
    spell(word, isRead);
    if (notice) byId("report", HTMLElement).classList.add("word-report--trouble");
    if (goesOn) sendNext(submit);
  },
  animate({ moved, table: old }) {
    if (!moved) return;
    play(old, table);
    const hints = document.getElementById("hints");
    // The hints are a sheet if there is no room beside the hand.
    if (table.dataset.result === "hinted" && hints && getComputedStyle(hints).display === "none") openDialog("hints");
  },
  // The button of the hints may have gone, as they are shown beside the hand.
  focus: () => (table.dataset.result === "hinted" ? all(table, "#power-hint, .hints-scroll").find((one) => one.checkVisibility()) : null),
  word: () => document.getElementById("word"),
});
