/* Notices on this device: a player's own page asks the browser for a push subscription and gives it to the server.
 *
 * <section data-notices hidden><form data-push="the server's key" action="…" hidden><button aria-pressed>… [data-push-say]
 *
 * The form is shown where the browser can do it (https; on an iPhone once the page is on the home screen). The worker
 * of the page (sw-event.js) shows what comes. The server is told again when the language or the subscription is
 * another than the one it was told last; a key that changed (a new installation) subscribes anew.
 */

const form = document.querySelector("[data-push]");
const button = form?.querySelector("button");
const told = `push:${location.pathname}`;

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const say = (words) => { form.querySelector("[data-push-say]").textContent = words; };
const show = (on) => button.setAttribute("aria-pressed", String(on));

const registration = () => navigator.serviceWorker.register(document.body.dataset.worker, { scope: location.pathname }).then(async (found) => {
  if (!found.active) await navigator.serviceWorker.ready;
  return found;
});

async function post(subscription, verb) {
  const body = new FormData(form);
  body.set("verb", verb);
  body.set("endpoint", subscription.endpoint);
  for (const key of ["p256dh", "auth"]) body.set(key, text(subscription.getKey(key)));
  const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
  if (!answer.ok) throw new Error(String(answer.status));
}

const known = (subscription) => `${document.documentElement.lang} ${subscription.endpoint}`;

/** Tell the server of this device, unless that is what it was told last. */
async function tell(subscription) {
  let last = "";
  try { last = localStorage.getItem(told); } catch { /* storage refused: it is told each time */ }
  if (last === known(subscription)) return;
  await post(subscription, "on");
  try { localStorage.setItem(told, known(subscription)); } catch { /* as above */ }
}

async function turnOn() {
  if ((await Notification.requestPermission()) !== "granted") {
    say(form.dataset.textBlocked);
    return;
  }
  const { pushManager } = await registration();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(form.dataset.push) });
  await tell(subscription);
  show(true);
  say("");
}

async function turnOff(subscription) {
  try { localStorage.removeItem(told); } catch { /* storage refused */ }
  await subscription.unsubscribe();
  show(false);
  await post(subscription, "off");
}

async function current() {
  const found = await (await registration()).pushManager.getSubscription();
  const key = found?.options?.applicationServerKey;
  if (!found || !key || text(key) === form.dataset.push) return found;
  await found.unsubscribe();
  return null;
}

async function start() {
  if (Notification.permission !== "granted") return;
  const subscription = await current();
  if (!subscription) return;
  show(true);
  await tell(subscription);
}

if (form && document.body.dataset.worker && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window) {
  form.hidden = false;
  form.closest("[data-notices]").hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      const subscription = Notification.permission === "granted" ? await current() : null;
      if (subscription && button.getAttribute("aria-pressed") === "true") await turnOff(subscription);
      else await turnOn();
    } catch {
      say(form.dataset.textFailed);
    }
    button.disabled = false;
  });
  start().catch(() => { /* offline or private mode: the button asks again */ });
}
