/** Takes the seat as soon as an invitation is opened. Link previews run no scripts, so they take no seat. */

import { byId } from "./elements.js";

const [navigation] = performance.getEntriesByType("navigation");

// After the back button, the player already has a seat, or left on purpose.
if (!(navigation instanceof PerformanceNavigationTiming && navigation.type === "back_forward")) {
  byId("join", HTMLFormElement).requestSubmit();
}
