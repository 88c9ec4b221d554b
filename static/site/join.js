/** Takes the seat as soon as an invitation is opened. Link previews run no script and take no seat. */

import { byId } from "./elements.js";

const [navigation] = performance.getEntriesByType("navigation");

// After the back button the player has a seat already, or left on purpose.
if (!(navigation instanceof PerformanceNavigationTiming && navigation.type === "back_forward")) {
  byId("join", HTMLFormElement).requestSubmit();
}
