/** Forms are sent once however often their button is pressed: each answer could open a game. */

const AGAIN = 5000;
/** When each form was sent. @type {WeakMap<HTMLFormElement, number>} */
let sent = new WeakMap();

// Of the window, so that it comes after all that send a form by themselves.
window.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== "post") return;
  if (event.timeStamp - (sent.get(form) ?? -AGAIN) < AGAIN) event.preventDefault();
  else sent.set(form, event.timeStamp);
});
// Back on a page that the browser kept, the form may be sent again.
window.addEventListener("pageshow", () => {
  sent = new WeakMap();
});
