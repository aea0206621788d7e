/* The service worker of the tables' pages (scope /t/): opens the pages of a table when the network is gone.
 *
 * Every game of a table is kept at the first load, so that each opens as itself: a page asked for by its game is never
 * answered with another game. Pages: the network first, the kept copy when it does not answer. Static files of the
 * shell: from the cache, refreshed behind. Nothing that writes is touched: deals wait in the page's own queue.
 * tournament.views.table_app fills in the version and the shell's addresses.
 */
const VERSION = "/*VERSION*/";
const SHELL = [/*SHELL*/];
const CACHE = `table-${VERSION}`;
const TABLE = /^\/t\/[a-z2-7]{24}\/$/;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    // The pages open now were loaded before us: keep them too, and only then say that we are here.
    const cache = await caches.open(CACHE);
    for (const client of await self.clients.matchAll({ type: "window", includeUncontrolled: true })) {
      const address = new URL(client.url);
      if (!address.pathname.startsWith("/t/")) continue;
      try {
        const answer = await fetch(client.url, { credentials: "same-origin", cache: "no-store" });
        if (answer.ok) await keep(cache, address, answer);
        await keepGames(cache, address);
      } catch { /* offline already: the next visit keeps it */ }
    }
    for (const name of await caches.keys()) if (name.startsWith("table-") && name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  })());
});

/** The page asks at every load, in its language of the moment, and after deals of another game were sent. */
self.addEventListener("message", (event) => {
  if (event.data?.keepGames) event.waitUntil(caches.open(CACHE).then((cache) => keepGames(cache, new URL(event.data.keepGames))).catch(() => { /* offline: what is kept stays */ }));
});

/** Keep a copy of every game of the table at this address. */
async function keepGames(cache, address) {
  if (!TABLE.test(address.pathname)) return;
  const page = address.origin + address.pathname;
  const told = await fetch(`${page}state/`, { credentials: "same-origin", cache: "no-store" });
  if (!told.ok) return;
  for (const game of (await told.json()).games) {
    const answer = await fetch(`${page}?game=${game}`, { credentials: "same-origin", cache: "no-store" });
    if (answer.ok) await cache.put(`${page}?game=${game}`, answer);
  }
}

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
    // The copy opens, so that the table can go on; its status still says that the server failed.
    const copy = await kept(cache, address);
    return copy ? new Response(copy.body, { status: answer.status, headers: copy.headers }) : answer;
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
  return cache.match(keyOf(address));
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
  else if (TABLE.test(address.pathname)) event.respondWith(fresh(request));
  else if (SHELL.some((each) => new URL(each, self.location.origin).pathname === address.pathname)) event.respondWith(shell(request));
});
