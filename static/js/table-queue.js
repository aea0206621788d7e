/* Deals that wait on this phone until the server has them: kept in IndexedDB, sent in order, each at most once.
 *
 * An item: {id (rising), sheet, url, fields ([name, value] pairs, with an idempotency key), number, at, state, why,
 * questions, sure}. state: "waiting" (not sent, or no answer yet) or "refused" (the server said no: shown, and nothing
 * behind it is sent until somebody decides). An item leaves the queue only when the server has acknowledged it or
 * when the scorekeeper discards it. "strict" durability: what is shown as kept survives a dying battery.
 */

const NAME = "manille-table";

function open() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("queue", { keyPath: "id", autoIncrement: true }).createIndex("sheet", "sheet");
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

async function within(mode, work) {
  const base = await open();
  try {
    return await new Promise((resolve, reject) => {
      let result;
      const change = base.transaction("queue", mode, mode === "readwrite" ? { durability: "strict" } : undefined);
      change.oncomplete = () => resolve(result);
      change.onerror = change.onabort = () => reject(change.error);
      const asked = work(change.objectStore("queue"));
      asked.onsuccess = () => { result = asked.result; };
    });
  } finally {
    base.close();
  }
}

/** Keep an item; resolves when it is on the disk. */
export const keep = (item) => within("readwrite", (store) => store.add({ ...item, at: new Date().toISOString(), state: "waiting" }));
export const change = (item) => within("readwrite", (store) => store.put(item));
export const forget = (id) => within("readwrite", (store) => store.delete(id));

/** The items of a sheet in the order in which they were written. */
export async function items(sheet) {
  const all = await within("readonly", (store) => store.getAll());
  return all.filter((item) => item.sheet === sheet).sort((a, b) => a.id - b.id);
}

/** AbortSignal.timeout where the browser has it. */
function patience(milliseconds) {
  if (typeof AbortSignal !== "undefined" && AbortSignal.timeout) return AbortSignal.timeout(milliseconds);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}

/** Post one item: {ok, answer} when the server answered with sense, null when it may be tried again later. */
export async function post(url, fields) {
  let answer;
  try {
    answer = await fetch(url, { method: "POST", body: new URLSearchParams(fields), credentials: "same-origin", cache: "no-store", signal: patience(12_000), headers: { "X-Requested-With": "table" } });
  } catch {
    return null;
  }
  if (answer.status >= 500 || answer.status === 429) return null;
  const type = answer.headers.get("Content-Type") || "";
  if (!type.startsWith("application/json")) return null; // a hotel's login page, a proxy's apology
  try {
    return { ok: answer.ok, answer: await answer.json() };
  } catch {
    return null;
  }
}

const running = new Map();

/** Send what waits, oldest first, one at a time even across tabs. Resolves to "empty", "refused", "offline" or "moved". */
export function send(sheet, tell = () => {}, done = () => {}) {
  if (running.has(sheet)) return running.get(sheet);
  const locked = (work) => (navigator.locks ? navigator.locks.request(`${NAME}-${sheet}`, work) : work());
  running.set(sheet, locked(() => drain(sheet, tell, done)).finally(() => running.delete(sheet)));
  return running.get(sheet);
}

async function drain(sheet, tell, done) {
  let moved = false;
  for (;;) {
    const [item] = await items(sheet);
    if (!item) return moved ? "moved" : "empty";
    if (item.state === "refused") return "refused";
    tell(item);
    const result = await post(item.url, item.fields);
    if (result === null) return "offline";
    if (result.ok) {
      await forget(item.id);
      done(item);
      moved = true;
    } else {
      await change({ ...item, state: "refused", code: result.answer.code || "", why: result.answer.message || "", questions: result.answer.questions || [], sure: result.answer.sure || "" });
      return "refused";
    }
  }
}

// ---- the call for the referee waits in a line of its own: a deal that was refused does not hold it up -------------

const line = (sheet) => `call ${sheet}`;

/** The call that waits for the network, if there is one. */
export const waitingCall = async (sheet) => (await items(line(sheet)))[0] || null;

/** Keep a call until the network is back; a table that calls already keeps its place. */
export async function keepCall(sheet, url, fields) {
  if (!(await waitingCall(sheet))) await keep({ sheet: line(sheet), url, fields, number: 0, side: "", said: "" });
}

/** Send the call that waits: "empty", "moved" (it is sent), "offline"; one that is refused is dropped, as it is no entry. */
export async function sendCall(sheet) {
  const result = await send(line(sheet));
  if (result === "refused") await forget((await waitingCall(sheet)).id);
  return result;
}
