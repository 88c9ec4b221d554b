/** Gems and bonuses painted on a board: their cells are in the fields of a form, and shown by the tiles' `data-bonuses`. */

/** @typedef {"gem" | "dl" | "tl" | "x2"} Mark */

const NAMES = { gem: "gem", dl: "double letter", tl: "triple letter", x2: "double word" };
export const MARKS = /** @type {const} */ (["gem", "dl", "tl", "x2"]);

/** @param {HTMLFormElement} form @param {Mark} mark */
function field(form, mark) {
  const found = form.elements.namedItem(mark === "gem" ? "gems" : mark);
  return found instanceof HTMLInputElement ? found : null;
}

/** @param {HTMLFormElement} form @param {Mark} mark */
function cellsOf(form, mark) {
  return (field(form, mark)?.value ?? "").split(/[\s,]+/).filter(Boolean).map(Number);
}

/**
 * Shows the form's gems and bonuses on the tiles.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLElement[]} tiles by cell
 */
export function showMarks(form, tiles) {
  const cells = { gem: cellsOf(form, "gem"), dl: cellsOf(form, "dl"), tl: cellsOf(form, "tl"), x2: cellsOf(form, "x2") };
  for (const [cell, tile] of tiles.entries()) {
    const letter = tile.querySelector(".letter")?.textContent?.trim() || "empty";
    const here = MARKS.filter((mark) => cells[mark].includes(cell));
    tile.dataset.bonuses = here.join(" ");
    tile.setAttribute("aria-label", [letter, ...here.map((mark) => NAMES[mark])].join(", "));
  }
}

/**
 * Puts a mark on a cell, or removes it. There can be many gems, but only one letter bonus and one word bonus.
 *
 * @param {HTMLFormElement} form
 * @param {Mark} mark
 * @param {number} cell
 */
export function paint(form, mark, cell) {
  const there = cellsOf(form, mark);
  const kept = there.filter((other) => other !== cell);
  const added = kept.length === there.length;
  /** @param {Mark} each @param {number[]} cells */
  const write = (each, cells) => {
    const input = field(form, each);
    if (input) input.value = cells.join(",");
  };
  if (mark === "gem") return write("gem", (added ? [...kept, cell] : kept).sort((a, b) => a - b));
  for (const other of mark === "x2" ? /** @type {const} */ (["x2"]) : /** @type {const} */ (["dl", "tl"])) write(other, []);
  if (added) write(mark, [cell]);
}
