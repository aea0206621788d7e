/* A player's page to sign stays readable without a network (sw-event.js), and says how old it is.
 *
 * Nothing is signed or sent then: the page says so and stays as it is, with what was typed. Without script the forms
 * are sent by the browser. A signature that arrived although its answer was lost counts once: the server sees to it.
 */

const { worker } = document.body.dataset;

/** Whether the server answers now: asked with a small file that no cache holds. */
async function reached() {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), 8_000);
  try {
    return (await fetch(worker, { method: "HEAD", cache: "no-store", signal: giveUp.signal })).ok;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

async function keepReadable() {
  if (!("serviceWorker" in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register(worker, { scope: location.pathname });
    const active = registration.active || (await navigator.serviceWorker.ready).active;
    active.postMessage({ keepPages: [location.origin + location.pathname] });
  } catch {
    // Private mode, or plain HTTP: the page works while there is a network.
  }
}

async function start() {
  if (await reached()) {
    await keepReadable();
    return;
  }
  const note = document.querySelector("[data-kept]");
  const date = new Date(Date.parse(document.lastModified) || Date.now());
  const time = date.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  note.textContent = note.dataset.kept.replace("{time}", time);
  note.hidden = false;
}

let asking = false;
let sending = false;
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (sending || form.method !== "post" || !form.closest("main")) return;
  event.preventDefault();
  if (asking) return;
  asking = true;
  const note = document.querySelector("[data-not-sent]");
  note.hidden = true;
  sending = await reached();
  asking = false;
  if (sending) {
    form.requestSubmit(event.submitter);
  } else {
    form.before(note);
    note.hidden = false;
    note.scrollIntoView({ block: "nearest" });
  }
});

window.addEventListener("pageshow", (event) => { if (event.persisted) sending = false; });
window.addEventListener("online", () => {
  const typed = [...document.querySelectorAll("main input:not([type=hidden]), main textarea")].some((each) => each.value);
  if (!typed) location.reload();
});
start();
