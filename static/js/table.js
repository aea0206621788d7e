/* The scorekeeper's page: writes deals through the queue, keeps itself fresh, says what this phone still holds.
 *
 * Without script every form posts and every page is true as of its load. With it, the deal's form goes through
 * table-queue.js: kept on the phone first, sent at once when there is a network and later when there is none. What the
 * page knows is one state (table-state.js), changed by events and drawn by paint. The page asks data-state every few
 * seconds and takes a fresh copy of #live when the sheet, its signatures, the pen, the call or the bell changed and nobody
 * is typing. Attributes and sentences stand on [data-table] in templates/table/sheet.html.
 */
import { PLAYED, callTo, clear, complain, countSide, describesPlay, faultOf, filledIn, showDealer } from "./deal-form.js";
import { showOwner } from "./owner.js";
import { beyond, corrections, decide, decisions, nextNumber, takeBack, valueOf } from "./table-deals.js";
import { button, drawNotice, element, live, reason, root, sheet, text } from "./table-notice.js";
import { alone, change, items, keep, keepCall, keepDraft, keptDraft, onChange, post, randomKey, seen, send, sendCall, typedNow, waitingCall } from "./table-queue.js";
import { drawRows, drawSignatures } from "./table-rows.js";
import { askDoubt, corrected, doubtsOf, standing } from "./table-score.js";
import { START, reduce, view } from "./table-state.js";
import { calm, holdToSign, isPressed } from "./table-thumb.js";

const dealForm = () => live().querySelector("[data-deal-form]");
const reopens = "serviceWorker" in navigator; // not over plain HTTP: there a reload needs the network
const keeping = new Map(); // the deals on their way to the disk, by key
let formKey = randomKey(); // one for each deal that is written, however often it is sent or its form refreshed
let drafts = 0;
let state = START;
const tell = (type, more = {}) => { state = reduce(state, { type, ...more }); };
const opened = performance.getEntriesByType("navigation")[0]?.responseStatus || 0;
if (opened >= 500) tell("unanswered", { status: opened }); // the kept copy opened, as the server failed

// ---- the queue on the page -----------------------------------------------------------------------------------------

/** Read what this phone holds: the items of this sheet, the call that waits, what waits for the table's other games. */
async function look() {
  try {
    const [held, call, others] = await Promise.all([items(root.dataset.sheet), waitingCall(root.dataset.sheet), elsewhere()]);
    tell("read", { held, call, others });
  } catch {
    // The disk does not open now: what was read last stays.
  }
}

async function show() {
  await look();
  await calm();
  inPlace(paint);
}

/** Draw the state. Awaits nothing: two that show at once would both write their lines. */
function paint() {
  const box = live()?.querySelector("[data-queue]");
  if (!box) return;
  const version = Number(live().dataset.version);
  const { count: held, spoken, take, notice, rows, changed, signatures } = view(state, { version, reopens, formless: !dealForm(), double: Boolean(root.dataset.double) });
  const wasOpen = Boolean(box.querySelector("details")?.open);
  box.replaceChildren();
  box.hidden = !notice;
  box.dataset.count = String(held);
  const strip = live().querySelector("p.spoken");
  if (strip) strip.hidden = !spoken;
  const taking = live().querySelector("button[value=take]");
  if (taking) taking.form.hidden = !take;
  drawRows(rows, changed, ahead(), decided);
  drawSignatures(signatures, decided);
  if (!notice) return;
  box.append(drawNotice(notice, wasOpen, decided));
}

// ---- nothing moves under a thumb (table-thumb.js) --------------------------------------------------------------------

/** Do what may move the deal's form; while somebody types in it, it stays where it is on the screen. */
function inPlace(act) {
  const top = () => live()?.querySelector("[data-deal-form]:not([hidden])")?.getBoundingClientRect().top;
  const before = state.typed || dealForm()?.querySelector("details[open]") ? top() : undefined;
  act();
  const after = top();
  if (before !== undefined && after !== undefined) window.scrollBy({ top: after - before, behavior: "instant" });
}

/** What waits for the other games of this table. */
async function elsewhere() {
  const others = root.dataset.sheets.split(" ").filter((sheet) => sheet !== root.dataset.sheet);
  return (await Promise.all(others.map(items))).flat().filter((item) => item.state !== "sent");
}

/** Do what was decided about an item: one that waits is taken back first. */
async function decided(item, decision) {
  if (decision === "change") { await edit(item); return; }
  if (decision === "doubled") {
    await edit(item);
    if (state.editing?.id === item.id) doubled(dealForm());
    return;
  }
  if (decision === "edit" || decision === "undo") {
    await alone(item.sheet, () => change(item.sheet, (list) => takeBack(list, item.id)));
    const taken = (await items(item.sheet)).find((each) => each.id === item.id && each.code === "taken_back");
    if (!taken) { await show(); return; } // it was sent meanwhile
    if (decision === "edit") await edit(taken);
    else await decided(taken, "drop");
    return;
  }
  if (decision === "correct") await change(item.sheet, (list) => decide(list, item.id, decision, text(item.rekeyed ? "Changedhere" : "Twophones")));
  else if (decision === "take") {
    const result = await post(root.dataset.send, [["verb", "take"], ["game", root.dataset.game]]);
    if (!result?.ok) { complain(live().querySelector("form"), result?.answer?.message || text("Need")); return; }
    await taken();
  } else await change(item.sheet, (list) => decide(list, item.id, decision));
  if (state.editing?.id === item.id) stopEditing();
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
  const form = dealForm();
  if (form?.querySelector("[name=depth]").value !== depth) { complain(form || live().querySelector("form"), text("Need")); return; }
  tell("editing", { item });
  const fold = form.closest("details");
  if (fold) fold.open = true;
  await show();
  putBack(typedIn(item));
  tell("typed", { typed: true });
  const drop = element("p", "actions");
  drop.append(button(text("Drop"), () => decided(item, "drop")));
  const box = complain(form, item.code === "taken_back" ? text("Takenback", { n: item.number }) : reason(item), null, item.code === "taken_back" || Boolean(item.sure));
  box.append(drop);
  box.scrollIntoView({ block: "start" }); // the form is below it
}

/** The fields of an item that somebody typed or chose. */
const typedIn = (item) => item.fields.filter(([name]) => (name === "dealer" || name === "leader" ? !item.auto : !NOT_TYPED.includes(name)));

function stopEditing() {
  tell("editing", { item: null });
  tell("typed", { typed: false });
  document.getElementById("refused")?.remove();
  const form = dealForm();
  if (form) emptied(form);
  draft();
}

/** What was typed of the deals from the page's copy up to this number; a deal that is not there only moves the dealer on. */
function typedUpTo(number, held) {
  const written = Number(live().dataset.number);
  const there = new Map(beyond(Number(live().dataset.version), held).map((item) => [item.number, Object.fromEntries(item.fields)]));
  return Array.from({ length: Math.max(0, number - written) }, (_each, at) => there.get(written + at) || { passed: "1" });
}

/** The score as the page shows it: of a match by games that of its game, at its end the games won. */
const shownScore = (rules, match) => (rules.target.games ? (match.finished ? match.games : match.score) : match.marks);

/** The score after what waits here; a game that is over by this count closes its form and leads on to the next. Returns
 * the deals by their numbers, as their rows show them. */
function count(rules, { match, deals: rows }, held) {
  const deals = beyond(Number(live().dataset.version), held);
  const counted = standing(rules, match, live().dataset.dealers.split(" "), typedUpTo(Math.max(0, ...deals.map((item) => item.number)) + 1, held));
  const waits = deals.length > 0 || corrections(held).length > 0;
  const after = waits ? counted.match : null;
  const byNumber = { ...rows };
  counted.deals.forEach((deal, at) => { byNumber[Number(live().dataset.number) + at] = deal; });
  for (const each of live().querySelectorAll("[data-score]")) {
    if (!each.dataset.server) each.dataset.server = each.textContent;
    each.textContent = after ? String(shownScore(rules, after)[each.dataset.score]).replace("-", "−") : each.dataset.server;
  }
  for (const each of live().querySelectorAll("[data-as-written]")) each.hidden = waits;
  const next = live().querySelector("[data-next-game]");
  if (!next || !dealForm()) return byNumber; // without a form the server says that it is over
  const over = Boolean(after?.finished) && !state.editing && !next.dataset.playOn;
  next.hidden = !over;
  for (const each of next.querySelectorAll("[data-full]")) each.hidden = !over;
  for (const each of live().querySelectorAll("[data-deal-form], .depths")) each.hidden = over;
  return byNumber;
}

/** Empty the form for the next deal, and show it from its beginning. */
function emptied(form) {
  delete form.dataset.autoDealer;
  delete form.dataset.chosenDealer;
  clear(form);
  form.closest("#live")?.scrollIntoView({ block: "start" });
}

/** The form is for the deal after those that wait, or for the one that is put right: its number, its dealer. Returns
 * the deals that wait as count does. */
function ahead() {
  const onDisk = new Set(state.held.map((item) => valueOf(item, "key")));
  const held = state.held.concat([...keeping.values()].filter((item) => !onDisk.has(valueOf(item, "key"))));
  const { dataset } = live();
  const { rules } = sheet();
  const now = corrected(rules, JSON.parse(dataset.match), corrections(held));
  const counted = count(rules, now, held);
  const form = dealForm();
  if (!form) return counted;
  const number = state.editing ? state.editing.number : nextNumber(Number(dataset.number), held);
  form.querySelector("[name=number]").value = String(number);
  const heading = form.querySelector("#next-deal");
  if (heading) heading.firstChild.textContent = heading.firstChild.textContent.replace(/\d+/, String(number));
  const before = standing(rules, now.match, dataset.dealers.split(" "), typedUpTo(number, held));
  form.dataset.match = JSON.stringify(before.match);
  const dealer = form.querySelector("select[name=dealer]");
  if (form.dataset.autoDealer === before.dealer) return counted;
  form.dataset.autoDealer = before.dealer;
  if (!form.dataset.chosenDealer) dealer.value = before.dealer;
  showDealer(form, dealer.value);
  return counted;
}

// ---- writing -------------------------------------------------------------------------------------------------------

/** "Everybody passed" would throw away what stands in the form: ask first. */
function askPassed(form, submitter) {
  const actions = element("p", "actions");
  actions.append(button(text("Yes"), () => writeDeal(form, submitter, true), false));
  actions.lastChild.dataset.decision = "yes";
  complain(form, text("Passed"), null, true).append(actions);
}

/** What the server would ask about the deal in the form, once it is whole. */
function doubtsIn(form) {
  const { rules } = sheet();
  const expected = form.dataset.autoDealer || live().dataset.dealers.split(" ")[0];
  const found = doubtsOf(rules, filledIn(form), expected);
  if (!state.editing) return { found, answered: [] };
  // Of the deal that is put right, a question with the same numbers was answered before.
  const sure = valueOf(state.editing, "sure").split(",");
  const before = doubtsOf(rules, Object.fromEntries(state.editing.fields), expected).filter((each) => sure.includes(each.code)).map((each) => JSON.stringify(each));
  const answered = found.filter((each) => before.includes(JSON.stringify(each)));
  return { found: found.filter((each) => !answered.includes(each)), answered: answered.map((each) => each.code) };
}

/** The deal was doubled, once: further calls are tapped on the button that shows it, in place of the question. */
function doubled(form) {
  document.getElementById("refused")?.remove();
  callTo(form, 1);
  const button = form.querySelector("[data-calls]");
  button.scrollIntoView({ block: "center" });
  button.focus({ preventScroll: true });
}

/** Ask one question after the other, with a network or without one; the last answer records the deal with all. */
function askDoubts(form, submitter, doubts, answered) {
  const [doubt, ...others] = doubts;
  const { words } = sheet();
  const double = doubt.code === "forgotten_double";
  const codes = [...answered, doubt.code];
  const actions = element("p", "actions");
  actions.append(button(text(double ? "Notdoubled" : "Yes"), () => (others.length ? askDoubts(form, submitter, others, codes) : writeDeal(form, submitter, codes.join(","))), false));
  actions.lastChild.dataset.decision = "yes";
  if (double) {
    actions.append(button(text("Doubled"), () => doubled(form)));
    actions.lastChild.dataset.decision = "doubled";
  }
  complain(form, askDoubt(words, doubt), null, true).append(actions);
}

/** Write the deal of the form; sure: the doubts that were answered, or true where everybody passed.
 * @param {HTMLFormElement} form
 * @param {HTMLElement} submitter
 * @param {string | boolean} sure
 */
async function writeDeal(form, submitter, sure = false) {
  if (keeping.size && !state.typed) return; // a second tap on the same deal
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
  const { found, answered } = passed || sure || root.dataset.double ? { found: [], answered: [] } : doubtsIn(form);
  if (found.length) {
    askDoubts(form, submitter, found, answered);
    return;
  }
  // Nothing is awaited from here until the form is for the next deal: the next tap belongs to that one.
  const item = written(form, submitter, passed);
  if (typeof sure === "string" || answered.length) item.fields.push(["sure", String(sure || answered.join(","))]);
  const key = valueOf(item, "key");
  const corrected = state.editing;
  if (!corrected) keeping.set(key, { ...item, state: "waiting" });
  formKey = randomKey();
  tell("editing", { item: null });
  tell("typed", { typed: false });
  document.getElementById("refused")?.remove();
  emptied(form);
  ahead();
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
  if (!state.typed) tell("editing", { item: corrected });
  ahead();
  if (!state.typed) putBack(typedIn(item));
  tell("typed", { typed: true });
  draft();
  complain(dealForm(), text("Full", { n: item.number }));
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
  const leader = form.querySelector("select[name=leader]");
  return {
    ...typedNow(), sheet: root.dataset.sheet, to: destination(), number: Number(data.get("number")),
    fields: [...data.entries()].map(([name, value]) => /** @type {[string, string]} */ ([name, String(value)])),
    auto: Boolean(root.dataset.pairs) && data.get("dealer") === form.dataset.autoDealer && !leader?.value,
  };
}

/** Send everything that waits for this table: the call, the other games, this one. */
async function flush() {
  if (state.sending) return;
  tell("sending");
  const address = root.dataset.send;
  const others = root.dataset.sheets.split(" ").filter((sheet) => sheet !== root.dataset.sheet);
  const results = [];
  try {
    results.push(await sendCall(root.dataset.sheet, address));
    for (const sheet of others) results.push(await send(sheet, address, () => show()));
    if (results.slice(1).some((each) => each.moved)) keepGames();
    results.push(await send(root.dataset.sheet, address, () => show()));
  } catch {
    results.push({ ended: "failing", moved: false }); // the disk does not open: once more, later
  } finally {
    const own = results.at(-1);
    tell("sent", { ends: results.map((each) => each.ended), moved: own.moved || results[0].moved });
  }
  if (state.failures) later();
  if (state.stale && !state.offline) await refresh(true);
  if (results.at(-1).ended === "refused") await returned();
  else await show();
}

/** What the server refused goes back into an untouched form, so that it is changed and not typed again. */
async function returned() {
  const item = (await items(root.dataset.sheet)).find((each) => each.state === "refused");
  if (item && ["pen_taken", "sheet_signed", "match_decided", "match_over", "not_the_next_deal", "bell_rang"].includes(item.code)) await refresh(true);
  if (item && item.code !== "taken_back" && !state.typed && !state.editing && decisions(item)[0] === "change" && dealForm()) await edit(item);
  else await show();
}

/** Keep a signature until the network is back; a side signs once. */
async function keepSignature(data) {
  const signs = (item) => item.state === "waiting" && valueOf(item, "verb") === "sign" && valueOf(item, "signing") === data.get("signing");
  if (!(await items(root.dataset.sheet)).some(signs)) {
    const fields = [...data.entries()].map(([name, value]) => [name, String(value)]);
    await keep({ ...typedNow(), sheet: root.dataset.sheet, to: destination(), fields, number: 0 });
  }
  tell("lost");
  await show();
  live().querySelector("[data-queue]").scrollIntoView({ block: "center" });
  later();
}

/** Forms that need the server's answer at once: sign, dispute, bell, referee, pen. A signature is kept where none comes. */
async function writeNow(form, submitter) {
  const data = new FormData(form, submitter);
  if (submitter?.name && !data.has(submitter.name)) data.append(submitter.name, submitter.value);
  data.set("game", root.dataset.game);
  data.set("key", randomKey());
  data.delete("csrfmiddlewaretoken");
  form.querySelectorAll("button").forEach((each) => { each.disabled = true; });
  if ((await items(root.dataset.sheet)).some((item) => item.state === "waiting")) await send(root.dataset.sheet, root.dataset.send);
  const result = await post(root.dataset.send, [...data.entries()]);
  form.querySelectorAll("button").forEach((each) => { each.disabled = false; });
  if (result === null && data.get("verb") === "referee") {
    await keepCall(root.dataset.sheet, [...data.entries()].map(([name, value]) => [name, String(value)]), destination());
    form.closest("details").open = false;
    tell("lost");
    await show();
    live().querySelector("[data-queue]").scrollIntoView({ block: "center" });
    later();
    return;
  }
  if (result === null && data.get("verb") === "sign") {
    await keepSignature(data);
    return;
  }
  if (result === null || result.status) {
    complain(form, result ? text("Fault", { status: result.status }) : text("Need"));
    return;
  }
  if (result.ok) {
    if (["take", "choose"].includes(String(data.get("verb")))) await taken();
    await refresh(true);
    flush();
  } else {
    await refresh(true);
    complain(live().querySelector("form") || form, result.answer.message);
  }
}

// ---- staying fresh -------------------------------------------------------------------------------------------------

const NOT_TYPED = ["key", "number", "version", "csrfmiddlewaretoken", "dealer", "leader", "verb", "depth"];

/** What stands in the deal's form, to be put back into a fresh copy of it. */
function typing() {
  const form = dealForm();
  if (!form || !state.typed) return null;
  const chosen = form.dataset.chosenDealer ? ["dealer", "leader"] : ["leader"];
  return [...new FormData(form).entries()].filter(([name, value]) => !NOT_TYPED.includes(name) || (chosen.includes(name) && value));
}

/** Keep what is being typed on the phone, or forget it where nothing is. */
function draft() {
  const form = dealForm();
  const fields = typing();
  drafts += 1;
  const turn = drafts;
  if (fields) root.dataset.pending = "1"; // not on the disk yet
  keepDraft(root.dataset.sheet, fields && { fields, number: Number(form.querySelector("[name=number]").value), editing: state.editing?.id || 0 })
    .then((kept) => { if (kept && turn === drafts) delete root.dataset.pending; });
}

/** What was being typed when the page was left, back into its form; of a deal that is written since, nothing. */
async function putDraftBack() {
  const left = await keptDraft(root.dataset.sheet);
  const form = dealForm();
  if (!left || !form || state.typed) return;
  const refused = (await items(root.dataset.sheet)).find((item) => item.id === left.editing && item.state === "refused");
  if (refused) await edit(refused);
  if (state.typed && !refused) return; // the next deal was begun meanwhile
  if (refused ? !state.editing : left.editing || Number(form.querySelector("[name=number]").value) !== left.number) {
    keepDraft(root.dataset.sheet, null);
    return;
  }
  tell("typed", { typed: true });
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
  const form = dealForm();
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
function swap(fresh, force) {
  // The folds of the deal's form stay as they are under the thumb; after a step the others begin closed.
  const kinds = force ? "[data-deal-form] details[open] > summary" : "details[open] > summary";
  const names = (summary) => [...summary.childNodes].map((node) => node.textContent.trim()).find(Boolean);
  const open = [...live().querySelectorAll(kinds)].map(names);
  const kept = typing();
  const asking = live().querySelector("details.call[open] form");
  const asked = asking ? [...new FormData(asking).entries()].filter(([name]) => name === "reason" || name === "words") : null;
  const speaking = document.activeElement?.id === "id_words";
  const focused = kept && live().contains(document.activeElement) ? document.activeElement.id : "";
  live().replaceWith(fresh);
  for (const each of fresh.querySelectorAll(kinds.replace("[open]", ""))) if (open.includes(names(each))) each.parentElement.open = true;
  // Who is about to call the referee is not interrupted, whatever the refresh is for.
  const call = asked && fresh.querySelector("details.call");
  if (call) {
    call.open = true;
    fill(call, asked);
    if (speaking) document.getElementById("id_words").focus({ preventScroll: true });
  }
  tell("typed", { typed: false });
  prepare();
  paint();
  fresh.dispatchEvent(new CustomEvent("live:swapped", { bubbles: true }));
  if (!kept) return;
  putBack(kept);
  tell("typed", { typed: true });
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

const AGE = 60_000; // milliseconds for which a page is not loaded again, however the server's versions change

/** Whether the server has other files than this page was loaded with: the service worker keeps no copy of it with these. */
const outdated = (whole) => whole.querySelector("[data-table]")?.dataset.files !== root.dataset.files;

/** A fresh copy of #live; what is being typed is kept. Unforced, it waits until nobody types. */
async function refresh(force = false) {
  if (state.typed && !force) return;
  const query = new URL(location.href).searchParams.get("depth");
  try {
    // The whole page, so that the service worker keeps the copy that a reload without a network opens.
    const answer = await fetch(`${root.dataset.page}${query ? `&depth=${encodeURIComponent(query)}` : ""}`, { credentials: "same-origin", cache: "no-store" });
    if (!answer.ok) throw Object.assign(new Error(), { status: answer.status });
    const whole = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!whole.getElementById("live")) throw new Error("no sheet");
    const newer = outdated(whole);
    // The page is loaded again whole: what is typed is on the disk.
    if (newer && performance.now() > AGE && !keeping.size && !root.dataset.pending) { location.reload(); return; }
    const fresh = document.adoptNode(whole.getElementById("live"));
    do {
      await calm();
      await look();
    } while (isPressed());
    if (state.typed && !force) { tell("answered"); return; } // somebody has begun to type meanwhile
    tell("fresh");
    // Nothing is awaited while the copies change places: no tap falls between them.
    inPlace(() => swap(fresh, force));
    // Without a network the kept copy opens, which is older than this one: it counts on with what was sent since.
    if (!newer) await seen(root.dataset.sheet, Number(fresh.dataset.version));
  } catch (error) {
    tell("unanswered", { status: error.status, stale: force });
    later();
  }
  await show();
}

/** Tell clock.js the server's time: whole seconds, and half of the way there and back. */
function tellTime(answer, sent) {
  const server = Date.parse(answer.headers.get("Date") || "");
  if (!Number.isNaN(server)) document.dispatchEvent(new CustomEvent("live:time", { detail: { offset: server + 500 - (sent + Date.now()) / 2 } }));
}

/** Whether the server's state is another one than the page shows. */
function differs(now) {
  const shown = live().dataset;
  const ends = (at) => (at ? Date.parse(at) : 0);
  return String(now.version) !== shown.version || now.mark !== shown.mark || String(now.epoch) !== shown.epoch || now.call !== shown.call
    || ["pen", "decided", "claimed"].some((name) => Boolean(now[name]) !== Boolean(shown[name])) || Math.abs(ends(now.ends_at) - ends(shown.ends)) > 999;
}

async function ask() {
  const sent = Date.now();
  const answer = await fetch(root.dataset.state, { credentials: "same-origin", cache: "no-store" });
  tellTime(answer, sent);
  if (answer.status === 404) {
    // The link is worth nothing any more: what this phone still holds is shown as refused, not hidden by a reload.
    if ((await items(root.dataset.sheet)).every((item) => item.state === "sent")) location.reload();
    else await flush();
    return;
  }
  if (!answer.ok) throw Object.assign(new Error(), { status: answer.status });
  const now = await answer.json();
  const was = state.offline || state.failing;
  tell("answered");
  if (live().dataset.pen && !now.pen) await refresh(true);
  else if (differs(now)) await refresh();
  await look();
  if (was || state.held.concat(state.others).some((item) => item.state === "waiting")) flush();
}

let timer = 0;
let asking = false;

/** Ask the server now, and again every few seconds: one chain, however often the screen wakes. */
async function watch() {
  clearTimeout(timer);
  if (asking) return;
  asking = true;
  try {
    if (!document.hidden) await ask();
  } catch (error) {
    tell("unanswered", { status: error.status });
    await show();
  } finally {
    asking = false;
    timer = setTimeout(watch, Math.min(30_000, 4000 * 1.5 ** Math.min(state.failures, 6)) * (0.8 + Math.random() * 0.4));
  }
}

let again = 0;

/** Send again after a pause that grows. */
function later() {
  clearTimeout(again);
  again = setTimeout(flush, Math.min(20_000, 1500 * 2 ** Math.min(state.failures, 4)));
}

function prepare() {
  for (const form of live().querySelectorAll("form")) countSide(form);
  showOwner(live());
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
  tell("typed", { typed: true });
  if (event.target.name === "dealer") form.dataset.chosenDealer = "1";
  draft();
});
root.addEventListener("change", (event) => {
  event.target.closest(".choices--bad")?.classList.remove("choices--bad");
});
// ---- what the page listens to ---------------------------------------------------------------------------------------

holdToSign(root);
document.addEventListener("clock:over", () => refresh());
window.addEventListener("online", () => { tell("answered"); flush(); watch(); });
window.addEventListener("offline", () => { tell("lost"); show(); });
onChange(() => show());
document.addEventListener("visibilitychange", () => { if (!document.hidden) watch(); });
// The browser asks before the page is left where it could not be opened again, or what was typed would be lost with it.
window.addEventListener("beforeunload", (event) => { if ((state.offline && !reopens) || keeping.size || root.dataset.pending) event.preventDefault(); });
if ("serviceWorker" in navigator) {
  const scope = { scope: "/t/" };
  navigator.serviceWorker.register(`${root.dataset.worker}?type=module`, { ...scope, type: "module" })
    .catch(() => navigator.serviceWorker.register(root.dataset.worker, scope)) // no modules there: no Background Sync either
    .catch(() => { /* private mode: the queue still works while the page is open */ });
}
/** Give the deals that an earlier release kept the address by which any page sends them. */
async function addressed() {
  for (const sheet of root.dataset.sheets.split(" ")) await change(sheet, (list) => list.map((item) => (item.to || item.state === "sent" ? item : { ...item, to: destination() })));
}

/** Take up what an earlier page left; a disk that does not open now is read again with the next deal. */
async function start() {
  try {
    await addressed();
    await seen(root.dataset.sheet, Number(live().dataset.version));
    await show();
    await putDraftBack();
  } finally {
    await flush();
  }
}

/** Where the digits do not fit below the masthead, begin at the first line of the deal, as after each deal. */
function fitDigits() {
  const last = [...live().querySelectorAll("[data-deal-form] [data-numpad] button")].at(-1)?.getBoundingClientRect();
  const bar = live().querySelector("[data-deal-form] .actions--stick")?.getBoundingClientRect();
  if (last && bar && last.bottom > bar.top + 1 && !location.hash) live().scrollIntoView({ block: "start", behavior: "instant" });
}

prepare();
fitDigits();
keepGames();
start();
timer = setTimeout(watch, 3000);
