/** How a chain grows and shrinks; the same rules as the server's machine. */

import { touches } from "./board.js";

/**
 * The chain after the hand has come to `cell`: longer by it if it touches the end, shorter if it is the
 * second-to-last tile again, else unchanged.
 *
 * @param {number[]} chain
 * @param {number} cell
 * @param {number} size tiles along a side
 * @returns {number[]}
 */
export function reach(chain, cell, size) {
  if (chain.length === 0) return [cell];
  if (cell === chain.at(-2)) return chain.slice(0, -1);
  if (chain.includes(cell) || !touches(cell, chain[chain.length - 1], size)) return chain;
  return [...chain, cell];
}
