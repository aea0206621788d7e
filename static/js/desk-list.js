/* The desk's list of players acts in place: no reload, so that search and place in the list stay.
 *
 * A form in tr[data-entrant] that is sent answers with the row as it is then (header X-Part: row); the row takes its
 * place. What went wrong is said in [data-say]. form[data-scan] answers with the row of whom it found; its field is
 * emptied for the next badge. [data-count="present"] counts the rows in that state. Without script everything works
 * with reloads.
 */

const say = document.querySelector("[data-say]");

function count() {
  for (const place of document.querySelectorAll("[data-count]")) {
    place.textContent = document.querySelectorAll(`tr[data-entrant][data-state="${place.dataset.count}"]`).length;
  }
}

async function send(form, button) {
  const body = new FormData(form);
  if (button?.name) body.append(button.name, button.value);
  const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Part": "row" }, credentials: "same-origin", redirect: "manual" });
  if (answer.type === "opaqueredirect") {
    location.reload();
    return;
  }
  const text = await answer.text();
  if (!answer.ok) {
    say.textContent = answer.status === 409 ? text : say.dataset.failed;
    return;
  }
  const held = document.createElement("template");
  held.innerHTML = text;
  const row = held.content.querySelector("tr");
  const old = document.getElementById(row.id);
  say.textContent = row.dataset.say || "";
  if (old) {
    const focused = old.contains(document.activeElement);
    old.replaceWith(row);
    if (focused) row.querySelector("button")?.focus({ preventScroll: true });
  }
  count();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const scan = "scan" in form.dataset;
  if (!scan && !form.closest("tr[data-entrant]")) return;
  event.preventDefault();
  send(form, event.submitter)
    .catch(() => {
      say.textContent = say.dataset.failed;
    })
    .finally(() => {
      if (!scan) return;
      form.reset();
      form.querySelector("input:not([type=hidden])")?.focus();
    });
});
count();
