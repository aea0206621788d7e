/* The scorekeeper's page: writes deals through the queue, keeps itself fresh, says what this phone still holds.
 *
 * Without script every form posts and every page is true as of its load. With it, the deal's form goes through
 * table-queue.js: kept on the phone first, sent at once when there is a network and later when there is none. The page
 * asks data-state every few seconds and takes a fresh copy of #live when the sheet, the pen, the call or the bell
 * changed and nobody is typing. Attributes and sentences stand on [data-table] in templates/table/sheet.html.
 */
import { beyond, decide, decisions, nextNumber, valueOf } from "./table-deals.js";
import { change, items, keep, keepCall, post, randomKey, seen, send, sendCall, waitingCall } from "./table-queue.js";
import { countSide, countTricks } from "./table-count.js";
import { isOver } from "./table-game.js";

const root = document.querySelector("[data-table]");
const text = (name, values = {}) => (root.dataset[`text${name}`] || "").replace(/\{(\w+)\}/g, (all, key) => (key in values ? String(values[key]) : all));
const live = () => document.getElementById("live");
let typed = false;
let editing = null; // the refused item that stands in the form, to be put right
let formKey = randomKey(); // one for each deal that is written, however often it is sent or its form refreshed
let writing = false;
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
  const suits = { S: "♠\uFE0E", H: "♥\uFE0E", D: "♦\uFE0E", C: "♣\uFE0E", NT: "NT" };
  const points = valueOf(item, "points");
  const side = item.side ? `${item.side} ` : "";
  return [suits[valueOf(item, "trump")], points && side + points, item.said].filter(Boolean).join(" · ");
}

const unsent = (list) => list.filter((item) => item.state !== "sent");

/** Why the server refused an item, in the reader's language. */
function reason(item) {
  if (item.code === "server_error") return text("Fault", { status: item.params.status });
  if (!item.why || typeof item.why === "string") return item.why || "";
  return item.why[document.documentElement.lang] || Object.values(item.why)[0] || "";
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

async function show() {
  const [held, call, others] = await Promise.all([items(root.dataset.sheet), waitingCall(root.dataset.sheet), elsewhere()]);
  // Nothing is awaited from here on: two that show at once would both write their lines.
  const box = live()?.querySelector("[data-queue]");
  if (!box) return;
  const waiting = unsent(held);
  const trouble = failing || waiting.concat(others).find((item) => item.trouble)?.trouble || 0;
  box.replaceChildren();
  box.hidden = !waiting.length && !offline && !call && !others.length && !trouble;
  box.dataset.count = String(waiting.length + others.length);
  ahead(held);
  if (box.hidden) return;
  const notice = element("div", `notice notice--${waiting.some((item) => item.state === "refused") ? "error" : "warning"}`);
  notice.setAttribute("role", "status");
  if (trouble) {
    notice.append(element("p", "", text(trouble === 429 ? "Slow" : "Failing", { status: trouble })));
    notice.lastChild.dataset.failing = String(trouble);
  } else if (offline) notice.append(element("p", "", text("Offline")));
  else if (sending) notice.append(element("p", "", text("Sending")));
  if (call) {
    const line = element("p", "notice__title", text("Call"));
    line.dataset.waitingCall = "";
    notice.append(line);
  }
  for (const item of waiting) {
    if (item.id === editing?.id && document.getElementById("refused")) continue; // it stands in the form, with its reason above
    const line = element("div", "queue__item");
    line.dataset.queued = item.state;
    line.append(element("p", "notice__title", item.state === "refused" ? text("Conflict", { n: item.number, why: reason(item) }) : text("Queued", { n: item.number })));
    const what = summary(item);
    if (what) line.append(element("p", "", what));
    if (item.state === "refused") line.append(choices(item));
    notice.append(line);
  }
  for (const game of new Set(others.map((item) => valueOf(item, "game")))) {
    const line = element("p", "queue__item");
    const link = element("a", "", text("Elsewhere", { n: game, deals: others.filter((item) => valueOf(item, "game") === game).length }));
    link.href = `?game=${game}`;
    line.append(link);
    notice.append(line);
  }
  box.append(notice);
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
  await change(root.dataset.sheet, (list) => list.filter((item) => item.state === "refused" && ["pen_taken", "choose_a_side"].includes(item.code)).reduce((now, item) => decide(now, item.id, "take"), list));
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
  const chosen = (name) => (name === "dealer" || name === "leader" ? !item.auto : !NOT_TYPED.includes(name));
  putBack(item.fields.filter(([name]) => chosen(name)));
  typed = true;
  complain(form, reason(item), null);
  const drop = element("p", "actions");
  drop.append(button(text("Drop"), () => decided(item, "drop")));
  document.getElementById("refused").append(drop);
}

function stopEditing() {
  editing = null;
  typed = false;
  document.getElementById("refused")?.remove();
  const form = live().querySelector("[data-deal-form]");
  if (form) clear(form);
}

/** A game that is over by what this phone holds closes its form and leads on to the next game. */
function close(held) {
  const next = live().querySelector("[data-next-game]");
  if (!next) return;
  const { left, goal, tiesPlayOn, totals } = live().dataset;
  const deals = beyond(Number(live().dataset.version), held).map((item) => ({ passed: valueOf(item, "passed") !== "", marks: item.marks || null }));
  const over = deals.length > 0 && !editing && !next.dataset.playOn && isOver({
    left: left === "" ? null : Number(left), goal: goal === "" ? null : Number(goal),
    tiesPlayOn: Boolean(tiesPlayOn), totals: JSON.parse(totals),
  }, deals);
  next.hidden = !over;
  for (const each of next.querySelectorAll("[data-full]")) each.hidden = !over;
  for (const each of live().querySelectorAll("[data-deal-form], .depths")) each.hidden = over;
}

/** The form is for the deal after those that wait, or for the one that is put right: its number, its dealer. */
function ahead(held) {
  const form = live().querySelector("[data-deal-form]");
  if (!form) return;
  close(held);
  const written = Number(form.dataset.number);
  const number = editing ? editing.number : nextNumber(written, held);
  form.querySelector("[name=number]").value = String(number);
  const heading = form.querySelector("#next-deal");
  if (heading) heading.firstChild.textContent = heading.firstChild.textContent.replace(/\d+/, String(number));
  const dealer = form.querySelector("select[name=dealer]");
  const seats = root.dataset.seats.split(" ");
  if (!dealer) return;
  if (!form.dataset.firstDealer) form.dataset.firstDealer = dealer.value;
  if (form.dataset.numbered === String(number)) return;
  form.dataset.numbered = String(number);
  const place = seats.indexOf(form.dataset.firstDealer) + number - written;
  const at = seats[((place % seats.length) + seats.length) % seats.length];
  dealer.value = at;
  form.dataset.autoDealer = at;
  const name = root.querySelector(`[data-seat-name="${CSS.escape(at)}"]`);
  const shown = form.querySelector("[data-dealer-name]");
  if (!shown || !name) return;
  const asked = dealer.closest("details")?.querySelector("summary");
  if (asked) asked.textContent = asked.textContent.replace(shown.textContent, name.textContent);
  shown.textContent = name.textContent;
}

// ---- writing -------------------------------------------------------------------------------------------------------

/** The first group of choices without an answer, for the eye; the server says the rest. */
function missing(form) {
  for (const group of form.querySelectorAll("fieldset.choices")) {
    if (group.classList.contains("tricks") && form.querySelector("[name=depth]").value !== "tricks") continue;
    const radios = [...group.querySelectorAll("input[type=radio]")];
    if (radios.length && !radios.some((input) => input.checked)) return group;
  }
  return null;
}

function complain(form, words, at) {
  let box = document.getElementById("refused");
  if (!box) {
    box = element("div", "error-summary");
    box.id = "refused";
    box.setAttribute("role", "alert");
    box.tabIndex = -1;
    form.before(box);
  }
  box.replaceChildren(element("p", "", words));
  for (const bad of form.querySelectorAll(".choices--bad")) bad.classList.remove("choices--bad");
  at?.classList.add("choices--bad");
  (at || box).scrollIntoView({ block: "center" });
  at?.querySelector("input")?.focus({ preventScroll: true });
}

async function writeDeal(form, submitter) {
  const passed = submitter?.name === "passed";
  const gap = passed ? null : missing(form);
  if (gap) {
    complain(form, text("Missing", { what: gap.querySelector("legend").firstChild.textContent.trim() }), gap);
    return;
  }
  const points = form.querySelector("[data-points] input");
  if (!passed && points && points.validationMessage) {
    complain(form, points.validationMessage, form.querySelector(".counted"));
    points.focus();
    return;
  }
  if (writing) return; // a second tap on the same deal
  writing = true;
  try {
    const item = written(form, submitter, passed);
    if (editing) await change(root.dataset.sheet, (list) => decide(list.map((each) => (each.id === editing.id ? { ...each, ...item, number: each.number, fields: each.fields } : each)), editing.id, "change", item.fields));
    else await keep(item);
    formKey = randomKey();
    editing = null;
    typed = false;
    document.getElementById("refused")?.remove();
    clear(form);
  } finally {
    writing = false;
  }
  await show();
  flush();
}

/** The form as an item of the queue. */
function written(form, submitter, passed) {
  const data = new FormData(form, submitter);
  if (submitter?.name && !data.has(submitter.name)) data.append(submitter.name, submitter.value);
  for (const name of ["csrfmiddlewaretoken", "version"]) data.delete(name);
  data.set("key", formKey);
  data.set("game", root.dataset.game);
  data.set("typed_at", new Date().toISOString());
  const counted = form.querySelector("[data-counted]:checked");
  const said = form.querySelector(".points__say:not([data-bad])");
  const leader = form.querySelector("select[name=leader]");
  return {
    sheet: root.dataset.sheet, number: Number(data.get("number")),
    fields: [...data.entries()].map(([name, value]) => [name, String(value)]),
    auto: Boolean(root.dataset.pairs) && data.get("dealer") === form.dataset.autoDealer && !leader?.value,
    marks: passed ? {} : marksOf(form), side: counted ? counted.dataset.name : "", said: !passed && said ? said.textContent.trim() : "",
  };
}

/** The marks of the deal in the form, {side: number}; null where only the server can tell (turn-up, générale, bids). */
function marksOf(form) {
  const [side, marks] = (form.querySelector("[data-points]")?.dataset.marked || "").split(" ");
  const unknown = form.querySelector("[name=turn_up], [name=bid], [name=level][value=generale]:checked");
  const sweep = form.querySelector("[name=tricks]") && !form.querySelector("[name=level]");
  if (!marks || unknown || sweep) return null;
  const code = form.querySelector(`[data-counted="${side}"]`)?.value;
  return code ? { [code]: Number(marks) } : {};
}

function clear(form) {
  form.reset();
  for (const input of form.querySelectorAll("input[type=text], textarea")) input.value = "";
  const dealer = form.querySelector("select[name=dealer]");
  if (dealer && form.dataset.firstDealer) dealer.value = form.dataset.firstDealer;
  form.dataset.numbered = "";
  countSide(form);
  form.dispatchEvent(new Event("change", { bubbles: true }));
  form.dispatchEvent(new CustomEvent("table:cleared", { bubbles: true }));
  form.closest("#live")?.scrollIntoView({ block: "start" });
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
  if (item && ["pen_taken", "sheet_signed", "match_over", "not_the_next_deal", "bell_rang"].includes(item.code)) await refresh(true);
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
    await keepCall(root.dataset.sheet, [...data.entries()].map(([name, value]) => [name, String(value)]));
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
  return form && typed ? [...new FormData(form).entries()].filter(([name]) => !NOT_TYPED.includes(name)) : null;
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
  countSide(form);
  form.dispatchEvent(new Event("change", { bubbles: true }));
}

/** A fresh copy of #live; what is being typed is kept. Unforced, it waits until nobody types. */
async function refresh(force = false) {
  if (typed && !force) return;
  const query = new URL(location.href).searchParams.get("depth");
  try {
    // The whole page, so that the service worker keeps the copy that a reload without a network opens.
    const answer = await fetch(`${root.dataset.page}${query ? `&depth=${encodeURIComponent(query)}` : ""}`, { credentials: "same-origin", cache: "no-store" });
    failing = answer.status >= 500 ? answer.status : 0;
    if (!answer.ok) throw new Error(String(answer.status));
    const fresh = document.adoptNode(new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("live"));
    if (!fresh) throw new Error("no sheet");
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
    offline = false;
    stale = false;
    prepare();
    await seen(root.dataset.sheet, Number(fresh.dataset.version));
    fresh.dispatchEvent(new CustomEvent("live:swapped", { bubbles: true }));
    if (kept) {
      putBack(kept);
      typed = true;
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    }
  } catch {
    offline = !failing;
    stale = stale || force;
    later();
  }
  await show();
}

async function watch() {
  clearTimeout(timer);
  if (!document.hidden) {
    try {
      const answer = await fetch(root.dataset.state, { credentials: "same-origin", cache: "no-store" });
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
      const changed = String(now.version) !== shown.version || String(now.epoch) !== shown.epoch || Boolean(now.pen) !== Boolean(shown.pen) || now.call !== shown.call || Boolean(now.claimed) !== Boolean(shown.claimed) || (now.ends_at ? Date.parse(now.ends_at) : 0) - (shown.ends ? Date.parse(shown.ends) : 0) > 999;
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

function prepare() {
  for (const form of live().querySelectorAll("form")) {
    countSide(form);
    countTricks(form);
  }
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
  if (event.target.closest("[data-deal-form]")) typed = true;
});
root.addEventListener("change", (event) => {
  const form = event.target.closest("form");
  if (!form) return;
  if (event.target.matches("[data-counted]")) {
    countSide(form);
    form.querySelector("[data-points] input")?.dispatchEvent(new Event("input", { bubbles: true }));
  }
  event.target.closest(".choices--bad")?.classList.remove("choices--bad");
  countTricks(form);
});
root.addEventListener("input", (event) => {
  const form = event.target.closest("form");
  if (form) countTricks(form);
});
document.addEventListener("clock:over", () => refresh());
window.addEventListener("online", () => { failures = 0; flush(); watch(); });
window.addEventListener("offline", () => { offline = true; show(); });
document.addEventListener("visibilitychange", () => { if (!document.hidden) watch(); });
// A form with typed values survives a reload or a switch of language by accident only: warn while something waits unsent.
if ("serviceWorker" in navigator) navigator.serviceWorker.register(root.dataset.worker, { scope: "/t/" }).catch(() => { /* private mode: the queue still works while the page is open */ });
prepare();
keepGames();
seen(root.dataset.sheet, Number(live().dataset.version)).then(show).then(flush);
timer = setTimeout(watch, 3000);
