/** Wibble's table: connects input, keyboard, server and animation. */

import { say, sayNews } from "../site/announce.js";
import { placesOf, points } from "../table/board.js";
import { runClock, stopClock, synchronise } from "../table/clock.js";
import { handleDialogClick, isMove, isPost, newsWaits, onFailure, onHtmx, postMove, restoreFocus } from "../table/common.js";
import { isDrawing } from "../table/gestures.js";
import { chainInHand, clear, hold, isLost, shake, show, standingTile, stopInput, initInput, textInHand } from "../table/hand.js";

/** Milliseconds to wait while the server's clock has not run out yet. */
const TIME_UP_RETRY = 700;

const htmx = /** @type {any} */ (window).htmx;

/** @type {HTMLElement} */
let table;
/** @type {import("../table/board.js").Board} */
let board;
/** Loaded if there are other players. @type {typeof import("./others.js") | null} */
let others = null;
let choosing = false;
/** The content of the line above the word before the choice of a tile. @type {ChildNode[]} */
let lineBefore = [];
let posting = false;
/** Whether the clock of this table has run out on the page. */
let rung = false;
/** The end of the clock for which `time_up` was sent. @type {string | undefined} */
let reportedEnd;
/** The scene to be replaced, and whether the current word stays. @type {(import("../table/motion.js").Scene & {keep: boolean}) | null} */
let scene = null;

/** @template {HTMLElement} T @param {string} id @returns {T} */
const byId = (id) => /** @type {T} */ (document.getElementById(id));

const several = () => table.dataset.several !== undefined;
const underWay = () => Boolean(table.dataset.phase?.startsWith("play"));
/** Whether this page's player is to move. */
const playing = () => underWay() && table.dataset.watching === undefined && table.dataset.idle === undefined;
const ready = () => playing() && !posting && !rung;

/* The server */

/** Sends the chain; a single tile is dropped silently. */
function submit() {
  if (!ready()) return;
  if (isLost()) {
    shake(table, []);
    report(`${textInHand().toUpperCase()} has no path on this board`);
    return;
  }
  if (chainInHand().length < 2) {
    clear();
    return;
  }
  show();
  post({ type: "chain", cells: chainInHand().join(",") });
}

/** @param {Record<string, string>} move */
function post(move) {
  postMove(table, { ply: table.dataset.ply, ...move });
}

/**
 * Shows an error above the word and announces it.
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

/** Clears the notice when the next word starts. */
function forgiveTrouble() {
  if (posting || isLost()) return;
  table.querySelector("#report")?.classList.remove("word-report--trouble");
}

/** @param {boolean} under */
function setPosting(under) {
  posting = under;
  table.querySelector("#board")?.toggleAttribute("data-pending", under);
}

/* Choosing a tile */

/** Loaded with the first touch or key. */
const motion = () => import("../table/motion.js").catch(() => null);
for (const input of ["pointerdown", "keydown"]) document.addEventListener(input, motion, { once: true });

/** Loaded with the first swap. */
const powers = () => import("./powers.js");

/** @param {boolean} on */
function choose(on) {
  choosing = on;
  powers().then(({ showChoosing }) => showChoosing(table, on));
  const line = byId("report");
  if (!on) {
    line.replaceChildren(...lineBefore);
    return;
  }
  clear();
  lineBefore = [...line.childNodes];
  line.textContent = "Choose the tile to swap";
  say("Choose the tile to swap");
}

/* A new table */

/**
 * @param {number} receivedAt milliseconds since the epoch
 * @param {boolean} [keep] whether the current word stays
 */
function arrive(receivedAt, keep = false) {
  table = byId("table");
  board = hold(table, keep);
  rung = false;
  if (textInHand()) show();
  choosing = false;
  synchronise(Number(table.dataset.now), receivedAt);
  stopClock();
  const face = table.querySelector("#clock");
  if (face && (playing() || several()) && table.dataset.endsAt) {
    runClock(/** @type {HTMLElement} */ (face), Number(table.dataset.endsAt), timeUp);
  }
}

/** Loads the analysis module, once the game is in progress. */
async function fetchAnalysis() {
  (await import("../table/afterwards.js")).fetchAnalysis();
}

/** Ends the player's game or turn at once, without waiting for the server; on another's turn, refreshes. */
function timeUp() {
  if (!playing()) return;
  if (!rung) {
    rung = true;
    if (choosing) choose(false);
    stopInput();
    report("Time’s up");
  }
  // Called again after the pending request.
  if (posting) return;
  const { endsAt } = table.dataset;
  if (reportedEnd === endsAt) look();
  else {
    reportedEnd = endsAt;
    post({ type: "time_up" });
  }
}

/** Refreshes until the table changes. */
function look() {
  const shown = table;
  window.setTimeout(() => {
    if (table !== shown || !table.isConnected) return;
    htmx.trigger(table, "look");
    look();
  }, TIME_UP_RETRY);
}

/** @param {import("../table/motion.js").Scene} before */
function tell(before) {
  const moved = table.dataset.ply !== before.table.dataset.ply;
  if (moved) motion().then((loaded) => loaded?.play(before, table));
  if (table.dataset.notice) shake(table, []);
  sayNews(table, before.table, moved);
  restoreFocus(standingTile() ?? byId("again"));
}

/* Listening */

initInput({
  ready,
  submit,
  worth: () => String(points(board, chainInHand())),
  spoken: () => {
    const worth = points(board, chainInHand());
    return `${[...textInHand()].join(" ").toUpperCase()}, ${worth} point${worth === 1 ? "" : "s"}`;
  },
  started: forgiveTrouble,
  picks: () => choosing,
  pick: (tile) => powers().then(({ openSheet }) => openSheet(table, tile)),
  escape: () => choosing && choose(false),
});

document.addEventListener("click", (event) => {
  if (handleDialogClick(event)) return;
  const swap = /** @type {Element} */ (event.target).closest("[data-opens-swap]");
  if (swap && ready()) {
    if (swap.getAttribute("aria-disabled") === "true") report("Not enough gems for a swap yet");
    else choose(!choosing);
  }
});

/** Whether another player's word is being drawn; its response waits for that. */
let drawing = false;
/** Whether an update would disturb a drag, a choice, a request or a dialog; it is requested again later. */
const busy = () => drawing || isDrawing() || choosing || posting || newsWaits();

onHtmx("beforeRequest", (event) => {
  if (!isPost(event)) {
    if (event.target === table && busy()) event.preventDefault();
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
  if (!isPost(event)) return;
  setPosting(false);
  // The clock ran out during the request.
  if (rung && event.detail.successful) timeUp();
});
onHtmx("beforeSwap", (event) => {
  const isTable = event.detail.target?.id === "table" && event.detail.shouldSwap;
  if (isTable && !isPost(event) && busy()) {
    event.detail.shouldSwap = false;
    return;
  }
  scene = isTable ? { table, places: placesOf(board), keep: !isMove(event) } : null;
  if (!isTable || isPost(event)) return;
  const move = others?.othersWord(table, event.detail.serverResponse);
  if (!others || !move) return;
  drawing = true;
  event.detail.swapOverride = `outerHTML swap:${others.drawOthersWord(table, move)}ms`;
});
onHtmx("afterSettle", () => {
  if (!scene || byId("table") === scene.table) return;
  const before = scene;
  scene = null;
  drawing = false;
  arrive(Date.now(), before.keep && before.table.dataset.ply === byId("table").dataset.ply);
  tell(before);
  fetchAnalysis();
});
onFailure((text) => {
  setPosting(false);
  report(text);
  if (!rung) return;
  reportedEnd = undefined;
  window.setTimeout(timeUp, TIME_UP_RETRY);
});

const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
arrive(performance.timeOrigin + (navigation?.responseStart ?? 0));
if (several()) import("./others.js").then((module) => (others = module));
if (byId("table").dataset.phase === "finished") fetchAnalysis();
