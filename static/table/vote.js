/** Votes on words without leaving the table. */

import { say } from "../site/announce.js";

/**
 * Sends the vote and replaces its button with thanks.
 *
 * @param {HTMLFormElement} form
 */
export async function vote(form) {
  const button = form.querySelector("button");
  if (!button || button.disabled) return;
  button.disabled = true;
  const answer = await fetch(form.action, {
    method: "POST",
    headers: { "HX-Request": "true" },
    body: new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])),
  }).catch(() => null);
  const text = answer?.ok ? "Thanks for your vote" : answer?.status === 429 ? "Too many votes. Try again later." : "No answer from the server. Try again.";
  button.disabled = Boolean(answer?.ok);
  button.textContent = text;
  say(text);
}
