/** Sits down at once: who opens an invitation wants to play. A link's preview runs no script and takes no seat. */

const form = /** @type {HTMLFormElement} */ (document.getElementById("join"));
const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));

// Who comes back by the back button has sat down already, or left on purpose.
if (navigation?.type !== "back_forward") form.requestSubmit();
