/** Animation of a word: its tiles turn one by one, then newly protected ones are marked. */

import { calm } from "../table/motion.js";

const PER_TILE = 110;
const TURN = 420;

/**
 * The colours of the tiles before the response, by cell.
 *
 * @param {HTMLElement[]} tiles
 */
export function coloursOf(tiles) {
  return tiles.map((tile) => {
    const { backgroundColor, color } = getComputedStyle(tile);
    return { backgroundColor, color };
  });
}

/**
 * Turns the tiles of a word from their old colours.
 *
 * @param {HTMLElement[]} tiles
 * @param {{backgroundColor: string, color: string}[]} before
 * @param {number[]} cells those of the word, in order
 */
export function turn(tiles, before, cells) {
  if (calm.matches || before.length !== tiles.length) return;
  const now = coloursOf(tiles);
  tiles.forEach((tile, cell) => {
    const place = cells.indexOf(cell);
    const changes = before[cell].backgroundColor !== now[cell].backgroundColor;
    if (place >= 0) {
      tile.animate(
        [
          { ...before[cell], transform: "none" },
          { ...before[cell], transform: "rotateX(90deg)", offset: 0.5 },
          { ...now[cell], transform: "rotateX(90deg)", offset: 0.5 },
          { ...now[cell], transform: "none" },
        ],
        { duration: TURN, delay: place * PER_TILE, fill: "backwards", easing: "ease-in-out" },
      );
    } else if (changes) {
      tile.animate([before[cell], now[cell]], { duration: TURN, delay: cells.length * PER_TILE, fill: "backwards" });
    }
  });
}
