/** Motion at all tables: refusals, celebrations, and shuffling. */

const device = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Whether the player's or the device's settings reduce motion. */
export const calm = {
  get matches() {
    return device.matches || document.documentElement.dataset.motion === "reduced";
  },
};

/** Letters from which a word is celebrated. */
const LONG_WORD = 6;

const SHAKE = [0, -5, 5, -4, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));

/**
 * Shakes an element, for a refusal.
 *
 * @param {Element | null | undefined} element
 */
export function shake(element) {
  if (!calm.matches) element?.animate(SHAKE, { duration: 320, easing: "ease-in-out" });
}

/** The letters of the site's name. */
export const wordmark = () => (calm.matches ? [] : document.querySelectorAll(".wordmark span"));

/** Makes the name tumble for a refusal. */
export function tumble() {
  wordmark().forEach((letter, order) => {
    letter.animate([{}, { transform: `translateY(18%) rotate(${order % 2 ? 24 : -24}deg)` }, {}], { duration: 480, delay: order * 30, easing: "ease-in-out" });
  });
}

/**
 * Celebrates a word of six letters or more.
 *
 * @param {Element | null} element
 * @param {number} letters
 */
export async function celebrate(element, letters) {
  if (letters < LONG_WORD || calm.matches || !element) return;
  const celebration = await import("./celebration.js").catch(() => null);
  celebration?.burst(element, letters - LONG_WORD + 1);
}

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
