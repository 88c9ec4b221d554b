/** Words on their way to the server, one after another; who plays waits for none of them. */

/** Milliseconds before a word that got no answer is sent again. */
const RETRY = 1200;

/**
 * @typedef {object} Sent
 * @property {string} word
 * @property {Record<string, string>} move
 */

/**
 * @typedef {object} Post
 * @property {() => string} address
 * @property {(sent: Sent, answer: HTMLElement, again: boolean) => void} answered `again`: an answer before it was lost
 * @property {() => void} lost no answer came; it goes off again by itself
 * @property {() => void} empty every word has been answered
 */

/** @type {Sent[]} */
const queue = [];
let busy = false;
/** @type {Post} */
let post;

/** @param {Post} office */
export function configureQueue(office) {
  post = office;
}

/** Words that have not been answered yet, the oldest first. */
export const underWay = () => /** @type {readonly Sent[]} */ (queue);

/** @param {Sent} sent */
export function send(sent) {
  queue.push(sent);
  if (!busy) next(false);
}

/** Forgets what has not been answered: no round is running any more. */
export function closeQueue() {
  queue.length = 0;
}

/** @param {boolean} again */
async function next(again) {
  const [sent] = queue;
  busy = sent !== undefined;
  if (!sent) {
    post.empty();
    return;
  }
  const answer = await ask(sent.move);
  if (queue[0] !== sent) {
    next(false);
  } else if (answer) {
    queue.shift();
    post.answered(sent, answer, again);
    next(false);
  } else {
    post.lost();
    window.setTimeout(() => next(true), RETRY);
  }
}

/**
 * The table as the server shows it after this move, or null where no answer came.
 *
 * @param {Record<string, string>} move
 * @returns {Promise<HTMLElement | null>}
 */
async function ask(move) {
  try {
    const answer = await fetch(post.address(), {
      method: "POST",
      headers: { "HX-Request": "true" },
      body: new URLSearchParams(move),
      keepalive: true,
    });
    if (answer.status >= 500) return null;
    return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("table");
  } catch {
    return null;
  }
}
