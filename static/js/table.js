/* The scorekeeper's page: writes deals through the queue, keeps itself fresh, says what this phone still holds.
 *
 * Without script every form posts and every page is true as of its load. With it, the deal's form goes through
 * table-queue.js: kept on the phone first, sent at once when there is a network and later when there is none. The page
 * asks data-state every few seconds and takes a fresh copy of #live when the sheet, its signatures, the pen, the call or
 * the bell changed and nobody is typing. Attributes and sentences stand on [data-table] in templates/table/sheet.html.
 */
import { beyond, decide, decisions, nextNumber, valueOf, whyOf } from "./table-deals.js";
import { change, items, keep, keepCall, keepDraft, keptDraft, post, randomKey, seen, send, sendCall, typedNow, waitingCall } from "./table-queue.js";
import { PLAYED, clear, complain, countSide, describesPlay, faultOf, showDealer } from "./deal-form.js";
import { standing } from "./table-score.js";

const root = document.querySelector("[data-table]");
const text = (name, values = {}) => (root.dataset[`text${name}`] || "").replace(/\{(\w+)\}/g, (all, key) => (key in values ? String(values[key]) : all));
const live = () => document.getElementById("live");
let typed = false;
let drafts = 0;
let editing = null; // the refused item that stands in the form, to be put right
let formKey = randomKey(); // one for each deal that is written, however often it is sent or its form refreshed
const keeping = new Map(); // the deals on their way to the disk, by key
let known = []; // the items of this sheet as they were last read
const reopens = "serviceWorker" in navigator; // not over plain HTTP: there a reload needs the network
let offline = false;
let failing = performance.getEntriesByType("navigation")[0]?.responseStatus || 0; // the status of a server that failed
if (failing < 500) failing = 0;
let sending = false;
let stale = false; // the server has taken something that this page does not show yet
let failures = 0;
let timer = 0;

// ---- the queue on the page -----------------------------------------------------------------------------------------

function element(tag, className, content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (content) made.textContent = content;
  return made;
}

function button(label, act, quiet = true) {
  const made = element("button", quiet ? "button button--quiet button--small" : "button button--small", label);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

function summary(item) {
  const suits = { S: "♠\uFE0E", H: "♥\uFE0E", D: "♦\uFE0E", C: "♣\uFE0E", NT: text("Nt") };
  const points = valueOf(item, "points");
  const side = item.side ? `${item.side} ` : "";
  return [suits[valueOf(item, "trump")], points && side + points, item.said].filter(Boolean).join(" · ");
}

const unsent = (list) => list.filter((item) => item.state !== "sent");

/** Why the server refused an item, in the reader's language. */
function reason(item) {
  return item.code === "server_error" ? text("Fault", { status: item.params.status }) : whyOf(item);
}

/** The buttons under a refused item: what the table may decide about it. */
function choices(item) {
  const actions = element("p", "actions");
  const labels = { yes: "Yes", renumber: "Renumber", change: "Change", again: "Again", take: "Take", drop: "Drop" };
  const formless = !live().querySelector("[data-deal-form]");
  const listed = decisions(item).map((each) => ((each === "change" && formless) || (each === "take" && root.dataset.double) ? "again" : each));
  for (const each of new Set(listed)) {
    actions.append(button(text(labels[each], { n: item.params?.next }), () => decided(item, each), each === "drop" || listed[0] !== each));
    actions.lastChild.dataset.decision = each;
  }
  return actions;
}

/** What this phone holds: the items of this sheet, the call that waits, what waits for the table's other games. */
const holds = () => Promise.all([items(root.dataset.sheet), waitingCall(root.dataset.sheet), elsewhere()]);

async function show() {
  const held = await holds();
  await calm();
  inPlace(() => paint(...held));
}

/** Write what this phone holds. Awaits nothing: two that show at once would both write their lines. */
function paint(held, call, others) {
  const box = live()?.querySelector("[data-queue]");
  if (!box) return;
  const waiting = unsent(held);
  const trouble = failing || waiting.concat(others).find((item) => item.trouble)?.trouble || 0;
  const wasOpen = Boolean(box.querySelector("details")?.open);
  box.replaceChildren();
  box.hidden = !waiting.length && !offline && !call && !others.length && !trouble;
  box.dataset.count = String(waiting.length + others.length);
  const spoken = live().querySelector("p.spoken");
  if (spoken) spoken.hidden = waiting.length > 0; // the last deal is one that waits
  const take = live().querySelector("button[value=take]");
  if (take) take.form.hidden = waiting.some((item) => item.code === "pen_taken"); // that deal has the same button
  known = held;
  ahead(held);
  if (box.hidden) return;
  const refused = waiting.concat(others).some((item) => item.state === "refused");
  const wrong = waiting.concat(others).some((item) => item.state === "refused" && !item.sure); // and not only asked about
  const quiet = !trouble && !refused && !call && (reopens || !offline);
  const last = waiting.at(-1);
  const folded = quiet && (offline || last !== undefined);
  const notice = element(folded ? "details" : "div", `notice notice--${wrong ? "error" : "warning"}${quiet ? " folded-notice" : ""}`);
  notice.setAttribute("role", "status");
  if (folded) {
    notice.open = wasOpen;
    const line = element("summary");
    line.append(last ? queued(last) : element("p", "", text("Offline")));
    notice.append(line);
  }
  if (trouble) {
    notice.append(element("p", "", text(trouble === 429 ? "Slow" : "Failing", { status: trouble })));
    notice.lastChild.dataset.failing = String(trouble);
  } else if (offline && (last || !folded)) notice.append(element("p", "", text("Offline")));
  if (offline && !reopens) {
    notice.append(element("p", "notice__title", text("Noreload")));
    notice.lastChild.dataset.noReload = "";
  }
  else if (sending) notice.append(element("p", "", text("Sending")));
  if (call) {
    const line = element("p", "notice__title", text("Call"));
    line.dataset.waitingCall = "";
    notice.append(line);
  }
  for (const item of folded ? waiting.slice(0, -1) : waiting) {
    if (item.id === editing?.id && document.getElementById("refused")) continue; // it stands in the form, with its reason above
    const line = queued(item);
    if (item.state === "refused") line.append(choices(item));
    notice.append(line);
  }
  for (const game of new Set(others.map((item) => valueOf(item, "game")))) {
    const line = element("p", "queue__item");
    const there = others.filter((item) => valueOf(item, "game") === game);
    const unfit = there.find((item) => item.state === "refused");
    const link = element("a", "", unfit ? text("Refusedelsewhere", { n: game, deal: unfit.number }) : text("Elsewhere", { n: game, deals: there.length }));
    if (unfit) line.dataset.elsewhere = "refused";
    link.href = `?game=${game}`;
    line.append(link);
    notice.append(line);
  }
  box.append(notice);
}

/** The sentence for what became of a deal; one that came after the end of its game has no number to speak of. */
function said(item) {
  if (item.state !== "refused") return "Queued";
  if (item.code === "match_over") return "Over";
  return item.sure ? "Doubt" : "Conflict";
}

/** A deal that this phone holds: what became of it, and what was entered. */
function queued(item) {
  const line = element("div", "queue__item");
  line.dataset.queued = item.state;
  line.append(element("p", "notice__title", text(said(item), { n: item.number, why: reason(item) })));
  const what = summary(item);
  if (what) line.append(element("p", "", what));
  return line;
}

// ---- nothing moves under a thumb -----------------------------------------------------------------------------------

let pressing = false; // a finger is on the page, or the click that it makes is still to come
let lifting = 0;
const CLICK = 350; // milliseconds after a finger is lifted in which its click comes, if it makes one
const REST = 3000; // a finger that rests longer than this holds up nothing

/** A finger is on the page, or its click may come, for so many milliseconds; 0: no more. */
function press(milliseconds) {
  clearTimeout(lifting);
  pressing = milliseconds > 0;
  if (pressing) lifting = setTimeout(() => press(0), milliseconds);
}

/** Until no finger is on the page: what it is about to press stays where it is. */
async function calm() {
  while (pressing) await new Promise((resolve) => { setTimeout(resolve, 20); });
}

/** Do what may move the deal's form; while somebody types in it, it stays where it is on the screen. */
function inPlace(act) {
  const top = () => live()?.querySelector("[data-deal-form]:not([hidden])")?.getBoundingClientRect().top;
  const before = typed ? top() : undefined;
  act();
  const after = top();
  if (before !== undefined && after !== undefined) window.scrollBy({ top: after - before, behavior: "instant" });
}

/** What waits for the other games of this table. */
async function elsewhere() {
  const others = root.dataset.sheets.split(" ").filter((sheet) => sheet !== root.dataset.sheet);
  return unsent((await Promise.all(others.map(items))).flat());
}

/** Do what was decided about a refused item. */
async function decided(item, decision) {
  if (decision === "change") { await edit(item); return; }
  if (decision === "take") {
    const result = await post(root.dataset.send, [["verb", "take"], ["game", root.dataset.game]]);
    if (!result?.ok) { complain(live().querySelector("form"), result?.answer?.message || text("Need"), null); return; }
    await taken();
  } else await change(item.sheet, (list) => decide(list, item.id, decision));
  if (editing?.id === item.id) stopEditing();
  await show();
  await flush();
  if (decision === "drop" || decision === "take") await refresh(true);
}

/** This phone writes again: what was refused because another one did goes once more. */
async function taken() {
  const again = (sheet, codes) => change(sheet, (list) => list.filter((item) => item.state === "refused" && codes.includes(item.code)).reduce((now, item) => decide(now, item.id, "take"), list));
  // The pen is the table's, the side that a phone records for is chosen in each game.
  for (const sheet of root.dataset.sheets.split(" ")) await again(sheet, sheet === root.dataset.sheet ? ["pen_taken", "choose_a_side"] : ["pen_taken"]);
}

/** A refused deal back into the form: it is put right there, keeps its place, and is not typed again. */
async function edit(item) {
  const depth = valueOf(item, "depth");
  if (live().querySelector("[data-deal-form] [name=depth]")?.value !== depth) {
    const address = new URL(location.href);
    address.searchParams.set("depth", depth);
    history.replaceState(null, "", address);
    await refresh(true);
  }
  const form = live().querySelector("[data-deal-form]");
  if (form?.querySelector("[name=depth]").value !== depth) { complain(form || live().querySelector("form"), text("Need"), null); return; }
  editing = item;
  const fold = form.closest("details");
  if (fold) fold.open = true;
  await show();
  putBack(typedIn(item));
  typed = true;
  complain(form, reason(item), null);
  const drop = element("p", "actions");
  drop.append(button(text("Drop"), () => decided(item, "drop")));
  document.getElementById("refused").append(drop);
}

/** The fields of an item that somebody typed or chose. */
const typedIn = (item) => item.fields.filter(([name]) => (name === "dealer" || name === "leader" ? !item.auto : !NOT_TYPED.includes(name)));

function stopEditing() {
  editing = null;
  typed = false;
  document.getElementById("refused")?.remove();
  const form = live().querySelector("[data-deal-form]");
  if (form) emptied(form);
  draft();
}

/** What was typed of the deals from the page's copy up to this number; a deal that is not there only moves the dealer on. */
function typedUpTo(number, held) {
  const written = Number(live().dataset.number);
  const there = new Map(beyond(Number(live().dataset.version), held).map((item) => [item.number, Object.fromEntries(item.fields)]));
  return Array.from({ length: Math.max(0, number - written) }, (_each, at) => there.get(written + at) || { passed: "1" });
}

/** The score after the deals that wait here; a game that is over by this count closes its form and leads on to the next. */
function count(rules, match, held) {
  const deals = beyond(Number(live().dataset.version), held);
  const after = deals.length ? standing(rules, match, live().dataset.dealer, typedUpTo(Math.max(...deals.map((item) => item.number)) + 1, held)).match : null;
  for (const each of live().querySelectorAll("[data-score]")) {
    if (!each.dataset.server) each.dataset.server = each.textContent;
    each.textContent = after ? String((rules.target.games ? after.score : after.marks)[each.dataset.score]).replace("-", "−") : each.dataset.server;
  }
  for (const each of live().querySelectorAll("[data-as-written]")) each.hidden = Boolean(after);
  const next = live().querySelector("[data-next-game]");
  if (!next || !live().querySelector("[data-deal-form]")) return; // without a form the server says that it is over
  const over = Boolean(after?.finished) && !editing && !next.dataset.playOn;
  next.hidden = !over;
  for (const each of next.querySelectorAll("[data-full]")) each.hidden = !over;
  for (const each of live().querySelectorAll("[data-deal-form], .depths")) each.hidden = over;
}

/** Empty the form for the next deal, and show it from its beginning. */
function emptied(form) {
  delete form.dataset.autoDealer;
  delete form.dataset.chosenDealer;
  clear(form);
  form.closest("#live")?.scrollIntoView({ block: "start" });
}

/** The form is for the deal after those that wait, or for the one that is put right: its number, its dealer. */
function ahead(kept) {
  const onDisk = new Set(kept.map((item) => valueOf(item, "key")));
  const held = kept.concat([...keeping.values()].filter((item) => !onDisk.has(valueOf(item, "key"))));
  const { dataset } = live();
  if (!dataset.rules) return;
  const rules = JSON.parse(dataset.rules);
  count(rules, JSON.parse(dataset.match), held);
  const form = live().querySelector("[data-deal-form]");
  if (!form) return;
  const number = editing ? editing.number : nextNumber(Number(dataset.number), held);
  form.querySelector("[name=number]").value = String(number);
  const heading = form.querySelector("#next-deal");
  if (heading) heading.firstChild.textContent = heading.firstChild.textContent.replace(/\d+/, String(number));
  const dealer = form.querySelector("select[name=dealer]");
  if (!dealer) return;
  const at = standing(rules, null, dataset.dealer, typedUpTo(number, held)).dealer;
  if (form.dataset.autoDealer === at) return;
  form.dataset.autoDealer = at;
  if (!form.dataset.chosenDealer) dealer.value = at;
  showDealer(form, dealer.value);
}

// ---- writing -------------------------------------------------------------------------------------------------------

/** "Everybody passed" would throw away what stands in the form: ask first. */
function askPassed(form, submitter) {
  complain(form, text("Passed"), null);
  const actions = element("p", "actions");
  actions.append(button(text("Yes"), () => writeDeal(form, submitter, true), false));
  actions.lastChild.dataset.decision = "yes";
  document.getElementById("refused").append(actions);
}

async function writeDeal(form, submitter, sure = false) {
  if (keeping.size && !typed) return; // a second tap on the same deal
  const passed = submitter?.name === "passed";
  if (passed && !sure && describesPlay(form)) {
    askPassed(form, submitter);
    return;
  }
  const fault = passed ? null : faultOf(form);
  if (fault) {
    complain(form, fault.words, fault.at);
    fault.focus?.focus();
    return;
  }
  // Nothing is awaited from here until the form is for the next deal: the next tap belongs to that one.
  const item = written(form, submitter, passed);
  const key = valueOf(item, "key");
  const corrected = editing;
  if (!corrected) keeping.set(key, { ...item, state: "waiting" });
  formKey = randomKey();
  editing = null;
  typed = false;
  document.getElementById("refused")?.remove();
  emptied(form);
  ahead(known);
  draft();
  try {
    if (corrected) await change(root.dataset.sheet, (list) => decide(list.map((each) => (each.id === corrected.id ? { ...each, ...item, number: each.number, fields: each.fields } : each)), corrected.id, "change", item.fields));
    else await keep(item);
  } catch {
    notKept(item, corrected);
    return;
  } finally {
    keeping.delete(key);
  }
  await show();
  flush();
}

/** The phone had no room for a deal: it stands in the form again, unless the next one is being typed. */
function notKept(item, corrected) {
  keeping.delete(valueOf(item, "key"));
  if (!typed) editing = corrected;
  ahead(known);
  if (!typed) putBack(typedIn(item));
  typed = true;
  draft();
  complain(live().querySelector("[data-deal-form]"), text("Full", { n: item.number }), null);
}

/** Where the deals of this table are sent from any page, its own page, and what it is called. */
const destination = () => ({ url: root.dataset.send, page: root.dataset.page, table: root.dataset.name });

/** The form as an item of the queue. */
function written(form, submitter, passed) {
  const data = new FormData(form, submitter);
  if (submitter?.name && !data.has(submitter.name)) data.append(submitter.name, submitter.value);
  for (const name of [...data.keys()]) if (["csrfmiddlewaretoken", "version"].includes(name) || (passed && PLAYED.test(name))) data.delete(name);
  data.set("key", formKey);
  data.set("game", root.dataset.game);
  const counted = form.querySelector("[data-counted]:checked");
  const said = form.querySelector("[data-say][data-score-said]");
  const leader = form.querySelector("select[name=leader]");
  return {
    ...typedNow(), sheet: root.dataset.sheet, to: destination(), number: Number(data.get("number")),
    fields: [...data.entries()].map(([name, value]) => [name, String(value)]),
    auto: Boolean(root.dataset.pairs) && data.get("dealer") === form.dataset.autoDealer && !leader?.value,
    side: counted && !passed ? counted.dataset.name : "", said: !passed && said ? said.textContent.trim() : "",
  };
}

async function flush() {
  if (sending) return;
  sending = true;
  const address = root.dataset.send;
  const call = await sendCall(root.dataset.sheet, address);
  const others = root.dataset.sheets.split(" ").filter((sheet) => sheet !== root.dataset.sheet);
  const elsewhere = [];
  for (const sheet of others) elsewhere.push(await send(sheet, address, () => show()));
  if (elsewhere.some((each) => each.moved)) keepGames();
  const own = await send(root.dataset.sheet, address, () => show());
  sending = false;
  stale = stale || own.moved || call.moved;
  const ends = [call, own, ...elsewhere].map((each) => each.ended);
  offline = ends.includes("offline");
  if (offline || ends.includes("failing")) later();
  else failures = 0;
  if (stale && !offline) await refresh(true);
  if (own.ended === "refused") await returned();
  else await show();
}

/** What the server refused goes back into an untouched form, so that it is changed and not typed again. */
async function returned() {
  const item = (await items(root.dataset.sheet)).find((each) => each.state === "refused");
  if (item && ["pen_taken", "sheet_signed", "match_decided", "match_over", "not_the_next_deal", "bell_rang"].includes(item.code)) await refresh(true);
  if (item && !typed && !editing && decisions(item)[0] === "change" && live().querySelector("[data-deal-form]")) await edit(item);
  else await show();
}

/** Forms that need the server's answer at once: sign, dispute, bell, referee, pen. */
async function writeNow(form, submitter) {
  const data = new FormData(form, submitter);
  if (submitter?.name && !data.has(submitter.name)) data.append(submitter.name, submitter.value);
  data.set("game", root.dataset.game);
  data.set("key", randomKey());
  data.delete("csrfmiddlewaretoken");
  form.querySelectorAll("button").forEach((each) => { each.disabled = true; });
  if (unsent(await items(root.dataset.sheet)).length) await send(root.dataset.sheet, root.dataset.send);
  const result = await post(root.dataset.send, [...data.entries()]);
  form.querySelectorAll("button").forEach((each) => { each.disabled = false; });
  if (result === null && data.get("verb") === "referee") {
    await keepCall(root.dataset.sheet, [...data.entries()].map(([name, value]) => [name, String(value)]), destination());
    form.closest("details").open = false;
    offline = true;
    await show();
    live().querySelector("[data-queue]").scrollIntoView({ block: "center" });
    later();
    return;
  }
  if (result === null || result.status) {
    complain(form, result ? text("Fault", { status: result.status }) : text("Need"), null);
    return;
  }
  if (result.ok) {
    if (["take", "choose"].includes(data.get("verb"))) await taken();
    await refresh(true);
    flush();
  } else {
    await refresh(true);
    complain(live().querySelector("form") || form, result.answer.message, null);
  }
}

// ---- staying fresh -------------------------------------------------------------------------------------------------

const NOT_TYPED = ["key", "number", "version", "csrfmiddlewaretoken", "dealer", "leader", "verb", "depth"];

/** What stands in the deal's form, to be put back into a fresh copy of it. */
function typing() {
  const form = live().querySelector("[data-deal-form]");
  if (!form || !typed) return null;
  const chosen = form.dataset.chosenDealer ? ["dealer", "leader"] : ["leader"];
  return [...new FormData(form).entries()].filter(([name, value]) => !NOT_TYPED.includes(name) || (chosen.includes(name) && value));
}

/** Keep what is being typed on the phone, or forget it where nothing is. */
function draft() {
  const form = live().querySelector("[data-deal-form]");
  const fields = typing();
  drafts += 1;
  const turn = drafts;
  if (fields) root.dataset.pending = "1"; // not on the disk yet
  keepDraft(root.dataset.sheet, fields && { fields, number: Number(form.querySelector("[name=number]").value), editing: editing?.id || 0 })
    .then((kept) => { if (kept && turn === drafts) delete root.dataset.pending; });
}

/** What was being typed when the page was left, back into its form; of a deal that is written since, nothing. */
async function putDraftBack() {
  const left = await keptDraft(root.dataset.sheet);
  const form = live().querySelector("[data-deal-form]");
  if (!left || !form || typed) return;
  const refused = (await items(root.dataset.sheet)).find((item) => item.id === left.editing && item.state === "refused");
  if (refused) await edit(refused);
  if (typed && !refused) return; // the next deal was begun meanwhile
  if (refused ? !editing : left.editing || Number(form.querySelector("[name=number]").value) !== left.number) {
    keepDraft(root.dataset.sheet, null);
    return;
  }
  typed = true;
  putBack(left.fields);
}

function fill(form, fields) {
  for (const [name, value] of fields) {
    for (const input of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (input.type === "radio" || input.type === "checkbox") input.checked = input.value === value;
      else input.value = value;
    }
  }
}

function putBack(fields) {
  const form = live().querySelector("[data-deal-form]");
  if (!form) return;
  fill(form, fields);
  const dealer = fields.find(([name]) => name === "dealer");
  if (dealer) {
    form.dataset.chosenDealer = "1";
    showDealer(form, dealer[1]);
  }
  countSide(form);
  form.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Put a fresh copy of #live in the place of the one shown, with all that was typed and opened in that. */
function swap(fresh, held, force) {
  const open = [...live().querySelectorAll("details[open] > summary")].map((each) => each.textContent);
  const kept = typing();
  const asking = live().querySelector("details.call[open] form");
  const asked = asking ? [...new FormData(asking).entries()].filter(([name]) => name === "reason" || name === "words") : null;
  const speaking = document.activeElement?.id === "id_words";
  const focused = kept && live().contains(document.activeElement) ? document.activeElement.id : "";
  live().replaceWith(fresh);
  for (const each of fresh.querySelectorAll("details > summary")) if (!force && open.includes(each.textContent)) each.parentElement.open = true;
  // Who is about to call the referee is not interrupted, whatever the refresh is for.
  const call = asked && fresh.querySelector("details.call");
  if (call) {
    call.open = true;
    fill(call, asked);
    if (speaking) document.getElementById("id_words").focus({ preventScroll: true });
  }
  typed = false;
  prepare();
  paint(...held);
  fresh.dispatchEvent(new CustomEvent("live:swapped", { bubbles: true }));
  if (!kept) return;
  putBack(kept);
  typed = true;
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

const AGE = 60_000; // milliseconds for which a page is not loaded again, however the server's versions change

/** Whether the server has other files than this page was loaded with: the service worker keeps no copy of it with these. */
const outdated = (whole) => whole.querySelector("[data-table]")?.dataset.files !== root.dataset.files;

/** A fresh copy of #live; what is being typed is kept. Unforced, it waits until nobody types. */
async function refresh(force = false) {
  if (typed && !force) return;
  const query = new URL(location.href).searchParams.get("depth");
  try {
    // The whole page, so that the service worker keeps the copy that a reload without a network opens.
    const answer = await fetch(`${root.dataset.page}${query ? `&depth=${encodeURIComponent(query)}` : ""}`, { credentials: "same-origin", cache: "no-store" });
    failing = answer.status >= 500 ? answer.status : 0;
    if (!answer.ok) throw new Error(String(answer.status));
    const whole = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!whole.getElementById("live")) throw new Error("no sheet");
    const newer = outdated(whole);
    // The page is loaded again whole: what is typed is on the disk.
    if (newer && performance.now() > AGE && !keeping.size && !root.dataset.pending) { location.reload(); return; }
    const fresh = document.adoptNode(whole.getElementById("live"));
    let held;
    do {
      await calm();
      held = await holds();
    } while (pressing);
    offline = false;
    if (typed && !force) return; // somebody has begun to type meanwhile
    stale = false;
    // Nothing is awaited while the copies change places: no tap falls between them.
    inPlace(() => swap(fresh, held, force));
    // Without a network the kept copy opens, which is older than this one: it counts on with what was sent since.
    if (!newer) await seen(root.dataset.sheet, Number(fresh.dataset.version));
  } catch {
    offline = !failing;
    stale = stale || force;
    later();
  }
  await show();
}

/** Tell clock.js the server's time: whole seconds, and half of the way there and back. */
function tellTime(answer, sent) {
  const server = Date.parse(answer.headers.get("Date") || "");
  if (!Number.isNaN(server)) document.dispatchEvent(new CustomEvent("live:time", { detail: { offset: server + 500 - (sent + Date.now()) / 2 } }));
}

async function watch() {
  clearTimeout(timer);
  if (!document.hidden) {
    try {
      const sent = Date.now();
      const answer = await fetch(root.dataset.state, { credentials: "same-origin", cache: "no-store" });
      tellTime(answer, sent);
      if (answer.status === 404) {
        // The link is worth nothing any more: what this phone still holds is shown as refused, not hidden by a reload.
        if (!unsent(await items(root.dataset.sheet)).length) { location.reload(); return; }
        await flush();
        return;
      }
      if (answer.status >= 500) failing = answer.status;
      if (!answer.ok) throw new Error(String(answer.status));
      const now = await answer.json();
      const was = offline || failing;
      offline = false;
      failing = 0;
      failures = 0;
      const shown = live().dataset;
      const changed = String(now.version) !== shown.version || now.mark !== shown.mark || String(now.epoch) !== shown.epoch || Boolean(now.pen) !== Boolean(shown.pen) || Boolean(now.decided) !== Boolean(shown.decided) || now.call !== shown.call || Boolean(now.claimed) !== Boolean(shown.claimed) || Math.abs((now.ends_at ? Date.parse(now.ends_at) : 0) - (shown.ends ? Date.parse(shown.ends) : 0)) > 999;
      if (shown.pen && !now.pen) await refresh(true);
      else if (changed) await refresh();
      if (was || [...await items(root.dataset.sheet), ...await elsewhere()].some((item) => item.state === "waiting")) flush();
    } catch {
      offline = !failing;
      await show();
      failures += 1;
    }
  }
  timer = setTimeout(watch, Math.min(30_000, 4000 * 1.5 ** Math.min(failures, 6)) * (0.8 + Math.random() * 0.4));
}

function later() {
  failures += 1;
  setTimeout(flush, Math.min(20_000, 1500 * 2 ** Math.min(failures, 4)));
}

/** The number of whose phone this is in an event, as find.js keeps it; "" where nobody said so. */
function owner(event) {
  try {
    return JSON.parse(localStorage.getItem(`me:${event}`) || "null")?.entrant || "";
  } catch {
    return ""; // storage refused or damaged
  }
}

function prepare() {
  for (const form of live().querySelectorAll("form")) countSide(form);
  for (const each of live().querySelectorAll("[data-partner]")) each.hidden = each.dataset.partner !== owner(each.dataset.event);
  // What may be done for so many seconds only.
  for (const each of live().querySelectorAll("form[data-seconds]")) setTimeout(() => each.remove(), Number(each.dataset.seconds) * 1000);
}

/** Have the service worker keep every game of the table, so that each opens as itself without a network. */
function keepGames() {
  navigator.serviceWorker?.controller?.postMessage({ keepGames: location.href }); // at the first load it does so itself
}

root.addEventListener("click", (event) => {
  if (!event.target.closest("[data-play-on]")) return;
  live().querySelector("[data-next-game]").dataset.playOn = "1";
  show();
});
root.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  event.preventDefault();
  if (form.matches("[data-deal-form]")) writeDeal(form, event.submitter);
  else writeNow(form, event.submitter);
});
root.addEventListener("input", (event) => {
  const form = event.target.closest("[data-deal-form]");
  if (!form) return;
  typed = true;
  if (event.target.name === "dealer") form.dataset.chosenDealer = "1";
  draft();
});
root.addEventListener("change", (event) => {
  event.target.closest(".choices--bad")?.classList.remove("choices--bad");
});
// ---- hold to sign: a tap in passing signs nothing; a key does -------------------------------------------------------

const HOLD = 800;
let held = 0;

function letGo() {
  clearTimeout(held);
  for (const each of live().querySelectorAll("[data-holding]")) delete each.dataset.holding;
}

document.addEventListener("pointerdown", () => press(REST), true);
document.addEventListener("pointerup", () => press(CLICK), true);
document.addEventListener("pointercancel", () => press(0), true);
document.addEventListener("click", () => press(0));
root.addEventListener("pointerdown", (event) => {
  const pressed = event.target.closest("[data-hold]");
  if (!pressed) return;
  letGo();
  pressed.dataset.holding = "1";
  held = setTimeout(() => { letGo(); press(0); pressed.form.requestSubmit(pressed); }, HOLD);
});
// A mouse under which the button fills leaves it for its filling: that is no leaving.
for (const end of ["pointerup", "pointercancel", "pointerout"]) {
  root.addEventListener(end, (event) => {
    const button = event.target.closest?.("[data-hold]");
    if (button && !(end === "pointerout" && button.contains(event.relatedTarget))) letGo();
  });
}
for (const other of ["click", "contextmenu"]) {
  root.addEventListener(other, (event) => { if (event.target.closest("[data-hold]") && (other === "contextmenu" || event.detail > 0)) event.preventDefault(); });
}
document.addEventListener("clock:over", () => refresh());
window.addEventListener("online", () => { failures = 0; flush(); watch(); });
window.addEventListener("offline", () => { offline = true; show(); });
document.addEventListener("visibilitychange", () => { if (!document.hidden) watch(); });
// The browser asks before the page is left where it could not be opened again, or what was typed would be lost with it.
window.addEventListener("beforeunload", (event) => { if ((offline && !reopens) || keeping.size || root.dataset.pending) event.preventDefault(); });
if ("serviceWorker" in navigator) navigator.serviceWorker.register(root.dataset.worker, { scope: "/t/" }).catch(() => { /* private mode: the queue still works while the page is open */ });
/** Give the deals that an earlier release kept the address by which any page sends them. */
async function addressed() {
  for (const sheet of root.dataset.sheets.split(" ")) await change(sheet, (list) => list.map((item) => (item.to || item.state === "sent" ? item : { ...item, to: destination() })));
}

prepare();
addressed();
keepGames();
seen(root.dataset.sheet, Number(live().dataset.version)).then(show).then(putDraftBack).then(flush);
timer = setTimeout(watch, 3000);
