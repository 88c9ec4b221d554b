/**
 * The play being made: tiles laid on the board and not yet sent, and the square and direction to type from. The line above
 * the board shows the last move, the score of the laid tiles, or an error.
 */

import { say } from "../site/announce.js";
import { byId, find, first, keepState } from "../site/elements.js";
import { cue } from "../table/cues.js";
import { openDialog } from "../table/dialogs.js";
import { refuse, table } from "../table/session.js";
import { freeFrom, keepOrder, nameOf, nextSquare, paint, readBoard, readValues, showRack, valueOf } from "./tiles.js";

/** The initially selected square. */
const CENTRE = 112;
/** The icon's path while the button recalls laid tiles, and otherwise. */
const RECALL_ARROW = "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10H9";
let shuffleArrows = "";

/** @type {import("./tiles.js").Board} */
export let board;
/** The player's tiles in their own order, including laid ones; kept over swaps and reloads. @type {string[]} */
export let rack = window.history.state?.rack ?? [];
/** The tiles laid by cell, in the order they were laid; kept over swaps and reloads. @type {Map<number, import("./tiles.js").Laid>} */
export const laid = new Map(window.history.state?.laid);
/** The tapped tile that waits for a square. @type {number | null} */
let selected = null;
/** The selected square, and the direction of the word from there. */
let cursor = CENTRE;
/** @type {import("./tiles.js").Way} */
let way = window.history.state?.way ?? "across";
/** Why the last typed letter could not be laid: the word on the board is not the typed one. */
export let missing = "";
/** The blank to lay once its letter is chosen. @type {{cell: number, index: number, onward: boolean} | null} */
let blank = null;
/** The square that had the arrow before a reload. @type {number | null} */
let pointed = window.history.state?.arrow ?? null;
/** Loaded with the first touch of the board. @type {typeof import("./zoom.js") | null} */
export let zoom = null;

/** Loads the enlarged board, which handles pinches itself. */
export async function loadZoom() {
  // Without a network, the game works without it.
  zoom ??= await import("./zoom.js").catch(() => null);
  return zoom;
}

/** Whether it is the player's turn. */
export const mine = () => table.dataset.mine !== undefined;
/** Whether the selected square is free, and shows the direction. */
const hasArrow = () => Boolean(board?.squares[cursor]?.matches("[data-cursor]:not(.tile)"));
/** @param {number} index */
const isLaid = (index) => [...laid.values()].some((tile) => tile.index === index);
/** The cell of a square of the board, or -1. @param {EventTarget | null} square */
export const cellOf = (square) => board.squares.findIndex((one) => one === square);
/** The place of a tile of the rack. @param {HTMLElement} tile */
const indexOf = (tile) => Number(tile.id.slice("tile-".length));
/** The square of the latest laid tile, else the selected one. */
export const latestSquare = () => board.squares[[...laid.keys()].at(-1) ?? cursor];

/** Reads the board of a new table. @param {boolean} [keeps] whether the arrow stays; false after the player's own move */
export function readTable(keeps = false) {
  if (keeps && hasArrow()) pointed = cursor;
  board = readBoard(table);
}

/** Reads the rack of a new table, and takes the laid tiles back if one of them no longer fits. */
export function readRack() {
  readValues(table);
  const before = rack;
  rack = keepOrder(rack, table.dataset.rack ?? "");
  if ([...laid].some(([cell, tile]) => board.taken[cell] || rack[tile.index] !== before[tile.index])) laid.clear();
  if (selected !== null && rack[selected] !== before[selected]) selected = null;
  board.squares[cursor]?.setAttribute("tabindex", "0");
  if (pointed !== null) moveCursor(pointed);
  pointed = null;
  if (cursor !== CENTRE) board.squares[CENTRE]?.setAttribute("tabindex", "-1");
  show();
}

function show() {
  keepState({ rack, laid: [...laid], way, arrow: hasArrow() ? cursor : null });
  showRack(table, rack, isLaid, selected);
  paint(board, laid, valueOf);
  byId("board", HTMLElement).dataset.way = way;
  document.getElementById("send")?.setAttribute("aria-disabled", String(!mine() || laid.size === 0));
  const picture = document.querySelector("#shuffle path");
  const name = document.querySelector("#shuffle .power-name");
  if (!picture || !name) return;
  shuffleArrows ||= picture.getAttribute("d") ?? "";
  picture.setAttribute("d", laid.size > 0 ? RECALL_ARROW : shuffleArrows);
  name.textContent = laid.size > 0 ? "Recall" : "Shuffle";
}

/** The laid tiles in the server's format. */
export function placement() {
  const cells = [...laid.keys()].sort((a, b) => a - b);
  return { cells, tiles: cells.map((cell) => laid.get(cell)?.letter).join("") };
}

/* Laying tiles */

/** Shows the laid tiles and requests their score. */
function changed() {
  missing = "";
  show();
  requestScore(true);
}

/**
 * Lays a tile; for a blank, opens the choice of its letter first.
 *
 * @param {number} cell
 * @param {number} index
 * @param {string} [letter] what a blank stands for
 * @param {boolean} onward whether the next free square of the word is selected afterwards
 */
function lay(cell, index, letter, onward = false) {
  if (board.taken[cell]) return;
  if (rack[index] === "?" && !letter) {
    blank = { cell, index, onward };
    openDialog("blank-dialog");
    return;
  }
  for (const [from, tile] of laid) if (tile.index === index) laid.delete(from);
  laid.delete(cell);
  laid.set(cell, { index, letter: letter ?? rack[index] });
  selected = null;
  cue("pick");
  moveCursor((onward ? freeFrom(board, laid, cell, way) : null) ?? cell);
  changed();
  say(`${(letter ?? rack[index]).toUpperCase()} on ${nameOf(cell)}`);
}

/** Lays the blank as this letter. @param {string} letter lower case */
export function chooseBlank(letter) {
  byId("blank-dialog", HTMLDialogElement).close();
  const place = blank;
  blank = null;
  if (place) lay(place.cell, place.index, letter, place.onward);
}

/** @param {number} cell */
function takeBack(cell) {
  const tile = laid.get(cell);
  if (!tile) return;
  laid.delete(cell);
  changed();
  say(`${tile.letter.toUpperCase()} back on the rack`);
}

/** Takes back all tiles. */
export function recall() {
  if (laid.size === 0 && selected === null && !missing) return;
  laid.clear();
  selected = null;
  // Without the focus on the board there is no arrow, so that the next tapped tile waits for a square.
  board.squares[cursor]?.toggleAttribute("data-cursor", document.activeElement === board.squares[cursor]);
  changed();
  say("All tiles back on the rack");
}

/** @param {number[]} places the old place of each tile in the rack */
export function rearrange(places) {
  const now = places.map((from) => rack[from]);
  for (const [cell, tile] of laid) laid.set(cell, { ...tile, index: places.indexOf(tile.index) });
  if (selected !== null) selected = places.indexOf(selected);
  rack = now;
  show();
}

/* Pointer */

/**
 * Handles a tap on a tile of the rack, or on a square. A tile goes to the square with the arrow, or waits for one.
 *
 * @param {HTMLElement} tile
 * @param {boolean} again whether the square was selected before
 */
export function tap(tile, again) {
  const cell = cellOf(tile);
  if (cell !== -1) {
    press(cell, again);
    return;
  }
  if (hasArrow()) {
    const focused = document.activeElement === tile;
    lay(cursor, indexOf(tile), undefined, true);
    if (focused) (first(table, "#rack .tile:not([hidden])") ?? board.squares[cursor]).focus({ preventScroll: true });
    return;
  }
  selected = selected === indexOf(tile) ? null : indexOf(tile);
  show();
}

/** @param {HTMLElement} tile @param {HTMLElement} square */
export function drop(tile, square) {
  const cell = cellOf(square);
  const from = laid.get(cellOf(tile));
  if (board.taken[cell]) return;
  if (from) lay(cell, from.index, from.letter === rack[from.index] ? undefined : from.letter);
  else lay(cell, indexOf(tile));
}

/** @param {HTMLElement} tile @param {number | null} place of the rack, or its own */
export function putBack(tile, place) {
  const cell = cellOf(tile);
  if (laid.has(cell)) takeBack(cell);
  else if (place !== null) {
    const from = indexOf(tile);
    rearrange([...rack.keys()].toSpliced(from, 1).toSpliced(place, 0, from));
  }
}

/**
 * Handles a tap, or Space, on a square.
 *
 * @param {number} cell
 * @param {boolean} again whether it was selected before
 */
export function press(cell, again) {
  if (selected !== null && !board.taken[cell]) {
    lay(cell, selected);
    return;
  }
  if (laid.has(cell)) takeBack(cell);
  else if (again) turn(way === "across" ? "down" : "across");
  moveCursor(cell);
}

/** Lays the selected tile on the focused square, if both exist. */
export function pressSelected() {
  const cell = cellOf(document.activeElement);
  if (cell === -1 || selected === null) return false;
  press(cell, false);
  return true;
}

/* Keyboard */

/** Whether a played tile that the word has just passed has this letter: typing it leaves the tile where it is. @param {string} letter */
function passed(letter) {
  let cell = nextSquare(cursor, way, -1);
  while (cell !== null && board.taken[cell] && board.squares[cell].textContent !== letter) cell = nextSquare(cell, way, -1);
  return cell !== null && board.taken[cell];
}

/** @param {string} letter upper case */
export function type(letter) {
  const cell = freeFrom(board, laid, cursor, way);
  const free = rack.map((tile, index) => ({ tile, index })).filter(({ index }) => !isLaid(index));
  const own = free.find(({ tile }) => tile === letter) ?? free.find(({ tile }) => tile === "?");
  if (!missing && !own && passed(letter)) return;
  if (missing || cell === null || !own) {
    missing ||= cell === null ? "The board ends here" : `There is no ${rack.includes(letter) ? "other " : ""}${letter} on your rack`;
    refuse(missing);
    holdLine();
    return;
  }
  lay(cell, own.index, own.tile === "?" ? letter.toLowerCase() : undefined, true);
  focusSquare();
}

export function backspace() {
  if (missing) {
    changed();
    return;
  }
  const cell = [...laid.keys()].at(-1);
  if (cell === undefined) return;
  takeBack(cell);
  moveCursor(cell);
  focusSquare();
}

/** Selects a square. @param {number} cell */
export function moveCursor(cell) {
  if (missing) changed();
  board.squares[cursor]?.setAttribute("tabindex", "-1");
  board.squares[cursor]?.removeAttribute("data-cursor");
  cursor = cell;
  board.squares[cell]?.setAttribute("tabindex", "0");
  board.squares[cell]?.toggleAttribute("data-cursor", true);
  zoom?.reveal(board.squares[cell]);
}

function focusSquare() {
  board.squares[cursor]?.focus({ focusVisible: true, preventScroll: true });
}

/** @param {import("./tiles.js").Way} to */
function turn(to) {
  way = to;
  byId("board", HTMLElement).dataset.way = way;
  say(`${nameOf(cursor)}, typing ${way}`);
}

/**
 * An arrow key along the word moves the selection, one across it changes the direction.
 *
 * @param {number} rows
 * @param {number} columns
 */
export function walk(rows, columns) {
  const along = rows === 0 ? "across" : "down";
  const onBoard = cellOf(document.activeElement) !== -1;
  if (onBoard && along !== way) turn(along);
  else if (onBoard) moveCursor(nextSquare(cursor, way, rows + columns) ?? cursor);
  focusSquare();
}

document.addEventListener("focusin", (event) => {
  const cell = cellOf(event.target);
  if (cell !== -1 && !board.squares[cell].hasAttribute("data-cursor")) moveCursor(cell);
});

/* The line above the board */

/** The content for a board without laid tiles: the last move. @type {ChildNode[]} */
let news = [];
/** Whether the line stays until the next input: another player's move, or the note that time is up. */
let unread = false;
/** Loaded with the first laid tile. @type {typeof import("./preview.js") | null} */
let preview = null;

/** Reads the line of a new table; during a refusal it is in a template. @param {boolean} moved whether it shows a new move */
export function readNews(moved) {
  const waiting = find("news", HTMLTemplateElement);
  news = [...(waiting?.content ?? byId("report", HTMLElement)).childNodes];
  unread ||= moved;
}

/** Keeps the line until the next input. */
export function holdLine() {
  unread = true;
}

/** @param {boolean} trouble @param {(ChildNode | string)[]} content */
function showAbove(trouble, ...content) {
  const line = byId("report", HTMLElement);
  line.hidden = false;
  line.classList.toggle("word-report--trouble", trouble);
  line.replaceChildren(...content);
  byId("preview", HTMLElement).hidden = true;
}

/** @param {string} text */
export function showTrouble(text) {
  if (document.getElementById("report")) showAbove(true, text);
}

/**
 * Requests the score of the laid tiles.
 *
 * @param {boolean} byPlayer whether the player has laid them now; the result is announced as well
 */
export async function requestScore(byPlayer) {
  if (byPlayer) unread = false;
  preview?.forget();
  setReady(null);
  if (placement().cells.length === 0) {
    showAbove(false, ...news);
    return;
  }
  // Without a network, the game works without a preview.
  preview ??= await import("./preview.js").catch(() => null);
  if (placement().cells.length === 0) return;
  preview?.ask(table.dataset.previewUrl ?? "", placement(), (scored, trouble) => {
    setReady(scored);
    if (unread || !preview) return;
    if (scored) {
      byId("report", HTMLElement).hidden = true;
      byId("preview", HTMLElement).hidden = false;
      preview.show(byId("preview", HTMLElement), scored);
      if (byPlayer) say(preview.spoken(scored));
    } else if (table.dataset.mine === undefined) {
      // It may still become a play after the others' moves.
      showAbove(false, ...news);
    } else {
      // Tiles still on their way to a word are no error.
      showAbove(false, trouble.charAt(0).toUpperCase() + trouble.slice(1));
    }
  });
}

/** @param {import("./preview.js").Preview | null} scored */
function setReady(scored) {
  const valid = scored?.words.every((word) => word.valid !== false) ?? false;
  document.getElementById("send")?.toggleAttribute("data-ready", table.dataset.mine !== undefined && valid);
}
