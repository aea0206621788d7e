/* What becomes of the deals that wait on a phone: their order, their numbers, and what a refusal asks.
 *
 * No page, no disk and no network in here (table-queue.js brings them), so that the same code runs in tests.
 *
 * An Item: {id (rising), sheet, fields ([name, value] pairs, with the idempotency key of its form), number, auto (the
 * dealer is the one the phone counted, not one that was chosen), to (where it is sent, and its page), at, state, …}.
 * state:
 *   "waiting"  not sent, or no answer yet
 *   "refused"  the server said no: code, params, why ({language: sentence}), sure; somebody decides. "taken_back" is
 *              the code of a deal that the scorekeeper took back before it was sent
 *   "sent"     the server has it, in a newer version of the sheet (version) than the copy of the page
 *
 * A number is what the scorekeeper saw when the deal was written. It changes only when somebody decides about a deal
 * before it, so that a deal that another phone wrote meanwhile is noticed and nothing is written twice.
 */

/**
 * @typedef {{url: string, page: string, table: string}} Destination
 * @typedef {{id: number, sheet: string, fields: [string, string][], number: number, auto?: boolean, to?: Destination,
 *   at: string, state: "waiting" | "refused" | "sent", version?: number, code?: string,
 *   params?: Record<string, any>, why?: Record<string, string>, sure?: string, failed?: number, trouble?: number,
 *   rekeyed?: boolean, run?: string, typed?: number}} Item
 * @typedef {{ok?: boolean, answer?: any, status?: number} | null} Result
 */

/** How often the server may fail with an item before somebody is asked. */
export const FAILURES = 3;

/** Refusals by a sheet that takes no deals: to send one again helps only once the sheet is open again. */
export const CLOSED = ["match_over", "match_decided", "sheet_signed", "sheet_withdrawn"];

/** The value of a field of an item.
 * @param {Pick<Item, "fields">} item
 * @param {string} name
 * @returns {string}
 */
export const valueOf = (item, name) => (item.fields.find(([key]) => key === name) || ["", ""])[1];

/** Why the server refused an item, in the language of the page. */
export function whyOf(item) {
  if (!item.why || typeof item.why === "string") return item.why || "";
  return item.why[document.documentElement.lang] || Object.values(item.why)[0] || "";
}

const waits = (item) => item.state === "waiting";

/** Whether an item is no deal of its own: the correction of one that the server has, a signature. */
export const corrects = (item) => ["correct", "sign"].includes(valueOf(item, "verb"));
const put = (fields, name, value) => [...fields.filter(([key]) => key !== name), [name, value]];

/** The corrections that wait, each as its form. */
export const corrections = (items) => items.filter((item) => waits(item) && valueOf(item, "verb") === "correct").map((item) => Object.fromEntries(item.fields));

/** The number of the next deal: written is the page's copy of it. A refused deal is not counted.
 * @param {number} written
 * @param {Item[]} items
 * @returns {number}
 */
export function nextNumber(written, items) {
  return Math.max(written, ...items.filter((item) => item.state !== "refused" && !corrects(item)).map((item) => item.number + 1));
}

/** The deals beyond the page's copy of the sheet, in whose version they are not. */
export function beyond(version, items) {
  return items.filter((item) => !corrects(item) && (waits(item) || (item.state === "sent" && item.version > version)));
}

/** What may be sent now, or null: a deal behind a refused one that would come before it waits for the decision.
 * @param {Item[]} items
 * @returns {Item | null | undefined}
 */
export function sendable(items) {
  let held = Infinity;
  for (const item of items) {
    if (item.state === "refused") held = Math.min(held, item.number);
    else if (waits(item)) return item.number <= held ? item : null;
  }
  return null;
}

function numbered(item, number) {
  if (item.number === number) return item;
  let fields = put(item.fields, "number", String(number));
  // Another phone may have written this very deal under the number that it was typed with.
  if (!valueOf(item, "typed_number")) fields.push(["typed_number", String(item.number)]);
  // Who dealt follows from the number, unless the scorekeeper chose it.
  if (item.auto) fields = fields.filter(([name]) => name !== "dealer" && name !== "leader");
  return { ...item, fields, number };
}

/** Whether a refused item has the number of a deal that is on the sheet, with other content. */
export const onSheet = (item) => !corrects(item) && ["not_the_next_deal", "match_over"].includes(item.code) && item.params?.next > item.number;

/** What the scorekeeper may decide about a refused item, the likeliest first. */
export function decisions(item) {
  if (item.code === "taken_back") return ["change", "again", "drop"];
  if (corrects(item)) return item.code === "pen_taken" ? ["take", "drop"] : ["again", "drop"];
  if (item.sure) return ["yes", "change", "drop"];
  // The server has this very deal as it was before it was changed here, though its answer was lost.
  if (item.code === "not_the_next_deal" && item.rekeyed) return ["correct", "drop"];
  if (onSheet(item)) return item.code === "match_over" ? ["correct", "drop"] : ["correct", "drop", "renumber"];
  if (item.code === "not_the_next_deal" && item.params?.next) return ["renumber", "drop"];
  if (CLOSED.includes(item.code)) return ["drop"];
  if (item.code === "pen_taken") return ["take", "drop"];
  if (["link_not_valid", "no_such_game", "choose_a_side"].includes(item.code)) return ["again", "drop"];
  if (item.code === "server_error") return ["again", "change", "drop"];
  return ["change", "drop"];
}

/** The items with one that waits taken back: it is not sent, and may be changed or dropped.
 * @param {Item[]} items
 * @param {number} id
 * @returns {Item[]}
 */
export function takeBack(items, id) {
  return items.map((item) => (item.id === id && waits(item) ? { ...item, state: "refused", code: "taken_back", params: {}, why: {} } : item));
}

/** The items after a decision about the refused item with this id; fields: what was changed (for "change"), or
 * the reason (for "correct").
 * @param {Item[]} items
 * @param {number} id
 * @param {string} decision
 * @param {any} fields
 * @returns {Item[]}
 */
export function decide(items, id, decision, fields = null) {
  const at = items.findIndex((item) => item.id === id && item.state === "refused");
  if (at < 0) return items;
  const refused = items[at];
  const before = items.slice(0, at);
  const after = items.slice(at + 1);
  const moves = (item) => !corrects(item) && (waits(item) || (item.state === "refused" && item.code !== "not_the_next_deal" && !onSheet(item)));
  const follow = (from) => {
    let next = from;
    return after.map((item) => {
      if (!moves(item)) return item;
      next += 1;
      return numbered(item, next - 1);
    });
  };
  if (decision === "drop") {
    // A deal that was none lets those behind it move up. Where the sheet had gone on without this phone, the numbers
    // behind it are asked about one by one.
    const first = after.find(moves);
    const up = refused.code !== "not_the_next_deal" && !onSheet(refused) && !corrects(refused) && first && first.number > refused.number;
    return [...before, ...(up ? follow(refused.number) : after)];
  }
  /** @type {Item} */
  const clean = { ...refused, state: "waiting", code: "", params: {}, why: {}, sure: "", failed: 0, trouble: 0 };
  // A question that was answered is not asked again.
  if (decision === "yes") clean.fields = put(clean.fields, "sure", [...new Set([...valueOf(refused, "sure").split(","), ...refused.sure.split(",")])].filter(Boolean).join(","));
  if (decision === "correct") {
    const words = clean.fields.filter(([name]) => !["typed_number", "version", "sure"].includes(name));
    return [...before, { ...clean, fields: [...put(words, "verb", "correct"), ["reason", fields]] }, ...after];
  }
  if (corrects(refused)) return [...before, clean, ...after];
  if (fields) clean.fields = put(fields, "key", valueOf(refused, "key"));
  const number = decision === "renumber" ? refused.params.next : refused.number;
  return [...before, numbered(clean, number), ...follow(number + 1)];
}

/** The item after the server's answer to it: {ok, answer}, {status} of a failure, or null for no answer at all.
 * @param {Item} item
 * @param {Result} result
 * @param {() => string} newKey
 * @returns {Item}
 */
export function answered(item, result, newKey) {
  if (result === null) return { ...item, trouble: 0 };
  if (result.status) {
    const failed = (item.failed || 0) + (result.status === 429 ? 0 : 1);
    /** @type {Partial<Item>} */
    const asked = failed >= FAILURES ? { state: "refused", code: "server_error", params: { status: result.status }, why: {} } : {};
    return { ...item, trouble: result.status, failed, ...asked };
  }
  const { answer } = result;
  if (result.ok) return { ...item, state: "sent", version: answer.version || 0, trouble: 0 };
  // Sent before with other content: as a deal of its own it is either on the sheet already or asked about.
  if (answer.code === "key_reused" && !item.rekeyed) return { ...item, fields: put(item.fields, "key", newKey()), rekeyed: true };
  return {
    ...item, state: "refused", trouble: 0, failed: 0, sure: answer.sure || "", code: answer.code || "", params: answer.params || {},
    why: answer.messages || { "": answer.message || "" },
  };
}

/** Send what may be sent, oldest first. store: {items(), answer(item, result): the item after it}. Resolves to how it
 * ended: "empty", "refused" (somebody has to decide), "offline" (no answer) or "failing" (the server failed).
 * @param {{items: () => Promise<Item[]>, answer: (item: Item, result: Result) => Promise<Item>}} store
 * @param {(item: Item) => Promise<Result>} post
 * @param {(item: Item) => void} tell
 */
export async function drain(store, post, tell = () => {}) {
  for (;;) {
    const items = await store.items();
    const item = sendable(items);
    if (!item) return items.some((each) => each.state === "refused") ? "refused" : "empty";
    tell(item);
    const result = await post(item);
    const now = await store.answer(item, result);
    if (result === null) return "offline";
    if (result.status && now.state !== "refused") return "failing";
  }
}
