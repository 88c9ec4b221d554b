/** An engine page that updates its answer while the form is filled in. */

import { say } from "./announce.js";
import { byId, first } from "./elements.js";

/** Milliseconds after the last change. */
export const PAUSE = 350;

const answerNow = () => byId("answer", HTMLElement);

/**
 * Submits the form to the engine again, and shows failures.
 *
 * @param {HTMLFormElement} form
 * @param {HTMLElement} caption where failures are shown
 * @param {() => void} settled called when an answer is shown
 * @returns {(pause: number) => void} asks after so many milliseconds
 */
export function solving(form, caption, settled) {
  let pending = 0;
  /** Whether the player submitted the form, so that the answer is scrolled into view. */
  let submitted = false;

  form.addEventListener("submit", () => (submitted = true));

  // HTMX would send the form to the engine; these buttons lead to another page with its fields.
  for (const button of form.querySelectorAll("button[formaction]")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    button.addEventListener("click", (event) => {
      event.preventDefault();
      const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
      location.assign(`${button.formAction}?${new URLSearchParams(fields)}`);
    });
  }

  document.addEventListener("DOMContentLoaded", () => {
    // Going back before HTMX has loaded only changes the URL.
    const [opened] = performance.getEntriesByType("navigation");
    if (opened && opened.name.split("#")[0] !== location.href.split("#")[0]) location.reload();
  });

  document.addEventListener("htmx:beforeRequest", () => answerNow().setAttribute("aria-busy", "true"));

  for (const failure of /** @type {const} */ (["responseError", "sendError", "timeout"])) {
    document.addEventListener(`htmx:${failure}`, (event) => {
      answerNow().setAttribute("aria-busy", "false");
      const tooMuch = event.detail.xhr?.status === 429;
      const message = tooMuch
        ? `Too many requests. Try again in ${event.detail.xhr.getResponseHeader("Retry-After")} s.`
        : "The engine isn’t answering. Try again in a moment.";
      caption.textContent = message;
      say(message);
    });
  }

  document.addEventListener("htmx:afterSettle", () => {
    for (const message of document.querySelectorAll(".field-error")) {
      const described = document.querySelector(`[aria-describedby="${message.id}"]`);
      if (message.textContent) {
        described?.setAttribute("aria-invalid", "true");
        const settings = message.closest("details");
        if (settings) settings.open = true;
      } else described?.removeAttribute("aria-invalid");
    }
    settled();
    const answer = answerNow();
    if (submitted) lookAt(answer);
    submitted = false;
    const best = first(answer, "[data-name]");
    const heading = answer.querySelector("h2")?.textContent ?? "";
    say(best ? `${heading}: ${best.dataset.name}` : `${heading}. ${answer.querySelector(".notice")?.textContent ?? ""}`);
  });

  return (pause) => {
    window.clearTimeout(pending);
    pending = window.setTimeout(() => window.htmx.trigger(form, "solve"), pause);
  };
}

/** Scrolls to the answer if it is below the screen. @param {HTMLElement} answer */
function lookAt(answer) {
  const heading = first(answer, "h2");
  if (!heading?.hasAttribute("tabindex") || heading.getBoundingClientRect().bottom < window.innerHeight) return;
  heading.focus({ preventScroll: true });
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  answer.scrollIntoView({ behavior: calm ? "auto" : "smooth" });
}
