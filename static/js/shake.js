/** A gentle no. */

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
const NO = [0, -5, 5, -4, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));

/**
 * Shakes the word, and the tiles that spell it.
 *
 * @param {HTMLElement} table
 * @param {number[]} cells
 */
export function shake(table, cells) {
  if (calm.matches) return;
  table.querySelector("#word")?.animate(NO, { duration: 320, easing: "ease-in-out" });
  const colours = getComputedStyle(document.documentElement);
  for (const cell of cells) {
    const tile = table.querySelector(`#tile-${cell}`);
    tile?.animate(NO, { duration: 320, easing: "ease-in-out" });
    tile?.animate([{ background: colours.getPropertyValue("--line") }, {}], { duration: 480, easing: "ease-out" });
  }
}
