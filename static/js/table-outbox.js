/* What this phone still holds for tables whose sheet is not the page that is open: sent from here too, and said.
 *
 * On every page under /t/, /p/ and /sign/. <div hidden data-outbox data-text-…> (templates/table/parts/outbox.html) is
 * filled with one line for each table; the sheet's own games are table.js's ([data-table] names them in data-sheets).
 */
import { decide, decisions, whyOf } from "./table-deals.js";
import { change, elsewhere, send, sendCall } from "./table-queue.js";

const box = document.querySelector("[data-outbox]");
const own = (document.querySelector("[data-table]")?.dataset.sheets || "").split(" ");
const text = (name, values = {}) => (box.dataset[`text${name}`] || "").replace(/\{(\w+)\}/g, (all, key) => (key in values ? String(values[key]) : all));
let offline = false;
let failures = 0;
let timer = 0;
let running = false;

function line(to, words) {
  const made = document.createElement("p");
  const link = document.createElement("a");
  link.href = to.page;
  link.textContent = words;
  made.append(link);
  return made;
}

/** What the table may decide about a refused deal here: where its page would only say that it is over. */
function choices(item) {
  const made = document.createElement("p");
  made.className = "actions";
  const listed = decisions(item);
  for (const decision of ["again", "drop"].includes(listed[0]) ? listed : []) {
    const button = document.createElement("button");
    button.className = "button button--quiet button--small";
    button.type = "button";
    button.dataset.decision = decision;
    button.textContent = text(decision === "again" ? "Again" : "Drop");
    button.addEventListener("click", async () => {
      await change(item.sheet, (list) => decide(list, item.id, decision));
      await flush();
    });
    made.append(button);
  }
  return made;
}

async function show() {
  const groups = await elsewhere(own);
  const lines = [];
  for (const { to, call, items } of groups) {
    const waiting = items.filter((item) => item.state === "waiting").length;
    if (call) lines.push(line(to, text("Call", to)));
    else if (waiting) lines.push(line(to, text("Waiting", { ...to, deals: waiting })));
    for (const item of call ? [] : items.filter((each) => each.state === "refused")) {
      const why = item.code === "server_error" ? text("Fault", { status: item.params.status }) : whyOf(item);
      const refused = line(to, text("Refused", { ...to, n: item.number, why }));
      refused.dataset.outboxRefused = "";
      lines.push(refused, choices(item));
    }
  }
  if (offline && lines.length) {
    const note = document.createElement("p");
    note.textContent = text("Offline");
    lines.unshift(note);
  }
  box.replaceChildren(...lines);
  box.hidden = !lines.length;
  box.className = lines.length ? "notice notice--warning" : "";
  box.dataset.count = String(groups.reduce((sum, group) => sum + group.items.length, 0));
  return groups;
}

/** Send what waits for each table to the address that it was kept with; again later where nobody answered. */
async function flush() {
  clearTimeout(timer);
  if (running) return;
  running = true;
  let more = true;
  try {
    const ends = [];
    for (const { sheet, to, call } of await show()) ends.push((await (call ? sendCall : send)(sheet, to.url)).ended);
    offline = ends.includes("offline");
    failures = ends.some((end) => end === "offline" || end === "failing") ? failures + 1 : 0;
    more = (await show()).length > 0;
  } catch {
    failures += 1; // the disk does not open: once more, later
  } finally {
    running = false;
    const pause = Math.min(60_000, 5000 * 2 ** Math.min(failures, 4)) * (0.8 + Math.random() * 0.4);
    if (more) timer = setTimeout(() => { if (!document.hidden) flush(); }, pause);
  }
}

// Another language, or one deal, is another page of the server: without a network it would be the browser's error page.
const DEAL = /^\/t\/[a-z2-7]{24}\/\d+\/\d+\/$/;

document.addEventListener("submit", (event) => {
  if (navigator.onLine || !event.target.closest(".switch")) return;
  event.preventDefault();
  needNetwork();
});
document.addEventListener("click", (event) => {
  if (navigator.onLine || !DEAL.test(event.target.closest("a")?.pathname || "")) return;
  event.preventDefault();
  needNetwork();
});

function needNetwork() {
  const note = document.createElement("p");
  note.dataset.needsNetwork = "";
  note.textContent = text("Need");
  box.querySelector("[data-needs-network]")?.remove();
  box.prepend(note);
  box.className = "notice notice--warning";
  box.hidden = false;
  box.scrollIntoView({ block: "nearest" });
}

if (box && "indexedDB" in window) {
  window.addEventListener("online", flush);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) flush(); });
  flush().then(() => {
    if (location.hash !== "#network") return; // the service worker had no copy of the page of a deal
    history.replaceState(null, "", location.pathname + location.search);
    needNetwork();
  });
}
