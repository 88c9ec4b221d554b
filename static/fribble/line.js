/** The line above the board: the last move, the score of the laid tiles, or an error. */

import { say } from "../site/announce.js";
import { byId, find } from "../site/elements.js";
import { table } from "../table/session.js";

/** The content for a board without laid tiles: the last move. @type {ChildNode[]} */
let news = [];
/** Whether the line stays until the next input: another player's move, or the note that time is up. */
let unread = false;
/** Loaded with the first laid tile. @type {typeof import("./preview.js") | null} */
let preview = null;

/** Reads the line of a new table; during a refusal it is in a template. @param {boolean} moved whether it shows a new move */
export function readNews(moved) {
  const waiting = find("news", HTMLTemplateElement);
  news = [...(waiting?.content ?? byId("report", HTMLElement)).childNodes];
  unread ||= moved;
}

/** Keeps the line until the next input. */
export function holdLine() {
  unread = true;
}

/** @param {boolean} trouble @param {(ChildNode | string)[]} content */
function showAbove(trouble, ...content) {
  const line = byId("report", HTMLElement);
  line.hidden = false;
  line.classList.toggle("word-report--trouble", trouble);
  line.replaceChildren(...content);
  byId("preview", HTMLElement).hidden = true;
}

/** @param {string} text */
export function showTrouble(text) {
  if (document.getElementById("report")) showAbove(true, text);
}

/**
 * Requests the score of the laid tiles.
 *
 * @param {() => {cells: number[], tiles: string}} placement
 * @param {boolean} byPlayer whether the player has laid them now; the result is announced as well
 */
export async function requestScore(placement, byPlayer) {
  if (byPlayer) unread = false;
  preview?.forget();
  setReady(null);
  if (placement().cells.length === 0) {
    showAbove(false, ...news);
    return;
  }
  // Without a network, the game works without a preview.
  preview ??= await import("./preview.js").catch(() => null);
  if (placement().cells.length === 0) return;
  preview?.ask(table.dataset.previewUrl ?? "", placement(), (scored, trouble) => {
    setReady(scored);
    if (unread || !preview) return;
    if (scored) {
      byId("report", HTMLElement).hidden = true;
      byId("preview", HTMLElement).hidden = false;
      preview.show(byId("preview", HTMLElement), scored);
      if (byPlayer) say(preview.spoken(scored));
    } else if (table.dataset.mine === undefined) {
      // It may still become a play after the others' moves.
      showAbove(false, ...news);
    } else {
      // Tiles still on their way to a word are no error.
      showAbove(false, trouble.charAt(0).toUpperCase() + trouble.slice(1));
    }
  });
}

/** @param {import("./preview.js").Preview | null} scored */
function setReady(scored) {
  const valid = scored?.words.every((word) => word.valid !== false) ?? false;
  document.getElementById("send")?.toggleAttribute("data-ready", table.dataset.mine !== undefined && valid);
}
