/** Wibble's animations: used tiles fall away, new ones fall in, points fly to the score. */

import { all, first } from "../site/elements.js";
import { shakeWord } from "../table/chain.js";
import { countUp, flying, glide, pop } from "../table/effects.js";
import { calm } from "../table/motion.js";

/**
 * The table before the response.
 *
 * @typedef {object} Scene
 * @property {HTMLElement} table
 * @property {Map<number, DOMRect>} places screen rectangle of each cell
 */

/**
 * Animates the change from the scene before to the current table.
 *
 * @param {Scene} before
 * @param {HTMLElement} table
 */
export function play(before, table) {
  if (calm.matches) return;
  const { result, points, cells, gems } = table.dataset;
  const used = cells ? cells.split(",").map(Number) : [];
  if (result === "scored" || result === "finished") {
    // First, as it measures: the others would make that cost another layout.
    flyPoints(before, table, used, Number(points));
    fallAway(before, used);
    fallIn(table, used, 140);
    if (gems && Number(gems) !== Number(before.table.dataset.gems)) pop(table.querySelector("#gems"), 420);
  } else if (result === "not_a_word" || result === "repeated") {
    const replaced = table.dataset.replaced !== undefined;
    shakeWord(replaced ? [] : used);
    if (replaced) {
      fallAway(before, used);
      fallIn(table, used, 140);
    }
  } else if (result === "shuffled") {
    mix(before, table);
  } else if (result === "swapped") {
    for (const cell of used) turnOver(table.querySelector(`#tile-${cell}`));
  } else if (result === "started") {
    fallIn(table, [...before.places.keys(), ...tilesOf(table).map(cellOf)], 0);
  }
}

/**
 * @param {Scene} before
 * @param {number[]} cells
 */
function fallAway(before, cells) {
  cells.forEach((cell, order) => {
    const tile = first(before.table, `#tile-${cell}`);
    const place = before.places.get(cell);
    if (!tile || !place) return;
    const ghost = flying("flying", place);
    ghost.style.width = `${place.width}px`;
    ghost.style.height = `${place.height}px`;
    const copy = document.importNode(tile, true);
    copy.removeAttribute("id");
    copy.tabIndex = -1;
    ghost.append(copy);
    const lean = ((cell * 37) % 21) - 10;
    ghost
      .animate(
        [
          { transform: "none", opacity: 1 },
          { transform: "translateY(-6%) scale(1.04)", opacity: 1, offset: 0.22, easing: "cubic-bezier(.5,0,.9,.5)" },
          { transform: `translate(${lean}px, 45vh) rotate(${lean}deg)`, opacity: 0 },
        ],
        { duration: 560, delay: order * 28, fill: "both" },
      )
      .finished.then(() => ghost.remove());
  });
}

/**
 * @param {HTMLElement} table
 * @param {number[]} cells
 * @param {number} delay
 */
function fallIn(table, cells, delay) {
  const size = Number(table.dataset.size);
  for (const cell of new Set(cells)) {
    const row = Math.floor(cell / size);
    const wait = delay + (cell % size) * 24 + (size - row) * 22;
    table
      .querySelector(`#tile-${cell}`)
      ?.animate(
        [
          { transform: "translateY(-90%) scale(.94)", opacity: 0, easing: "cubic-bezier(.3,.1,.6,1)" },
          { transform: "translateY(4%)", opacity: 1, offset: 0.72 },
          { transform: "none", opacity: 1 },
        ],
        { duration: 400, delay: wait, fill: "backwards" },
      );
  }
}

/**
 * @param {Scene} before
 * @param {HTMLElement} table
 * @param {number[]} cells
 * @param {number} points
 */
function flyPoints(before, table, cells, points) {
  const by = Number(table.dataset.by);
  const score = first(table, `[data-score-of="${by}"]`);
  const from = before.places.get(cells.at(-1) ?? -1);
  const was = scoreOf(before.table, by);
  const now = scoreOf(table, by);
  if (!score || now === was) return;
  const goal = score.getBoundingClientRect();
  score.textContent = String(was);
  const arrive = () => {
    countUp(score, was, now);
    pop(score);
  };
  if (!from) {
    arrive();
    return;
  }
  const chip = flying("flying-points", from);
  chip.textContent = `+${points}`;
  // Measuring the chip would cost a layout.
  const start = `translate(${from.width / 2}px, ${from.height / 2}px) translate(-50%, -50%)`;
  const x = goal.left + goal.width / 2 - from.left;
  const y = goal.top + goal.height / 2 - from.top;
  chip
    .animate(
      [
        { transform: `${start} scale(.5)`, opacity: 0 },
        { transform: `${start} scale(1.15)`, opacity: 1, offset: 0.22 },
        { transform: `${start} scale(1)`, opacity: 1, offset: 0.45, easing: "cubic-bezier(.6,0,.3,1)" },
        { transform: `translate(${x}px, ${y}px) translate(-50%, -50%) scale(.8)`, opacity: 0.9 },
      ],
      { duration: 780, fill: "both" },
    )
    .finished.then(() => {
      chip.remove();
      arrive();
    });
}

/**
 * Moves each tile from a place where its letter was before.
 *
 * @param {Scene} before
 * @param {HTMLElement} table
 */
function mix(before, table) {
  /** @type {Map<string, number[]>} */
  const origins = new Map();
  for (const tile of tilesOf(before.table)) {
    const letter = tile.dataset.letter ?? "";
    origins.set(letter, [...(origins.get(letter) ?? []), cellOf(tile)]);
  }
  /** @type {Map<HTMLElement, DOMRect>} */
  const moved = new Map();
  for (const tile of tilesOf(table)) {
    const from = before.places.get(origins.get(tile.dataset.letter ?? "")?.pop() ?? -1);
    if (from) moved.set(tile, from);
  }
  glide(moved, 520);
}

/** @param {Element | null} tile */
function turnOver(tile) {
  tile?.animate([{ transform: "rotateX(90deg)" }, { transform: "rotateX(-12deg)", offset: 0.7 }, { transform: "none" }], {
    duration: 420,
    easing: "ease-out",
  });
}

/**
 * @param {HTMLElement} table
 * @param {number} seat
 */
function scoreOf(table, seat) {
  return Number(table.dataset.scores?.split(",")[seat]);
}

/** @param {HTMLElement} table */
function tilesOf(table) {
  return all(table, "#board button.tile");
}

/** @param {HTMLElement} tile */
function cellOf(tile) {
  return Number(tile.dataset.cell);
}
