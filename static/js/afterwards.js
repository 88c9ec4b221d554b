/** What follows a game: its styles, and what there was to find, fetched so that nothing jumps. */

const htmx = /** @type {any} */ (window).htmx;
const ANALYSIS = "/static/css/analysis.css";

/** Asks for the analysis of a game that is over, once its styles are there. */
export async function fetchAnalysis() {
  const waiting = document.getElementById("waiting");
  const address = waiting?.querySelector("a")?.getAttribute("href");
  if (!waiting || !address) return;
  await loadStyles(ANALYSIS);
  if (waiting.isConnected) htmx.ajax("GET", address, { target: waiting, swap: "outerHTML" });
}

/** @param {string} href */
export function loadStyles(href) {
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((resolve) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
}
