/** The current word in large letters, above the finger on a tall phone. */

/**
 * @param {HTMLElement} table
 * @param {string} word
 * @param {string} worth points with their sign, or the reason for none
 */
export function showLoud(table, word, worth) {
  const loud = table.querySelector("#loud");
  if (!loud || (!word && !loud.firstChild)) return;
  const letters = document.createElement("strong");
  letters.textContent = word.toUpperCase();
  const beside = document.createElement(/\d/.test(worth) ? "b" : "span");
  beside.textContent = worth;
  // New elements each time: centred ones that grow would count as a layout shift.
  loud.replaceChildren(...(word ? [letters, beside] : []));
}
