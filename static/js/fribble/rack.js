/** The rack: seven places whose tiles are sorted, shuffled and laid; their order is the player's own. */

const ORDER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ?";

/** What a tile of each letter is worth, as far as it has been seen. @type {Map<string, number>} */
const values = new Map();

/** @param {HTMLElement} table */
function buttonsOf(table) {
  return [.../** @type {NodeListOf<HTMLButtonElement>} */ (table.querySelectorAll("#rack .fri-tile"))];
}

/** @param {string} letter */
export const valueOf = (letter) => values.get(letter);

/**
 * Learns what the tiles are worth from the server's markup.
 *
 * @param {HTMLElement} table
 */
export function learnValues(table) {
  for (const button of buttonsOf(table)) {
    if (button.dataset.value) values.set(button.dataset.tile ?? "", Number(button.dataset.value));
  }
}

/**
 * The hand after a draw: tiles one has kept stay where they were, and new ones fill the gaps.
 *
 * @param {string[]} hand
 * @param {string} tiles what is on the rack now
 */
export function keepOrder(hand, tiles) {
  const fresh = [...tiles];
  /** @type {(string | null)[]} */
  const kept = hand.map((tile) => {
    const at = fresh.indexOf(tile);
    return at === -1 ? null : fresh.splice(at, 1)[0];
  });
  return [...kept.map((tile) => tile ?? fresh.shift() ?? null), ...fresh].filter((tile) => tile !== null);
}

/**
 * Shows the hand; tiles that are laid leave their place empty.
 *
 * @param {HTMLElement} table
 * @param {string[]} hand
 * @param {(index: number) => boolean} isLaid
 * @param {number | null} selected
 */
export function showHand(table, hand, isLaid, selected) {
  buttonsOf(table).forEach((button, index) => {
    const tile = hand[index];
    const value = valueOf(tile);
    button.hidden = tile === undefined || isLaid(index);
    button.dataset.tile = tile;
    button.textContent = tile === "?" ? "" : tile;
    button.classList.toggle("fri-tile--blank", tile === "?");
    if (value === undefined) delete button.dataset.value;
    else button.dataset.value = String(value);
    button.setAttribute("aria-label", tile === "?" ? "blank" : `${tile}, ${value}`);
    button.setAttribute("aria-pressed", String(selected === index));
  });
}

/** New places for all tiles: where each of `hand` goes. @param {string[]} hand */
export function shuffled(hand) {
  const places = hand.map((_, index) => index);
  for (let last = places.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [places[last], places[other]] = [places[other], places[last]];
  }
  return places;
}

/** @param {string[]} hand */
export function sorted(hand) {
  return hand.map((_, index) => index).sort((a, b) => ORDER.indexOf(hand[a]) - ORDER.indexOf(hand[b]));
}
