/** Boggle's table: words are sent as fast as they are found, and the clock ends the round. */

import { say, sayNews } from "../site/announce.js";
import { all, byId, first } from "../site/elements.js";
import { clear, currentChain, currentWord, cursorTile, initInput, isLost, readTiles, show, stopInput, wordForm } from "../table/chain.js";
import { hasRunOut, refreshUntilReplaced, startClock, timeUp, watchClock } from "../table/clock.js";
import { newsWaits, openDialog } from "../table/dialogs.js";
import { refresh, report, startSession, table } from "../table/session.js";
import { closeQueue, configureQueue, kept, pending, resume, send } from "./sending.js";

/** Parts of the table that other players' moves may change during the player's round. */
const PARTS = [".seats", "#score", ".status-round", "#share", "#bonus", "#progress", "#hints", "#history", ".talk"];
/** Longer words are listed together. */
const LONGEST = 9;
const NO_ANSWER = "No answer from the server. Your words are kept and sent again.";

/** The button of an open dialog that is pressed again once all words have a response. @type {HTMLElement | null} */
let held = null;

const running = () => table.dataset.phase === "running";
const ready = () => running() && !hasRunOut;
const waits = () => pending().length > 0;
const minLength = () => Number(table.dataset.minLength);

/** @param {number} points */
const count = (points) => `${points} point${points === 1 ? "" : "s"}`;

/** The score of the current word, or a note that it is too short. */
function score() {
  const letters = currentWord().length;
  if (letters >= minLength() && "findAll" in table.dataset) return "";
  const points = (table.dataset.points ?? "").split(",");
  return letters < minLength() ? "too short" : points[Math.min(letters, points.length - 1)];
}

/** Loaded with the start of a round, or with the first word. */
const motion = () => {
  import("../table/effects.js").catch(() => null); // together with the module that needs them
  return import("./motion.js").catch(() => null);
};

/**
 * Shows the result of a word; the module is loaded on first use.
 *
 * @param {Parameters<typeof import("./motion.js").show>} result
 */
const showResult = async (...result) => (await motion())?.show(...result);

/* Words */

function submit() {
  const word = currentWord();
  const cells = currentChain();
  // A single tile is dropped silently.
  if (cells.length < 2 && !isLost()) {
    clear();
    return;
  }
  /** @type {{word: string} | {cells: string}} */
  const move = isLost() ? { word } : { cells: cells.join(",") };
  clear();
  // Some refusals need no server.
  if (word.length < minLength()) {
    report(`${word.toUpperCase()} is too short: ${minLength()} letters or more`);
    showResult("too_short", cells, word);
  } else if (table.querySelector(`[data-found="${word}"]`) || pending().some((sent) => sent.word === word)) {
    report(`${word.toUpperCase()} was already found`);
    showResult("repeated", cells, word);
  } else {
    send({ word, move: { type: "word", ...move } });
    showUnderWay();
  }
}

/** Lists words without a response above the found ones. */
function showUnderWay() {
  const history = byId("history", HTMLElement);
  for (const old of history.querySelectorAll("[data-under-way], .history-empty")) old.remove();
  for (const { word } of pending()) {
    const item = document.createElement("li");
    item.className = "pill";
    item.dataset.underWay = "";
    item.dataset.letters = String(Math.min(word.length, LONGEST));
    item.textContent = word.toUpperCase();
    history.prepend(item);
  }
}

configureQueue({
  address: () => table.dataset.movesUrl ?? "",
  answered(sent, answer, again) {
    if (answer.dataset.phase !== "running") {
      closeQueue();
      refreshUntilReplaced();
      return;
    }
    const { notice, result = "", word, cells } = answer.dataset;
    if (notice) report(notice);
    else if (word === sent.word && !(again && result === "repeated")) {
      showReport(answer, result);
      showResult(result, cells ? cells.split(",").map(Number) : [], word);
    }
    merge(answer);
  },
  refused({ word }, status) {
    showUnderWay();
    report([404, 410].includes(status) ? "This game no longer exists, so your words cannot be sent" : `${word.toUpperCase()} could not be sent: the server refused it`);
  },
  lost: () => report(NO_ANSWER),
  empty() {
    if (hasRunOut) timeUp();
    else held?.click();
  },
});

/**
 * @param {HTMLElement} answer
 * @param {string} result
 */
function showReport(answer, result) {
  const line = table.querySelector("#report");
  const news = answer.querySelector("#report");
  if (!line || !news) return;
  line.replaceChildren(...[...news.childNodes].map((node) => document.importNode(node, true)));
  // The player may already be at the next word; keep the refusal of the last one readable.
  line.classList.toggle("word-report--trouble", result !== "scored");
  say(line.textContent ?? "");
}

/**
 * Updates what has changed around the board and leaves the parts in use alone. Announces the news.
 *
 * @param {HTMLElement} next
 */
function merge(next) {
  // Updates held back by an open sheet are fetched once it is closed.
  if (!newsWaits()) table.dataset.version = next.dataset.version;
  for (const part of PARTS) {
    const now = first(table, part);
    const then = first(next, part);
    if (!now || !then || now.isEqualNode(then)) continue;
    const focused = now.contains(document.activeElement) ? document.activeElement : null;
    // Keep the focused element unless its replacement can take the focus.
    // An open sheet stays, too.
    if ((focused && !focused.id) || now.matches("dialog[open]") || now.querySelector(":popover-open")) continue;
    const fresh = document.importNode(then, true);
    // Presence is not part of the server's table.
    for (const { dataset } of all(now, "[data-here]")) {
      fresh.querySelector(`[data-presence="${dataset.presence}"]`)?.setAttribute("data-here", "");
    }
    const { scrollLeft, scrollTop } = now;
    now.replaceWith(fresh);
    window.htmx.process(fresh);
    if (focused) {
      document.getElementById(focused.id)?.focus({ preventScroll: true });
      fresh.scrollTo(scrollLeft, scrollTop);
    }
    sayNews(fresh, now, false, false);
  }
  showUnderWay();
}

document.addEventListener(
  "close",
  ({ target }) => {
    held = null;
    // The sheet of hints was not updated while it was open.
    if (target === document.getElementById("hints")) refresh();
  },
  { capture: true },
);

/* The session */

initInput({
  ready,
  submit,
  score,
  spoken() {
    const value = score();
    return [[...currentWord()].join(" ").toUpperCase(), /\d/.test(value) ? count(Number(value)) : value].filter(Boolean).join(", ");
  },
});

watchClock({ mine: running, stop: stopInput, waits });

startSession({
  simultaneous: true,
  busy: waits,
  beforePost({ detail }) {
    const button = detail.requestConfig.triggeringEvent?.submitter;
    // Remarks need not wait.
    if (!waits() || !button?.closest("dialog")) return false;
    held = button;
    return true;
  },
  merge({ detail }) {
    if (!running()) return false;
    const next = new DOMParser().parseFromString(detail.serverResponse, "text/html").getElementById("table");
    if (next?.dataset.phase !== "running") return false;
    merge(next);
    return true;
  },
  arrive(before) {
    held = null;
    // The board stays during a round, whatever other players do.
    readTiles(before !== null && !before.own && running());
    startClock();
    if (before?.moved && before.table.dataset.phase === "title" && running()) motion().then((loaded) => loaded?.rattle());
    if (before?.own && before.moved && table.dataset.result === "hinted") {
      // The focus returns there.
      document.getElementById("power-hint")?.focus();
      openDialog("hints");
      say(byId("report", HTMLElement).textContent ?? "");
    }
    if (running()) {
      if (!before) resume();
      show();
      if (waits()) showUnderWay();
    } else if (table.dataset.phase === "done" || table.dataset.phase === "finished") {
      closeQueue();
      if (kept().length > 0) import("./late_words.js").then(({ showLate }) => showLate()).catch(() => null);
    }
  },
  focus: cursorTile,
  word: wordForm,
});
