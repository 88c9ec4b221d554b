/** What is said to those who listen to the page. */

const LULL = 250;
let pending = 0;

/**
 * Says `text` after a short lull; of several in a row only the last is said.
 *
 * @param {string} text
 */
export function say(text) {
  window.clearTimeout(pending);
  pending = window.setTimeout(() => {
    const region = document.getElementById("announcer");
    // The same words twice are news as well: a changed node is read again.
    if (region) region.textContent = region.textContent === text ? `${text}\u00a0` : text;
  }, LULL);
}

/**
 * Says what is new at a table: why a move was refused, or the move made and the remark.
 *
 * @param {HTMLElement} next
 * @param {HTMLElement} before
 * @param {boolean} moved
 */
export function sayNews(next, before, moved) {
  const { notice, announce } = next.dataset;
  const [remark, old] = [next, before].map((one) => one.querySelector(".talk-bubble")?.textContent);
  const news = notice || [moved && announce, remark !== old && remark].filter(Boolean).join(" ");
  if (news) say(news);
}
