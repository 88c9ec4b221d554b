/** What there was to find comes after a game by itself. */

const htmx = /** @type {any} */ (window).htmx;
/** @type {Promise<unknown> | undefined} */
let styles;

/** Fetches the analysis when its styles are there, so that nothing jumps. */
export async function fetchAnalysis() {
  const waiting = document.getElementById("waiting");
  const address = waiting?.querySelector("a")?.getAttribute("href");
  await analysisStyles();
  if (address && waiting?.isConnected) htmx.ajax("GET", address, { target: waiting, swap: "outerHTML" });
}

/** The styles of what follows a game are fetched while it is played, not before its first word. */
export function analysisStyles() {
  const href = "/static/css/analysis.css";
  if (!styles && document.querySelector(`link[href="${href}"]`)) styles = Promise.resolve();
  styles ??= new Promise((resolve) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
  return styles;
}
