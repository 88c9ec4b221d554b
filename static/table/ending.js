/** Loads the parts for a finished game: the styles of the result, the analysis, sharing and the question about sound. */

import "../site/share.js";
import "../site/submit_once.js";
import { soundIsOpen } from "./cues.js";
import "./notice.js";

/** @param {string} [endStyles] style sheet of the game's end page */
export async function prepareEnd(endStyles) {
  const over = document.getElementById("table")?.dataset.phase === "finished";
  if (over && soundIsOpen()) import("./sound_question.js").then(({ askForSound }) => askForSound(), () => null);
  if (endStyles) await loadStyles(endStyles);
  await fetchAnalysis();
}

/** Fetches the analysis of a finished game once its styles are loaded. */
async function fetchAnalysis() {
  const waiting = document.getElementById("waiting");
  const address = waiting?.querySelector("a")?.getAttribute("href");
  if (!waiting || !address) return;
  await Promise.all([loadStyles("site/parts"), loadStyles("table/analysis")]);
  // Without a response, the link stays.
  if (waiting.isConnected) window.htmx.ajax("GET", address, { target: waiting, swap: "outerHTML" }).catch(() => undefined);
}

/**
 * @param {string} name path of a style sheet without its extension; it may already be loaded
 * @returns {Promise<unknown>}
 */
function loadStyles(name) {
  const href = new URL(`../${name}.css`, import.meta.url).pathname;
  // The style sheets of a table are joined into one, whose URL lists them all.
  const joined = name.replace("/", ".");
  const loaded = [...document.querySelectorAll("link")].map((link) => new URL(link.href).pathname);
  if (loaded.some((path) => path === href || path.match(/\/sheets\/(.*)\.css$/)?.[1].split("+").includes(joined))) return Promise.resolve();
  return new Promise((resolve) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
}
