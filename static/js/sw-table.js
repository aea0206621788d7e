/* The service worker of the tables' pages (scope /t/): opens the pages of a table when the network is gone.
 *
 * Every game of a table is kept at the first load, so that each opens as itself: a page asked for by its game is never
 * answered with another game. Pages: the network first, the kept copy when it does not answer in time. Static files of the
 * shell: from the cache, refreshed behind. What writes goes to the server or fails in the page, where deals wait in the
 * page's own queue; a form that the browser itself sends without a network (its page had lost its script) opens the
 * kept page again, with what was typed.
 *
 * A page is kept only with its own files: it names their version (header Table-Files), and a worker keeps pages of its
 * own version. After an upgrade the older pages and files stay until the newer ones are here.
 * tournament.views.table_app fills in the version and the shell's addresses. As a module it begins with an import of
 * sendAll (table-queue.js), for Background Sync; browsers that know no such workers load it as a plain script.
 */
const VERSION = "/*VERSION*/";
const SHELL = [/*SHELL*/];
const CACHE = `table-${VERSION}`;
const FILES = new Set(SHELL.map((each) => new URL(each, self.location.origin).pathname));
const TABLE = /^\/t\/[a-z2-7]{24}\/$/;
const DEAL = /^(\/t\/[a-z2-7]{24}\/)(\d+)\/\d+\/$/; // one deal of a game: its page is not kept

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    await takeOver();
    await self.clients.claim();
  })());
});

/** The page asks at every load, in its language of the moment, and after deals of another game were sent. */
self.addEventListener("message", (event) => {
  const address = event.data?.keepGames;
  if (address) event.waitUntil(caches.open(CACHE).then((cache) => keepGames(cache, new URL(address))).then(takeOver).catch(() => { /* offline: what is kept stays */ }));
});

/** The caches of other versions: before an upgrade, the only pages that are there. */
const others = async () => (await caches.keys()).filter((name) => name.startsWith("table-") && name !== CACHE);

const isPage = (address) => address.origin === self.location.origin && address.pathname.startsWith("/t/");

/** Keep the open pages and those of earlier versions with this version's files; a cache whose pages are all here goes. */
async function takeOver() {
  const cache = await caches.open(CACHE);
  const wanted = new Set((await self.clients.matchAll({ type: "window", includeUncontrolled: true })).map((client) => client.url));
  const earlier = new Map();
  for (const name of await others()) {
    const pages = (await (await caches.open(name)).keys()).map((request) => request.url).filter((url) => isPage(new URL(url)));
    earlier.set(name, pages);
    for (const url of pages) wanted.add(url);
  }
  const gone = new Set(); // a link that has ended: its copy is of no more use
  for (const url of wanted) {
    const address = new URL(url);
    if (!isPage(address) || await cache.match(keyOf(address))) continue;
    try {
      const answer = await fetch(url, { credentials: "same-origin", cache: "no-store" });
      if (answer.ok) await keep(cache, address, answer);
      else if (answer.status === 404) gone.add(url);
      await keepGames(cache, address);
    } catch { /* offline already: the next visit keeps it */ }
  }
  for (const [name, pages] of earlier) {
    const here = await Promise.all(pages.map(async (url) => gone.has(url) || cache.match(keyOf(new URL(url)))));
    if (here.every(Boolean)) await caches.delete(name);
  }
}

/** Keep a copy of every game of the table at this address. */
async function keepGames(cache, address) {
  if (!TABLE.test(address.pathname)) return;
  const page = address.origin + address.pathname;
  const told = await fetch(`${page}state/`, { credentials: "same-origin", cache: "no-store" });
  if (!told.ok) return;
  for (const game of (await told.json()).games) {
    const answer = await fetch(`${page}?game=${game}`, { credentials: "same-origin", cache: "no-store" });
    if (answer.ok && isOurs(answer)) await cache.put(`${page}?game=${game}`, answer);
  }
}

/** A table's page is one page whatever its query says about depth; games are kept apart. */
function keyOf(address) {
  const game = address.searchParams.get("game");
  return address.origin + address.pathname + (game ? `?game=${game}` : "");
}

/** Whether a page belongs to the files that are kept here; where it does not, a newer worker is asked for. */
function isOurs(answer) {
  const ours = answer.headers.get("Table-Files") === VERSION;
  if (!ours) self.registration.update().catch(() => { /* offline: at the next page */ });
  return ours;
}

/** The copy of this game, and of the table's bare address, which opens the game seen last. */
async function keep(cache, address, answer) {
  if (!isOurs(answer)) return;
  await cache.put(keyOf(address), answer.clone());
  if (address.searchParams.has("game")) await cache.put(address.origin + address.pathname, answer.clone());
}

const PATIENCE = 4000; // milliseconds that a page waits for the network before its copy opens

/** The network's answer, kept for the next time. */
async function asked(request, address) {
  const answer = await fetch(request);
  if (answer.ok) await keep(await caches.open(CACHE), address, answer);
  return answer;
}

async function page(request) {
  const address = new URL(request.url);
  const answers = asked(request, address);
  answers.catch(() => { /* where the copy has opened already, nobody waits for it */ });
  const waited = new Promise((resolve) => setTimeout(resolve, PATIENCE)).then(() => kept(address));
  try {
    const answer = await Promise.race([answers, waited.then((copy) => copy || answers)]);
    if (answer.status < 500) return answer;
    // The copy opens, so that the table can go on; its status still says that the server failed.
    const copy = await kept(address);
    return copy ? new Response(copy.body, { status: answer.status, headers: copy.headers }) : answer;
  } catch (error) {
    const copy = await kept(address);
    if (copy) return copy;
    const [, table, game] = address.pathname.match(DEAL) || [];
    const sheet = table && new URL(`${table}?game=${game}`, address);
    if (sheet && await kept(sheet)) return Response.redirect(`${sheet.href}#network`); // table-outbox.js says why
    throw error;
  }
}

/** The page's own refresh: the network's answer or none, and a copy of it for the next reload. */
async function fresh(request) {
  const answer = await fetch(request);
  if (answer.ok) await keep(await caches.open(CACHE), new URL(request.url), answer);
  return answer;
}

/** The kept copy of a page: this version's, else an earlier one, whose files are kept beside it. */
async function kept(address) {
  for (const name of [CACHE, ...await others()]) {
    const copy = await (await caches.open(name)).match(keyOf(address));
    if (copy) return copy;
  }
  return undefined;
}

/** A form that the browser sends itself: without an answer the kept page opens, and a deal stands in its form again. */
async function posted(request) {
  const form = request.clone();
  try {
    return await fetch(request);
  } catch (error) {
    const copy = await kept(new URL(request.url));
    if (!copy) throw error;
    const text = await copy.text();
    const sheet = text.match(/data-sheet="([^"]+)"/)?.[1];
    const fields = [...(await form.formData()).entries()].map(([name, value]) => [name, String(value)]);
    if (sheet && fields.some(([name, value]) => name === "verb" && value === "deal")) await keepDraft(sheet, fields);
    return new Response(text, { headers: copy.headers });
  }
}

const NOT_TYPED = ["key", "number", "version", "csrfmiddlewaretoken", "verb", "depth", "passed", "sure"];

/** Keep a deal that was not sent as the draft of its sheet, as table-queue.js keeps it: the page puts it back. */
function keepDraft(sheet, fields) {
  const draft = { sheet: `draft ${sheet}`, fields: fields.filter(([name]) => !NOT_TYPED.includes(name)), number: Number(fields.find(([name]) => name === "number")?.[1]), editing: 0 };
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open("manille-table", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("queue", { keyPath: "id", autoIncrement: true }).createIndex("sheet", "sheet");
    asked.onerror = () => reject(asked.error);
    asked.onsuccess = () => {
      const change = asked.result.transaction("queue", "readwrite");
      const store = change.objectStore("queue");
      const older = store.index("sheet").getKey(draft.sheet);
      older.onsuccess = () => store.put(older.result === undefined ? draft : { ...draft, id: older.result });
      change.oncomplete = () => { asked.result.close(); resolve(); };
      change.onerror = () => { asked.result.close(); reject(change.error); };
    };
  });
}

/** A file of the shell, or one of an earlier version's whose page is still kept: their names tell them apart. */
async function shell(request) {
  const copy = await caches.match(request, { ignoreSearch: true });
  if (!FILES.has(new URL(request.url).pathname)) return copy || fetch(request);
  const fresh = fetch(request).then(async (answer) => {
    if (answer.ok) (await caches.open(CACHE)).put(request, answer.clone());
    return answer;
  });
  if (!copy) return fresh;
  fresh.catch(() => { /* the copy serves */ });
  return copy;
}

/** The network is back: what waits is sent, with no page open. */
self.addEventListener("sync", (event) => {
  if (event.tag === "table" && self.sendAll) event.waitUntil(self.sendAll());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (address.origin !== self.location.origin) return;
  const navigates = request.mode === "navigate" && address.pathname.startsWith("/t/");
  if (request.method === "POST" && navigates) event.respondWith(posted(request));
  if (request.method !== "GET") return;
  if (navigates) event.respondWith(page(request));
  else if (TABLE.test(address.pathname)) event.respondWith(fresh(request));
  else if (["script", "style", "font", "image"].includes(request.destination)) event.respondWith(shell(request));
});
