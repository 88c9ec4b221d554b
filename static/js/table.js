/** The table: brings hand, keyboard, server and motion together. */

import { say } from "./announce.js";
import { reach, readBoard, touches, wordOf } from "./board.js";
import { runClock, stopClock, synchronise } from "./clock.js";
import { watchPointer } from "./gestures.js";
import { watchKeyboard } from "./keyboard.js";
import { capture, play, shake } from "./motion.js";
import { drawOthersWord, othersWord } from "./others.js";
import { handleDialogClick } from "./dialogs.js";
import { openSheet, showChoosing } from "./powers.js";
import { drawTrail } from "./trail.js";
import { bestPath, points } from "./words.js";

/** How long to wait before asking again when the server's clock is not there yet. */
const TIME_UP_RETRY = 700;
const NO_ANSWER = "No answer from the server. Nothing is lost: send it again.";
const NO_GOOD_ANSWER = "The server is in trouble. Nothing is lost: send it again.";

const htmx = /** @type {any} */ (window).htmx;

/** @type {HTMLElement} */
let table;
/** @type {import("./board.js").Board} */
let board;
/** @type {number[]} */
let chain = [];
/** What was typed, or null while the chain was made by hand. @type {string | null} */
let typed = null;
/** Whether the tile pressed was the chain's last already, so that letting go plays the chain. */
let pressedLast = false;
let choosing = false;
let posting = false;
/** The tile the arrow keys are on. */
let standing = 0;
/** @type {import("./motion.js").Scene | null} */
let scene = null;

/** @template {HTMLElement} T @param {string} id @returns {T} */
const byId = (id) => /** @type {T} */ (document.getElementById(id));

const several = () => table.dataset.several !== undefined;
const underWay = () => Boolean(table.dataset.phase?.startsWith("play"));
/** Whether this page's player is to move. */
const playing = () => underWay() && table.dataset.watching === undefined && table.dataset.idle === undefined;
const ready = () => playing() && !posting;

/* The chain on the page */

/** @param {{x: number, y: number} | null} [hand] */
function show(hand = null) {
  for (const { cell, element } of board.tiles) element.setAttribute("aria-pressed", String(chain.includes(cell)));
  drawTrail(table, chain, board.size, hand);
  const field = /** @type {HTMLInputElement | null} */ (table.querySelector("#word-field"));
  if (!field) return;
  const word = typed ?? wordOf(board, chain);
  if (field.value !== word) field.value = word;
  field.toggleAttribute("data-lost", isLost());
  byId("word-points").textContent = isLost() ? "no path" : chain.length > 0 ? String(points(board, chain)) : "";
  byId("word").toggleAttribute("data-ready", chain.length > 1);
  if (word) forgiveTrouble();
}

const isLost = () => Boolean(typed) && chain.length === 0;

/** @param {number[]} cells */
function setChain(cells) {
  if (cells.length > chain.length) navigator.vibrate?.(6);
  chain = cells;
  show();
}

function clear() {
  typed = null;
  setChain([]);
}

function sayChain() {
  if (isLost()) say(`${typed}: no path on this board`);
  else if (chain.length > 0) say(`${[...wordOf(board, chain)].join(" ").toUpperCase()}, ${points(board, chain)} points`);
}

/** @param {string} text */
function type(text) {
  typed = text.toLowerCase().replace(/[^a-z]/g, "") || null;
  setChain(typed ? (bestPath(board, typed) ?? []) : []);
  sayChain();
}

/** @param {number} cell */
function press(cell) {
  stand(cell);
  if (choosing) return;
  typed = null;
  pressedLast = cell === chain.at(-1);
  if (pressedLast) return;
  const far = chain.length > 0 && !chain.includes(cell) && !touches(cell, chain[chain.length - 1], board.size);
  setChain(reach(far ? [] : chain, cell, board.size));
}

/** @param {boolean} dragged */
function release(dragged) {
  if (choosing) {
    openSheet(table, board.tiles[standing]);
    return;
  }
  if (dragged || pressedLast) submit();
  else show();
}

/* The server */

/** Sends the chain; one tile alone is dropped in silence. */
function submit() {
  if (posting) return;
  if (isLost()) {
    shake(table, []);
    report(`${typed?.toUpperCase()} has no path on this board`);
    return;
  }
  if (chain.length < 2) {
    clear();
    return;
  }
  show();
  post({ type: "chain", cells: chain.join(",") });
}

/** @param {Record<string, string>} move */
function post(move) {
  htmx.ajax("POST", table.dataset.movesUrl, {
    source: table,
    target: "#table",
    swap: "outerHTML",
    values: { ply: table.dataset.ply, ...move },
  });
}

function refresh() {
  htmx.ajax("GET", location.pathname, { target: "#table", swap: "outerHTML", select: "#table" });
}

/**
 * Shows trouble above the word, and says it.
 *
 * @param {string} text
 */
function report(text) {
  const line = table.querySelector("#report");
  if (line) {
    line.textContent = text;
    line.classList.add("word-report--trouble");
  }
  say(text);
}

/** A notice has been read once the next word begins. */
function forgiveTrouble() {
  if (posting || isLost()) return;
  table.querySelector("#report")?.classList.remove("word-report--trouble");
}

/** @param {boolean} under */
function setPosting(under) {
  posting = under;
  table.querySelector("#board")?.toggleAttribute("data-pending", under);
}

/* The board under the keyboard */

/** @param {number} cell */
function stand(cell) {
  board.tiles[standing]?.element.setAttribute("tabindex", "-1");
  standing = cell;
  board.tiles[standing]?.element.setAttribute("tabindex", "0");
}

/** @param {number} rows @param {number} columns */
function walk(rows, columns) {
  const { size, tiles } = board;
  const focused = tiles.find(({ element }) => element === document.activeElement);
  if (focused) {
    const row = Math.min(size - 1, Math.max(0, Math.floor(focused.cell / size) + rows));
    const column = Math.min(size - 1, Math.max(0, (focused.cell % size) + columns));
    stand(row * size + column);
  }
  tiles[standing]?.element.focus();
}

/** @param {boolean} on */
function choose(on) {
  choosing = on;
  showChoosing(table, on);
  if (!on) return;
  clear();
  const line = table.querySelector("#report");
  if (line) line.textContent = "Choose the tile to swap";
  say("Choose the tile to swap");
}

/* A new table */

/** @param {number} receivedAt milliseconds since the epoch */
function arrive(receivedAt) {
  table = byId("table");
  board = readBoard(table);
  chain = [];
  typed = null;
  choosing = false;
  stand(Math.min(standing, Math.max(0, board.tiles.length - 1)));
  synchronise(Number(table.dataset.now), receivedAt);
  stopClock();
  const face = table.querySelector("#clock");
  if (face && (playing() || several()) && table.dataset.endsAt) {
    runClock(/** @type {HTMLElement} */ (face), Number(table.dataset.endsAt), timeUp);
  }
}

/** What there was to find comes when its styles are there, so that nothing jumps. */
async function fetchAnalysis() {
  const waiting = document.getElementById("waiting");
  const address = waiting?.querySelector("a")?.getAttribute("href");
  await analysisStyles();
  if (address && waiting?.isConnected) htmx.ajax("GET", address, { target: waiting, swap: "outerHTML" });
}

/** @type {Promise<unknown> | undefined} */
let styles;

/** The styles of what follows a game are fetched while it is played, not before its first word. */
function analysisStyles() {
  const href = "/static/css/analysis.css";
  if (!styles && document.querySelector(`link[href="${href}"]`)) styles = Promise.resolve();
  styles ??= new Promise((resolve) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
  return styles;
}

function timeUp() {
  if (several()) {
    // The server passes the turn by itself; who waits asks for news anyway.
    if (playing()) look();
    return;
  }
  if (posting) {
    window.setTimeout(timeUp, TIME_UP_RETRY);
    return;
  }
  clear();
  post({ type: "time_up" });
}

/** Asks for news until there is some. */
function look() {
  const asked = table;
  window.setTimeout(() => {
    if (table !== asked || !table.isConnected) return;
    clear();
    htmx.trigger(table, "look");
    look();
  }, TIME_UP_RETRY);
}

/** @param {import("./motion.js").Scene} before */
function tell(before) {
  const { notice, announce, ply } = table.dataset;
  const news = ply !== before.table.dataset.ply || table.dataset.version !== before.table.dataset.version;
  if (news) play(before, table);
  if (notice) {
    shake(table, []);
    say(notice);
  } else if (news && announce) {
    say(announce);
  }
  if (document.activeElement === document.body) {
    const next = board.tiles[standing]?.element ?? byId("again");
    next?.focus({ preventScroll: true });
  }
}

/* Listening */

watchPointer({
  size: () => (ready() ? board.size : null),
  press,
  enter(cell) {
    if (choosing) return;
    pressedLast = false;
    setChain(reach(chain, cell, board.size));
  },
  trace: (at) => choosing || show(at),
  release,
  abandon: () => (choosing ? undefined : clear()),
});

watchKeyboard({
  ready,
  letter: (letter) => type((typed ?? wordOf(board, chain)) + letter),
  backspace() {
    if (typed !== null) type(typed.slice(0, -1));
    else setChain(chain.slice(0, -1));
    sayChain();
  },
  enter() {
    // On a tile Enter is a tap, on a button its own, unless a word was typed.
    if (typed === null && document.activeElement?.matches("a, button, summary")) return false;
    submit();
    return true;
  },
  escape() {
    if (choosing) choose(false);
    clear();
  },
  walk,
});

document.addEventListener("click", (event) => {
  if (handleDialogClick(event)) return;
  const target = /** @type {Element} */ (event.target);
  const tile = /** @type {HTMLElement | null} */ (target.closest("button.tile"));
  // A click without a count comes from the keyboard or a screen reader; the pointer's own are gestures.
  if (tile && event.detail === 0 && ready()) {
    press(Number(tile.dataset.cell));
    release(false);
    sayChain();
  }
  const swap = target.closest("[data-opens-swap]");
  if (swap && ready()) {
    if (swap.getAttribute("aria-disabled") === "true") report("Not enough gems for a swap yet");
    else choose(!choosing);
  }
});

document.addEventListener("focusin", (event) => {
  const tile = /** @type {Element} */ (event.target).closest("button.tile");
  if (tile instanceof HTMLElement) stand(Number(tile.dataset.cell));
});

document.addEventListener("input", (event) => {
  if (event.target === byId("word-field")) type(/** @type {HTMLInputElement} */ (event.target).value);
});

document.addEventListener(
  "submit",
  (event) => {
    if (event.target !== byId("word")) return;
    // The server would find a path as well; the page has found and shown one already.
    event.preventDefault();
    event.stopPropagation();
    submit();
  },
  { capture: true },
);

/** @param {string} name @param {(event: CustomEvent) => void} heard */
const onHtmx = (name, heard) => document.addEventListener(`htmx:${name}`, /** @type {EventListener} */ (heard));
const isMove = (/** @type {CustomEvent} */ event) => event.detail.requestConfig?.verb === "post";
/** Whether another's word is being drawn, which the answer that told of it waits for. */
let drawing = false;

onHtmx("beforeRequest", (event) => {
  if (!isMove(event)) {
    // News must not take away what is just being drawn, sent or answered.
    if (event.target === table && (drawing || posting || document.querySelector("dialog:modal"))) event.preventDefault();
    return;
  }
  if (posting) {
    event.preventDefault();
    return;
  }
  if (choosing) choose(false);
  setPosting(true);
});
onHtmx("afterRequest", (event) => {
  if (isMove(event)) setPosting(false);
});
onHtmx("beforeSwap", (event) => {
  const isTable = event.detail.target?.id === "table" && event.detail.shouldSwap;
  scene = isTable ? capture(table) : null;
  if (!isTable || isMove(event)) return;
  if (posting) {
    event.detail.shouldSwap = false;
    return;
  }
  const move = othersWord(table, event.detail.serverResponse);
  if (!move) return;
  drawing = true;
  event.detail.swapOverride = `outerHTML swap:${drawOthersWord(table, move)}ms`;
});
onHtmx("afterSettle", () => {
  if (!scene || byId("table") === scene.table) return;
  const before = scene;
  scene = null;
  drawing = false;
  arrive(Date.now());
  tell(before);
  fetchAnalysis();
});
for (const failure of ["sendError", "timeout", "responseError"]) {
  onHtmx(failure, (event) => {
    if (!isMove(event)) return;
    setPosting(false);
    document.querySelector(/** @type {any} */ ("dialog:modal"))?.close();
    report(failure === "responseError" ? NO_GOOD_ANSWER : NO_ANSWER);
    if (table.dataset.endsAt && event.detail.requestConfig.parameters?.type === "time_up") {
      window.setTimeout(timeUp, TIME_UP_RETRY);
    }
  });
}

// A page that comes back from the browser's memory shows an old table.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) refresh();
});

const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
arrive(performance.timeOrigin + (navigation?.responseStart ?? 0));
if (byId("table").dataset.phase === "finished") fetchAnalysis();
else if (navigation?.type === "back_forward") refresh();
