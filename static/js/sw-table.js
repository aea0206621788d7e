/* The service worker of the tables' pages (scope /t/): opens the last page seen when the network is gone.
 *
 * Pages: the network first, the copy kept at the last visit when it does not answer. Static files of the shell: from
 * the cache, refreshed behind. Nothing that writes is touched: deals wait in the page's own queue. scoring.views.pwa
 * fills in the version and the shell's addresses.
 */
const VERSION = "/*VERSION*/";
const SHELL = [/*SHELL*/];
const CACHE = `table-${VERSION}`;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith("table-") && name !== CACHE) await caches.delete(name);
    // The pages open now were loaded before us: keep them too, and only then say that we are here.
    const cache = await caches.open(CACHE);
    for (const client of await self.clients.matchAll({ type: "window", includeUncontrolled: true })) {
      const address = new URL(client.url);
      if (!address.pathname.startsWith("/t/")) continue;
      try {
        const answer = await fetch(client.url, { credentials: "same-origin", cache: "no-store" });
        if (answer.ok) await cache.put(keyOf(address), answer);
      } catch { /* offline already: the next visit keeps it */ }
    }
    await self.clients.claim();
  })());
});

/** A table's page is one page whatever its query says about depth; games are kept apart. */
function keyOf(address) {
  const game = address.searchParams.get("game");
  return address.origin + address.pathname + (game ? `?game=${game}` : "");
}

/** The copy of this game, and of the table's bare address, which opens the game seen last. */
async function keep(cache, address, answer) {
  await cache.put(keyOf(address), answer.clone());
  if (address.searchParams.has("game")) await cache.put(address.origin + address.pathname, answer.clone());
}

async function page(request) {
  const address = new URL(request.url);
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await keep(cache, address, answer);
    if (answer.status < 500) return answer;
    return (await kept(cache, address)) || answer;
  } catch (error) {
    const copy = await kept(cache, address);
    if (copy) return copy;
    throw error;
  }
}

/** The page's own refresh: the network's answer or none, and a copy of it for the next reload. */
async function fresh(request) {
  const answer = await fetch(request);
  if (answer.ok) await keep(await caches.open(CACHE), new URL(request.url), answer);
  return answer;
}

async function kept(cache, address) {
  return (await cache.match(keyOf(address))) || cache.match(address.origin + address.pathname);
}

async function shell(request) {
  const cache = await caches.open(CACHE);
  const copy = await cache.match(request, { ignoreSearch: true });
  const fresh = fetch(request).then((answer) => {
    if (answer.ok) cache.put(request, answer.clone());
    return answer;
  });
  if (!copy) return fresh;
  fresh.catch(() => { /* the copy serves */ });
  return copy;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const address = new URL(request.url);
  if (address.origin !== self.location.origin) return;
  if (request.mode === "navigate" && address.pathname.startsWith("/t/")) event.respondWith(page(request));
  else if (/^\/t\/[a-z2-7]{24}\/$/.test(address.pathname)) event.respondWith(fresh(request));
  else if (SHELL.some((each) => new URL(each, self.location.origin).pathname === address.pathname)) event.respondWith(shell(request));
});
