/* The deals that wait on this phone, on its disk and on their way: IndexedDB and fetch around table-deals.js.
 *
 * An item leaves the disk only when the page shows what the server made of it, or when the scorekeeper discards it.
 * "strict" durability: what is shown as kept survives a dying battery. Every change is one transaction, and is announced
 * to the other tabs of the phone; one of them sends at a time.
 */
import { answered, drain, valueOf } from "./table-deals.js";

const NAME = "manille-table";

function open() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("queue", { keyPath: "id", autoIncrement: true }).createIndex("sheet", "sheet");
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/** Do work(items, store) with everything on the disk, oldest first, in one transaction. Resolves to what it returned. */
async function within(mode, work) {
  const base = await open();
  try {
    return await new Promise((resolve, reject) => {
      let result;
      const change = base.transaction("queue", mode, mode === "readwrite" ? { durability: "strict" } : undefined);
      const store = change.objectStore("queue");
      change.oncomplete = () => resolve(result);
      change.onerror = change.onabort = () => reject(change.error);
      store.getAll().onsuccess = (event) => {
        try {
          result = work(event.target.result.sort((a, b) => a.id - b.id), store);
        } catch (error) {
          reject(error);
          change.abort();
        }
      };
    });
  } finally {
    base.close();
  }
}

// ---- the other tabs of this phone ----------------------------------------------------------------------------------

const tabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(NAME);

/** Call act when another tab has changed what this phone holds. */
export function onChange(act) {
  if (tabs) tabs.onmessage = act;
}

async function written(work) {
  const result = await within("readwrite", work);
  tabs?.postMessage("changed");
  count().catch(() => { /* the icon waits for the next change */ });
  return result;
}

/** Show on the icon how much waits or asks for a decision. A worker leaves that to the next page. */
async function count() {
  if (typeof document === "undefined" || !navigator.setAppBadge) return;
  const left = await within("readonly", (all) => all.filter((item) => item.state && item.state !== "sent" && sheetOf(item)).length);
  await (left ? navigator.setAppBadge(left) : navigator.clearAppBadge());
}

/** Have the browser wake the service worker once there is a network, even with every tab closed. */
async function askToWake() {
  if (typeof document === "undefined" || !navigator.serviceWorker?.controller) return;
  await (await navigator.serviceWorker.ready).sync?.register("table");
}

/** Keep an item; resolves when it is on the disk. A form's key is kept once, however often its button is tapped. */
export function keep(item) {
  const key = valueOf(item, "key");
  return written((all, store) => {
    if (!key || !all.some((each) => each.fields && valueOf(each, "key") === key)) store.add({ ...item, at: new Date().toISOString(), state: "waiting" });
  });
}

/** The items of a sheet in the order in which they were written.
 * @type {(sheet: string) => Promise<import("./table-deals.js").Item[]>}
 */
export const items = (sheet) => within("readonly", (all) => all.filter((item) => item.sheet === sheet));

/** Put what a decision made of the items of a sheet on the disk: made(items) gives them as they are now. */
export function change(sheet, made) {
  return written((all, store) => {
    const before = all.filter((item) => item.sheet === sheet);
    const after = made(before);
    for (const item of after) if (!before.includes(item)) store.put(item);
    for (const item of before) if (!after.some((each) => each.id === item.id)) store.delete(item.id);
  });
}

/** Forget what the server has, once the page shows that version of the sheet; of other sheets after a day. */
export function seen(sheet, version) {
  const day = 24 * 3600 * 1000;
  return within("readwrite", (all, store) => {
    for (const item of all) {
      if (item.state === "sent" && (item.sheet === sheet ? item.version <= version : Date.now() - Date.parse(item.at) > day)) store.delete(item.id);
    }
  });
}

/** The sheet of a call's line, of a deal's own; "" for a draft, which is never sent. */
const sheetOf = (item) => (item.sheet.startsWith("draft ") ? "" : item.sheet.replace(/^call /, ""));

/** What waits or was refused for sheets other than these: [{sheet, to, call, items}], where each knows its address.
 * to: {url, page, table}, as the deal was kept with them. */
export async function elsewhere(but) {
  const groups = new Map();
  for (const item of await within("readonly", (all) => all)) {
    const sheet = sheetOf(item);
    if (item.state === "sent" || !item.to || !sheet || but.includes(sheet)) continue;
    if (!groups.has(item.sheet)) groups.set(item.sheet, { sheet: item.sheet, to: item.to, call: item.sheet !== sheet, items: [] });
    groups.get(item.sheet).items.push(item);
  }
  return [...groups.values()];
}

/** Send what waits for every table: the service worker's turn (Background Sync). Rejects where something still waits. */
export async function sendAll() {
  const ends = [];
  for (const { sheet, to, call } of await elsewhere([])) ends.push((await (call ? sendCall : send)(sheet, to.url)).ended);
  if (ends.includes("offline") || ends.includes("failing")) throw new Error("again later");
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

/** Do work while nothing of a sheet is on its way, in this tab or another one. */
export async function alone(sheet, work) {
  if (navigator.locks) return navigator.locks.request(`${NAME}-${sheet}`, work);
  await running.get(sheet);
  return work();
}

/** Send what waits for a sheet to url, one at a time even across tabs. Resolves to {ended, moved}: see drain.
 * A disk that does not open ends it as "failing": it is tried again later. */
export function send(sheet, url, tell = () => {}) {
  if (running.has(sheet)) return running.get(sheet);
  const work = async () => {
    let moved = false;
    const store = {
      items: () => items(sheet),
      answer: (item, result) => written((all, disk) => {
        // Somebody may have decided about another deal meanwhile, which gave this one a new number: it keeps that one
        // unless the server has answered to the old one.
        const kept = all.find((each) => each.id === item.id) || item;
        const now = answered(result === null || result.status ? kept : item, result, randomKey);
        moved = moved || now.state === "sent";
        disk.put(now);
        return now;
      }),
    };
    const ended = await drain(store, (item) => post(url, aged(item)), tell);
    if (ended === "offline") askToWake().catch(() => { /* no Background Sync: a page sends later */ });
    return { ended, moved };
  };
  running.set(sheet, alone(sheet, work).catch(() => ({ ended: "failing", moved: false })).finally(() => running.delete(sheet)));
  return running.get(sheet);
}

// ---- the call for the referee waits in a line of its own: a deal that was refused does not hold it up -------------

const line = (sheet) => `call ${sheet}`;

/** The call that waits for the network, if there is one. */
export const waitingCall = async (sheet) => (await items(line(sheet))).find((item) => item.state === "waiting") || null;

/** Keep a call until the network is back; a table that calls already keeps its place. */
export async function keepCall(sheet, fields, to) {
  if (!(await waitingCall(sheet))) await keep({ sheet: line(sheet), fields, to, number: 0 });
}

/** Send the call that waits; one that is refused is dropped, as it is no entry. */
export async function sendCall(sheet, url) {
  const result = await send(line(sheet), url);
  if (result.ended !== "failing") await change(line(sheet), (list) => list.filter((item) => item.state === "waiting"));
  return result;
}

// ---- what is being typed: one draft a sheet ------------------------------------------------------------------------

const draftOf = (sheet) => `draft ${sheet}`;
let drafts = Promise.resolve(true);

/** @type {(sheet: string) => Promise<any>} */
export const keptDraft = async (sheet) => (await items(draftOf(sheet)))[0] || null;

/** Keep what stands in the form of a sheet, {fields, number, …}; null forgets it. One after the other, the last stays.
 * Resolves to whether nothing would be lost with the page: false where the disk is full or refused.
 * @param {string} sheet
 * @param {object | null} draft
 * @returns {Promise<boolean>}
 */
export function keepDraft(sheet, draft) {
  const name = draftOf(sheet);
  drafts = drafts.then(() => within("readwrite", (all, store) => {
    const kept = all.find((item) => item.sheet === name);
    if (draft) store.put({ ...(kept ? { id: kept.id } : {}), ...draft, sheet: name });
    else if (kept) store.delete(kept.id);
    return true;
  })).catch(() => !draft);
  return drafts;
}

// What the worker sent meanwhile is off the icon.
count().catch(() => { /* no disk: nothing waits */ });
