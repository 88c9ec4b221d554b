/**
 * The service worker, loaded by /sw.js, which sets VERSION and OFFLINE_FILES. It shows push notifications, and an
 * offline page if a page cannot be loaded. It caches only that page and its files, all of one version: no games and no
 * answers of the API.
 */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const PREFIX = "wibble-";
const CACHE = PREFIX + VERSION;
const [OFFLINE_PAGE] = OFFLINE_FILES;

/** Caches the offline page, requested without cookies so that it has no player's data. */
async function keepOfflinePage() {
  const cache = await caches.open(CACHE);
  await cache.addAll(OFFLINE_FILES.map((path) => new Request(path, { credentials: "omit", cache: "no-cache" })));
}

async function dropOlderVersions() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
}

/** @param {string} path */
const kept = (path) => caches.match(path, { cacheName: CACHE, ignoreVary: true });

/** @param {FetchEvent} event */
async function openPage(event) {
  try {
    const early = await event.preloadResponse;
    // Without a network, Firefox answers the early request with an error instead of rejecting it.
    return early && early.type !== "error" ? early : await fetch(event.request);
  } catch {
    return (await kept(OFFLINE_PAGE)) ?? Response.error();
  }
}

worker.addEventListener("install", (event) => {
  event.waitUntil(keepOfflinePage());
  void worker.skipWaiting();
});
worker.addEventListener("activate", (event) => {
  // The request for a page does not wait for this worker to start.
  event.waitUntil(Promise.all([dropOlderVersions(), worker.registration.navigationPreload?.enable()]));
});
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(openPage(event));
  else {
    const { pathname, search } = new URL(request.url);
    const path = pathname + search;
    if (OFFLINE_FILES.includes(path)) event.respondWith(kept(path).then((file) => file ?? fetch(request)));
  }
});

/** @typedef {{ id: string, title: string, body: string, path: string, turns: number }} Push */

/** @param {PushEvent} event */
async function showNotification(event) {
  const { id, title, body, path, turns } = /** @type {Push} */ (event.data?.json());
  // Browsers refuse this if the site is not installed.
  navigator.setAppBadge?.(turns).catch(() => {});
  await worker.registration.showNotification(title, {
    body,
    tag: id, // a message sent twice is shown once
    data: path,
    icon: ICON,
    badge: BADGE,
  });
}

/** @param {string} path */
async function showPage(path) {
  const { href } = new URL(path, worker.location.origin);
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  // While a table waits, its page has the invitation's URL.
  const open = pages.find(({ url }) => url === href || url.startsWith(`${href}/join/`));
  if (open) await open.focus();
  else await worker.clients.openWindow(href);
}

worker.addEventListener("push", (event) => event.waitUntil(showNotification(event)));
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showPage(event.notification.data));
});
