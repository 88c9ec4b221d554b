/** Sends forms only once, however often their button is pressed: each request could open a game. */

const AGAIN = 5000;
/** When each form was sent. @type {WeakMap<HTMLFormElement, number>} */
let sent = new WeakMap();

// On the window, so that it runs after all scripts that send a form themselves.
window.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post") return;
  if (event.timeStamp - (sent.get(form) ?? -AGAIN) < AGAIN) event.preventDefault();
  else sent.set(form, event.timeStamp);
});
// On a page restored by the back button, the form may be sent again.
window.addEventListener("pageshow", () => {
  sent = new WeakMap();
});
