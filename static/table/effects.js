/** Motion of a move: scores that pop and count up, tiles that glide, and what flies over the page. */

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
