/** What there was to find: fetched once a game is over, when its styles are there, so that nothing jumps. */

const htmx = /** @type {any} */ (window).htmx;

export async function fetchAnalysis() {
  const waiting = document.getElementById("waiting");
  const address = waiting?.querySelector("a")?.getAttribute("href");
  if (!waiting || !address) return;
  await analysisStyles();
  if (waiting.isConnected) htmx.ajax("GET", address, { target: waiting, swap: "outerHTML" });
}

function analysisStyles() {
  const href = "/static/css/analysis.css";
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((resolve) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
}
