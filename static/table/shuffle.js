/** Random orders. */

/**
 * The items in a random order.
 *
 * @template T
 * @param {readonly T[]} items
 */
export function shuffled(items) {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}
