/**
 * Brings the parts of a page marked `data-fresh` up to date when the player goes back to it, as the browser shows it as
 * it was. The rest stays, with what the player has entered.
 */

import { all } from "./elements.js";

const PARTS = "[data-fresh], #site-rooms";

export async function refreshParts() {
  if (!document.querySelector("[data-fresh]")) return;
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const { body } = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = all(body, PARTS);
    for (const [index, part] of all(document, PARTS).entries()) {
      const next = fresh[index];
      if (next && !next.isEqualNode(part)) part.replaceWith(next);
    }
  } catch {
    // No network: the page stays as it was.
  }
}
