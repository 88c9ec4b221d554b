/** Queue that sends words to the server one at a time, without blocking the player. */

/** Milliseconds before a word without a response is sent again. */
const RETRY = 1200;
/** Statuses after which a word is sent again: the server was too slow or too busy. */
const PASSING = [408, 429];

/**
 * @typedef {object} Sent
 * @property {string} word
 * @property {Record<string, string>} move
 */

/**
 * @typedef {object} QueueOptions
 * @property {() => string} address
 * @property {(sent: Sent, answer: HTMLElement, again: boolean) => void} answered `again`: an earlier response was lost
 * @property {(sent: Sent, status: number) => void} refused the server refused the word, which is dropped
 * @property {() => void} lost no response; the word is sent again automatically
 * @property {() => void} empty the queue is empty
 */

/** @type {Sent[]} */
const queue = [];
let busy = false;
/** Whether the round is over: words still kept are too late. */
let closed = false;
/** @type {QueueOptions} */
let options;

function key() {
  const { game, seat } = document.getElementById("table")?.dataset ?? {};
  return `boggle ${game} ${seat}`;
}

/**
 * Keeps words across a reload.
 *
 * @param {readonly Sent[]} words
 */
export function keep(words) {
  try {
    sessionStorage.setItem(key(), JSON.stringify(words));
  } catch {
    // Without storage, they are lost when the page is closed.
  }
}

/** @returns {Sent[]} */
export function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(key()) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {QueueOptions} newOptions */
export function configureQueue(newOptions) {
  options = newOptions;
}

/** Words without a response yet, oldest first. @returns {readonly Sent[]} */
export const pending = () => queue;

/** @param {Sent} sent */
export function send(sent) {
  queue.push(sent);
  keep(queue);
  if (!busy) next(false);
}

/** Sends the words that had no response when the page was reloaded. */
export function resume() {
  queue.push(...kept());
  if (queue.length > 0) next(true);
}

/** Empties the queue: the round is over. */
export function closeQueue() {
  queue.length = 0;
  closed = true;
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
    if (typeof answer === "number") options.refused(sent, answer);
    else options.answered(sent, answer, again);
    if (!closed) keep(queue);
    next(false);
  } else {
    options.lost();
    window.setTimeout(() => next(true), RETRY);
  }
}

/**
 * The server's table after this move, the status of a refusal without a table, or null without a response.
 *
 * @param {Record<string, string>} move
 * @returns {Promise<HTMLElement | number | null>}
 */
async function ask(move) {
  try {
    const answer = await fetch(options.address(), {
      method: "POST",
      headers: { "HX-Request": "true" },
      body: new URLSearchParams(move),
      keepalive: true,
    });
    const { status } = answer;
    if (status >= 500) return null;
    const table = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("table");
    return table ?? (status >= 400 && !PASSING.includes(status) ? status : null);
  } catch {
    return null;
  }
}
