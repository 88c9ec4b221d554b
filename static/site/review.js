/** Review of a card: the keys declared by its buttons, and announcing the grade of an answer. @module */

/** @param {KeyboardEvent} event */
const press = (event) => {
  if (event.ctrlKey || event.metaKey || event.repeat) return;
  if (event.target instanceof HTMLInputElement && !event.altKey) return;
  // With Alt some keyboards type another character, so the key's position counts.
  const wanted = event.altKey ? `Alt+${event.code.replace(/^(Key|Digit)/, "")}` : event.key.toLowerCase();
  const button = document.querySelector(`button[aria-keyshortcuts="${CSS.escape(wanted)}"]`);
  if (!(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  button.click();
};

document.addEventListener("keydown", press);
for (const failure of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  document.addEventListener(failure, () => {
    const line = document.getElementById("not-sent");
    if (line) line.textContent = "Not sent. Try again.";
  });
}
document.addEventListener("htmx:afterSettle", () => {
  const feedback = document.querySelector("#feedback p");
  const announcer = document.querySelector("#announcer");
  if (announcer && feedback instanceof HTMLElement) announcer.textContent = feedback.innerText;
});
