/* The service worker of an event's public pages (scope /e/<event>/), of a badge's page (scope /p/<link>/) and
 * of its page to sign (scope /sign/<link>/).
 *
 * Pages: the network first; the copy seen last when it does not answer, live.js then says since when the page stands
 * still. What a player needs is kept from the first visit on. Static files of the shell come from the cache; their
 * names change with their content, and those of an earlier version stay as long as a kept page needs them. Streams and everything that writes pass untouched.
 * tournament.views.app fills in the version and the shell's addresses.
 */
const VERSION = "/*VERSION*/";
const SHELL = [/*SHELL*/];
const ICON = SHELL.find((file) => file.includes("icon-192"));
const FILES = `event-files-${VERSION}`;
const PAGES = "event-pages";
const MOST = 60; // pages kept; those asked for longest ago go first

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(FILES).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    await forgetFiles();
    await self.clients.claim();
  })());
});

/** Files of an earlier version go once no page that is kept names one of them. */
async function forgetFiles() {
  const earlier = (await caches.keys()).filter((name) => name.startsWith("event-files-") && name !== FILES);
  if (!earlier.length) return;
  const pages = await caches.open(PAGES);
  const texts = await Promise.all((await pages.keys()).map(async (page) => (await pages.match(page, { ignoreVary: true })).text()));
  for (const name of earlier) {
    const own = (await (await caches.open(name)).keys()).map((file) => new URL(file.url).pathname).filter((path) => !SHELL.includes(path));
    if (!own.some((path) => texts.some((text) => text.includes(path)))) await caches.delete(name);
  }
}

/** find.js and sign.js name the pages that their reader needs. */
self.addEventListener("message", (event) => {
  const wanted = event.data?.keepPages;
  if (Array.isArray(wanted)) event.waitUntil(Promise.all(wanted.map((address) => fetchPage(address).catch(() => { /* offline: what is kept stays */ }))));
});

async function fetchPage(request) {
  const answer = await fetch(request, { credentials: "same-origin" });
  if (answer.ok && !answer.redirected) {
    // All of it is here before it takes the older copy's place, in one step: the network may be lost in the middle of a page.
    const whole = await answer.clone().blob();
    const cache = await caches.open(PAGES);
    const address = typeof request === "string" ? request : request.url;
    await cache.put(address, new Response(whole, { status: answer.status, headers: answer.headers }));
    await forgetOldest(cache);
    await forgetFiles();
  }
  return answer;
}

/** Not every browser puts a page kept anew behind the others: its own date tells. */
async function forgetOldest(cache) {
  const all = await cache.keys();
  if (all.length <= MOST) return;
  const dates = new Map();
  for (const each of all) dates.set(each, Date.parse((await cache.match(each, { ignoreVary: true }))?.headers.get("Date")) || 0);
  all.sort((one, other) => dates.get(one) - dates.get(other));
  for (const old of all.slice(0, all.length - MOST)) await cache.delete(old, { ignoreVary: true });
}

async function page(request) {
  try {
    return await fetchPage(request);
  } catch (error) {
    const copy = await (await caches.open(PAGES)).match(request.url, { ignoreVary: true });
    if (!copy) throw error;
    // live.js says how old it is.
    const headers = new Headers(copy.headers);
    headers.set("Last-Modified", copy.headers.get("Date") || "");
    return new Response(copy.body, { status: copy.status, headers });
  }
}

async function file(request) {
  return (await caches.match(request, { ignoreVary: true })) || fetch(request);
}

/** What notices.js asked for: {title, body, path, tag, lang}. The path is one of this site. */
self.addEventListener("push", (event) => {
  const told = event.data?.json();
  if (!told) return;
  const { title, body, path, tag, lang } = told;
  event.waitUntil(self.registration.showNotification(title, { body, tag, lang, renotify: true, icon: ICON, data: { path } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const page = new URL(event.notification.data.path, self.location.origin);
  if (page.origin !== self.location.origin) return;
  event.waitUntil((async () => {
    const open = (await self.clients.matchAll({ type: "window" })).find((client) => new URL(client.url).pathname === page.pathname);
    if (open) await open.focus();
    else await self.clients.openWindow(page.href);
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return;
  const part = /^\/[ep]\//.test(address.pathname) && address.searchParams.has("part");
  if (request.mode === "navigate" || part) event.respondWith(page(request));
  else if (["script", "style", "font", "image"].includes(request.destination)) event.respondWith(file(request));
});
