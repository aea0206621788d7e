/* The desk's list of players acts in place: no reload, so that search and place in the list stay.
 *
 * A form in tr[data-entrant] that is sent answers with the row as it is then (header X-Part: row); the row takes its
 * place. What went wrong is said in [data-say]. [data-count="present"] counts the rows in that state. Without script
 * everything works with reloads.
 *
 * form[data-scan] answers with the row of the player it found. Its field has the focus where there is a mouse, and what
 * is typed beside every field goes to it. It is taken and emptied as it is sent: a scanner types the next badge before
 * the answer is there. Two badges in one line are two scans. Scans wait for each other, and
 * they wait in the browser's storage, so that neither the network nor a closed tab loses them; one without an answer
 * is sent again until it has one. Each tab sends its own, and those that another left for ten seconds. Each adds a line to [data-scans], with a sound and a colour: a high note for a player
 * checked in, a middle one for a badge that was scanned before, a low one for a refusal. Refused scans stay there until a tap settles
 * them. [data-mine] counts whom this volunteer has checked in on any device, [data-waits-for] the scans of this device that wait. Where the session is lost, [data-say] links to the sign-in in a tab of its own,
 * and the scans are sent once it is back.
 */

const say = document.querySelector("[data-say]");

function count() {
  for (const place of document.querySelectorAll("[data-count]")) {
    place.textContent = document.querySelectorAll(`tr[data-entrant][data-state="${place.dataset.count}"]`).length;
  }
}

const SCANS_SHOWN = 8;
const AGAIN_AFTER = 2000;
const scans = document.querySelector("[data-scans]");
const SEVERAL = /(?=https?(?:M|[^0-9a-z]))/i; // before each badge's link, under whatever layout it was typed
const scanForm = document.querySelector("form[data-scan]");
const KEY = `scans ${location.pathname}`;
const someId = () => crypto.getRandomValues(new Uint32Array(1))[0];
const TAB = String(someId());
const LEFT_AFTER = 10_000;
let withoutStorage = null;
let sending = false;

/** What this device holds, of all its tabs: scans that wait or were refused, and the number checked in. */
function held() {
  const none = { waiting: [], refused: [], seen: {} };
  if (withoutStorage) return withoutStorage;
  try {
    const state = { ...none, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
    state.waiting = state.waiting.map((each, place) => (each.typed ? each : { typed: each, tab: "", id: -1 - place })); // of release 1.0
    return state;
  } catch {
    return none; // not ours
  }
}

/** Change what this device holds: read anew, since another tab may have written meanwhile. */
function change(act) {
  const state = held();
  act(state);
  try {
    localStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    withoutStorage = state; // the scans wait as long as the page is open; beforeunload asks
  }
  showHeld(state);
}

function fill(place, n) {
  if (!place) return;
  place.hidden = !n;
  place.textContent = (place.dataset.mine ?? place.dataset.waitsFor).replace("{n}", n);
}

function showHeld({ waiting, refused }) {
  if (!scanForm) return;
  scanForm.dataset.waiting = waiting.length;
  fill(document.querySelector("[data-waits-for]"), waiting.length);
  for (const line of scans.querySelectorAll(".is-refused")) {
    if (!refused.some(({ id }) => String(id) === line.dataset.id)) line.remove();
  }
  for (const entry of refused) if (!scans.querySelector(`[data-id="${entry.id}"]`)) show(entry);
}

/** Say that this tab is there while scans of it wait. */
function stay() {
  const { waiting } = held();
  if (waiting.some(({ tab }) => tab === TAB)) change((state) => { state.seen = { ...state.seen, [TAB]: Date.now() }; });
  else if (!waiting.length && Object.keys(held().seen).length) change((state) => { state.seen = {}; });
}

/** The next scan that this tab sends: its own, or one that another tab left. */
function next() {
  const { waiting, seen } = held();
  return waiting.find(({ tab }) => tab === TAB || Date.now() - (seen[tab] || 0) > LEFT_AFTER);
}

let audio;
/** One short note; silent where the browser has no sound. */
function note(frequency) {
  audio ??= window.AudioContext ? new AudioContext() : null;
  if (!audio) return;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = frequency;
  volume.gain.value = 0.1;
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.12);
}

async function post(form, body) {
  const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Part": "row" }, credentials: "same-origin", redirect: "manual" });
  if (answer.type === "opaqueredirect") return { signedOut: true };
  // A service that starts again, or is busy, has decided nothing.
  if (answer.status >= 500 || answer.status === 429) throw new Error(String(answer.status));
  const text = await answer.text();
  if (!answer.ok) {
    const named = answer.status === 409;
    return { refused: named ? text : say.dataset.failed, named, stale: answer.status === 403 };
  }
  const held = document.createElement("template");
  held.innerHTML = text;
  const row = held.content.querySelector("tr");
  const old = document.getElementById(row.id);
  if (old) {
    const focused = old.contains(document.activeElement);
    old.replaceWith(row);
    row.dispatchEvent(new CustomEvent("live:swapped", { bubbles: true })); // find.js turns its pages
    if (focused) row.querySelector("button")?.focus({ preventScroll: true });
  }
  count();
  return { said: row.dataset.say || "", again: "again" in row.dataset, mine: Number(row.dataset.mineNow) };
}

async function send(form, button) {
  const body = new FormData(form);
  if (button?.name) body.append(button.name, button.value);
  const result = await post(form, body);
  if (!result.signedOut) say.textContent = result.refused ?? result.said;
  else if (held().waiting.length) askToSignIn();
  else location.reload();
}

function tell(typed, result, repeated) {
  const bad = result.refused !== undefined;
  const again = result.again && !repeated; // a scan sent once more finds what it did itself
  note(bad ? 220 : again ? 440 : 880);
  if (bad) {
    // A refusal by the service names the player; another one the number typed, or the end of the badge's address.
    const typedEnd = /^\d{1,6}$/.test(typed) ? typed : `…${typed.slice(-8)}`;
    const prefix = result.named ? "" : `${typedEnd}${scans.dataset.colon} `;
    change((state) => state.refused.push({ id: someId(), text: prefix + result.refused }));
    return;
  }
  fill(document.querySelector("[data-mine]"), result.mine);
  const line = document.createElement("p");
  line.className = `players__say ${again ? "is-again" : "is-done"}`;
  line.textContent = result.said;
  scans.prepend(line);
  line.scrollIntoView({ block: "nearest" });
  for (const old of [...scans.querySelectorAll("p:not(.is-refused)")].slice(SCANS_SHOWN)) old.remove();
}

/** A refused scan, until somebody has settled it. */
function show(entry) {
  const line = document.createElement("p");
  line.className = "players__say is-refused";
  line.dataset.id = entry.id;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button button--quiet button--small";
  button.textContent = scans.dataset.settled;
  button.addEventListener("click", () => {
    change((state) => { state.refused = state.refused.filter(({ id }) => id !== entry.id); });
    scanForm.elements.scan.focus();
  });
  line.append(`${entry.text} `, button);
  scans.prepend(line);
}

function askToSignIn() {
  if (say.querySelector("a")) return;
  const link = document.createElement("a");
  link.href = say.dataset.signInAt;
  link.target = "_blank";
  link.rel = "noopener";
  link.textContent = say.dataset.signIn;
  say.replaceChildren(`${say.dataset.signedOut} `, link);
}

const pause = () => new Promise((resolve) => { setTimeout(resolve, AGAIN_AFTER); });

/* A sign-in changes the token that forms are sent with: take the new one from the page. */
async function renewToken() {
  const answer = await fetch(location.href, { credentials: "same-origin", redirect: "manual" });
  if (!answer.ok) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  const token = fresh.content.querySelector("[name=csrfmiddlewaretoken]")?.value;
  if (!token) return;
  for (const field of document.querySelectorAll("[name=csrfmiddlewaretoken]")) field.value = token;
}

function bodyOf(typed) {
  const body = new FormData(scanForm);
  body.set("scan", typed);
  return body;
}

async function drain() {
  if (sending) return;
  sending = true;
  let renewed = false;
  for (let scanned = next(); scanned; scanned = next()) {
    const { typed } = scanned;
    const repeated = scanned.sent;
    change((state) => { for (const each of state.waiting) if (each.id === scanned.id) each.sent = true; });
    stay();
    try {
      const result = await post(scanForm, bodyOf(typed));
      if (result.signedOut) {
        askToSignIn();
        await pause();
        await renewToken();
        continue;
      }
      if (result.stale && !renewed) {
        renewed = true;
        await renewToken();
        continue;
      }
      tell(typed, result, repeated);
      say.textContent = "";
    } catch {
      say.textContent = say.dataset.waits;
      await pause();
      continue;
    }
    renewed = false;
    change((state) => { state.waiting = state.waiting.filter(({ id }) => id !== scanned.id); });
  }
  sending = false;
}

function scan(form) {
  const field = form.elements.scan;
  const typed = field.value.split(SEVERAL).map((each) => each.trim()).filter(Boolean);
  field.value = "";
  field.focus();
  change((state) => state.waiting.push(...typed.map((each) => ({ typed: each, tab: TAB, id: someId() }))));
  stay();
  drain();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const isScan = "scan" in form.dataset;
  if (!isScan && !form.closest("tr[data-entrant]")) return;
  event.preventDefault();
  if (isScan) {
    scan(form);
    return;
  }
  send(form, event.submitter).catch(() => {
    say.textContent = say.dataset.failed;
  });
});
window.addEventListener("beforeunload", (event) => {
  if (held().waiting.some(({ tab }) => tab === TAB)) event.preventDefault();
});
/** What a scanner types beside every field goes to the scan's: a button keeps the focus after a tap. */
function catchScanner(event) {
  const typing = event.target.closest("input:not([type=checkbox], [type=radio]), select, textarea");
  if (typing || event.key.length !== 1 || event.key === " " || event.ctrlKey || event.altKey || event.metaKey) return;
  scanForm.elements.scan.focus({ preventScroll: true });
}

window.addEventListener("online", () => drain());
count();
if (scanForm) {
  document.addEventListener("keydown", catchScanner);
  // A phone's own keyboard would cover the list.
  if (matchMedia("(pointer: fine)").matches && !location.hash && document.activeElement === document.body) scanForm.elements.scan.focus({ preventScroll: true });
  showHeld(held());
  window.addEventListener("storage", (event) => {
    if (event.key === KEY) showHeld(held());
  });
  setInterval(() => {
    stay();
    drain();
  }, LEFT_AFTER / 2);
  drain();
}
