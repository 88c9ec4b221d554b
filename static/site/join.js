/** Takes the seat as soon as an invitation is opened. Link previews run no script and take no seat. */

const form = /** @type {HTMLFormElement} */ (document.getElementById("join"));
const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));

// After the back button the player has a seat already, or left on purpose.
if (navigation?.type !== "back_forward") form.requestSubmit();
