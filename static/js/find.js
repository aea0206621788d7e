/* Find oneself: filters a list while typing, and remembers on this device who "me" is.
 *
 * Filter: <input type="search" data-find="#standings" data-text-count="{shown} of {all} shown" data-text-none="…">
 *   keeps the rows (tbody tr or li) whose text contains every word typed, accents and case ignored. A number alone is
 *   looked for among start numbers (data-entrant) and tables, so that 27 finds whom it belongs to and not every +127;
 *   where it is nobody's, in the text. A [data-find-count] in the same form says how many. When the list is paged the server must be asked: then Enter sends the form.
 *   data-find-paged on the input says so.
 *
 * Me: <body data-me-key="spring-open"> names the event. <button hidden data-me="417" data-me-url="/e/x/p/417">This is me</button>
 *   (shown by this module only, which it needs) keeps or forgets the entrant in localStorage; every [data-entrant="417"] gets the class is-me; an
 *   <a data-me-link hidden> is shown and leads to the kept address; [data-me-none] is shown while nobody is kept.
 *   Nothing of it is sent to the server.
 */

const SPELLED = { "œ": "oe", "æ": "ae", "ß": "ss", "đ": "d", "ł": "l", "ø": "o" };
const fold = (text) => text.toLowerCase().replace(/[œæßđłø]/g, (letter) => SPELLED[letter]).normalize("NFD").replace(/[\u0300-\u036f]/g, "");

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
  let shown = 0;
  let all = 0;
  for (const row of rows) {
    if (row.classList.contains("cut")) {
      row.hidden = words.length > 0;
      continue;
    }
    all += 1;
    row.hidden = known.length ? !known.includes(row) : !words.every((word) => fold(row.dataset.findText || row.textContent).includes(word));
    if (!row.hidden) shown += 1;
  }
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
    else localStorage.removeItem(storeKey());
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
  const button = event.target.closest?.("[data-me]");
  if (!button || !storeKey()) return;
  const mine = me()?.entrant === button.dataset.me;
  keep(mine ? null : { entrant: button.dataset.me, url: safe(button.dataset.meUrl) });
});

/** Only addresses of this site are kept. */
function safe(url) {
  return url && url.startsWith("/") && !url.startsWith("//") ? url : "";
}

function start() {
  for (const input of document.querySelectorAll("[data-find]")) if (input.value) filter(input);
  if (storeKey()) show();
}
document.addEventListener("live:swapped", start);
start();
