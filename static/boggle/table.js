/** Boggle's table: words are sent as fast as they are found, and the clock ends the round. */

import { say, sayNews } from "../site/announce.js";
import { runClock, stopClock, synchronise } from "../table/clock.js";
import { handleDialogClick, isMove, isPost, newsWaits, onFailure, onHtmx, postMove, restoreFocus } from "../table/common.js";
import { chainInHand, clear, hold, isLost, shake, show, standingTile, stopInput, initInput, textInHand } from "../table/hand.js";
import { closeQueue, configureQueue, send, underWay } from "./sending.js";

/** Milliseconds between refreshes after the clock has run out. */
const LOOK_AGAIN = 700;
/** Parts of the table that other players' moves may change during the player's round. */
const PARTS = [".seats", "#score", "#found", "#history", ".talk"];
const NO_ANSWER = "No answer from the server. Your words are kept and sent again.";

const htmx = /** @type {any} */ (window).htmx;

/** @type {HTMLElement} */
let table;
/** Whether the clock has run out on the page. */
let rung = false;
/** Whether `time_up` was sent, which happens once every word has a response. */
let timeUpSent = false;
/** The finish form, submitted once all words have a response. @type {HTMLElement | null} */
let finishing = null;
/** The table to be replaced, and whether the current word stays. @type {{table: HTMLElement, keep: boolean} | null} */
let replaced = null;

/** @template {HTMLElement} T @param {string} id @returns {T} */
const byId = (id) => /** @type {T} */ (document.getElementById(id));

const running = () => table.dataset.phase === "running";
const ready = () => running() && !rung;
const minLength = () => Number(table.dataset.minLength);

/** @param {number} points */
const count = (points) => `${points} point${points === 1 ? "" : "s"}`;

/** The score of the current word, or that it is too short. */
function worth() {
  const letters = textInHand().length;
  const points = (table.dataset.points ?? "").split(",");
  return letters < minLength() ? "too short" : points[Math.min(letters, points.length - 1)];
}

/**
 * Shows the result of a word; the module is loaded on first use.
 *
 * @param {Parameters<typeof import("./answering.js").show>} what
 */
const showResult = async (...what) => (await import("./answering.js").catch(() => null))?.show(...what);

/* Words */

function submit() {
  const word = textInHand();
  const cells = chainInHand();
  // A single tile is dropped silently.
  if (cells.length < 2 && !isLost()) {
    clear();
    return;
  }
  /** @type {{word: string} | {cells: string}} */
  const move = isLost() ? { word } : { cells: cells.join(",") };
  clear();
  if (word.length < minLength()) refuse("too_short", `${word.toUpperCase()} is too short: ${minLength()} letters or more`, cells, word);
  else if (table.querySelector(`[data-found="${word}"]`) || underWay().some((sent) => sent.word === word)) {
    refuse("repeated", `${word.toUpperCase()} was already found`, cells, word);
  } else {
    send({ word, move: { type: "word", ...move } });
    showUnderWay();
  }
}

/**
 * Refuses a word that the page knows to be wrong, without asking the server.
 *
 * @param {string} result
 * @param {string} text
 * @param {number[]} cells
 * @param {string} word
 */
function refuse(result, text, cells, word) {
  report(text);
  showResult(table, result, cells, word);
}

/** Lists words without a response before those found. */
function showUnderWay() {
  const history = byId("history");
  for (const old of history.querySelectorAll("[data-under-way]")) old.remove();
  history.querySelector(".history-empty")?.remove();
  for (const { word } of underWay()) {
    const item = document.createElement("li");
    item.className = "history-word";
    item.dataset.underWay = "";
    item.textContent = word.toUpperCase();
    history.prepend(item);
  }
}

/** @param {string} text */
function report(text) {
  const line = table.querySelector("#report");
  if (line) {
    line.textContent = text;
    line.classList.add("word-report--trouble");
  }
  say(text);
}

function forgiveTrouble() {
  if (!isLost()) table.querySelector("#report")?.classList.remove("word-report--trouble");
}

configureQueue({
  address: () => table.dataset.movesUrl ?? "",
  answered(sent, answer, again) {
    if (answer.dataset.phase !== "running") {
      closeQueue();
      look();
      return;
    }
    merge(answer);
    const { notice, result = "", word, cells } = answer.dataset;
    if (notice) report(notice);
    else if (word === sent.word && !(again && result === "repeated")) tell(answer, result, cells ? cells.split(",").map(Number) : [], word);
  },
  lost: () => report(NO_ANSWER),
  empty() {
    if (rung) endRound();
    else if (finishing) htmx.trigger(finishing, "submit");
  },
});

/**
 * @param {HTMLElement} answer
 * @param {string} result
 * @param {number[]} cells
 * @param {string} word
 */
function tell(answer, result, cells, word) {
  const line = table.querySelector("#report");
  const news = answer.querySelector("#report");
  if (line && news) {
    line.replaceChildren(...[...news.childNodes].map((node) => document.importNode(node, true)));
    // The player may be at the next word already; keep the refusal of the last one readable.
    line.classList.toggle("word-report--trouble", result !== "scored");
    say(line.textContent ?? "");
  }
  showResult(table, result, cells, word);
}

/**
 * Updates what has changed around the board and leaves the parts in use alone.
 *
 * @param {HTMLElement} next
 */
function merge(next) {
  // Updates held back by an open sheet are fetched once it is closed.
  if (!newsWaits()) table.dataset.version = next.dataset.version;
  for (const part of PARTS) {
    const now = /** @type {HTMLElement | null} */ (table.querySelector(part));
    const then = /** @type {HTMLElement | null} */ (next.querySelector(part));
    if (now && then && !now.isEqualNode(then)) {
      const focused = now.contains(document.activeElement) ? document.activeElement : null;
      // Keep the focused element unless its replacement can take the focus.
      if ((focused && !focused.id) || now.querySelector(":popover-open")) continue;
      const fresh = document.importNode(then, true);
      // Presence is not part of the server's table.
      for (const seat of now.querySelectorAll("[data-here]")) {
        fresh.querySelector(`[data-presence="${/** @type {HTMLElement} */ (seat).dataset.presence}"]`)?.setAttribute("data-here", "");
      }
      const { scrollLeft, scrollTop } = now;
      now.replaceWith(fresh);
      htmx.process(fresh);
      if (focused) {
        byId(focused.id)?.focus({ preventScroll: true });
        fresh.scrollTo(scrollLeft, scrollTop);
      }
      sayNews(fresh, now, false);
    }
  }
  showUnderWay();
}

/* The clock */

function bell() {
  if (!running() || rung) return;
  rung = true;
  stopInput();
  report("Time’s up");
  if (underWay().length === 0) endRound();
}

/** Ends the round at once, without waiting for the server. */
function endRound() {
  if (timeUpSent) look();
  else {
    timeUpSent = true;
    postMove(table, { type: "time_up" });
  }
}

/** Refreshes until the server has ended the round, too. */
function look() {
  const shown = table;
  htmx.trigger(table, "look");
  window.setTimeout(() => {
    if (table === shown && table.isConnected && table.dataset.phase === "running") look();
  }, LOOK_AGAIN);
}

/* A new table */

/**
 * @param {number} receivedAt milliseconds since the epoch
 * @param {boolean} [keep] whether the current word stays
 */
function arrive(receivedAt, keep = false) {
  table = byId("table");
  rung = false;
  finishing = null;
  hold(table, keep);
  synchronise(Number(table.dataset.now), receivedAt);
  stopClock();
  keepTime();
  if (running()) show();
  else closeQueue();
  // The analysis module is not loaded before the end.
  if (table.dataset.phase === "finished") import("../table/afterwards.js").then(({ fetchAnalysis }) => fetchAnalysis());
}

function keepTime() {
  const face = document.getElementById("clock");
  if (face && ready() && table.dataset.endsAt) runClock(face, Number(table.dataset.endsAt), bell);
}

/* Listening */

initInput({
  ready,
  submit,
  worth,
  spoken: () => `${[...textInHand()].join(" ").toUpperCase()}, ${textInHand().length < minLength() ? worth() : count(Number(worth()))}`,
  started: forgiveTrouble,
});

document.addEventListener("click", handleDialogClick);
// A timer may be late after the page was suspended.
document.addEventListener("visibilitychange", keepTime);

onHtmx("beforeRequest", (event) => {
  if (isPost(event)) {
    if (underWay().length === 0) return;
    finishing = event.detail.elt;
    event.preventDefault();
  } else if (event.target === table && (underWay().length > 0 || newsWaits())) {
    event.preventDefault();
  }
});
onHtmx("beforeSwap", (event) => {
  replaced = null;
  if (event.detail.target?.id !== "table" || !event.detail.shouldSwap) return;
  const answers = isPost(event);
  if (!answers && newsWaits()) {
    event.detail.shouldSwap = false;
    return;
  }
  const next = new DOMParser().parseFromString(event.detail.serverResponse, "text/html").getElementById("table");
  if (!answers && running() && next?.dataset.phase === "running") {
    merge(next);
    event.detail.shouldSwap = false;
    return;
  }
  replaced = { table, keep: answers && !isMove(event) };
});
onHtmx("afterSettle", () => {
  if (!replaced || byId("table") === replaced.table) return;
  const { table: before, keep } = replaced;
  replaced = null;
  // The board stays during a round, whatever other players do.
  arrive(Date.now(), keep && running());
  if (table.dataset.notice) shake(table, []);
  sayNews(table, before, table.dataset.phase !== before.dataset.phase);
  restoreFocus(standingTile() ?? document.getElementById("again"));
});
onFailure((text) => {
  report(text);
  if (!rung) return;
  timeUpSent = false;
  window.setTimeout(endRound, LOOK_AGAIN);
});

const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
arrive(performance.timeOrigin + (navigation?.responseStart ?? 0));
