/** Finding elements of the page, with their types; and keeping its state. */

/**
 * The element with this ID and type, or null.
 *
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T | null}
 */
export function find(id, type) {
  const element = document.getElementById(id);
  return element instanceof type ? element : null;
}

/**
 * The element with this ID and type; throws an error if there is none.
 *
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const element = find(id, type);
  if (!element) throw new TypeError(`The page has no ${type.name} with the ID ${id}.`);
  return element;
}

/**
 * The elements that match, in the order of the page.
 *
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement[]}
 */
export function all(root, selector) {
  return [...root.querySelectorAll(selector)].filter((element) => element instanceof HTMLElement);
}

/**
 * The first element that matches, or null.
 *
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function first(root, selector) {
  const element = root.querySelector(selector);
  return element instanceof HTMLElement ? element : null;
}

/**
 * The topmost element at a point of the window that matches, or null.
 *
 * @param {number} x
 * @param {number} y
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function atPoint(x, y, selector) {
  const element = document.elementsFromPoint(x, y).find((one) => one.matches(selector));
  return element instanceof HTMLElement ? element : null;
}

/**
 * The target of an event, or its nearest ancestor, that matches, or null.
 *
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closest(event, selector) {
  const element = event.target instanceof Element ? event.target.closest(selector) : null;
  return element instanceof HTMLElement ? element : null;
}

/**
 * Keeps a state, and the address, in the history for a reload. Safari refuses more than 100 changes in ten seconds, as from a key
 * that is held down: the next change is kept then.
 *
 * @param {unknown} state
 * @param {string} [address]
 */
export function keepState(state, address) {
  try {
    window.history.replaceState(state, "", address);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "SecurityError")) throw error;
  }
}
