/* What the table's page knows and what it shows of it, as plain values: reduce(state, event) and view(state).
 *
 * No page, no disk and no network in here. table.js sends the events and draws the view.
 */
import { CLOSED, beyond, corrects, decisions, onSheet, valueOf } from "./table-deals.js";

/** @typedef {import("./table-deals.js").Item} Item */
/** @typedef {{to: {page: string}, items: Item[]}} Elsewhere */
/**
 * held: the items of this sheet; call: the one that waits; others: what waits for the table's other games. editing: the
 * refused item that stands in the form. failing: the status of a server that failed. stale: the server has taken
 * something that the page does not show yet. failures: runs without an answer, one after the other.
 * @typedef {{held: Item[], call: Item | null, others: Item[], editing: Item | null, typed: boolean, offline: boolean,
 *   failing: number, sending: boolean, stale: boolean, failures: number}} State
 */

/** @type {State} */
export const START = { held: [], call: null, others: [], editing: null, typed: false, offline: false, failing: 0, sending: false, stale: false, failures: 0 };

/** The state after an event.
 * @param {State} state
 * @param {{type: string, [name: string]: any}} event
 * @returns {State}
 */
export function reduce(state, event) {
  switch (event.type) {
    case "read": // what this phone holds
      return { ...state, held: event.held, call: event.call, others: event.others };
    case "typed":
      return { ...state, typed: event.typed };
    case "editing":
      return { ...state, editing: event.item };
    case "sending":
      return { ...state, sending: true };
    case "sent": { // one run over everything that waits
      const offline = event.ends.includes("offline");
      const failed = offline || event.ends.includes("failing");
      return { ...state, sending: false, offline, failures: failed ? state.failures + 1 : 0, stale: state.stale || event.moved };
    }
    case "answered": // the server answered as it should
      return { ...state, offline: false, failing: 0, failures: 0 };
    case "unanswered": { // no answer, or a failure with its status
      const failing = event.status >= 500 ? event.status : event.status ? state.failing : 0;
      return { ...state, failing, offline: !failing, failures: state.failures + 1, stale: state.stale || Boolean(event.stale) };
    }
    case "lost":
      return { ...state, offline: true };
    case "fresh": // the page is the server's copy of now
      return { ...state, offline: false, failing: 0, stale: false };
    default:
      throw new Error(event.type);
  }
}

const unsent = (items) => items.filter((item) => item.state !== "sent");

/** The sentence for what became of a deal. */
function saidOf(item) {
  if (valueOf(item, "verb") === "sign") return item.state === "refused" ? "Signrefused" : "Sign";
  if (valueOf(item, "verb") === "correct") return item.state === "refused" ? "Correctionrefused" : "Correction";
  if (item.state !== "refused") return "Queued";
  if (item.code === "taken_back") return "Takenback";
  if (onSheet(item)) return "There";
  if (item.code === "match_over") return "Over";
  return item.sure ? "Doubt" : "Conflict";
}

/** What may be done with an item: a deal that waits is taken back to be changed or dropped. */
function choicesOf(item, { formless, double }) {
  if (item.state === "waiting") return valueOf(item, "verb") === "deal" ? ["edit", "undo"] : ["undo"];
  const again = CLOSED.includes(item.code) && !formless ? ["again"] : []; // the game goes on
  const listed = decisions(item).map((each) => {
    if ((each === "change" && formless) || (each === "take" && double)) return "again";
    return each === "change" && item.sure && item.sure.split(",").includes("forgotten_double") ? "doubled" : each;
  });
  return [...new Set([...again, ...listed])];
}

/** What the page shows of a state: {count, spoken, take, rows, changed, signatures, notice}.
 *
 * rows: the deals beyond the page's copy of the sheet; changed: the corrections that wait; signatures: those that wait.
 * Each is shown where it belongs. notice: {tone, folded, lines, last}; a line is {kind, …} with kind trouble, offline, noreload, sending,
 * call, deal (one that was refused) or game. page: {version: that of the sheet, reopens: it opens again without a
 * network, formless, double}.
 * @param {State} state
 * @param {{version: number, reopens: boolean, formless: boolean, double: boolean}} page
 */
export function view(state, page) {
  const waiting = unsent(state.held);
  const others = unsent(state.others);
  const every = waiting.concat(others);
  const trouble = state.failing || every.find((item) => item.trouble)?.trouble || 0;
  const deal = (item) => ({ kind: "deal", item, said: saidOf(item), choices: item.state === "sent" ? [] : choicesOf(item, page) });
  const kept = (verb) => waiting.filter((item) => item.state === "waiting" && valueOf(item, "verb") === verb).map(deal);
  const shown = {
    count: every.length,
    rows: beyond(page.version, state.held).map(deal),
    changed: kept("correct"),
    signatures: kept("sign"),
    spoken: !waiting.length, // the last deal is one that waits
    take: !waiting.some((item) => item.code === "pen_taken"), // that deal has the same button
    notice: null,
  };
  if (!every.length && !state.offline && !state.call && !trouble) return shown;
  const refused = every.filter((item) => item.state === "refused");
  const wrong = refused.some((item) => !item.sure && item.code !== "taken_back"); // and not only asked about
  const quiet = !trouble && !refused.length && !state.call && (page.reopens || !state.offline);
  const last = waiting.filter((item) => !corrects(item)).at(-1);
  const folded = quiet && (state.offline || last !== undefined);
  const lines = [];
  if (trouble) lines.push({ kind: "trouble", status: trouble });
  else if (state.offline && (last || !folded)) lines.push({ kind: "offline" });
  if (state.offline && !page.reopens) lines.push({ kind: "noreload" });
  else if (state.sending) lines.push({ kind: "sending" });
  if (state.call) lines.push({ kind: "call" });
  // What stands in the form has its reason above it.
  for (const item of waiting) if (item.state === "refused" && item.id !== state.editing?.id) lines.push(deal(item));
  for (const game of new Set(others.map((item) => valueOf(item, "game")))) {
    const there = others.filter((item) => valueOf(item, "game") === game);
    lines.push({ kind: "game", game, deals: there.length, unfit: there.find((item) => item.state === "refused") || null });
  }
  if (!lines.length && !folded) return shown;
  return { ...shown, notice: { tone: wrong ? "error" : "warning", quiet, folded, last: folded && last ? deal(last) : null, lines } };
}
