/** Keeps the invitation link in the address bar while a table waits, as players copy it from there. */

import { byId, find } from "../site/elements.js";

function showAddress() {
  const link = find("invitation", HTMLInputElement);
  const address = link ? new URL(link.value).pathname : `/games/${byId("table", HTMLElement).dataset.game}`;
  if (address !== window.location.pathname) window.history.replaceState(window.history.state, "", address);
}

document.addEventListener("htmx:afterSwap", showAddress);
showAddress();
