/* The scorekeeper's page: writes deals through the queue, keeps itself fresh, says what this phone still holds.
 *
 * Without script every form posts and every page is true as of its load. With it, the deal's form goes through
 * table-queue.js: kept on the phone first, sent at once when there is a network and later when there is none. The page
 * asks data-state every few seconds and takes a fresh copy of #live when the sheet, the pen, the call or the bell
 * changed and nobody is typing. Attributes and sentences stand on [data-table] in templates/table/sheet.html.
 */
import { change, forget, items, keep, keepCall, post, send, sendCall, waitingCall } from "./table-queue.js";
import { countSide, countTricks } from "./table-count.js";

const root = document.querySelector("[data-table]");
const text = (name, values = {}) => (root.dataset[`text${name}`] || "").replace(/\{(\w+)\}/g, (all, key) => (key in values ? String(values[key]) : all));
const live = () => document.getElementById("live");
let typed = false;
let offline = false;
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

const valueOf = (item, name) => (item.fields.find(([key]) => key === name) || ["", ""])[1];

function summary(item) {
  const suits = { S: "♠\uFE0E", H: "♥\uFE0E", D: "♦\uFE0E", C: "♣\uFE0E", NT: "NT" };
  const points = valueOf(item, "points");
  const side = item.side ? `${item.side} ` : "";
  return [suits[valueOf(item, "trump")], points && side + points, item.said].filter(Boolean).join(" · ");
}

async function show() {
  const [waiting, call] = await Promise.all([items(root.dataset.sheet), waitingCall(root.dataset.sheet)]);
  // Nothing is awaited from here on: two that show at once would both write their lines.
  const box = live()?.querySelector("[data-queue]");
  if (!box) return;
  box.replaceChildren();
  box.hidden = !waiting.length && !offline && !call;
  box.dataset.count = String(waiting.length);
  ahead(waiting);
  if (box.hidden) return;
  const notice = element("div", `notice notice--${waiting.some((item) => item.state === "refused") ? "error" : "warning"}`);
  notice.setAttribute("role", "status");
  if (offline) notice.append(element("p", "", text("Offline")));
  else if (sending) notice.append(element("p", "", text("Sending")));
  if (call) {
    const line = element("p", "notice__title", text("Call"));
    line.dataset.waitingCall = "";
    notice.append(line);
  }
  for (const item of waiting) {
    const line = element("div", "queue__item");
    line.dataset.queued = item.state;
    line.append(element("p", "notice__title", item.state === "refused" ? text("Conflict", { n: item.number, why: item.why }) : text("Queued", { n: item.number })));
    const what = summary(item);
    if (what) line.append(element("p", "", what));
    if (item.state === "refused") {
      const actions = element("p", "actions");
      if (item.sure) actions.append(button(text("Yes"), () => again(item, item.sure), false));
      else actions.append(button(text("Again"), () => again(item)));
      actions.append(button(text("Drop"), async () => { await forget(item.id); await refresh(true); flush(); }));
      line.append(actions);
    }
    notice.append(line);
  }
  box.append(notice);
}

async function again(item, sure = "") {
  const fields = item.fields.filter(([name]) => name !== "sure");
  if (sure) fields.push(["sure", sure]);
  await change({ ...item, fields, state: "waiting", why: "", questions: [], sure: "" });
  await show();
  flush();
}

/** While deals wait, the form is for the deal after them: its number, its dealer. */
function ahead(waiting) {
  const form = live().querySelector("[data-deal-form]");
  if (!form) return;
  // A page opened from its kept copy may be older than what this phone has sent since.
  const sentSince = Math.max(0, Number(localStorage.getItem(`next-${root.dataset.sheet}`) || 0) - Number(form.dataset.number));
  const mine = waiting.filter((item) => valueOf(item, "verb") === "deal").length + sentSince;
  const number = Number(form.dataset.number) + mine;
  form.querySelector("[name=number]").value = String(number);
  const heading = form.querySelector("#next-deal");
  if (heading) heading.firstChild.textContent = heading.firstChild.textContent.replace(/\d+/, String(number));
  const dealer = form.querySelector("select[name=dealer]");
  const seats = root.dataset.seats.split(" ");
  if (!dealer) return;
  if (!form.dataset.firstDealer) form.dataset.firstDealer = dealer.value;
  if (mine === Number(form.dataset.moved || 0)) return;
  form.dataset.moved = String(mine);
  const at = seats[(seats.indexOf(form.dataset.firstDealer) + mine) % seats.length];
  dealer.value = at;
  const name = root.querySelector(`[data-seat-name="${CSS.escape(at)}"]`);
  const shown = form.querySelector("[data-dealer-name]");
  if (shown && name) shown.textContent = name.textContent;
  const leader = form.querySelector("select[name=leader]");
  if (leader) leader.value = seats[(seats.indexOf(at) + 1) % seats.length];
}

// ---- writing -------------------------------------------------------------------------------------------------------

function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

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
  const data = new FormData(form, submitter);
  if (submitter?.name && !data.has(submitter.name)) data.append(submitter.name, submitter.value);
  for (const name of ["csrfmiddlewaretoken", "version"]) data.delete(name);
  data.set("key", randomKey()); // the form's own key may come from a kept copy of the page, and be used already
  data.set("game", root.dataset.game);
  data.set("typed_at", new Date().toISOString());
  const counted = form.querySelector("[data-counted]:checked");
  const said = form.querySelector(".points__say:not([data-bad])");
  await keep({
    sheet: root.dataset.sheet, url: root.dataset.send, number: Number(data.get("number")),
    fields: [...data.entries()].map(([name, value]) => [name, String(value)]),
    side: counted ? counted.dataset.name : "", said: !passed && said ? said.textContent.trim() : "",
  });
  typed = false;
  document.getElementById("refused")?.remove();
  clear(form);
  await show();
  flush();
}

function clear(form) {
  form.reset();
  form.querySelector("[name=key]").value = randomKey();
  for (const input of form.querySelectorAll("input[type=text], textarea")) input.value = "";
  const dealer = form.querySelector("select[name=dealer]");
  if (dealer && form.dataset.firstDealer) dealer.value = form.dataset.firstDealer;
  form.dataset.moved = "0";
  countSide(form);
  form.dispatchEvent(new Event("change", { bubbles: true }));
  form.dispatchEvent(new CustomEvent("table:cleared", { bubbles: true }));
  form.closest("#live")?.scrollIntoView({ block: "start" });
}

async function flush() {
  if (sending) return;
  sending = true;
  const call = await sendCall(root.dataset.sheet);
  const result = await send(root.dataset.sheet, () => show(), (item) => { stale = true; reached(Number(valueOf(item, "number")) + 1); });
  sending = false;
  stale = stale || call === "moved";
  offline = result === "offline" || call === "offline";
  if (offline) later();
  else failures = 0;
  if (stale && !offline) await refresh(true);
  if (result === "refused") await returned();
  else await show();
}

/** What the server refused goes back into an untouched form, so that it is changed and not typed again. */
async function returned() {
  const [item] = await items(root.dataset.sheet);
  const only = (await items(root.dataset.sheet)).length === 1;
  const form = live().querySelector("[data-deal-form]");
  const formal = !item || item.sure || ["pen_taken", "match_over", "sheet_signed", "sheet_changed", "not_the_next_deal", "key_reused", "link_not_valid", "choose_a_side", "deal_cancelled"].includes(item.code);
  if (!only || !form || typed || formal) { await show(); if (item && ["pen_taken", "sheet_signed", "match_over"].includes(item.code)) await refresh(true); return; }
  await forget(item.id);
  await show();
  putBack(item.fields.filter(([name]) => !NOT_TYPED.includes(name) || name === "dealer" || name === "leader"));
  typed = true;
  complain(form, item.why, null);
}

/** Forms that need the server's answer at once: sign, dispute, bell, referee, pen. */
async function writeNow(form, submitter) {
  const data = new FormData(form, submitter);
  if (submitter?.name && !data.has(submitter.name)) data.append(submitter.name, submitter.value);
  data.set("game", root.dataset.game);
  data.set("key", randomKey());
  data.delete("csrfmiddlewaretoken");
  form.querySelectorAll("button").forEach((each) => { each.disabled = true; });
  if ((await items(root.dataset.sheet)).length) await send(root.dataset.sheet);
  const result = await post(root.dataset.send, [...data.entries()]);
  form.querySelectorAll("button").forEach((each) => { each.disabled = false; });
  if (result === null && data.get("verb") === "referee") {
    await keepCall(root.dataset.sheet, root.dataset.send, [...data.entries()].map(([name, value]) => [name, String(value)]));
    form.closest("details").open = false;
    offline = true;
    await show();
    live().querySelector("[data-queue]").scrollIntoView({ block: "center" });
    later();
    return;
  }
  if (result === null) {
    complain(form, text("Need"), null);
    return;
  }
  if (result.ok) await refresh(true);
  else {
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
    const form = fresh.querySelector("[data-deal-form]");
    if (form) reached(form.dataset.number);
    fresh.dispatchEvent(new CustomEvent("live:swapped", { bubbles: true }));
    if (kept) {
      putBack(kept);
      typed = true;
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    }
  } catch {
    offline = true;
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
      if (answer.status === 404) { location.reload(); return; }
      if (!answer.ok) throw new Error(String(answer.status));
      const now = await answer.json();
      const was = offline;
      offline = false;
      failures = 0;
      const shown = live().dataset;
      const changed = String(now.version) !== shown.version || String(now.epoch) !== shown.epoch || Boolean(now.pen) !== Boolean(shown.pen) || now.call !== shown.call || Boolean(now.claimed) !== Boolean(shown.claimed) || (now.ends_at ? Date.parse(now.ends_at) : 0) - (shown.ends ? Date.parse(shown.ends) : 0) > 999;
      if (shown.pen && !now.pen) await refresh(true);
      else if (changed) await refresh();
      if (was || (await items(root.dataset.sheet)).some((item) => item.state === "waiting")) flush();
    } catch {
      if (!offline) { offline = true; await show(); }
      failures += 1;
    }
  }
  timer = setTimeout(watch, Math.min(30_000, 4000 * 1.5 ** Math.min(failures, 6)) * (0.8 + Math.random() * 0.4));
}

/** Remember how far this phone has come with the sheet, beyond what a kept copy of the page knows. */
function reached(number) {
  try {
    localStorage.setItem(`next-${root.dataset.sheet}`, String(number));
  } catch { /* private mode: the page's own number has to do */ }
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
}

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
show().then(flush);
timer = setTimeout(watch, 3000);
