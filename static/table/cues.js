/** Cues for the player: the current word in large letters, vibration, and sounds, which load with the first one to play. */

/** @typedef {"pick" | "path" | "accepted" | "refused" | "gem" | "turn" | "tick" | "won" | "lost" | "drawn"} Cue */

/** @type {typeof import("./sounds.js") | null} */
let sounds = null;

const choices = document.documentElement.dataset;
const onPhone = () => !window.matchMedia("(hover: hover)").matches;

/** Whether a player on a phone has not chosen yet whether to play with sound. */
export const soundIsOpen = () => choices.sound === undefined && onPhone();

/** From 0 (off) to 1. Without a choice, computers are quiet and phones silent. */
function volume() {
  if (choices.sound === "full") return 1;
  if (choices.sound === "off" || soundIsOpen()) return 0;
  return 0.35;
}

/**
 * Plays a cue; `size` is the number of letters of a path, or the points of a word.
 *
 * @param {Cue} name
 * @param {number} [size]
 */
export async function cue(name, size = 1) {
  // Browsers allow neither sound nor vibration before the first gesture.
  if (navigator.userActivation?.hasBeenActive === false) return;
  if ((name === "pick" || name === "path") && choices.vibration !== "off") navigator.vibrate?.(6);
  const loudness = volume();
  if (loudness === 0) return;
  sounds ??= await import("./sounds.js").catch(() => null);
  sounds?.play(name, size, loudness);
}

/**
 * Shows the current word above the finger on a tall phone.
 *
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
