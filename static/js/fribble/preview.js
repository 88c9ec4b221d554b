/** What the tiles laid would score, asked of the server after a short rest. */

const REST = 140;

let pending = 0;
/** @type {AbortController | null} */
let asking = null;

/**
 * @typedef {object} Told
 * @property {string} coordinate
 * @property {{word: string, points: number, valid: boolean | null}[]} words
 * @property {number} bonus
 * @property {number} score
 */

/** Asks no more. */
export function forget() {
  window.clearTimeout(pending);
  asking?.abort();
}

/**
 * @param {string} url
 * @param {{cells: number[], tiles: string}} placement
 * @param {(told: Told | null, trouble: string) => void} heard
 */
export function ask(url, placement, heard) {
  forget();
  pending = window.setTimeout(async () => {
    const { signal } = (asking = new AbortController());
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", Accept: "application/json" },
        body: JSON.stringify(placement),
        signal,
      });
      const told = await answer.json();
      if (signal.aborted) return;
      const trouble = told.trouble ?? told.detail;
      heard(trouble === undefined ? told : null, String(trouble ?? ""));
    } catch {
      // Without a preview one plays as well.
    }
  }, REST);
}

/**
 * The preview for the eye: each word with its points, and whether there is such a word.
 *
 * @param {HTMLElement} place
 * @param {Told} told
 */
export function show(place, told) {
  const words = told.words.map(({ word, points, valid }) => {
    const item = document.createElement("span");
    item.className = "fri-preview-word";
    item.dataset.valid = String(valid ?? "unknown");
    item.textContent = `${word} ${points}`;
    return item;
  });
  if (told.bonus) words.push(Object.assign(document.createElement("span"), { className: "fri-preview-word", textContent: `all seven ${told.bonus}` }));
  place.replaceChildren(Object.assign(document.createElement("b"), { textContent: String(told.score) }), ...words);
}

/** The preview for the ear. @param {Told} told */
export function spoken(told) {
  const wrong = told.words.filter(({ valid }) => valid === false).map(({ word }) => word);
  if (wrong.length > 0) return `${wrong.join(" and ")}: not in the word list`;
  return `${told.words.map(({ word }) => word).join(" and ")}, ${told.score} point${told.score === 1 ? "" : "s"}`;
}
