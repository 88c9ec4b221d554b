/** Lists the words that came too late, on the page after the round. */

import { say } from "../site/announce.js";
import { byId } from "../site/elements.js";
import { showNotice } from "../table/notice.js";
import { keep, kept } from "./sending.js";

/** Lists the kept words that do not count because the round is over. */
export function showLate() {
  const table = byId("table", HTMLElement);
  const late = kept().filter(({ word }) => !table.querySelector(`[aria-label^="Your words"] > [data-counted="${word}"]`));
  keep([]);
  if (late.length === 0) return;
  const text = `Too late to count: ${late.map(({ word }) => word.toUpperCase()).join(", ")}.`;
  showNotice(text);
  // If two announcements follow each other, only the last is read out.
  say(`${table.dataset.announce} ${text}`);
}

if (byId("table", HTMLElement).dataset.phase === "finished") showLate();
