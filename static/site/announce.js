/** Announcements for screen readers, through the page's live region, and messages for failed requests. */

export const NO_ANSWER = "No answer from the server. Nothing is lost: try again.";
const SERVER_ERROR = "The server has a problem. Nothing is lost: try again.";
const REFUSED = "The server refused this: wait a moment, or reload the page.";
export const GONE = "This game was cancelled or deleted.";
const LULL = 250;
let pending = 0;
/** The texts about to be announced, by subject. The order is that of their first calls, after subject 0. @type {Record<string, string>} */
let waiting = {};

/** The live region: in a modal dialog, one inside it, since everything outside is inert. */
function findRegion() {
  const dialog = [...document.querySelectorAll("dialog:modal")].at(-1);
  if (!dialog) return document.getElementById("announcer");
  const known = dialog.querySelector("output.visually-hidden");
  if (known) return known;
  const region = document.createElement("output");
  region.className = "visually-hidden";
  dialog.append(region);
  return region;
}

/**
 * Announces `text` after a short pause, with those of other subjects; of each subject, only the last text.
 *
 * @param {string} text
 * @param {string | 0} [subject] what it is about; 0 for what the player does
 */
export function say(text, subject = 0) {
  window.clearTimeout(pending);
  waiting[subject] = text;
  // Screen readers announce a region only if it existed before its text.
  findRegion();
  pending = window.setTimeout(() => {
    const texts = Object.values(waiting).join(". ").replace(/([.!?])\. /g, "$1 ");
    waiting = {};
    const region = findRegion();
    // The node is replaced, so that repeated text is announced again.
    if (region) region.textContent = region.textContent === texts ? `${texts}\u00a0` : texts;
  }, LULL);
}

/**
 * Announces the news at a table: why a move was refused, or the move made; the word shown, how far the others are and
 * the remark.
 *
 * @param {HTMLElement} next
 * @param {HTMLElement} before
 * @param {boolean} moved
 * @param {boolean} own whether it answers what the player did
 */
export function sayNews(next, before, moved, own) {
  const { notice, announce } = next.dataset;
  const talk = ".talk-bubble";
  // All but a remark is out of date once the game is over, such as the seconds left.
  if (moved && "over" in next.dataset) waiting = talk in waiting ? { [talk]: waiting[talk] } : {};
  const first = notice || (moved && announce);
  // Letters typed meanwhile do not take the place of another's move.
  if (first) say(first, notice || own ? 0 : "#table");
  for (const line of ["#shown", "#others", talk]) {
    const [now, old] = [next, before].map((one) => one.querySelector(line)?.textContent?.trim());
    if (now && now !== old) say(now, line);
  }
}

/** @typedef {CustomEvent<HtmxDetail>} RequestEvent */

/** @param {RequestEvent} event */
export const isPost = ({ detail }) => detail.requestConfig?.verb === "post";

/** @param {XMLHttpRequest} request */
const failureText = ({ status }) => (status === 404 ? GONE : status >= 500 ? SERVER_ERROR : status ? REFUSED : NO_ANSWER);

/** @param {(text: string) => void} handler called for a POST without a response, or with an unusable one */
export function onFailure(handler) {
  for (const failure of /** @type {const} */ (["sendError", "timeout", "responseError"])) {
    document.addEventListener(`htmx:${failure}`, (event) => {
      if (isPost(event)) handler(failureText(event.detail.xhr));
    });
  }
}
