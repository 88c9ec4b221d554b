/** What a chain is worth; the server has the last word. */

/**
 * @param {import("./board.js").Board} board
 * @param {number[]} cells
 */
export function points(board, cells) {
  let letters = 0;
  let factor = 1;
  for (const cell of cells) {
    const tile = board.tiles[cell];
    letters += tile.value * tile.letterFactor;
    factor *= tile.wordFactor;
  }
  return letters * factor + (cells.length >= board.longWordLength ? board.longWordBonus : 0);
}
