/** A lesson: keeps the coach's text up to date and highlights the move that it suggests. */

import { all, byId } from "../site/elements.js";
// The last step has buttons that open games.
import "../site/submit_once.js";

const coach = byId("coach", HTMLElement);
const text = byId("coach-text", HTMLElement);
const side = byId("coach-side", HTMLElement);

/** The version of the table that the coach's text is about. */
let known = versionNow();

function versionNow() {
  return document.getElementById("table")?.dataset.version ?? "";
}

/**
 * Shows a step from the server. The live region is kept, so that new text is announced.
 *
 * @param {string} html
 */
function show(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const next = page.getElementById("coach-text");
  const buttons = page.getElementById("coach-side");
  if (!next || !buttons) return;
  if (next.textContent?.trim() !== text.textContent?.trim()) text.replaceChildren(...next.childNodes);
  for (const name of ["cells", "letters", "controls"]) text.dataset[name] = next.dataset[name] ?? "";
  if (!buttons.isEqualNode(side)) {
    const focused = side.contains(document.activeElement);
    side.replaceChildren(...buttons.childNodes);
    if (focused) side.querySelector("button")?.focus({ preventScroll: true });
  }
  coach.classList.toggle("coach--over", next.dataset.over !== undefined);
  highlight();
}

/** Milliseconds to wait for the server. */
const LONGEST = 10_000;
/** The latest request: the next one waits for it, so that an older step cannot arrive last. */
let asked = Promise.resolve();

/** @param {RequestInit} [options] */
function ask(options = {}) {
  asked = asked.then(async () => {
    try {
      const how = { ...options, headers: { "HX-Request": "true" }, signal: AbortSignal.timeout(LONGEST) };
      const answer = await fetch(coach.dataset.url ?? "", how);
      if (answer.ok) show(await answer.text());
    } catch {
      // Without a network, the last step stays.
    }
  });
}

coach.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.action.endsWith("/lesson")) return;
  event.preventDefault();
  ask({ method: "POST", body: new URLSearchParams(/** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)))) });
});

/** Highlights the cells and the buttons of the suggested move, and draws the line through the cells of a path. */
function highlight() {
  const { cells = "", letters = "", controls = "" } = text.dataset;
  const wanted = cells ? cells.split(",").map(Number) : [];
  const marked = new Set([
    ...wanted.map((cell) => (letters ? all(document, "#board [role=gridcell]")[cell] : document.getElementById(`tile-${cell}`))),
    ...controls.split(",").map((id) => document.getElementById(id)),
  ]);
  for (const old of all(document, "[data-suggested]")) if (!marked.has(old)) old.removeAttribute("data-suggested");
  let index = 0;
  for (const element of marked) if (element) element.dataset.suggested = letters[index++] ?? "";
  drawPath(letters ? [] : wanted);
}

/** @param {number[]} cells */
function drawPath(cells) {
  const drawing = document.querySelector("#board svg.trail");
  if (!drawing) return;
  const columns = Number(drawing.getAttribute("viewBox")?.split(" ")[2]);
  const points = cells.map((cell) => `${(cell % columns) + 0.5},${Math.floor(cell / columns) + 0.5}`).join(" ");
  const old = drawing.querySelector(".coach-path");
  if (old?.getAttribute("points") === points || (!old && !points)) return;
  old?.remove();
  if (!points) return;
  const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
  line.setAttribute("class", "coach-path");
  line.setAttribute("points", points);
  drawing.prepend(line);
}

// A game may replace the whole table or parts of it: either way its version changes.
new MutationObserver(() => {
  const version = versionNow();
  if (version === known) return;
  known = version;
  highlight();
  ask();
}).observe(byId("main", HTMLElement), { subtree: true, childList: true, attributes: true, attributeFilter: ["data-version"] });

highlight();
