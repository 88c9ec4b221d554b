/** Shows a table sent in the event of another player's move, like the response to a request. */

/**
 * @typedef {object} Pushed
 * @property {string} version
 * @property {() => boolean} show whether the table was replaced; false if the game held it back
 */

/**
 * @param {MessageEvent<string>} event whose data is the fragment, deflated, in base64
 * @returns {Promise<Pushed>}
 */
export async function unpack({ data, lastEventId: version }) {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const html = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
  return { version, show: () => show(html) };
}

/** @param {string} html */
function show(html) {
  const target = document.getElementById("table");
  const detail = { target, serverResponse: html, shouldSwap: true, swapOverride: "", requestConfig: { verb: "get", parameters: {} } };
  window.htmx.trigger(target, "htmx:beforeSwap", detail);
  if (!detail.shouldSwap) return false;
  const swap = () => window.htmx.swap(target, html, { swapStyle: "outerHTML" }, { eventInfo: detail });
  const [, delay] = detail.swapOverride.match(/swap:(\d+)ms/) ?? [];
  if (delay) window.setTimeout(swap, Number(delay));
  else swap();
  return true;
}
