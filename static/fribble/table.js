/** Fribble's table: connects rack, board, keyboard, server and animation. */

import { say, sayNews } from "../site/announce.js";
import { handleDialogClick, isMove, isPost, newsWaits, onFailure, onHtmx, postMove, restoreFocus } from "../table/common.js";
import { isDragging, isHeard, watchDrag } from "./drag.js";
import {
  beside,
  freeFrom,
  keepOrder,
  learnValues,
  nameOf,
  paint,
  readBoard,
  showHand,
  shuffled,
  sorted,
  valueOf,
} from "./tiles.js";

/** Milliseconds between refreshes after the clock has run out. */
const BELL = 1000;

/** @type {Record<string, [import("./tiles.js").Way, 1 | -1]>} */
const ARROWS = { ArrowLeft: ["across", -1], ArrowRight: ["across", 1], ArrowUp: ["down", -1], ArrowDown: ["down", 1] };

const htmx = /** @type {any} */ (window).htmx;
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

/** @type {HTMLElement} */
let table;
/** @type {import("./tiles.js").Board} */
let board;
/** The player's tiles in their own order, including laid ones; kept over swaps and reloads. @type {string[]} */
let hand = window.history.state?.hand ?? [];
/** The tiles laid by cell, in the order they were laid. @type {Map<number, import("./tiles.js").Laid>} */
const laid = new Map();
/** The tapped tile that waits for a square. @type {number | null} */
let selected = null;
/** The selected square, and the direction of the word from there. */
let standing = 112;
/** @type {import("./tiles.js").Way} */
let way = "across";
let posting = false;
/** Whether the clock of this table has run out on the page. */
let rung = false;
/** The end of the clock for which `time_up` was sent. @type {string | undefined} */
let reportedEnd;
/** Whether another player moved since the last input: their move is shown until then. */
let unread = false;
/** The blank to lay once its letter is chosen. @type {{cell: number, index: number} | null} */
let blank = null;
/** The default content of the line above the board. @type {ChildNode[]} */
let news = [];
/** Loaded with the first laid tile. @type {typeof import("./preview.js") | null} */
let preview = null;
/** Loaded with the first touch of the board. @type {typeof import("./zoom.js") | null} */
let zoom = null;
/** Loaded if there is a clock. @type {Promise<typeof import("../table/clock.js")> | null} */
let clocks = null;
/** @type {{table: HTMLElement, own: boolean, focus: string | undefined, scroll?: () => void} | null} */
let scene = null;

/** @template {HTMLElement} T @param {string} id @returns {T} */
const byId = (id) => /** @type {T} */ (document.getElementById(id));

/** Tiles can be laid at any time, but played only on one's turn. */
const ready = () => table.dataset.phase === "playing" && table.dataset.watching === undefined && !posting;
const mine = () => table.dataset.mine !== undefined;
/** @param {number} index */
const isLaid = (index) => [...laid.values()].some((tile) => tile.index === index);
/** @param {HTMLElement} square */
const cellOf = (square) => board.squares.indexOf(square);

/* The line above the board: the last move, the score of the laid tiles, or an error */

/** Reads the line of a new table; during a refusal it is in a template. */
function readNews() {
  const waiting = /** @type {HTMLTemplateElement | null} */ (document.getElementById("news"));
  news = [...(waiting?.content ?? byId("report")).childNodes];
}

/** @param {boolean} trouble @param {(ChildNode | string)[]} content */
function tellAbove(trouble, ...content) {
  const line = byId("report");
  line.hidden = false;
  line.classList.toggle("word-report--trouble", trouble);
  line.replaceChildren(...content);
  byId("preview").hidden = true;
}

const showNews = () => tellAbove(false, ...news);

/** @param {string} text */
const showTrouble = (text) => tellAbove(true, text);

/** The element of the preview, shown instead of the line. */
function placeOfPreview() {
  byId("report").hidden = true;
  byId("preview").hidden = false;
  return byId("preview");
}

/* The play on the page */

function show() {
  showHand(table, hand, isLaid, selected);
  paint(board, laid, valueOf);
  byId("board").dataset.way = way;
  const send = document.getElementById("send");
  send?.setAttribute("aria-disabled", String(!mine() || laid.size === 0));
  const shuffle = document.querySelector("#shuffle .power-name");
  if (shuffle) shuffle.textContent = laid.size > 0 ? "Recall" : "Shuffle";
}

/** The laid tiles in the server's format. */
function placement() {
  const cells = [...laid.keys()].sort((a, b) => a - b);
  return { cells, tiles: cells.map((cell) => laid.get(cell)?.letter).join("") };
}

/** Shows the laid tiles and requests their score. */
function changed() {
  unread = false;
  show();
  foresee(say);
}

/**
 * A module loaded during the game, or null without a network: the game works without it.
 *
 * @template T @param {Promise<T>} module
 * @returns {Promise<T | null>}
 */
const load = (module) => module.catch(() => null);

/**
 * Requests the score of the laid tiles.
 *
 * @param {(text: string) => void} [tell] announces the result as well
 */
async function foresee(tell) {
  preview?.forget();
  setReady(null);
  if (laid.size === 0) {
    showNews();
    return;
  }
  preview ??= await load(import("./preview.js"));
  if (!preview || laid.size === 0) return;
  const { ask, show: showPreview, spoken } = preview;
  ask(table.dataset.previewUrl ?? "", placement(), (scored, trouble) => {
    setReady(scored);
    if (unread) return;
    if (scored) {
      showPreview(placeOfPreview(), scored);
      tell?.(spoken(scored));
    } else {
      showTrouble(sentence(trouble));
    }
  });
}

/** @param {import("./preview.js").Preview | null} scored */
function setReady(scored) {
  const send = document.getElementById("send");
  send?.toggleAttribute("data-ready", mine() && scored !== null && scored.words.every(({ valid }) => valid !== false));
}

/** @param {string} text */
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Lays a tile; for a blank, opens the choice of its letter first.
 *
 * @param {number} cell
 * @param {number} index
 * @param {string} [letter] what a blank stands for
 */
function lay(cell, index, letter) {
  if (board.taken[cell]) return;
  const dialog = /** @type {HTMLDialogElement} */ (byId("blank-dialog"));
  if (hand[index] === "?" && !letter) {
    blank = { cell, index };
    dialog.showModal();
    return;
  }
  for (const [from, tile] of laid) if (tile.index === index) laid.delete(from);
  laid.delete(cell);
  laid.set(cell, { index, letter: letter ?? hand[index] });
  selected = null;
  navigator.vibrate?.(6);
  stand(cell);
  changed();
  say(`${(letter ?? hand[index]).toUpperCase()} on ${nameOf(cell)}`);
}

/** @param {number} cell */
function takeBack(cell) {
  const tile = laid.get(cell);
  if (!tile) return;
  laid.delete(cell);
  changed();
  say(`${tile.letter.toUpperCase()} back on the rack`);
}

function recall() {
  if (laid.size === 0 && selected === null) return;
  laid.clear();
  selected = null;
  changed();
  say("All tiles back on the rack");
}

/** @param {number[]} places the old place of each tile in the hand */
function rearrange(places) {
  const now = places.map((from) => hand[from]);
  for (const [cell, tile] of laid) laid.set(cell, { ...tile, index: places.indexOf(tile.index) });
  if (selected !== null) selected = places.indexOf(selected);
  keep(now);
  show();
}

/** @param {string[]} tiles */
function keep(tiles) {
  hand = tiles;
  window.history.replaceState({ hand }, "");
}

/* Keyboard */

/** @param {string} letter upper case */
function type(letter) {
  const cell = freeFrom(board, laid, standing, way);
  const free = hand.map((tile, index) => ({ tile, index })).filter(({ index }) => !isLaid(index));
  const own = free.find(({ tile }) => tile === letter) ?? free.find(({ tile }) => tile === "?");
  if (cell === null || !own) {
    shake(byId("move-report"));
    say(cell === null ? "End of the board" : `No ${letter} on the rack`);
    return;
  }
  lay(cell, own.index, own.tile === "?" ? letter.toLowerCase() : undefined);
  stand(freeFrom(board, laid, cell, way) ?? cell);
  focusSquare();
}

function backspace() {
  const cell = [...laid.keys()].at(-1);
  if (cell === undefined) return;
  takeBack(cell);
  stand(cell);
  focusSquare();
}

/** @param {number} cell */
function stand(cell) {
  board.squares[standing]?.setAttribute("tabindex", "-1");
  board.squares[standing]?.removeAttribute("data-standing");
  standing = cell;
  board.squares[cell]?.setAttribute("tabindex", "0");
  board.squares[cell]?.toggleAttribute("data-standing", true);
  zoom?.reveal(board.squares[cell]);
}

function focusSquare() {
  board.squares[standing]?.focus({ preventScroll: true });
}

/** @param {import("./tiles.js").Way} to */
function turn(to) {
  way = to;
  byId("board").dataset.way = way;
  say(`${nameOf(standing)}, typing ${way}`);
}

/** An arrow along the word moves, one across it changes direction. @param {string} key */
function walk(key) {
  const [along, step] = ARROWS[key];
  const onBoard = board.squares.includes(/** @type {HTMLElement} */ (document.activeElement));
  if (onBoard && along !== way) turn(along);
  else if (onBoard) stand(beside(standing, way, step) ?? standing);
  focusSquare();
}

/**
 * Handles a tap, or Space, on a square.
 *
 * @param {number} cell
 * @param {boolean} again whether it was selected before
 */
function press(cell, again) {
  if (selected !== null && !board.taken[cell]) {
    lay(cell, selected);
    return;
  }
  if (laid.has(cell)) takeBack(cell);
  else if (again) turn(way === "across" ? "down" : "across");
  stand(cell);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isDragging()) return;
  const dialog = /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog:modal"));
  if (dialog) {
    if (dialog.id !== "blank-dialog" || !/^[a-z]$/i.test(event.key)) return;
    event.preventDefault();
    choose(event.key.toUpperCase());
    return;
  }
  const target = /** @type {HTMLElement} */ (event.target);
  if (!ready() || target.matches("input, select, textarea") || target.closest(".fri-move-list, [popover]")) return;
  const onSquare = board.squares.includes(target);
  if (/^[a-z]$/i.test(event.key)) type(event.key.toUpperCase());
  else if (event.key === "Backspace") backspace();
  // Escape closes an open sheet and does nothing else.
  else if (event.key === "Escape" && !document.querySelector(":popover-open")) recall();
  else if (event.key in ARROWS) walk(event.key);
  else if (event.key === " " && onSquare) press(cellOf(target), true);
  else if (event.key === "Enter" && onSquare && selected !== null) press(cellOf(target), false);
  else if (event.key === "Enter" && (laid.size > 0 || onSquare) && !target.closest("button:not(#rack button), a, summary")) send();
  else return;
  event.preventDefault();
}

/** @param {string} letter */
function choose(letter) {
  /** @type {HTMLDialogElement} */ (byId("blank-dialog")).close();
  const place = blank;
  blank = null;
  if (place) lay(place.cell, place.index, letter.toLowerCase());
}

/* The server */

function send() {
  if (posting || laid.size === 0) return;
  if (!mine()) {
    report("Not your turn yet. Your tiles stay where they are");
    return;
  }
  const { cells, tiles } = placement();
  postMove(table, { ply: table.dataset.ply, type: "place", cells: cells.join(","), tiles });
}

/** Ends the player's turn at once, without waiting for the server; on another's turn, refreshes until it has ended. */
function bell() {
  rung = true;
  // Called again after the pending request.
  if (posting) return;
  const { endsAt } = table.dataset;
  if (!mine() || reportedEnd === endsAt) {
    look();
    return;
  }
  reportedEnd = endsAt;
  report("Time’s up");
  postMove(table, { ply: table.dataset.ply, type: "time_up" });
}

/** Refreshes until the server has ended the turn, too. */
function look() {
  const shown = table;
  window.setTimeout(() => {
    if (table !== shown || !table.isConnected) return;
    htmx.trigger(table, "look");
    look();
  }, BELL);
}

/** @param {string} text */
function report(text) {
  if (document.getElementById("report")) showTrouble(text);
  shake(document.getElementById("move-report"));
  say(text);
}

/** @param {HTMLElement | null} element */
function shake(element) {
  if (calm.matches) return;
  element?.animate([0, -5, 5, -4, 3, 0].map((x) => ({ transform: `translateX(${x}px)` })), { duration: 320 });
}

/** @param {boolean} under */
function setPosting(under) {
  posting = under;
  table.toggleAttribute("data-pending", under);
}

/** @param {number} receivedAt milliseconds since the epoch */
async function tick(receivedAt) {
  const face = document.getElementById("clock");
  const { endsAt, now } = table.dataset;
  (await clocks)?.stopClock();
  if (!face || !endsAt) return;
  clocks ??= import("../table/clock.js");
  const { runClock, synchronise } = await clocks;
  synchronise(Number(now), receivedAt);
  if (face.isConnected) runClock(face, Number(endsAt), bell);
}

/** Loads the styles of the end page, once the player has started to play. */
async function prepareEnd() {
  const after = await load(import("../table/afterwards.js"));
  await after?.loadStyles("fribble/pages");
  await after?.fetchAnalysis();
}

/* A new table */

/** @param {number} receivedAt milliseconds since the epoch */
function arrive(receivedAt) {
  const ply = table?.dataset.ply;
  table = byId("table");
  board = readBoard(table);
  rung = false;
  tick(receivedAt);
  if (table.dataset.phase !== "playing" || table.dataset.watching !== undefined) {
    laid.clear();
    zoom?.show();
    return;
  }
  learnValues(table);
  readNews();
  if (table.dataset.ply !== ply) unread = true;
  const before = hand;
  keep(keepOrder(hand, table.dataset.rack ?? ""));
  for (const [cell, tile] of laid) {
    if (board.taken[cell] || hand[tile.index] !== before[tile.index]) laid.delete(cell);
  }
  if (selected !== null && hand[selected] !== before[selected]) selected = null;
  const used = board.squares[standing];
  used?.setAttribute("tabindex", "0");
  if (standing !== 112) board.squares[112]?.setAttribute("tabindex", "-1");
  show();
  showPicked();
  zoom?.show();
  if (laid.size > 0 && !table.dataset.notice) foresee();
}

/** @param {NonNullable<typeof scene>} before */
function tell(before) {
  const { notice, phase, ply } = table.dataset;
  const moved = ply !== before.table.dataset.ply;
  if (moved && !before.own && !calm.matches) {
    table.querySelectorAll("#board .fri-tile--latest").forEach((tile, order) => {
      tile.animate([{ opacity: 0, transform: "scale(1.5)" }, { opacity: 1, transform: "none" }], {
        duration: 260,
        delay: order * 70,
        fill: "backwards",
        easing: "ease-out",
      });
    });
  }
  if (notice) shake(document.getElementById("move-report"));
  sayNews(table, before.table, moved || phase !== before.table.dataset.phase);
  restoreFocus(document.getElementById(before.focus ?? "") ?? document.getElementById("again"));
}

/* Listening */

watchDrag({
  ready,
  tap,
  drop(tile, square) {
    const cell = cellOf(square);
    const from = laid.get(cellOf(tile));
    if (board.taken[cell]) return;
    if (from) lay(cell, from.index, from.letter === hand[from.index] ? undefined : from.letter);
    else lay(cell, indexOf(tile));
  },
  back(tile, place) {
    const cell = cellOf(tile);
    if (laid.has(cell)) takeBack(cell);
    else if (place !== null) {
      const from = indexOf(tile);
      const places = hand.map((_, index) => index).toSpliced(from, 1).toSpliced(place, 0, from);
      rearrange(places);
    }
  },
});

/** Enlarges the board around the selected square; the module handles double taps and pinches itself. */
async function toggleZoom() {
  zoom ??= await load(import("./zoom.js"));
  zoom?.toggle(board.squares[[...laid.keys()].at(-1) ?? standing]);
}
document.addEventListener("pointerdown", async (event) => {
  if (/** @type {Element} */ (event.target).closest("#stage, #zoom")) zoom ??= await load(import("./zoom.js"));
});

/** @param {HTMLElement} tile of the rack */
function indexOf(tile) {
  return Number(tile.id.slice("tile-".length));
}

/** Handles a tap on a tile of the rack, or on a square. @param {HTMLElement} tile */
function tap(tile) {
  const cell = cellOf(tile);
  if (cell !== -1) {
    press(cell, pressedAgain);
    return;
  }
  selected = selected === indexOf(tile) ? null : indexOf(tile);
  show();
}

/** Whether the pointer was pressed on the selected square; the focus moves there before the click. */
let pressedAgain = false;
document.addEventListener("pointerdown", (event) => {
  pressedAgain = /** @type {Element} */ (event.target).closest("[data-standing]") !== null;
});
document.addEventListener("keydown", onKey);
document.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (isHeard(event)) return;
  if (target.closest("dialog:modal [popovertarget]:not([data-closes])")) {
    /** @type {HTMLDialogElement} */ (target.closest("dialog")).close();
  }
  if (handleDialogClick(event)) return;
  if (target.closest("#exchange-confirm[aria-disabled='true']")) {
    event.preventDefault();
    say("Choose the tiles to exchange");
    return;
  }
  const letter = /** @type {HTMLElement | null} */ (target.closest("[data-letter]"))?.dataset.letter;
  if (letter) choose(letter);
  const chosen = /** @type {HTMLElement | null} */ (target.closest("[data-exchange]"));
  if (chosen) pickForExchange(chosen);
  if (!ready()) return;
  const tile = /** @type {HTMLElement | null} */ (target.closest("#rack .fri-tile, #board .fri-square"));
  if (tile) tap(tile);
  else if (target.closest("#zoom")) toggleZoom();
  else if (target.closest("#send")) send();
  else if (target.closest("#sort")) rearrange(sorted(hand));
  else if (target.closest("#shuffle") && laid.size > 0) recall();
  else if (target.closest("#shuffle")) rearrange(shuffled(hand));
});

/** @param {HTMLElement} tile */
function pickForExchange(tile) {
  const on = tile.getAttribute("aria-pressed") === "true";
  if (!on && picked().length >= Number(tile.closest("[data-most]")?.getAttribute("data-most"))) return;
  tile.setAttribute("aria-pressed", String(!on));
  showPicked();
}

/** The tiles chosen for exchange. */
const picked = () => [.../** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("[data-exchange][aria-pressed='true']"))];

function showPicked() {
  const confirm = document.getElementById("exchange-confirm");
  if (!confirm) return;
  const tiles = picked().map((one) => one.dataset.exchange);
  /** @type {HTMLInputElement} */ (byId("exchange-tiles")).value = tiles.join("");
  confirm.textContent = tiles.length > 0 ? `Exchange ${tiles.length}` : "Exchange";
  confirm.setAttribute("aria-disabled", String(tiles.length === 0));
}

document.addEventListener("focusin", (event) => {
  const cell = cellOf(/** @type {HTMLElement} */ (event.target));
  if (cell !== -1 && cell !== standing) stand(cell);
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
  if (!isPost(event)) return;
  setPosting(false);
  // The clock ran out during the request.
  if (rung && event.detail.successful) bell();
});
onHtmx("beforeSwap", (event) => {
  const isTable = event.detail.target?.id === "table" && event.detail.shouldSwap;
  if (isTable && !isPost(event) && busy()) {
    event.detail.shouldSwap = false;
    return;
  }
  // Laid tiles stay when the turn's time is up.
  const own = isMove(event) && reportedEnd !== table.dataset.endsAt;
  scene = isTable ? { table, own, focus: document.activeElement?.id, scroll: zoom?.scrolled() } : null;
});
onHtmx("afterSettle", () => {
  if (!scene || byId("table") === scene.table) return;
  const before = scene;
  scene = null;
  // Played tiles are gone; refused ones, or those laid on another's turn, stay.
  const { ply, notice } = byId("table").dataset;
  if (before.own && !notice && ply !== before.table.dataset.ply) laid.clear();
  arrive(Date.now());
  before.scroll?.();
  tell(before);
  prepareEnd();
});
onFailure((text) => {
  setPosting(false);
  report(text);
  if (!rung) return;
  reportedEnd = undefined;
  window.setTimeout(bell, BELL);
});

const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
arrive(performance.timeOrigin + (navigation?.responseStart ?? 0));
if (byId("table").dataset.phase === "finished") prepareEnd();
else for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, prepareEnd, { once: true });
