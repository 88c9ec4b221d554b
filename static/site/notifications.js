/** Subscribes this browser to notifications, and fills in its time zone if none was chosen. */

import { byId } from "./elements.js";

const button = byId("subscribe", HTMLButtonElement);
const notice = byId("subscribe-notice", HTMLElement);

/** A name such as "Chrome on Android". */
function browserName() {
  const agent = navigator.userAgent;
  const browser = /Firefox/.test(agent) ? "Firefox" : /Edg\//.test(agent) ? "Edge" : /Chrom/.test(agent) ? "Chrome" : /Safari/.test(agent) ? "Safari" : "Browser";
  const system = /Android|iPhone|iPad|Windows|Mac|Linux/.exec(agent);
  return system ? `${browser} on ${system[0]}` : browser;
}

async function subscribe() {
  if (!("PushManager" in window)) throw new Error("this browser has no notifications, or only for installed apps: add Wibble to your home screen first");
  if ((await Notification.requestPermission()) !== "granted") throw new Error("notifications are blocked for this site in the browser’s settings");
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: button.dataset.key };
  const made = await pushManager.subscribe(options).catch(async (/** @type {unknown} */ error) => {
    // Subscribed with an old key of this site.
    const earlier = await pushManager.getSubscription();
    if (!earlier) throw error;
    await earlier.unsubscribe();
    return pushManager.subscribe(options);
  });
  const { endpoint, keys } = made.toJSON();
  const answer = await fetch("/api/me/notifications/channels", {
    method: "POST",
    headers: { Accept: "application/json", "Content-Type": "application/json" },
    body: JSON.stringify({ channel: { kind: "push", endpoint, ...keys, name: browserName() } }),
  });
  if (!answer.ok) throw new Error((await answer.json()).detail);
}

button.addEventListener("click", async () => {
  button.disabled = true;
  notice.hidden = true;
  try {
    await subscribe();
    location.assign("/me/notifications?saved=1");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    notice.textContent = `${reason[0]?.toUpperCase() ?? ""}${reason.slice(1)}.`;
    notice.hidden = false;
    button.disabled = false;
  }
});

const zone = byId("zone", HTMLInputElement);
if (zone.value === "UTC") zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
