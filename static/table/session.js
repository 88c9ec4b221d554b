/** The session of a table: sends moves, decides when an update may replace the table, reports failures and news. */

import { isPost, onFailure, say, sayNews } from "../site/announce.js";
import { byId, closest, first } from "../site/elements.js";
import { cue } from "./cues.js";
import { byKeyboard, closeDialog, newsWaits, openDialog } from "./dialogs.js";
import { celebrate, shake, tumble } from "./motion.js";

/** Milliseconds after which a POST is shown to be under way. */
const SLOW = 250;
/** Results of unsuccessful moves. */
const REFUSALS = ["not_a_word", "repeated", "duplicate", "too_short", "not_dealt"];

/**
 * The table that was replaced.
 *
 * @typedef {object} Before
 * @property {HTMLElement} table
 * @property {boolean} own whether the response is to a move of this page, not to a remark, a claim or a refresh
 * @property {boolean} moved whether the ply has changed
 */

/** @typedef {import("../site/announce.js").RequestEvent} RequestEvent */

/**
 * A game's additions to the session.
 *
 * @typedef {object} Game
 * @property {(before: Before | null) => void} arrive reads a new table; without `before` the page has just been loaded
 * @property {(before: Before) => void} [animate] shows what has changed
 * @property {() => Element | null | undefined} [focus] gets the focus if the focused element was removed
 * @property {() => Element | null} word the element that shakes for a refusal
 * @property {(text: string) => void} [report] shows an error, if not on the line above the word
 * @property {() => boolean} [busy] whether an update would disturb the player, as during a drag; it is requested again later
 * @property {(event: RequestEvent) => boolean | void} [beforePost] true if the request must not be sent now
 * @property {(event: CustomEvent<HtmxSwap>) => boolean} [merge] whether the game has applied an update itself
 * @property {(event: CustomEvent<HtmxSwap>) => void} [leave] the table is about to be replaced
 * @property {boolean} [simultaneous] whether all play at the same time, so that moves do not depend on the ply
 * @property {string} [endStyles] style sheet of the end page
 */

/** The table shown now. */
export let table = byId("table", HTMLElement);
/** Whether a POST has no response yet. */
export let posting = false;
/** The timer until the POST under way is shown. */
let slow = 0;

const [navigation] = performance.getEntriesByType("navigation");
/** Local time of the response with this table, in milliseconds since the epoch. */
export let receivedAt =
  performance.timeOrigin + (navigation instanceof PerformanceNavigationTiming ? navigation.responseStart : 0);

/** @type {Game} */
let game;
/** The table being replaced. @type {{table: HTMLElement, own: boolean} | null} */
let leaving = null;
const modal = () => table.querySelector("dialog:modal");
/** The dialog that was open when the latest POST was sent: the response closes it. @type {Element | null} */
let sentFrom = null;
/** ID of the dialog opened since then. */
let opened = "";
/** The button that sent the latest POST. @type {Element | null | undefined} */
export let sentBy = null;
/** Whether the latest POST is a remark, which does not keep a player from the next word. */
let isRemark = false;
/** What is sent after the response to the POST under way. @type {(() => void) | null} */
let next = null;
/** Loaded with the first input. @type {typeof import("./meanwhile.js") | null} */
let meanwhile = null;

/** Whether this page may make moves: it is a player's, and no move is under way. */
export const mayPlay = () => table.dataset.watching === undefined && (!posting || (isRemark && !next));

/**
 * Starts the session, once the game's modules have loaded.
 *
 * @param {Game} newGame
 */
export function startSession(newGame) {
  game = newGame;
  game.arrive(null);
  // After the gesture, so as not to interrupt it.
  for (const input of ["pointerup", "keyup"]) document.addEventListener(input, prepareEnd, { once: true });
  for (const input of ["pointerdown", "keydown"]) document.addEventListener(input, loadRest, { once: true });
}

/** Loads what waits for what the player does; without a network, the game works without it. @param {Event} input the first */
function loadRest(input) {
  import("./meanwhile.js").then((loaded) => (meanwhile = loaded)).catch(() => null);
  if (document.getElementById("tip")) import("./tips.js").then((tips) => tips.startTips(input)).catch(() => null);
}

/** Whether sharing has loaded: with a table that waited, or with the module for the end page. */
let canShare = table.classList.contains("table--waiting");
/** The press on Share before that, which is repeated then. @type {HTMLElement | null} */
let share = null;

/** Loads the module for the end page, which gets the analysis once the game is over. */
function prepareEnd() {
  const prepare = import("./ending.js").then((ending) => {
    canShare = true;
    share?.click();
    share = null;
    return ending.prepareEnd(game.endStyles);
  });
  // Without a network, the link to the analysis stays.
  prepare.catch(() => (share = null));
}

document.addEventListener("click", (event) => {
  if (!canShare) share = closest(event, "[data-share-result]");
});

/* Moves */

/** @param {RequestEvent} event */
const isMove = (event) => isPost(event) && event.detail.requestConfig.path.endsWith("/moves");

/**
 * Sends a move; the response replaces the table.
 *
 * @param {Record<string, string>} move
 */
export function post(move) {
  const values = game.simultaneous ? move : { ply: table.dataset.ply ?? "", ...move };
  if (posting) {
    if (isRemark) sendNext(() => post(values));
    return;
  }
  window.htmx
    // Sent by the table, it would queue behind a refresh, and be lost when that replaces the table.
    .ajax("POST", table.dataset.movesUrl ?? "", { source: document.body, target: "#table", swap: "outerHTML", values })
    // Handled by `onFailure`.
    .catch(() => undefined);
}

/** Sends something after the response to the POST under way, if that succeeds. @param {() => void} send */
export function sendNext(send) {
  next = send;
}

/** Requests the current table. */
export function refresh() {
  window.htmx.trigger(table, "look");
}

/** @param {boolean} under */
function setPosting(under) {
  posting = under;
  window.clearTimeout(slow);
  // Not at once: that would restyle all tiles with every move.
  slow = window.setTimeout(() => table.toggleAttribute("data-pending", under && !isRemark), under ? SLOW : 0);
}

/* Errors */

/**
 * Shows an error and announces it.
 *
 * @param {string} text
 */
export function report(text) {
  if (game.report) game.report(text);
  else showOnLine(text);
  say(text);
}

/** @param {string} text */
function showOnLine(text) {
  const line = table.querySelector("#report");
  if (!line) return;
  line.textContent = text;
  line.classList.add("word-report--trouble");
}

/**
 * Shows an error and shakes the word.
 *
 * @param {string} text
 */
export function refuse(text) {
  report(text);
  shake(game.word());
}

/** Marks the line above the word as read, once the next word starts. */
export function clearTrouble() {
  table.querySelector("#report")?.classList.remove("word-report--trouble");
}

/** What the line above the word showed before a failure. @type {ChildNode[]} */
let reported = [];

onFailure((text) => {
  setPosting(false);
  // The clock keeps trying, which must not disturb the player meanwhile.
  if ("late" in table.dataset) return;
  closeDialog();
  const line = table.querySelector("#report");
  if (line && line.textContent !== text) reported = [...line.childNodes];
  refuse(text);
  // It is out of date once the player goes on.
  const restore = () => {
    if (line?.textContent !== text) return;
    line.classList.remove("word-report--trouble");
    line.replaceChildren(...reported);
  };
  if (!game.report) for (const input of ["pointerdown", "keydown"]) document.addEventListener(input, restore, { once: true });
});

/* Requests and responses */

const isBusy = () => posting || newsWaits() || Boolean(game.busy?.());

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!isPost(event)) {
    if (event.target === table && isBusy()) event.preventDefault();
    return;
  }
  const { path, triggeringEvent } = event.detail.requestConfig;
  const button = triggeringEvent?.submitter;
  if (posting || game.beforePost?.(event)) {
    if (posting && button) meanwhile?.hold(button);
    event.preventDefault();
    return;
  }
  sentFrom = modal();
  sentBy = button;
  isRemark = path.endsWith("/remarks");
  if (isRemark) first(document, "#talk:popover-open")?.hidePopover();
  setPosting(true);
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (!isPost(event)) return;
  setPosting(false);
  const send = next;
  next = null;
  if (!event.detail.successful) meanwhile?.drop();
  else if (send) {
    send();
    // Its response leaves a dialog opened before.
    sentFrom = null;
  }
  if (!posting) meanwhile?.repeat();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = event;
  if (detail.target?.id !== "table" || !detail.shouldSwap) return;
  // A remark is shown later to a player who has begun something else meanwhile.
  if (isPost(event) ? isRemark && (game.merge?.(event) || newsWaits() || game.busy?.()) : isBusy() || game.merge?.(event)) {
    detail.shouldSwap = false;
    if (isPost(event)) meanwhile?.reportNotice(detail.serverResponse);
    return;
  }
  leaving = { table, own: isMove(event) };
  opened = (modal() !== sentFrom && modal()?.id) || "";
  const tile = byKeyboard ? null : first(table, ".tile:focus");
  if (tile) {
    touched = tile.id;
    // Removing the focused element would cost a layout of both tables.
    tile.blur();
  }
  game.leave?.(event);
});

document.addEventListener("htmx:afterSettle", () => {
  if (!leaving || document.getElementById("table") === leaving.table) return;
  const old = leaving;
  leaving = null;
  table = byId("table", HTMLElement);
  receivedAt = Date.now();
  const { notice, phase, ply } = table.dataset;
  const before = { ...old, moved: ply !== old.table.dataset.ply };
  game.arrive(before);
  game.animate?.(before);
  // Unless the answer has opened its own, such as hints.
  if (!modal()) openDialog(opened);
  if (notice) shake(game.word());
  sound(before);
  sayNews(table, old.table, phase !== old.table.dataset.phase || (before.moved && !game.simultaneous), before.own);
  restoreFocus(game.focus?.() ?? document.getElementById("again"));
  prepareEnd();
});

/**
 * Plays the cues for the changes since the last table, and celebrates a long word.
 *
 * @param {Before} before
 */
function sound({ table: old, own, moved }) {
  const { notice, phase, outcome, result = "scored", points, word, cells, gems, mine, several, idle, watching } = table.dataset;
  const yours = mine !== undefined || (several !== undefined && idle === undefined && watching === undefined);
  if (phase === "finished" && old.dataset.phase !== phase) cue(/** @type {import("./cues.js").Cue} */ (outcome ?? "drawn"));
  else if (notice || (own && moved && REFUSALS.includes(result))) {
    cue("refused");
    tumble();
  } else if (own && moved) {
    cue(Number(gems) > Number(old.dataset.gems) ? "gem" : "accepted", Number(points) || 1);
    if (result === "scored") celebrate(table.querySelector("#board, #hand"), word?.length ?? cells?.split(",").length ?? 0);
  } else if (moved && yours) cue("turn");
}

/* The focus */

/** ID of the touched tile that lost the focus with its table: the next key starts from there. */
let touched = "";

document.addEventListener(
  "keydown",
  () => {
    restoreFocus(document.getElementById(touched));
    touched = "";
  },
  { capture: true },
);
document.addEventListener("pointerdown", () => (touched = ""), { capture: true });

/**
 * Focuses an element if nothing has the focus and the player uses the keyboard: after a touch the ring would look like a selection.
 *
 * @param {Element | null} place
 */
function restoreFocus(place) {
  if (byKeyboard && document.activeElement === document.body && place instanceof HTMLElement) place.focus({ focusVisible: true, preventScroll: true });
}

/** Loaded with the first table that has a clock. @type {Promise<typeof import("./clock.js") | null> | null} */
let clock = null;

/**
 * Starts the clock of a new table, or stops that of the old one.
 *
 * @param {import("./clock.js").Player} player
 */
export async function keepTime(player) {
  if (!clock && table.dataset.endsAt) {
    // Without a network, the next table tries again.
    clock = import("./clock.js").catch(() => (clock = null));
    (await clock)?.watchClock(player);
  }
  (await clock)?.startClock();
}
