/* The desk's list of players acts in place: no reload, so that search and place in the list stay.
 *
 * A form in tr[data-entrant] that is sent answers with the row as it is then (header X-Part: row); the row takes its
 * place. What went wrong is said in [data-say]. [data-count="present"] counts the rows in that state. Without script
 * everything works with reloads.
 *
 * form[data-scan] answers with the row of whom it found. Its field is taken and emptied as it is sent: a scanner types
 * the next badge before the answer is there. Scans wait for each other, one without an answer is sent again until it
 * has one, and each says in a line of [data-scans] what came of it; those that were refused stay there.
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
  if (answer.type === "opaqueredirect") {
    location.reload();
    return null;
  }
  // A service that starts again, or is busy, has decided nothing.
  if (answer.status >= 500 || answer.status === 429) throw new Error(String(answer.status));
  const text = await answer.text();
  if (!answer.ok) return { refused: answer.status === 409 ? text : say.dataset.failed };
  const held = document.createElement("template");
  held.innerHTML = text;
  const row = held.content.querySelector("tr");
  const old = document.getElementById(row.id);
  if (old) {
    const focused = old.contains(document.activeElement);
    old.replaceWith(row);
    if (focused) row.querySelector("button")?.focus({ preventScroll: true });
  }
  count();
  return { said: row.dataset.say || "" };
}

async function send(form, button) {
  const body = new FormData(form);
  if (button?.name) body.append(button.name, button.value);
  const result = await post(form, body);
  if (result) say.textContent = result.refused ?? result.said;
}

function tell(typed, result) {
  const line = document.createElement("p");
  line.className = "players__say";
  const refused = result.refused !== undefined;
  line.classList.toggle("is-refused", refused);
  // A number that was typed is told with its refusal; the address on a badge is long, and nobody else's to read.
  const number = /^\d{1,6}$/.test(typed) ? `${typed}${scans.dataset.colon} ` : "";
  line.textContent = refused ? number + result.refused : result.said;
  scans.prepend(line);
  const done = scans.querySelectorAll("p:not(.is-refused)");
  for (const old of [...done].slice(SCANS_SHOWN)) old.remove();
}

async function drain() {
  if (sending) return;
  sending = true;
  while (waiting.length) {
    const { form, body, typed } = waiting[0];
    try {
      const result = await post(form, body);
      if (!result) return;
      tell(typed, result);
      say.textContent = "";
    } catch {
      say.textContent = say.dataset.waits;
      await new Promise((resolve) => { setTimeout(resolve, AGAIN_AFTER); });
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
