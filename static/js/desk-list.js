/* The desk's list of players acts in place: no reload, so that search and place in the list stay.
 *
 * A form in tr[data-entrant] that is sent answers with the row as it is then (header X-Part: row); the row takes its
 * place. What went wrong is said in [data-say]. [data-count="present"] counts the rows in that state. Without script
 * everything works with reloads.
 *
 * form[data-scan] answers with the row of whom it found. Its field is taken and emptied as it is sent: a scanner types
 * the next badge before the answer is there. Scans wait for each other, one without an answer is sent again until it
 * has one, and each says in a line of [data-scans] what came of it; those that were refused stay there. Where the
 * session is lost, [data-say] links to the sign-in in a tab of its own, and the scans are sent once it is back.
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
const waiting = [];
let sending = false;

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
  return { said: row.dataset.say || "" };
}

async function send(form, button) {
  const body = new FormData(form);
  if (button?.name) body.append(button.name, button.value);
  const result = await post(form, body);
  if (!result.signedOut) say.textContent = result.refused ?? result.said;
  else if (waiting.length) askToSignIn();
  else location.reload();
}

function tell(typed, result) {
  const line = document.createElement("p");
  line.className = "players__say";
  const refused = result.refused !== undefined;
  line.classList.toggle("is-refused", refused);
  // A refusal by the service names the player; another one the number typed, or the end of the badge's address.
  const typedEnd = /^\d{1,6}$/.test(typed) ? typed : `…${typed.slice(-8)}`;
  const prefix = result.named ? "" : `${typedEnd}${scans.dataset.colon} `;
  line.textContent = refused ? prefix + result.refused : result.said;
  scans.prepend(line);
  const done = scans.querySelectorAll("p:not(.is-refused)");
  for (const old of [...done].slice(SCANS_SHOWN)) old.remove();
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
  for (const { body } of waiting) body.set("csrfmiddlewaretoken", token);
}

async function drain() {
  if (sending) return;
  sending = true;
  while (waiting.length) {
    const { form, body, typed } = waiting[0];
    try {
      const result = await post(form, body);
      if (result.signedOut) {
        askToSignIn();
        await pause();
        await renewToken();
        continue;
      }
      if (result.stale && !waiting[0].renewed) {
        waiting[0].renewed = true;
        await renewToken();
        continue;
      }
      tell(typed, result);
      say.textContent = "";
    } catch {
      say.textContent = say.dataset.waits;
      await pause();
      continue;
    }
    waiting.shift();
    form.dataset.waiting = waiting.length;
  }
  sending = false;
}

function scan(form) {
  const field = form.elements.scan;
  const typed = field.value.trim();
  if (!typed) return;
  waiting.push({ form, body: new FormData(form), typed });
  field.value = "";
  field.focus();
  form.dataset.waiting = waiting.length;
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
  if (waiting.length) event.preventDefault();
});
count();
