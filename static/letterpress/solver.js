/** The solver page: painting the board, previews of moves, and solving after every change. */

import { say } from "../site/announce.js";
import { all, byId, closest } from "../site/elements.js";
import { PAUSE, solving } from "../site/workbench.js";
import { watchArrows } from "../study/tiles.js";
import { CELLS, has, paint } from "./territory.js";

const NEXT = /** @type {const} */ ({ free: "ours", ours: "theirs", theirs: "free" });
/** @type {Record<string, string>} */
const KEYS = { o: "ours", t: "theirs", ".": "free", Backspace: "free", Delete: "free", m: "must" };
const OWNERS = { ours: "yours", theirs: "theirs", free: "free" };

/** @param {string} id */
const field = (id) => byId(id, HTMLInputElement);

const form = byId("position", HTMLFormElement);
const board = byId("board", HTMLElement);
const caption = byId("caption", HTMLElement);
const tiles = all(board, ".tile");
const usual = caption.textContent;

// Without script a tile submits the form to change its owner.
for (const tile of tiles) {
  tile.setAttribute("type", "button");
  tile.removeAttribute("name");
  tile.tabIndex = tile === tiles[0] ? 0 : -1;
}

let owned = { ours: 0, theirs: 0 };
for (const tile of tiles) {
  const owner = tile.dataset.owner;
  if (owner === "ours" || owner === "theirs") owned[owner] |= 1 << Number(tile.dataset.cell);
}

const solve = solving(form, caption, show);

form.addEventListener("change", (event) => {
  const id = event.target instanceof HTMLElement ? event.target.id : "";
  if (id === "ours" || id === "theirs") {
    // Owners may be given in other formats than a number: the server paints them.
    form.submit();
    return;
  }
  if (id === "must_use") showPinned();
  if (id !== "letters" || letters().length > 0) solve(0);
});

// Letters

function letters() {
  return field("letters").value.toLowerCase().replace(/[^a-z]/g, "").slice(0, CELLS);
}

field("letters").addEventListener("input", () => {
  const typed = letters();
  for (const [cell, tile] of tiles.entries()) {
    tile.textContent = (typed[cell] ?? "").toUpperCase();
    tile.dataset.letter = typed[cell] ?? " ";
  }
  label();
  if (typed.length === CELLS) solve(PAUSE);
});

// Painting

/** @returns {number[]} */
function pinned() {
  const text = field("must_use").value.trim();
  return /^\d+(\s*,\s*\d+)*$/.test(text) ? text.split(",").map(Number) : [];
}

function showPinned() {
  const cells = pinned();
  for (const [cell, tile] of tiles.entries()) tile.toggleAttribute("data-pinned", cells.includes(cell));
  label();
}

/** @param {number} cell @returns {"ours" | "theirs" | "free"} */
function ownerOf(cell) {
  return has(owned.ours, cell) ? "ours" : has(owned.theirs, cell) ? "theirs" : "free";
}

/** @param {number} cell @param {string} brush */
function put(cell, brush) {
  const bit = 1 << cell;
  if (brush === "must") {
    const cells = pinned();
    field("must_use").value = (cells.includes(cell) ? cells.filter((other) => other !== cell) : [...cells, cell]).join(",");
    showPinned();
  } else {
    const owner = brush === "next" ? NEXT[ownerOf(cell)] : brush;
    owned = {
      ours: owner === "ours" ? owned.ours | bit : owned.ours & ~bit,
      theirs: owner === "theirs" ? owned.theirs | bit : owned.theirs & ~bit,
    };
    field("ours").value = owned.ours ? String(owned.ours) : "";
    field("theirs").value = owned.theirs ? String(owned.theirs) : "";
    paint(tiles, owned);
    label();
  }
  say(tiles[cell].getAttribute("aria-label") ?? "");
  if (letters().length === CELLS) solve(PAUSE);
}

function label() {
  const must = pinned();
  for (const [cell, tile] of tiles.entries()) {
    const letter = tile.textContent?.trim() || "empty";
    const safe = tile.hasAttribute("data-protected") ? ", protected" : "";
    tile.setAttribute("aria-label", `${letter}, ${OWNERS[ownerOf(cell)]}${safe}${must.includes(cell) ? ", must be used" : ""}`);
  }
}

const brushes = all(document, ".brush");
for (const brush of brushes) {
  brush.addEventListener("click", () => {
    board.dataset.brush = brush.dataset.brush;
    for (const other of brushes) other.setAttribute("aria-pressed", String(other === brush));
  });
}

/** What the current stroke paints, or null. @type {string | null} */
let stroke = null;
let touched = -1;

/** @param {number} cell */
function touch(cell) {
  if (cell === touched) return;
  touched = cell;
  put(cell, stroke ?? "next");
}

board.addEventListener("pointerdown", (event) => {
  const tile = closest(event, ".press-board .tile");
  if (!tile || event.button !== 0) return;
  const brush = board.dataset.brush ?? "next";
  if (brush === "next" || brush === "must") return;
  stroke = brush;
  touch(Number(tile.dataset.cell));
  tile.releasePointerCapture?.(event.pointerId);
});
board.addEventListener("pointermove", (event) => {
  if (stroke === null) return;
  const tile = document.elementFromPoint(event.clientX, event.clientY)?.closest(".press-board .tile");
  if (tile instanceof HTMLElement && board.contains(tile)) touch(Number(tile.dataset.cell));
});
const lift = () => {
  stroke = null;
  touched = -1;
};
window.addEventListener("pointerup", lift);
window.addEventListener("pointercancel", lift);

board.addEventListener("click", (event) => {
  const tile = closest(event, ".press-board .tile");
  if (!tile) return;
  event.preventDefault();
  const brush = board.dataset.brush ?? "next";
  // A stroke has already painted when the pointer is released; the keyboard has no strokes.
  if (brush === "next" || brush === "must" || event.detail === 0) put(Number(tile.dataset.cell), brush);
});

watchArrows();
board.addEventListener("keydown", (event) => {
  const tile = closest(event, ".press-board .tile");
  if (!tile || !KEYS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
  put(Number(tile.dataset.cell), KEYS[event.key]);
  event.preventDefault();
});

// Previews

/** @param {string | undefined} cells */
const listed = (cells) => (cells ? cells.split(",").map(Number) : []);

/** The previewed move. @type {HTMLElement | null} */
let shown = null;

/**
 * Shows the board after a move, or the current one.
 *
 * @param {HTMLElement | null} [move]
 */
function show(move = null) {
  if (move === shown) return;
  shown = move;
  const data = move?.dataset ?? {};
  const [word, reply] = [listed(data.cells), listed(data.reply)];
  paint(tiles, move ? { ours: Number(data.ours), theirs: Number(data.theirs) } : owned);
  board.toggleAttribute("data-preview", move !== null);
  for (const [cell, tile] of tiles.entries()) {
    tile.toggleAttribute("data-word", word.includes(cell));
    tile.toggleAttribute("data-reply", reply.includes(cell));
  }
  if (!move) caption.textContent = usual;
  else if (!data.answer) caption.textContent = `After ${data.name}.`;
  else caption.textContent = word.length ? `After ${data.name}; dots: the reply ${data.answer}.` : `After ${data.name} and ${data.answer}.`;
}

/** The focused move, whose preview stays. */
function held() {
  const focus = document.activeElement;
  const move = focus?.closest("#answer .placement") ?? focus?.closest("#answer .move")?.querySelector("summary");
  return move instanceof HTMLElement ? move : null;
}

document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "touch") show(closest(event, "#answer [data-ours]") ?? held());
});
document.addEventListener("focusin", () => show(held()));
document.addEventListener("focusout", (event) => {
  if (!event.relatedTarget) show();
});

board.addEventListener("pointerenter", () => show());
