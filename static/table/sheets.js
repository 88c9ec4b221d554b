/** Sheets over a game: the content of a page, such as the settings, in a dialog. */

import { showModal } from "./dialogs.js";

/** @type {HTMLDialogElement | null} */
let sheet = null;

/** The dialog. It is outside the table, so that it survives the table's updates. */
function dialog() {
  if (sheet) return sheet;
  sheet = document.createElement("dialog");
  sheet.className = "dialog sheet-page";
  sheet.addEventListener("close", () => sheet?.replaceChildren());
  document.body.append(sheet);
  return sheet;
}

function closer() {
  const head = document.createElement("p");
  const button = document.createElement("button");
  head.className = "sheet-close";
  button.dataset.closes = "";
  button.ariaLabel = "Close";
  button.textContent = "×";
  head.append(button);
  return head;
}

/**
 * Opens the page that a link leads to as a sheet.
 *
 * @param {HTMLAnchorElement} link
 */
export async function openSheet(link) {
  const response = await fetch(link.href, { headers: { "HX-Request": "true" } });
  if (!response.ok) throw new Error(String(response.status));
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const place = dialog();
  place.setAttribute("aria-label", link.getAttribute("aria-label") ?? link.textContent ?? "");
  place.replaceChildren(closer(), ...page.head.childNodes, ...page.body.childNodes);
  await Promise.all([...place.querySelectorAll("link")].map((styles) => new Promise((done) => (styles.onload = styles.onerror = done))));
  if (place.querySelector("[data-preferences]")) await import("../site/preferences.js");
  showModal(place);
}
