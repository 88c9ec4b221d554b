/** The settings form: a choice takes effect at once and is saved, without the button. */

const root = document.documentElement;

/** Shows the choices of a form: each is a data attribute of the root element unless it is the default. @param {HTMLFormElement} form */
function apply(form) {
  for (const setting of form.querySelectorAll("[data-preference]")) {
    if (!(setting instanceof HTMLElement)) continue;
    const { preference = "", default: usual = "" } = setting.dataset;
    const input = setting.querySelector("input:checked, input[type=hidden]:not(:has(~ input:checked))");
    const value = input instanceof HTMLInputElement ? input.value : usual;
    if (value === usual) root.removeAttribute(`data-${preference}`);
    else root.setAttribute(`data-${preference}`, value);
  }
}

/** Loads what is missing on pages without preferences: the style sheet, and what page it is. */
function loadLooks() {
  if (document.getElementById("looks")) return;
  root.dataset.page = document.body.className;
  const link = document.createElement("link");
  link.id = "looks";
  link.rel = "stylesheet";
  link.href = new URL("looks.css", import.meta.url).href;
  document.head.append(link);
}

/** Why the choices were not saved. @param {Response | null} answer @returns {Promise<string>} */
async function reason(answer) {
  const problem = await answer?.json().catch(() => null);
  return problem?.detail ?? "no answer from the server";
}

document.addEventListener("change", async ({ target }) => {
  const form = target instanceof Element ? target.closest("form[data-preferences]") : null;
  if (!(form instanceof HTMLFormElement)) return;
  loadLooks();
  apply(form);
  const saved = await fetch(form.action, { method: "POST", body: new FormData(form), headers: { "HX-Request": "true" } }).catch(() => null);
  const state = form.querySelector("output");
  if (state) state.textContent = saved?.ok ? "Saved" : `Not saved: ${await reason(saved)}`;
});
