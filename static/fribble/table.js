/** Fribble's table: connects rack, board and keyboard with the session. */

import { all, closest } from "../site/elements.js";
import { watchKeyboard } from "../table/keyboard.js";
import { calm, shuffled } from "../table/motion.js";
import { keepTime, mayPlay, post, refuse, startSession, table } from "../table/session.js";
import { isDragging, isHeard, watchDrag } from "./drag.js";
import {
  backspace,
  cellOf,
  chooseBlank,
  drop,
  holdLine,
  laid,
  latestSquare,
  loadZoom,
  mine,
  missing,
  placement,
  press,
  pressSelected,
  putBack,
  rack,
  readNews,
  readRack,
  readTable,
  rearrange,
  recall,
  requestScore,
  showTrouble,
  tap,
  type,
  walk,
  zoom,
} from "./play.js";
import { sorted } from "./tiles.js";

/** Tiles can be laid at any time, but only played on the player's turn. */
const ready = () => table.dataset.phase === "playing" && mayPlay();
/** Whether the pointer was pressed on the selected square; the focus moves there before the click. */
let pressedAgain = false;
/** Whether the request was sent because the turn's time is up: laid tiles stay. */
let timedOut = false;
/** The focused element before the response. */
let focused = "";
/** Restores the scroll position of the enlarged board. @type {(() => void) | undefined} */
let scrollBack;

/** Loaded with the first input, long before tiles are chosen. @type {typeof import("./exchange.js") | null} */
let exchange = null;

async function loadExchange() {
  exchange ??= await import("./exchange.js").catch(() => null);
  exchange?.showPicked();
}

for (const input of ["pointerdown", "keydown"]) document.addEventListener(input, loadExchange, { once: true });
// On a slow network, a tile may be chosen before that.
document.addEventListener("click", (event) => {
  const early = exchange ? null : closest(event, "[data-exchange]");
  if (early) loadExchange().then(() => exchange && early.click());
});

function send() {
  if (laid.size === 0) return;
  if (missing || !mine()) {
    refuse(missing || "Not your turn yet. Your tiles stay where they are");
    holdLine();
    return;
  }
  const { cells, tiles } = placement();
  post({ type: "place", cells: cells.join(","), tiles });
}

/* Listening */

document.addEventListener("pointerdown", (event) => {
  pressedAgain = closest(event, "[data-cursor]") !== null;
  if (closest(event, "#stage, #zoom")) loadZoom();
});

watchDrag({ ready, tap: (tile) => tap(tile, pressedAgain), drop, back: putBack });

watchKeyboard({
  ready: () => ready() && !isDragging() && !document.activeElement?.closest(".fri-move-list, [popover]"),
  letter: (letter) => type(letter.toUpperCase()),
  backspace,
  enter() {
    const focus = document.activeElement;
    if (pressSelected()) return true;
    if ((laid.size === 0 && cellOf(focus) === -1) || focus?.closest("button:not(#rack button), a, summary")) return false;
    send();
    return true;
  },
  escape: recall,
  walk,
});

document.addEventListener("keydown", (event) => {
  const cell = cellOf(event.target);
  if (event.key !== " " || cell === -1 || event.ctrlKey || event.metaKey || event.altKey || isDragging() || !ready()) return;
  event.preventDefault();
  press(cell, true);
});

document.addEventListener("click", async (event) => {
  if (isHeard(event) || event.defaultPrevented) return;
  const letter = closest(event, "#blank-dialog .sheet-letter");
  if (letter instanceof HTMLButtonElement) chooseBlank(letter.value);
  if (!ready()) return;
  const tile = closest(event, "#rack .tile, #board .fri-square");
  if (tile) tap(tile, pressedAgain);
  else if (closest(event, "#zoom")) (await loadZoom())?.toggle(latestSquare());
  else if (closest(event, "#send")) send();
  else if (closest(event, "#sort")) rearrange(sorted(rack));
  else if (closest(event, "#shuffle") && laid.size > 0) recall();
  else if (closest(event, "#shuffle")) rearrange(shuffled([...rack.keys()]));
});

/* The session */

startSession({
  endStyles: "fribble/pages",
  busy: isDragging,
  leave({ detail }) {
    timedOut = detail.requestConfig.parameters.type === "time_up";
    focused = document.activeElement?.closest("dialog") ? "more" : (document.activeElement?.id ?? "");
    scrollBack = zoom?.scrolled();
  },
  arrive(before) {
    // Played tiles are removed; refused ones, or those laid on another's turn, stay.
    const played = before?.own && before.moved && !timedOut && !table.dataset.notice;
    if (played) laid.clear();
    readTable(!played);
    keepTime({ mine, stop: holdLine });
    if (table.dataset.phase === "playing" && table.dataset.watching === undefined) {
      readNews(before?.moved ?? false);
      readRack();
      exchange?.showPicked();
      if (laid.size > 0 && !table.dataset.notice) requestScore(false);
    } else {
      laid.clear();
    }
    zoom?.show();
    scrollBack?.();
  },
  animate({ moved, own }) {
    if (!moved || (own && !timedOut) || calm.matches) return;
    for (const [order, tile] of all(table, "#board .tile--latest").entries()) {
      tile.animate([{ opacity: 0, transform: "scale(1.5)" }, { opacity: 1, transform: "none" }], {
        duration: 260,
        delay: order * 70,
        fill: "backwards",
        easing: "ease-out",
      });
    }
  },
  focus: () => (focused ? (document.getElementById(focused) ?? latestSquare()) : null),
  word: () => document.getElementById("move-report"),
  report: showTrouble,
});
