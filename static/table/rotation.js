/** The board turned by quarters, only for this viewer: the server and all cell numbers use the unturned board. */

/** Quarter turns clockwise; kept while the page is open. */
export let turns = 0;

export function turnQuarter() {
  turns = (turns + 1) % 4;
}

/** Whether the rows of the board are shown as columns. */
export const isSideways = () => turns % 2 === 1;

/**
 * Converts a point of the shown board to the unturned one, both as shares of width and height.
 *
 * @param {number} x
 * @param {number} y
 */
export function pointOnBoard(x, y) {
  for (let turn = 0; turn < turns; turn++) [x, y] = [y, 1 - x];
  return { x, y };
}

/**
 * Converts a direction on the shown board to the unturned one.
 *
 * @param {number} down
 * @param {number} across
 */
export function directionOnBoard(down, across) {
  for (let turn = 0; turn < turns; turn++) [down, across] = [-across, down];
  return { down, across };
}
