/** Motion of tiles at all tables: animations, and shuffling. */

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

/**
 * @param {Element | null} element
 * @param {number} [delay]
 */
export function pop(element, delay = 0) {
  element?.animate([{ scale: 1 }, { scale: 1.16 }, { scale: 1 }], { duration: 320, delay, easing: "ease-out" });
}

/**
 * @param {HTMLElement} score
 * @param {number} from
 * @param {number} to
 */
export function countUp(score, from, to) {
  const start = performance.now();
  const tick = (/** @type {number} */ time) => {
    const share = Math.min(1, Math.max(0, (time - start) / 420));
    score.textContent = String(Math.round(from + (to - from) * (1 - (1 - share) ** 3)));
    if (share < 1 && score.isConnected) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

/**
 * A copy of an element above the page, for flying animations.
 *
 * @param {string} name its class
 * @param {DOMRect} place
 */
export function flying(name, place) {
  const element = document.createElement("div");
  element.className = name;
  element.setAttribute("aria-hidden", "true");
  element.style.left = `${place.left}px`;
  element.style.top = `${place.top}px`;
  document.body.append(element);
  return element;
}

/**
 * Moves elements from their old places to their new ones.
 *
 * @param {Map<HTMLElement, DOMRect>} places
 * @param {number} duration milliseconds
 */
export function glide(places, duration) {
  for (const [element, from] of places) {
    const to = element.getBoundingClientRect();
    element.animate([{ transform: `translate(${from.left - to.left}px, ${from.top - to.top}px)` }, { transform: "none" }], {
      duration,
      easing: "cubic-bezier(.3,.9,.3,1.05)",
    });
  }
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
