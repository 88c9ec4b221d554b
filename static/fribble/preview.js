/** The score of the laid tiles, requested from the server after a short pause. */

const REST = 140;
/** For a busy server, a broken network or a proxy's page: none of them is about the laid tiles. */
const NO_SCORE = "No score right now. You can still play.";

let pending = 0;
/** @type {AbortController | null} */
let asking = null;

/**
 * @typedef {object} Preview
 * @property {string} coordinate
 * @property {{word: string, points: number, valid: boolean | null}[]} words
 * @property {number} bonus
 * @property {number} score
 */

/** Cancels the pending request. */
export function forget() {
  window.clearTimeout(pending);
  asking?.abort();
}

/**
 * @param {string} url
 * @param {{cells: number[], tiles: string}} placement
 * @param {(preview: Preview | null, trouble: string) => void} callback
 */
export function ask(url, placement, callback) {
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
      const preview = await answer.json();
      if (!signal.aborted) callback(answer.ok && !preview.trouble ? preview : null, preview.trouble ?? NO_SCORE);
    } catch {
      if (!signal.aborted) callback(null, NO_SCORE);
    }
  }, REST);
}

/**
 * Shows the preview: each word with its points and whether it is valid.
 *
 * @param {HTMLElement} place
 * @param {Preview} preview
 */
export function show(place, preview) {
  const words = preview.words.map(({ word, points, valid }) => {
    const item = document.createElement("span");
    item.className = "fri-preview-word";
    item.dataset.valid = String(valid ?? "unknown");
    item.textContent = `${word} ${points}`;
    return item;
  });
  if (preview.bonus) words.push(Object.assign(document.createElement("span"), { className: "fri-preview-word", textContent: `all seven ${preview.bonus}` }));
  place.replaceChildren(Object.assign(document.createElement("b"), { textContent: String(preview.score) }), ...words);
}

/** The preview as an announcement. @param {Preview} preview */
export function spoken(preview) {
  const wrong = preview.words.filter(({ valid }) => valid === false).map(({ word }) => word);
  if (wrong.length > 0) return `${wrong.join(" and ")}: not in the word list`;
  return `${preview.words.map(({ word }) => word).join(" and ")}, ${preview.score} point${preview.score === 1 ? "" : "s"}`;
}
