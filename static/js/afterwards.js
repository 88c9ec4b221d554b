/** What follows a game: its styles, and what there was to find, fetched so that nothing jumps. */

const htmx = /** @type {any} */ (window).htmx;

/** Asks for the analysis of a game that is over, once its styles are there. */
export async function fetchAnalysis() {
  const waiting = document.getElementById("waiting");
  const address = waiting?.querySelector("a")?.getAttribute("href");
  if (!waiting || !address) return;
  await loadStyles("analysis");
  // Without an answer the link stays.
  if (waiting.isConnected) htmx.ajax("GET", address, { target: waiting, swap: "outerHTML" }).catch(() => undefined);
}

/** @param {string} name of a style sheet, which the page may have already */
export function loadStyles(name) {
  const href = new URL(`../css/${name}.css`, import.meta.url).pathname;
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((resolve) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
}
