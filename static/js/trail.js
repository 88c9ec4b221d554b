/** The line that follows the hand from tile to tile. */

/**
 * @param {HTMLElement} table
 * @param {number[]} cells
 * @param {number} columns
 * @param {{x: number, y: number} | null} [hand] where the pointer is, in tiles from the board's corner
 */
export function drawTrail(table, cells, columns, hand = null) {
  const line = table.querySelector("#trail-line");
  if (!line) return;
  const centres = cells.map((cell) => `${(cell % columns) + 0.5},${Math.floor(cell / columns) + 0.5}`);
  // A line of one point is drawn as a dot only if it has two.
  if (hand && cells.length > 0) centres.push(`${hand.x.toFixed(2)},${hand.y.toFixed(2)}`);
  else if (cells.length === 1) centres.push(centres[0]);
  line.setAttribute("points", centres.join(" "));
}
