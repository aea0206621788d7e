/* The deals that wait on this phone, on its disk and on their way: IndexedDB and fetch around table-deals.js.
 *
 * An item leaves the disk only when the page shows what the server made of it, or when the scorekeeper discards it.
 * "strict" durability: what is shown as kept survives a dying battery.
 */
import { drain, valueOf } from "./table-deals.js";

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

/** Keep an item; resolves when it is on the disk. A form's key is kept once, however often its button is tapped. */
export async function keep(item) {
  const key = valueOf(item, "key");
  if (key && (await all()).some((each) => valueOf(each, "key") === key)) return;
  await within("readwrite", (store) => store.add({ ...item, at: new Date().toISOString(), state: "waiting" }));
}
export const save = (item) => within("readwrite", (store) => store.put(item));
export const forget = (id) => within("readwrite", (store) => store.delete(id));
const all = () => within("readonly", (store) => store.getAll());

/** The items of a sheet in the order in which they were written. */
export async function items(sheet) {
  return (await all()).filter((item) => item.sheet === sheet).sort((a, b) => a.id - b.id);
}

/** Put what a decision made of the items of a sheet on the disk: made(items) gives them as they are now. */
export async function change(sheet, made) {
  const before = await items(sheet);
  const after = made(before);
  for (const item of after) if (!before.includes(item)) await save(item);
  for (const item of before) if (!after.some((each) => each.id === item.id)) await forget(item.id);
}

/** Forget what the server has, once the page shows that version of the sheet; of other sheets after a day. */
export async function seen(sheet, version) {
  const day = 24 * 3600 * 1000;
  for (const item of await all()) {
    if (item.state !== "sent") continue;
    if (item.sheet === sheet ? item.version <= version : Date.now() - Date.parse(item.at) > day) await forget(item.id);
  }
}

/** The sheet of a call's line, of a deal's own; "" for a draft, which is never sent. */
const sheetOf = (item) => (item.sheet.startsWith("draft ") ? "" : item.sheet.replace(/^call /, ""));

/** What waits or was refused for sheets other than these: [{sheet, to, call, items}], where each knows its address.
 * to: {url, page, table}, as the deal was kept with them. */
export async function elsewhere(but) {
  const groups = new Map();
  for (const item of (await all()).sort((a, b) => a.id - b.id)) {
    const sheet = sheetOf(item);
    if (item.state === "sent" || !item.to || !sheet || but.includes(sheet)) continue;
    if (!groups.has(item.sheet)) groups.set(item.sheet, { sheet, to: item.to, call: item.sheet !== sheet, items: [] });
    groups.get(item.sheet).items.push(item);
  }
  return [...groups.values()];
}

export function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** AbortSignal.timeout where the browser has it. */
function patience(milliseconds) {
  if (typeof AbortSignal !== "undefined" && AbortSignal.timeout) return AbortSignal.timeout(milliseconds);
  const controller = new AbortController();
  setTimeout(() => controller.abort(), milliseconds);
  return controller.signal;
}

/** Post fields: {ok, answer} when the server answered with sense, {status} when it failed, null without an answer. */
export async function post(url, fields) {
  let answer;
  try {
    answer = await fetch(url, { method: "POST", body: new URLSearchParams(fields), credentials: "same-origin", cache: "no-store", signal: patience(12_000), headers: { "X-Requested-With": "table" } });
  } catch {
    return null;
  }
  if (answer.status >= 500 || answer.status === 429) return { status: answer.status };
  const type = answer.headers.get("Content-Type") || "";
  if (!type.startsWith("application/json")) return null; // a hotel's login page, a proxy's apology
  try {
    return { ok: answer.ok, answer: await answer.json() };
  } catch {
    return null;
  }
}

const running = new Map();
const RUN = randomKey(); // of this page: what another page typed has no age here

/** When an item is typed, by the device's own run. */
export const typedNow = () => ({ run: RUN, typed: performance.now() });

/** The fields of an item as they are sent: with its age, where this page typed it. The device's clock decides nothing. */
const aged = (item) => (item.run === RUN ? [...item.fields, ["typed_ago", String(Math.round(performance.now() - item.typed))]] : item.fields);

/** Send what waits for a sheet to url, one at a time even across tabs. Resolves to {ended, moved}: see drain. */
export function send(sheet, url, tell = () => {}) {
  if (running.has(sheet)) return running.get(sheet);
  const work = async () => {
    let moved = false;
    const store = { items: () => items(sheet), save: async (item) => { moved = moved || item.state === "sent"; await save(item); } };
    const ended = await drain(store, (item) => post(url, aged(item)), randomKey, tell);
    return { ended, moved };
  };
  const locked = () => (navigator.locks ? navigator.locks.request(`${NAME}-${sheet}`, work) : work());
  running.set(sheet, locked().finally(() => running.delete(sheet)));
  return running.get(sheet);
}

// ---- the call for the referee waits in a line of its own: a deal that was refused does not hold it up -------------

const line = (sheet) => `call ${sheet}`;

/** The call that waits for the network, if there is one. */
export const waitingCall = async (sheet) => (await items(line(sheet))).find((item) => item.state === "waiting") || null;

/** Keep a call until the network is back; a table that calls already keeps its place. */
export async function keepCall(sheet, fields, to) {
  if (!(await waitingCall(sheet))) await keep({ sheet: line(sheet), fields, to, number: 0, side: "", said: "" });
}

/** Send the call that waits; one that is refused is dropped, as it is no entry. */
export async function sendCall(sheet, url) {
  const result = await send(line(sheet), url);
  for (const item of await items(line(sheet))) if (item.state !== "waiting") await forget(item.id);
  return result;
}

// ---- what is being typed: one draft a sheet ------------------------------------------------------------------------

const draftOf = (sheet) => `draft ${sheet}`;
let drafts = Promise.resolve();

export const keptDraft = async (sheet) => (await items(draftOf(sheet)))[0] || null;

/** Keep what stands in the form of a sheet, {fields, number, …}; null forgets it. One after the other, the last stays.
 * Resolves to whether nothing would be lost with the page: false where the disk is full or refused. */
export function keepDraft(sheet, draft) {
  drafts = drafts.then(async () => {
    const kept = await keptDraft(sheet);
    if (draft) await save({ ...(kept ? { id: kept.id } : {}), ...draft, sheet: draftOf(sheet) });
    else if (kept) await forget(kept.id);
    return true;
  }).catch(() => !draft);
  return drafts;
}
