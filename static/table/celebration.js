/** The celebration of a long word, which loads with the first one. */

import { flying } from "./effects.js";
import { wordmark } from "./motion.js";

/**
 * Lets chips burst from an element, and makes the letters of the site's name jump.
 *
 * @param {Element} element
 * @param {number} size
 */
export function burst(element, size) {
  wordmark().forEach((letter, order) => {
    letter.animate([{}, { transform: "translateY(-35%) rotate(-6deg)" }, {}], { duration: 420, delay: order * 55, easing: "ease-out" });
  });
  const { left, top, width, height } = element.getBoundingClientRect();
  const chips = size * 8;
  for (let chip = 0; chip < chips; chip++) {
    const spark = flying("spark", new DOMRect(left + width / 2, top + height / 2));
    const angle = (chip / chips + Math.random() / chips) * 2 * Math.PI;
    const reach = (0.35 + Math.random() * 0.3) * width;
    const to = `translate(${Math.cos(angle) * reach}px, ${Math.sin(angle) * reach}px)`;
    spark
      .animate([{ transform: "none", opacity: 1 }, { transform: `${to} rotate(${angle}rad)`, opacity: 0 }], {
        duration: 600 + Math.random() * 300,
        easing: "cubic-bezier(.1,.7,.3,1)",
        fill: "both",
      })
      .finished.then(() => spark.remove());
  }
}
