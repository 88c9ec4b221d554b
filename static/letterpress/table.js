/** Letterpress's table: connects board, row, keyboard, server and animation. */

import { fetchAnalysis } from "../table/afterwards.js";
import { say, sayNews } from "../site/announce.js";
import { handleDialogClick, isMove, isPost, newsWaits, onFailure, onHtmx, postMove, restoreFocus } from "../table/common.js";
import { watchKeyboard } from "../table/keyboard.js";
import { letterOf, readBoard, tileFor, wordOf } from "./board.js";
import { isDragging, lay, watchRow } from "./row.js";
import { afterWord, count, has, paint, protectedOf, SIDE } from "./territory.js";
import { coloursOf, shake, turn } from "./turning.js";

const SHORTEST = 2;

/** @type {HTMLElement} */
let table;
/** @type {import("./board.js").Board} */
let board;
/** The cells of the current word, in order; kept over swaps. @type {number[]} */
let cells = [];
/** Whether the latest letter was typed, so that Enter sends the word even on a tile. */
let typed = false;
let posting = false;
/** The tile the arrow keys are on. */
let standing = 0;
/** @type {{table: HTMLElement, colours: {backgroundColor: string, color: string}[], own: boolean, letter: string | undefined} | null} */
let scene = null;

/** @template {HTMLElement} T @param {string} id @returns {T} */
const byId = (id) => /** @type {T} */ (document.getElementById(id));

/** A word can be built at any time, but sent only on one's turn. */
const ready = () => table.dataset.phase === "playing" && table.dataset.watching === undefined && !posting;
const mine = () => table.dataset.mine !== undefined;

/* The word on the page */

function show() {
  const after = afterWord(board, cells);
  const building = cells.length > 0;
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
  lay(row, cells.map((cell) => ({ cell, letter: letterOf(board, cell), kept: has(kept, cell) })));
  byId("word").toggleAttribute("data-filled", building);
  disable("send", !mine() || cells.length < SHORTEST);
  disable("clear", !building);
  disable("mix", cells.length < SHORTEST);
}

/** @param {string} id @param {boolean} off */
function disable(id, off) {
  document.getElementById(id)?.setAttribute("aria-disabled", String(off));
}

/** @param {number[]} next */
function setCells(next) {
  if (next.length > cells.length) navigator.vibrate?.(6);
  cells = next;
  byId("report")?.classList.remove("word-report--trouble");
  show();
}

function sayWord() {
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
  stand(cell);
  setCells(cells.includes(cell) ? cells.filter((other) => other !== cell) : [...cells, cell]);
  sayWord();
}

/** @param {string} letter */
function type(letter) {
  const cell = tileFor(board, cells, letter);
  if (cell === undefined) {
    shake(byId("word"));
    say(`No ${letter.toUpperCase()} left on the board`);
    return;
  }
  typed = true;
  setCells([...cells, cell]);
  sayWord();
}

function mix() {
  const mixed = [...cells];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
  }
  setCells(mixed);
  sayWord();
}

/* The server */

function send() {
  if (posting || cells.length === 0) return;
  if (!mine()) report("Not your turn yet. Your word stays here");
  else if (cells.length < SHORTEST) report(`A word has ${SHORTEST} letters or more`);
  else postMove(table, { ply: table.dataset.ply, type: "word", cells: cells.join(",") });
}

/** @param {string} text */
function report(text) {
  const line = table.querySelector("#report");
  if (line) {
    line.textContent = text;
    line.classList.add("word-report--trouble");
  }
  shake(document.getElementById("word"));
  say(text);
}

/** @param {boolean} under */
function setPosting(under) {
  posting = under;
  table.toggleAttribute("data-pending", under);
}

/* The board under the keyboard */

/** @param {number} cell */
function stand(cell) {
  board.tiles[standing]?.setAttribute("tabindex", "-1");
  standing = cell;
  board.tiles[standing]?.setAttribute("tabindex", "0");
}

/** @param {number} rows @param {number} columns */
function walk(rows, columns) {
  if (board.tiles.includes(/** @type {HTMLButtonElement} */ (document.activeElement))) {
    const within = (/** @type {number} */ place) => Math.min(SIDE - 1, Math.max(0, place));
    stand(within(Math.floor(standing / SIDE) + rows) * SIDE + within((standing % SIDE) + columns));
  }
  board.tiles[standing]?.focus();
}

/* A new table */

function arrive() {
  table = byId("table");
  board = readBoard(table);
  if (board.tiles.length === 0) {
    cells = [];
    return;
  }
  stand(standing);
  show();
}

/** @param {NonNullable<typeof scene>} before */
function tell(before) {
  const { notice, phase, ply, by, cells: latest, seat, watching } = table.dataset;
  const moved = ply !== before.table.dataset.ply;
  const theirs = by !== seat || watching !== undefined;
  if (moved && theirs && latest) turn(board.tiles, before.colours, latest.split(",").map(Number));
  if (notice) shake(document.getElementById("word"));
  sayNews(table, before.table, moved || phase !== before.table.dataset.phase);
  restoreFocus(board.tiles[standing] ?? document.getElementById("again"));
}

/* Listening */

watchRow({
  ready,
  takeBack(index) {
    typed = false;
    setCells(cells.toSpliced(index, 1));
    sayWord();
  },
  move(from, to) {
    setCells(cells.toSpliced(from, 1).toSpliced(to, 0, cells[from]));
    sayWord();
  },
});

watchKeyboard({
  ready,
  letter: type,
  backspace() {
    setCells(cells.slice(0, -1));
    sayWord();
  },
  enter() {
    // Unless a word was typed, Enter acts on the focused tile or button.
    if (!(typed && cells.length > 0) && document.activeElement?.matches("a, button, summary")) return false;
    send();
    return true;
  },
  escape() {
    if (cells.length === 0) return;
    setCells([]);
    sayWord();
  },
  walk,
});

document.addEventListener("click", (event) => {
  if (handleDialogClick(event)) return;
  const target = /** @type {Element} */ (event.target);
  const tile = /** @type {HTMLElement | null} */ (target.closest("button.press-tile"));
  const action = target.closest("#send, #clear, #mix");
  if (!ready()) return;
  if (tile) press(Number(tile.dataset.cell));
  else if (action?.id === "send") send();
  else if (action?.getAttribute("aria-disabled") === "true") return;
  else if (action?.id === "clear") setCells([]);
  else if (action?.id === "mix") mix();
});

document.addEventListener("focusin", (event) => {
  const tile = /** @type {Element} */ (event.target).closest("button.press-tile");
  if (tile instanceof HTMLElement) stand(Number(tile.dataset.cell));
});

/** Whether an update would disturb a drag, a request or a dialog; it is requested again later. */
const busy = () => posting || isDragging() || newsWaits();

onHtmx("beforeRequest", (event) => {
  if (!isPost(event)) {
    if (event.target === table && busy()) event.preventDefault();
  } else if (posting) event.preventDefault();
  else setPosting(true);
});
onHtmx("afterRequest", (event) => {
  if (isPost(event)) setPosting(false);
});
onHtmx("beforeSwap", (event) => {
  const isTable = event.detail.target?.id === "table" && event.detail.shouldSwap;
  if (isTable && !isPost(event) && busy()) {
    event.detail.shouldSwap = false;
    return;
  }
  const letter = document.activeElement?.closest(".press-letter")?.id;
  scene = isTable ? { table, colours: coloursOf(board.tiles), own: isMove(event), letter } : null;
});
onHtmx("afterSettle", () => {
  if (!scene || byId("table") === scene.table) return;
  const before = scene;
  scene = null;
  // A played word is gone; a refused or unfinished one stays.
  const { ply, notice } = byId("table").dataset;
  if (before.own && !notice && ply !== before.table.dataset.ply) cells = [];
  arrive();
  if (before.letter) document.getElementById(before.letter)?.focus({ preventScroll: true });
  tell(before);
  fetchAnalysis();
});
onFailure((text) => {
  setPosting(false);
  report(text);
});

arrive();
if (byId("table").dataset.phase === "finished") fetchAnalysis();
