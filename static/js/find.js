/* Find oneself: filters a list while typing, and remembers on this device who "me" is.
 *
 * Filter: <input type="search" data-find="#standings" data-text-count="{shown} of {all}" data-text-none="…">
 *   keeps the rows (tbody tr or li) with words that begin as each word typed; accents, case and apostrophes are ignored
 *   (dhaene finds D'Haene). Where none do, those whose text contains them; then the nearest spellings. A number alone is
 *   looked for among start numbers (data-entrant) and tables, so that 27 finds whom it belongs to and not every +127;
 *   where it is nobody's, in the text. A [data-find-count] in the same form says how many. When the list is paged the server must be asked: then Enter sends the form.
 *   data-find-paged on the input says so. With data-find-quiet the list shows nobody but oneself until something is typed;
 *   it is-alone where that leaves one.
 *
 * Me: <body data-me-key="spring-open"> names the event. <button hidden data-me="417" data-me-url="/e/x/p/417">This is me</button>
 *   (shown by this module only, which it needs) keeps or forgets the entrant in localStorage; every [data-entrant="417"] gets the class is-me; an
 *   <a data-me-link hidden> is shown and leads to the kept address; [data-me-none] is shown while nobody is kept.
 *   With data-me-own (the page of a badge) it is kept unasked, once. Nothing of it is sent to the server. Who is kept
 *   has their pages kept too, readable without a network (sw-event.js). <div data-me-now="/e/x/players/" hidden> is filled with where that player sits
 *   now, and live.js keeps it fresh.
 *
 * Follow: <button hidden data-follow="27">Follow</button> keeps or forgets another entrant in the same way, several of
 *   them; their [data-entrant] get the class is-followed. [data-jumps] is a row of chips over a list: a link with
 *   data-jump="cut", "me" or "#p-12" leads to that row of it, a button [data-only-followed] leaves only own and followed rows.
 *
 * Pages: <nav hidden data-pages="#standings" data-pages-of="50"> under a table shows so many of its players (or tables:
 *   [data-table]) at a time, and always one's own row: [data-page="-1"] and "1" turn the page,
 *   [data-text="{first} to {last} of {all}"] says which it is. What is looked for, and whom one follows, is found on
 *   all of them. [data-pages-when] is the width of screen that needs them.
 */

const SPELLED = { "œ": "oe", "æ": "ae", "ß": "ss", "đ": "d", "ł": "l", "ø": "o" };
const fold = (text) => text.toLowerCase().replace(/[œæßđłø]/g, (letter) => SPELLED[letter]).normalize("NFD").replace(/[\u0300-\u036f]/g, "");

const squeeze = (text) => fold(text).replace(/[^\p{L}\p{N}]/gu, "");

/** Whether a text holds a word, all but one or two letters of it: the fewest changes to a part of the text. */
export function isNear(word, text) {
  const most = word.length < 5 ? 0 : word.length < 9 ? 1 : 2;
  let row = new Array(text.length + 1).fill(0);
  for (let at = 1; at <= word.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= text.length; to += 1) next.push(Math.min(row[to - 1] + (word[at - 1] === text[to - 1] ? 0 : 1), row[to] + 1, next[to - 1] + 1));
    row = next;
  }
  return Math.min(...row) <= most;
}

/** Whether words of the text begin as each of these does: one of them, or two with what was typed in one (maej finds Jan Maes). */
function beginsWith(words, text) {
  const there = fold(text).replace(/['’]/g, "").split(/[^\p{L}\p{N}]+/u);
  const begin = (start, but = -1) => there.some((each, at) => at !== but && each.startsWith(start));
  const beginTwo = (word) => there.some((each, at) => each[0] === word[0] && [...word].some((_, cut) => cut && each.startsWith(word.slice(0, cut)) && begin(word.slice(cut), at)));
  return words.length > 0 && words.map(squeeze).every((word) => begin(word) || beginTwo(word));
}

/** The numbers by which a row is known: of its players and of its table. */
function numbers(row) {
  const players = [row, ...row.querySelectorAll("[data-entrant]")].map((part) => part.dataset.entrant);
  const tables = [...row.querySelectorAll(".table-card__number, td > strong")].map((part) => (part.textContent.match(/\d+/) || [])[0]);
  return [...players, ...tables];
}

function filter(input) {
  const list = document.querySelector(input.dataset.find);
  if (!list) return;
  const words = fold(input.value).split(/\s+/).filter(Boolean);
  const rows = [...(list.tBodies ? list.tBodies[0].rows : list.children)];
  const number = words.length === 1 && /^\d+$/.test(words[0]) ? String(Number(words[0])) : "";
  const known = number ? rows.filter((row) => numbers(row).includes(number)) : [];
  const texts = new Map(rows.map((row) => [row, squeeze(row.dataset.findText || row.textContent)]));
  const squeezed = words.map(squeeze).filter(Boolean);
  const holds = (row) => squeezed.every((word) => texts.get(row).includes(word));
  const starts = rows.filter((row) => !row.classList.contains("cut") && beginsWith(words, row.dataset.findText || row.textContent));
  const fits = starts.length ? (row) => starts.includes(row) : number || rows.some((row) => !row.classList.contains("cut") && holds(row)) ? holds : (row) => squeezed.every((word) => isNear(word, texts.get(row)));
  let shown = 0;
  let all = 0;
  for (const row of rows) {
    if (row.classList.contains("cut")) {
      row.hidden = words.length > 0;
      continue;
    }
    all += 1;
    row.hidden = known.length ? !known.includes(row) : !fits(row);
    if (!row.hidden) shown += 1;
  }
  if ("findQuiet" in input.dataset) {
    list.classList.toggle("is-quiet", !words.length);
    list.classList.toggle("is-alone", shown === 1 && (known.length || starts.length) === 1);
  }
  showPages();
  const count = input.form?.querySelector("[data-find-count]");
  if (!count) return;
  if (!words.length) count.textContent = "";
  else if (!shown) count.textContent = input.dataset.textNone || "";
  else count.textContent = (input.dataset.textCount || "").replace("{shown}", shown).replace("{all}", all);
}

function storeKey() {
  const key = document.body.dataset.meKey;
  return key ? `me:${key}` : "";
}

/** Who this device belongs to in this event: {entrant, url} or null. */
export function me() {
  try {
    return JSON.parse(localStorage.getItem(storeKey()) || "null");
  } catch {
    return null; // storage refused (private mode) or damaged: the page works without
  }
}

function keep(value) {
  try {
    if (value) localStorage.setItem(storeKey(), JSON.stringify(value));
    else localStorage.setItem(storeKey(), "null");
  } catch {
    // Storage refused: the choice holds for this page only.
  }
  show(value);
}

function show(value = me()) {
  for (const row of document.querySelectorAll("[data-entrant]")) {
    if (row.dataset.meFixed === undefined && row.classList.contains("is-me") && !row.dataset.meSet) row.dataset.meFixed = "";
    if (row.dataset.meFixed !== undefined) continue;
    const mine = Boolean(value) && row.dataset.entrant === value.entrant;
    row.classList.toggle("is-me", mine);
    row.closest(".table-card")?.classList.toggle("is-me", Boolean(row.closest(".table-card").querySelector("[data-entrant].is-me")));
    if (mine) row.dataset.meSet = "1";
  }
  for (const button of document.querySelectorAll("[data-me]")) {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(Boolean(value) && button.dataset.me === value.entrant));
  }
  for (const link of document.querySelectorAll("[data-me-link]")) {
    link.hidden = !value?.url;
    if (value?.url) link.href = value.url;
  }
  for (const none of document.querySelectorAll("[data-me-none]")) none.hidden = Boolean(value);
  showFollowed();
  showJumps();
  showPages();
  for (const box of document.querySelectorAll("[data-me-now]")) showNow(box, value);
}

// ---- follow several, and the chips over a list ----------------------------------------------------------------------

const followKey = () => storeKey().replace(/^me:/, "follow:");
let onlyFollowed = false;

/** The entrants who are followed on this device. */
function followed() {
  try {
    const kept = JSON.parse(localStorage.getItem(followKey()) || "[]");
    return Array.isArray(kept) ? kept.map(String) : [];
  } catch {
    return []; // storage refused or damaged
  }
}

function toggleFollowed(entrant) {
  const now = followed();
  try {
    localStorage.setItem(followKey(), JSON.stringify(now.includes(entrant) ? now.filter((each) => each !== entrant) : [...now, entrant]));
  } catch {
    // Storage refused: nobody is followed.
  }
  show();
}

function showFollowed() {
  const now = followed();
  for (const row of document.querySelectorAll("[data-entrant]")) row.classList.toggle("is-followed", now.includes(row.dataset.entrant));
  for (const button of document.querySelectorAll("[data-follow]")) {
    button.hidden = me()?.entrant === button.dataset.follow; // nobody follows themself
    button.setAttribute("aria-pressed", String(now.includes(button.dataset.follow)));
  }
}

/** Where a chip leads in the list that it stands over. */
function target(chip) {
  const list = document.querySelector(chip.closest("[data-jumps]").dataset.jumps);
  if (chip.dataset.jump.startsWith("#")) return document.getElementById(chip.dataset.jump.slice(1));
  return list?.querySelector(chip.dataset.jump === "cut" ? "tr.cut" : "tr.is-me");
}

function showJumps() {
  for (const jumps of document.querySelectorAll("[data-jumps]")) {
    const list = document.querySelector(jumps.dataset.jumps);
    for (const chip of jumps.querySelectorAll("[data-jump]")) chip.parentElement.hidden = !target(chip);
    for (const chip of jumps.querySelectorAll("[data-only-followed]")) {
      const any = Boolean(list?.querySelector(".is-followed"));
      onlyFollowed &&= any;
      chip.parentElement.hidden = !any;
      chip.setAttribute("aria-pressed", String(onlyFollowed));
    }
    list?.classList.toggle("is-only-followed", onlyFollowed);
    const others = [...jumps.querySelectorAll("[data-jump], [data-only-followed]")];
    jumps.hidden = !others.some((chip) => !chip.parentElement.hidden); // the way to the top alone is none
  }
}

// ---- a long table by pages ------------------------------------------------------------------------------------------

let page = 0;

const isLine = (row) => Boolean(row.dataset.entrant || row.dataset.table);
const linesOf = (list) => [...list.tBodies[0].rows].filter(isLine);
const lengthOf = (nav) => Number(nav.dataset.pagesOf);
const isSearched = (list) => [...document.querySelectorAll("[data-find]")].some((input) => input.value.trim() && list.matches(input.dataset.find));

/** Leave the rows of this page, and those that stand with them: a heading above a line, the cut under one. */
function showPages() {
  for (const nav of document.querySelectorAll("[data-pages]")) {
    const list = document.querySelector(nav.dataset.pages);
    const all = linesOf(list).length;
    const length = lengthOf(nav);
    const last = Math.max(0, Math.ceil(all / length) - 1);
    page = Math.min(page, last);
    const { pagesWhen: when } = nav.dataset;
    nav.hidden = !last || onlyFollowed || isSearched(list) || Boolean(when && !matchMedia(when).matches);
    let place = -1;
    for (const row of list.tBodies[0].rows) {
      if (isLine(row)) place += 1;
      const at = Math.floor((row.classList.contains("line") ? place + 1 : Math.max(place, 0)) / length);
      row.classList.toggle("is-elsewhere", !nav.hidden && at !== page);
    }
    for (const button of nav.querySelectorAll("[data-page]")) button.disabled = Number(button.dataset.page) < 0 ? page === 0 : page === last;
    const said = nav.querySelector("[data-text]");
    const text = said.dataset.text.replace("{first}", page * length + 1).replace("{last}", Math.min(all, (page + 1) * length)).replace("{all}", all);
    if (said.textContent !== text) said.textContent = text;
  }
}

/** Turn to the page of a row, or to the first. */
function turnTo(row) {
  const list = row?.closest("table");
  const nav = list && [...document.querySelectorAll("[data-pages]")].find((each) => list.matches(each.dataset.pages));
  page = 0;
  if (nav) {
    const before = linesOf(list).filter((each) => each === row || each.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING);
    page = Math.floor(Math.max(0, before.length - 1) / lengthOf(nav));
  }
  showPages();
}

function turnBy(button) {
  const list = document.querySelector(button.closest("[data-pages]").dataset.pages);
  page += Number(button.dataset.page);
  showPages();
  list.tabIndex = -1;
  list.focus({ preventScroll: true });
  list.scrollIntoView({ block: "start" });
}

/** Where the owner of this device sits now, on top of the page. */
async function showNow(box, value) {
  const source = value && /^\d+$/.test(value.entrant) ? `${box.dataset.meNow}${value.entrant}/?part=now` : "";
  if (box.dataset.liveSrc === source) return;
  box.dataset.liveSrc = source;
  box.hidden = true;
  if (!source) return;
  const answer = await fetch(source, { credentials: "same-origin" }).catch(() => null);
  if (!answer?.ok) return;
  const template = document.createElement("template");
  template.innerHTML = await answer.text();
  box.hidden = !template.content.textContent.trim();
  box.replaceChildren(template.content);
  box.parentElement.dispatchEvent(new CustomEvent("live:swapped", { bubbles: true })); // live.js keeps it fresh
}

document.addEventListener("input", (event) => event.target.matches?.("[data-find]") && filter(event.target));
document.addEventListener("submit", (event) => {
  const input = event.target.querySelector?.("[data-find]");
  if (input && !("findPaged" in input.dataset)) {
    event.preventDefault();
    filter(input);
  }
});
document.addEventListener("click", (event) => {
  const follow = event.target.closest?.("[data-follow]");
  if (follow && storeKey()) toggleFollowed(follow.dataset.follow);
  const chip = event.target.closest?.("[data-jump]");
  if (chip) {
    event.preventDefault();
    turnTo(target(chip));
    target(chip)?.scrollIntoView({ block: "center" });
  } else if (event.target.closest?.("[data-jumps] a")) turnTo(null);
  const turned = event.target.closest?.("[data-page]");
  if (turned) turnBy(turned);
  if (event.target.closest?.("[data-only-followed]")) {
    onlyFollowed = !onlyFollowed;
    showJumps();
    showPages();
  }
  const button = event.target.closest?.("[data-me]");
  if (!button || !storeKey()) return;
  const mine = me()?.entrant === button.dataset.me;
  keep(mine ? null : { entrant: button.dataset.me, url: safe(button.dataset.meUrl) });
});

/** Only addresses of this site are kept. */
function safe(url) {
  return url && url.startsWith("/") && !url.startsWith("//") ? url : "";
}

/** Who opens the page of a badge is its player, unless this device was told otherwise. */
function takeOwn() {
  const own = document.querySelector("[data-me-own]");
  try {
    if (own && localStorage.getItem(storeKey()) === null) localStorage.setItem(storeKey(), JSON.stringify({ entrant: own.dataset.me, url: safe(own.dataset.meUrl) }));
  } catch {
    // Storage refused: the page shows its player all the same.
  }
}

/** Keep what the owner of this device needs readable without a network. */
async function keepReadable() {
  const { meKey, worker } = document.body.dataset;
  const mine = me();
  if (!worker || !mine || !("serviceWorker" in navigator)) return;
  const event = `/e/${meKey}/`;
  const scope = location.pathname.startsWith(event) ? event : location.pathname;
  try {
    const registration = await navigator.serviceWorker.register(worker, { scope });
    const active = registration.active || (await navigator.serviceWorker.ready).active;
    // From a badge's page the draw and the standings are one tap away: they open without a network too.
    if (scope !== event) await navigator.serviceWorker.register(worker, { scope: event });
    const sign = document.querySelector("a[data-sign]")?.pathname; // on a badge's page alone
    if (sign) await navigator.serviceWorker.register(worker, { scope: sign });
    const pages = [...(sign ? [sign] : []), event, `${event}standings/`, `${event}draw/`, `${event}players/${mine.entrant}/`, `${event}players/${mine.entrant}/?part=now`];
    active.postMessage({ keepPages: [location.pathname, ...pages].map((address) => new URL(address, location.href).href) });
  } catch {
    // Private mode, or plain HTTP: the page works while there is a network.
  }
}

function start() {
  for (const input of document.querySelectorAll("[data-find]")) if (input.value) filter(input);
  if (storeKey()) show();
  else showPages();
}
document.addEventListener("live:swapped", () => {
  if (storeKey()) takeOwn();
  start();
});
if (storeKey()) takeOwn();
start();
const aimed = document.getElementById(location.hash.slice(1));
if (aimed?.matches(".is-elsewhere")) {
  turnTo(aimed); // an address that leads to a row of another page
  aimed.scrollIntoView({ block: "center" });
}
if (storeKey()) keepReadable();
