/** Queue that sends words to the server one at a time, without blocking the player. */

/** Milliseconds before a word without a response is sent again. */
const RETRY = 1200;

/**
 * @typedef {object} Sent
 * @property {string} word
 * @property {Record<string, string>} move
 */

/**
 * @typedef {object} QueueOptions
 * @property {() => string} address
 * @property {(sent: Sent, answer: HTMLElement, again: boolean) => void} answered `again`: an earlier response was lost
 * @property {() => void} lost no response; the word is sent again automatically
 * @property {() => void} empty the queue is empty
 */

/** @type {Sent[]} */
const queue = [];
let busy = false;
/** @type {QueueOptions} */
let options;

/** @param {QueueOptions} newOptions */
export function configureQueue(newOptions) {
  options = newOptions;
}

/** Words without a response yet, oldest first. @returns {readonly Sent[]} */
export const underWay = () => queue;

/** @param {Sent} sent */
export function send(sent) {
  queue.push(sent);
  if (!busy) next(false);
}

/** Empties the queue: the round is over. */
export function closeQueue() {
  queue.length = 0;
}

/** @param {boolean} again */
async function next(again) {
  const [sent] = queue;
  busy = sent !== undefined;
  if (!sent) {
    options.empty();
    return;
  }
  const answer = await ask(sent.move);
  if (queue[0] !== sent) {
    next(false);
  } else if (answer) {
    queue.shift();
    options.answered(sent, answer, again);
    next(false);
  } else {
    options.lost();
    window.setTimeout(() => next(true), RETRY);
  }
}

/**
 * The server's table after this move, or null without a response.
 *
 * @param {Record<string, string>} move
 * @returns {Promise<HTMLElement | null>}
 */
async function ask(move) {
  try {
    const answer = await fetch(options.address(), {
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
