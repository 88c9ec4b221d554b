/**
 * Registers the service worker, and shows the number of games where it is the player's turn in the title and on the icon
 * of the installed app, at once if the page has the number. A page that the player goes back to, or that becomes visible
 * again, is brought up to date.
 */

import "./submit_once.js";

/** @param {number} count */
export function showTurns(count) {
  document.title = (count ? `(${count}) ` : "") + document.title.replace(/^\(\d+\) /, "");
  // Browsers refuse this if the site is not installed.
  navigator.setAppBadge?.(count).catch(() => {});
}

/** Asks the server for the number. */
export async function refreshTurns() {
  try {
    const answer = await fetch("/api/me/turns");
    if (answer.ok) showTurns((await answer.json()).games.length);
  } catch {
    // No network: the number stays until the page is visible again.
  }
}

/** Brings up to date what the page shows. */
function refresh() {
  if (!document.querySelector("[data-fresh]")) void refreshTurns();
  else import("./fresh_parts.js").then((page) => page.refreshParts()).catch(() => null);
}

const { turns } = document.documentElement.dataset;
if (turns) showTurns(Number(turns));
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) refresh();
});
window.addEventListener("pageshow", ({ persisted }) => {
  const [navigation] = performance.getEntriesByType("navigation");
  const isBack = navigation instanceof PerformanceNavigationTiming && navigation.type === "back_forward";
  if (persisted || isBack) refresh();
});
if ("serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => {});
