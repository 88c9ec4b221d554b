/** The analysis after a game: its styles load first, so that nothing moves. */

/** Fetches the analysis of a finished game once its styles are loaded. */
export async function fetchAnalysis() {
  const waiting = document.getElementById("waiting");
  const address = waiting?.querySelector("a")?.getAttribute("href");
  if (!waiting || !address) return;
  await Promise.all([loadStyles("site/parts"), loadStyles("table/analysis")]);
  // Without a response the link stays.
  if (waiting.isConnected) window.htmx.ajax("GET", address, { target: waiting, swap: "outerHTML" }).catch(() => undefined);
}

/**
 * @param {string} name path of a style sheet without its ending, which may be loaded already
 * @returns {Promise<unknown>}
 */
export function loadStyles(name) {
  const href = new URL(`../${name}.css`, import.meta.url).pathname;
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((resolve) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
}
