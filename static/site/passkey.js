/** Adds a passkey to the profile (`data-passkey="add"`), or signs in with one (`"use"`). */

import { byId, closest } from "./elements.js";

/**
 * Posts JSON and returns the answer; throws an error with the reason if it is refused.
 *
 * @param {string} address
 * @param {unknown} [body]
 */
async function ask(address, body) {
  const response = await fetch(address, {
    method: "POST",
    headers: { Accept: "application/json", "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

/** @param {Credential | null} made */
const asJson = (made) => /** @type {PublicKeyCredential} */ (made).toJSON();

async function add() {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await ask("/me/passkeys/options"));
  await ask("/me/passkeys", { credential: asJson(await navigator.credentials.create({ publicKey })) });
  return "/me";
}

async function use() {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await ask("/me/sign-in/passkey/options"));
  const found = await navigator.credentials.get({ publicKey });
  const merge = document.querySelector("[name=merge]");
  const { address } = await ask("/me/sign-in/passkey", {
    credential: asJson(found),
    merge: merge instanceof HTMLInputElement && merge.checked,
  });
  return address;
}

/**
 * The reason shown on the page if no passkey was added or used.
 *
 * @param {unknown} error
 */
function reason(error) {
  if (!(error instanceof DOMException)) return error instanceof Error ? error.message : String(error);
  if (error.name === "InvalidStateError") return "this device has a passkey for your profile already";
  if (error.name === "SecurityError") return "passkeys need a site with a name and HTTPS";
  return "no passkey was used";
}

document.addEventListener("click", async (event) => {
  const button = closest(event, "[data-passkey]");
  if (!(button instanceof HTMLButtonElement)) return;
  const notice = byId("passkey-notice", HTMLElement);
  button.disabled = notice.hidden = true;
  try {
    if (!("PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential)) {
      throw new Error("this browser has no passkeys here: use the recovery phrase");
    }
    window.location.assign(await (button.dataset.passkey === "add" ? add() : use()));
  } catch (error) {
    const text = reason(error);
    notice.textContent = `${text[0].toUpperCase()}${text.slice(1)}.`;
    notice.hidden = false;
  } finally {
    button.disabled = false;
  }
});

// Disabled until now, instead of repeated by early.js: some browsers ask for a passkey only right after a press.
byId("passkey", HTMLButtonElement).disabled = false;
