/** The current word in large letters, above the finger on a tall phone. */

/**
 * @param {HTMLElement} table
 * @param {string} word
 * @param {string} points points with their sign, or the reason for none
 */
export function showLargeWord(table, word, points) {
  const line = table.querySelector("#large-word");
  if (!line || (!word && !line.firstChild)) return;
  const letters = document.createElement("strong");
  letters.textContent = word.toUpperCase();
  const beside = document.createElement(/\d/.test(points) ? "b" : "span");
  beside.textContent = points;
  // New elements each time: centred ones that grow would count as a layout shift.
  line.replaceChildren(...(word ? [letters, beside] : []));
}
