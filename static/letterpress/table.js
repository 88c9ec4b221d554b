/** Letterpress's table: words built from any tiles of the board. */

import { say } from "../site/announce.js";
import { closest, first, keepState } from "../site/elements.js";
import { cue, showLargeWord } from "../table/cues.js";
import { watchKeyboard } from "../table/keyboard.js";
import { shuffled } from "../table/motion.js";
import { clearTrouble, keepTime, mayPlay, post, refuse, startSession, table } from "../table/session.js";
import { letterOf, readBoard, tileFor, wordOf } from "./board.js";
import { isDragging, lay, watchRow } from "./row.js";
import { afterWord, count, has, paint, protectedOf, SIDE } from "./territory.js";
import { coloursOf, turn } from "./motion.js";

const SHORTEST = 2;

/** @type {import("./board.js").Board} */
let board;
/** The cells of the current word, in order; kept over swaps and reloads. @type {number[]} */
let cells = window.history.state?.cells ?? [];
/** The rest of the typed text, from the first letter that has no tile left. */
let missing = window.history.state?.missing ?? "";
/** Whether the latest letter was typed, so that Enter sends the word even on a tile. */
let typed = false;
/** Whether it was tapped: then Enter sends the word, too, while only the pointer has moved the focus on the board. */
let tapped = false;
/** The tile the arrow keys are on. */
let cursor = 0;
/** The tiles' colours, and the focused letter of the word, before the response. */
let colours = coloursOf([]);
/** @type {string | undefined} */
let focusedLetter;

/** A word can be built at any time, but only sent on the player's turn. */
const ready = () => table.dataset.phase === "playing" && mayPlay();
const mine = () => table.dataset.mine !== undefined;
const word = () => first(table, "#word");

/* The word */

function show() {
  keepState({ cells, missing });
  const after = afterWord(board, cells);
  const building = cells.length > 0 || missing !== "";
  paint(board.tiles, after);
  board.tiles.forEach((tile, cell) => tile.setAttribute("aria-pressed", String(cells.includes(cell))));
  for (const side of /** @type {const} */ (["ours", "theirs"])) {
    const tiles = document.getElementById(`tiles-${side}`);
    if (!tiles) continue;
    tiles.textContent = String(count(after[side]));
    tiles.toggleAttribute("data-preview", building);
  }
  const row = document.getElementById("letters");
  if (!row) return;
  const kept = protectedOf(board.theirs);
  lay(row, [
    ...cells.map((cell) => ({ cell, letter: letterOf(board, cell), kept: has(kept, cell) })),
    ...[...missing].map((letter, index) => ({ cell: -1 - index, letter, kept: false })),
  ]);
  word()?.toggleAttribute("data-filled", building);
  const gained = building && !missing ? `+${count(after.ours) - count(board.ours)}` : "";
  const beside = table.querySelector("#word-points");
  if (beside) beside.textContent = gained;
  showLargeWord(table, wordOf(board, cells) + missing, gained);
  disable("send", !mine() || cells.length < SHORTEST || missing !== "");
  disable("clear", !building);
  disable("mix", cells.length < SHORTEST);
}

/** @param {string} id @param {boolean} off */
function disable(id, off) {
  document.getElementById(id)?.setAttribute("aria-disabled", String(off));
}

/** @param {number[]} next */
function setCells(next) {
  if (next.length > cells.length) cue("path", next.length);
  cells = next;
  missing = "";
  clearTrouble();
  show();
}

/** @param {number[]} next */
function setAndSay(next) {
  setCells(next);
  if (cells.length === 0) {
    say("No letters");
    return;
  }
  const after = afterWord(board, cells);
  say(`${[...wordOf(board, cells)].join(" ").toUpperCase()}: ${count(after.ours)} to ${count(after.theirs)} tiles`);
}

/** @param {number} cell */
function press(cell) {
  typed = false;
  moveCursor(cell);
  setAndSay(cells.includes(cell) ? cells.filter((other) => other !== cell) : [...cells, cell]);
}

/** @param {string} letter */
function type(letter) {
  typed = true;
  const cell = missing ? undefined : tileFor(board, cells, letter);
  if (cell === undefined) setMissing(missing + letter);
  else setAndSay([...cells, cell]);
}

/** @param {string} letters */
function setMissing(letters) {
  if (!letters) {
    setAndSay(cells);
    return;
  }
  missing = letters;
  show();
  const other = board.tiles.some((_, cell) => letterOf(board, cell) === missing[0]) ? "other " : "";
  refuse(`There is no ${other}${missing[0].toUpperCase()} on the board`);
}

function send() {
  if (cells.length === 0 && !missing) return;
  if (missing) setMissing(missing);
  else if (!mine()) refuse("Not your turn yet. Your word stays here");
  else if (cells.length < SHORTEST) refuse(`A word has ${SHORTEST} letters or more`);
  else post({ type: "word", cells: cells.join(",") });
}

/* The board under the keyboard */

/** @param {number} cell */
function moveCursor(cell) {
  board.tiles[cursor]?.setAttribute("tabindex", "-1");
  cursor = cell;
  board.tiles[cursor]?.setAttribute("tabindex", "0");
}

/** @param {number} rows @param {number} columns */
function walk(rows, columns) {
  tapped = false;
  if (board.tiles.some((tile) => tile === document.activeElement)) {
    const within = (/** @type {number} */ place) => Math.min(SIDE - 1, Math.max(0, place));
    moveCursor(within(Math.floor(cursor / SIDE) + rows) * SIDE + within((cursor % SIDE) + columns));
  }
  board.tiles[cursor]?.focus({ focusVisible: true });
}

/* Listening */

watchRow({
  ready,
  takeBack(index) {
    typed = false;
    setAndSay(cells.toSpliced(index, 1));
  },
  move: (from, to) => from < cells.length && setAndSay(cells.toSpliced(from, 1).toSpliced(to, 0, cells[from])),
});

watchKeyboard({
  ready,
  letter: type,
  backspace: () => (missing ? setMissing(missing.slice(0, -1)) : setAndSay(cells.slice(0, -1))),
  enter() {
    // Unless a word was typed or tapped, Enter acts on the focused tile or button.
    const focus = document.activeElement;
    const begun = (typed || (tapped && focus?.matches(".press-board .tile"))) && (cells.length > 0 || missing);
    if (!begun && focus?.matches("a, button, summary")) return false;
    send();
    return true;
  },
  escape: () => (cells.length > 0 || missing) && setAndSay([]),
  walk,
});

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || !ready()) return;
  const tile = closest(event, ".press-board button.tile");
  const action = closest(event, "#send, #clear, #mix");
  if (tile) {
    press(Number(tile.dataset.cell));
    // A click with count 0 comes from the keyboard or a screen reader.
    tapped = event.detail > 0;
  } else if (action?.id === "send") send();
  else if (action?.getAttribute("aria-disabled") === "true") return;
  else if (action?.id === "clear") setCells([]);
  else if (action?.id === "mix") setAndSay(shuffled(cells));
});

document.addEventListener("focusin", (event) => {
  const tile = closest(event, ".press-board button.tile");
  if (tile) moveCursor(Number(tile.dataset.cell));
});

startSession({
  busy: isDragging,
  leave() {
    colours = coloursOf(board.tiles);
    focusedLetter = document.activeElement?.closest(".press-letter")?.id;
  },
  arrive(before) {
    // A played word is removed; a refused or unfinished one stays.
    board = readBoard(table);
    if ((before?.own && before.moved && !table.dataset.notice) || board.tiles.length === 0) {
      cells = [];
      missing = "";
    }
    keepTime({ mine });
    if (board.tiles.length === 0) return;
    moveCursor(cursor);
    show();
    if (focusedLetter) document.getElementById(focusedLetter)?.focus({ preventScroll: true });
  },
  animate({ moved }) {
    const { cells: latest } = table.dataset;
    if (moved && latest) turn(board.tiles, colours, latest.split(",").map(Number));
  },
  focus: () => board.tiles[cursor],
  word,
});
