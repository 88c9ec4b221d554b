/** The table: brings hand, keyboard, server and motion together. */

import { say, sayNews } from "./announce.js";
import { points } from "./board.js";
import { runClock, stopClock, synchronise } from "./clock.js";
import { handleDialogClick, newsWaits } from "./dialogs.js";
import { isDrawing } from "./gestures.js";
import { chainInHand, clear, hold, isLost, shake, show, standingTile, takeInHand, textInHand } from "./hand.js";
import { capture, play } from "./motion.js";

/** How long to wait before asking again when the server's clock is not there yet. */
const TIME_UP_RETRY = 700;
const NO_ANSWER = "No answer from the server. Nothing is lost: send it again.";
const NO_GOOD_ANSWER = "The server is in trouble. Nothing is lost: send it again.";

const htmx = /** @type {any} */ (window).htmx;

/** @type {HTMLElement} */
let table;
/** @type {import("./board.js").Board} */
let board;
/** Fetched where there are others. @type {typeof import("./others.js") | null} */
let others = null;
let choosing = false;
/** What stood in the line above the word before a tile was to be chosen. @type {ChildNode[]} */
let lineBefore = [];
let posting = false;
/** @type {import("./motion.js").Scene | null} */
let scene = null;

/** @template {HTMLElement} T @param {string} id @returns {T} */
const byId = (id) => /** @type {T} */ (document.getElementById(id));

const several = () => table.dataset.several !== undefined;
const underWay = () => Boolean(table.dataset.phase?.startsWith("play"));
/** Whether this page's player is to move. */
const playing = () => underWay() && table.dataset.watching === undefined && table.dataset.idle === undefined;
const ready = () => playing() && !posting;

/* The server */

/** Sends the chain; one tile alone is dropped in silence. */
function submit() {
  if (posting) return;
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
  htmx.ajax("POST", table.dataset.movesUrl, {
    // A request of the table's own would queue behind a look, and be lost with the table that is replaced.
    source: document.body,
    target: "#table",
    swap: "outerHTML",
    values: { ply: table.dataset.ply, ...move },
  });
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

/* Choosing a tile */

/** Fetched with the first swap. */
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

/** @param {number} receivedAt milliseconds since the epoch */
function arrive(receivedAt) {
  table = byId("table");
  board = hold(table);
  if (textInHand()) show();
  choosing = false;
  synchronise(Number(table.dataset.now), receivedAt);
  stopClock();
  const face = table.querySelector("#clock");
  if (face && (playing() || several()) && table.dataset.endsAt) {
    runClock(/** @type {HTMLElement} */ (face), Number(table.dataset.endsAt), timeUp);
  }
}

/** What follows a game is not fetched before it is under way. */
async function fetchAnalysis() {
  (await import("./afterwards.js")).fetchAnalysis();
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
    if (choosing) choose(false);
    htmx.trigger(table, "look");
    look();
  }, TIME_UP_RETRY);
}

/** @param {import("./motion.js").Scene} before */
function tell(before) {
  const moved = table.dataset.ply !== before.table.dataset.ply;
  if (moved) play(before, table);
  if (table.dataset.notice) shake(table, []);
  sayNews(table, before.table, moved);
  if (document.activeElement === document.body) {
    const next = standingTile() ?? byId("again");
    next?.focus({ preventScroll: true });
  }
}

/* Listening */

takeInHand({
  ready,
  submit,
  worth: () => String(points(board, chainInHand())),
  told: () => `${[...textInHand()].join(" ").toUpperCase()}, ${points(board, chainInHand())} points`,
  begun: forgiveTrouble,
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

/** @param {string} name @param {(event: CustomEvent) => void} heard */
const onHtmx = (name, heard) => document.addEventListener(`htmx:${name}`, /** @type {EventListener} */ (heard));
const isMove = (/** @type {CustomEvent} */ event) => event.detail.requestConfig?.verb === "post";
/** Whether another's word is being drawn, which the answer that told of it waits for. */
let drawing = false;
/** Whether news would take away what is just being drawn, chosen, sent or answered; it is asked for again later. */
const busy = () => drawing || isDrawing() || choosing || posting || newsWaits();

onHtmx("beforeRequest", (event) => {
  if (!isMove(event)) {
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
  if (isMove(event)) setPosting(false);
});
onHtmx("beforeSwap", (event) => {
  const isTable = event.detail.target?.id === "table" && event.detail.shouldSwap;
  if (isTable && !isMove(event) && busy()) {
    event.detail.shouldSwap = false;
    return;
  }
  scene = isTable ? capture(table) : null;
  if (!isTable || isMove(event)) return;
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

const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
arrive(performance.timeOrigin + (navigation?.responseStart ?? 0));
if (several()) import("./others.js").then((module) => (others = module));
if (table.dataset.phase === "finished") fetchAnalysis();
