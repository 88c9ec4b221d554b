/** Announcements for screen readers, through the page's live region, and messages for failed requests. */

export const NO_ANSWER = "No answer from the server. Nothing is lost: try again.";
const SERVER_ERROR = "The server has a problem. Nothing is lost: try again.";
const REFUSED = "The server refused this: wait a moment, or reload the page.";
export const GONE = "This game was cancelled or deleted.";
const LULL = 250;
let pending = 0;

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
 * Announces `text` after a short pause; if called several times in a row, only the last text.
 *
 * @param {string} text
 */
export function say(text) {
  window.clearTimeout(pending);
  // Screen readers announce a region only if it existed before its text.
  findRegion();
  pending = window.setTimeout(() => {
    const region = findRegion();
    // The node is replaced, so that repeated text is announced again.
    if (region) region.textContent = region.textContent === text ? `${text}\u00a0` : text;
  }, LULL);
}

/**
 * Announces the news at a table, and returns them: why a move was refused, or the move made, the word shown, how far
 * the others are and the remark.
 *
 * @param {HTMLElement} next
 * @param {HTMLElement} before
 * @param {boolean} moved
 */
export function sayNews(next, before, moved) {
  const { notice, announce } = next.dataset;
  const lines = ["#shown", "#others", ".talk-bubble"].map((line) => {
    const [now, old] = [next, before].map((one) => one.querySelector(line)?.textContent?.trim());
    return now !== old && now;
  });
  const news = notice || [moved && announce, ...lines].filter(Boolean).join(" ");
  if (news) say(news);
  return news;
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
