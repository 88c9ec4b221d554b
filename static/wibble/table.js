/** Wibble's table: words on the board, and the powers. */

import { isPost, say } from "../site/announce.js";
import { byId, closest, find } from "../site/elements.js";
import { placesOf, points } from "../table/board.js";
import {
  board,
  clear,
  currentChain,
  currentWord,
  cursorTile,
  initInput,
  isLost,
  readTiles,
  show,
  stopInput,
  wordForm,
} from "../table/chain.js";
import { isDrawing } from "../table/gestures.js";
import { clearTrouble, keepTime, mayPlay, post, refuse, report, startSession, table } from "../table/session.js";

/** Loaded when another player is first to move. @type {typeof import("./opponent_word.js") | null} */
let opponents = null;
const loadOpponents = async () => (opponents ??= await import("./opponent_word.js").catch(() => null));
/** Whether another player's word is being drawn; its response waits for that. */
let drawing = false;
/** Whether the player is choosing the tile to swap. */
let choosing = false;
/** The content of the line above the word before the choice of a tile. @type {ChildNode[]} */
let lineBefore = [];
/** Where the tiles were before the response. @type {Map<number, DOMRect>} */
let places = new Map();

/** Whether this page's player is to move. */
const playing = () =>
  Boolean(table.dataset.phase?.startsWith("play")) && table.dataset.watching === undefined && table.dataset.idle === undefined;
/** Whether the player may draw a word for the partner who is to move. */
const showing = () => table.dataset.shows !== undefined;
const ready = () => (playing() || showing()) && mayPlay() && table.dataset.runOut === undefined;

/** Sends the chain, to play it or to show it; a single tile is dropped silently. */
function submit() {
  if (!ready()) return;
  if (isLost()) refuse(`${currentWord().toUpperCase()} has no path on this board`);
  else if (currentChain().length < 2) clear();
  else {
    show();
    post({ type: showing() ? "suggest" : "chain", cells: currentChain().join(",") });
  }
}

/* Choosing the tile to swap */

/** Loaded with the first swap. */
const powers = () => import("./powers.js");

/** @param {boolean} on */
function choose(on) {
  choosing = on;
  powers().then(({ showChoosing }) => showChoosing(on));
  const line = byId("report", HTMLElement);
  if (!on) {
    line.replaceChildren(...lineBefore);
    return;
  }
  clear();
  if (line.matches(".word-report--trouble")) line.replaceChildren();
  clearTrouble();
  lineBefore = [...line.childNodes];
  line.textContent = "Choose the tile to swap";
  say("Choose the tile to swap");
}

function stopChoosing() {
  if (choosing) choose(false);
}

document.addEventListener("click", (event) => {
  const swap = closest(event, "[data-opens-swap]");
  if (!swap || event.defaultPrevented || !ready()) return;
  if (swap.getAttribute("aria-disabled") === "true") report("Not enough gems for a swap yet");
  else choose(!choosing);
});

/* The session */

/** Loaded after the first touch or key. @type {typeof import("./motion.js") | null} */
let motion = null;
const loadMotion = async () => {
  // Together with the module that needs them, so that the first word's tiles are not seen in their places before they fall.
  import("../table/effects.js").catch(() => null);
  return (motion ??= await import("./motion.js").catch(() => null));
};
for (const input of ["pointerup", "keyup"]) document.addEventListener(input, loadMotion, { once: true });

initInput({
  ready,
  submit,
  score: () => String(points(board, currentChain())),
  spoken() {
    const score = points(board, currentChain());
    return `${[...currentWord()].join(" ").toUpperCase()}, ${score} point${score === 1 ? "" : "s"}`;
  },
  picks: () => choosing,
  pick: (tile) => powers().then(({ openSheet }) => openSheet(tile)),
  escape: stopChoosing,
});

startSession({
  busy: () => drawing || choosing || isDrawing(),
  beforePost: stopChoosing,
  leave(event) {
    places = placesOf(board);
    const move = isPost(event) ? null : opponents?.opponentWord(table, event.detail.serverResponse);
    if (!opponents || !move) return;
    drawing = true;
    event.detail.swapOverride = `outerHTML swap:${opponents.drawOpponentWord(table, move)}ms`;
  },
  arrive(before) {
    drawing = choosing = false;
    const { notice, several } = table.dataset;
    if (several !== undefined && !playing()) loadOpponents();
    // Another tab of the player may have moved.
    const missed = Boolean(before?.moved) && (notice !== "" || !before?.own) && several === undefined && playing();
    readTiles(before !== null && !before.own && !before.moved, missed);
    if (currentWord()) show();
    if (notice) find("report", HTMLElement)?.classList.add("word-report--trouble");
    keepTime({
      mine: playing,
      stop() {
        stopChoosing();
        stopInput();
      },
    });
  },
  animate(before) {
    if (!before.moved) return;
    const scene = { table: before.table, places };
    // At once, if it has loaded: else the tiles would be seen in their places first.
    if (motion) motion.play(scene, table);
    // If loaded late, it would move tiles under the next word.
    else loadMotion().then((loaded) => isDrawing() || loaded?.play(scene, table));
  },
  focus: cursorTile,
  word: wordForm,
});
