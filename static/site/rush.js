/** A rush: sends answers and shows the next puzzle without a reload. The server keeps the time. @module */

import { say } from "./announce.js";
import { all, byId, find, first } from "./elements.js";
import { startPuzzle } from "./puzzle.js";

/** Milliseconds until the result is requested again. */
const AGAIN = 3000;
/** The fields of an answer: its text, and what was tapped. */
const FIELDS = ["word", "cells", "tiles"];
let endsAt = 0;

const rush = () => /** @type {HTMLElement} */ (document.getElementById("rush"));

/** Reads the time left from the page. */
function takeTime() {
  // Not `performance.now()`, which stops in some browsers while the device sleeps.
  endsAt = Date.now() + 1000 * Number(rush().dataset.left);
}

/** Scrolls to the top, or as far down as needed to show the whole board, if it then fits below the clock and the answer's field. */
function showBoard() {
  window.scrollTo(0, 0);
  const board = document.getElementById("puzzle-board")?.getBoundingClientRect();
  const form = document.getElementById("puzzle-form")?.getBoundingClientRect();
  if (!board || !form || board.bottom - form.top > window.innerHeight) return;
  window.scrollTo(0, Math.max(0, Math.ceil(board.bottom - window.innerHeight)));
}

/**
 * Replaces the puzzle with the one in the server's answer.
 *
 * @param {RequestInit} options
 */
async function fetchNext(options) {
  const address = rush().dataset.address ?? "";
  const focused = first(document, "#word:focus, :focus-visible");
  const fields = FIELDS.map((id) => find(id, HTMLInputElement));
  const values = () => fields.map((field) => field?.value ?? "");
  const [sent, sentCells] = values();
  const busy = [.../** @type {NodeListOf<HTMLButtonElement>} */ (rush().querySelectorAll("form button"))];
  for (const button of busy) button.disabled = true;
  try {
    const answer = await fetch(address, { ...options, headers: { "X-Fragment": "1" } });
    if (!answer.ok) throw new Error(answer.statusText);
    const template = document.createElement("template");
    template.innerHTML = await answer.text();
    const next = template.content.querySelector("#rush");
    if (!next) throw new Error("no puzzle");
    rush().replaceWith(next);
  } catch {
    for (const button of busy) button.disabled = false;
    // A disabled button loses the focus.
    if (document.activeElement === document.body) focused?.focus({ preventScroll: true });
    const refused = document.getElementById("refused");
    if (refused) refused.textContent = options.method === "GET" ? "No answer from the server. Trying again." : "Not sent. Try again.";
    const failed = rush();
    window.setTimeout(() => delete failed.dataset.over, AGAIN);
    return;
  }
  takeTime();
  const isRefused = rush().querySelector("#refused:not(:empty)") !== null;
  const begun = values();
  const [word, cells] = begun;
  const isTapped = cells !== "" && cells !== sentCells;
  if (isRefused && isTapped) {
    FIELDS.forEach((id, index) => (byId(id, HTMLInputElement).value = begun[index]));
    // Or the start of the new word would be taken for letters typed before the refused one.
    byId("word", HTMLInputElement).defaultValue = word;
  }
  startPuzzle();
  if (!isRefused) showBoard();
  else if (!isTapped && word !== sent) retype(word.startsWith(sent) ? word.slice(sent.length) : word);
  // Why an answer was refused is an alert, which is announced by itself.
  const news = all(rush(), `${options.method === "POST" ? ".rush-latest, " : ""}.page-head p, .rush-score`);
  say(news.map((part) => part.textContent?.trim()).join(" "));
  // After a tap, focusing the field would open the keyboard over the board. An Enter that comes too late must not start another rush.
  if (focused) (document.getElementById("word") ?? byId("main", HTMLElement)).focus({ preventScroll: true });
}

/** Types the next answer, begun before the last one was refused, into the new field. @param {string} text */
function retype(text) {
  const field = byId("word", HTMLInputElement);
  field.value = text;
  field.dispatchEvent(new Event("input"));
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !["puzzle-form", "skip-form"].includes(form.id)) return;
  event.preventDefault();
  fetchNext({ method: "POST", body: new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])) });
});

window.setInterval(() => {
  const clock = document.getElementById("rush-clock");
  if (!clock || "over" in rush().dataset) return;
  const seconds = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000));
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (clock.textContent !== text && [60, 30, 10].includes(seconds)) say(`${seconds} seconds left`, "#clock");
  clock.textContent = text;
  if (seconds === 0) {
    rush().dataset.over = "";
    fetchNext({ method: "GET" });
  }
}, 250);

takeTime();
showBoard();
