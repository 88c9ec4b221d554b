/** The line above the board: what was played last, what the tiles laid would score, or what is wrong with them. */

/** What stands there while nothing else does. @type {ChildNode[]} */
let news = [];

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Reads the line of a new table. A refusal takes its place; then it waits in a template. */
export function readNews() {
  const waiting = /** @type {HTMLTemplateElement | null} */ (document.getElementById("news"));
  news = [...(waiting?.content ?? byId("report")).childNodes];
}

/** @param {boolean} trouble @param {(ChildNode | string)[]} content */
function fill(trouble, ...content) {
  const line = byId("report");
  line.hidden = false;
  line.classList.toggle("word-report--trouble", trouble);
  line.replaceChildren(...content);
  byId("preview").hidden = true;
}

export const showNews = () => fill(false, ...news);

/** @param {string} text */
export const showTrouble = (text) => fill(true, text);

/** The place of the preview, which the line leaves to it. */
export function placeOfPreview() {
  byId("report").hidden = true;
  byId("preview").hidden = false;
  return byId("preview");
}
