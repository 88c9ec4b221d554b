/**
 * Presses before the scripts of a page have loaded: this small script comes before them, keeps the keys, clicks and
 * choices that only scripts answer, and repeats them once those listen. Until then the pressed button is marked as busy.
 */

{
  /** Controls that the browser answers by itself. */
  const NATIVE = "a, button:not([type=button]), [popovertarget], input, label, select, textarea, summary";
  const TYPES = ["keydown", "click", "change"];
  /** Each with the value that its control had. @type {[Event, Element, string][]} */
  const kept = [];

  /** @param {Element} target @param {string} busy */
  const mark = (target, busy) => target.closest("button, [role=gridcell]")?.setAttribute("aria-busy", busy);

  /** @param {Event} event */
  const keep = (event) => {
    const { target, type } = event;
    if (!(target instanceof Element) || (type === "click" && target.closest(NATIVE))) return;
    if (type === "click") mark(target, "true");
    // A script that has already loaded would hear it twice.
    event.stopImmediatePropagation();
    kept.push([event, target, /** @type {HTMLSelectElement} */ (target).value]);
  };

  const repeat = () => {
    for (const type of TYPES) removeEventListener(type, keep, true);
    let used = false;
    for (const [event, target, value] of kept.splice(0)) {
      mark(target, "false");
      if (event instanceof KeyboardEvent) {
        used = !target.dispatchEvent(new KeyboardEvent(event.type, event));
        continue;
      }
      // A key that a script uses does not press the focused button, too.
      if (event instanceof MouseEvent && used && event.detail === 0) continue;
      // A script may have changed it since.
      if (target instanceof HTMLSelectElement) target.value = value;
      // Without a count, as from the keyboard: the scripts have not seen a pointer go down.
      target.dispatchEvent(new MouseEvent(event.type, { bubbles: true, cancelable: true }));
    }
  };

  for (const type of TYPES) addEventListener(type, keep, true);
  // At the window, this comes after the listeners of the document: HTMX starts in one of them.
  // `load` is for when this script came late.
  for (const end of ["DOMContentLoaded", "load"]) addEventListener(end, repeat);
}
