/* The final standings one by one: [data-reveal-row] stand first place first, and appear last place first.
 *
 * Space, Enter, arrow down, page down (a presenter's key) or [data-reveal-next] shows the next; arrow up, page up,
 * Backspace or [data-reveal-back] takes one back. With the first place the form [data-reveal-end] is sent, which hides the
 * last rounds from nobody any more. [data-reveal-list] is unseen until its rows are hidden; without script it is shown whole.
 * [data-reveal-before], hint and warning, leave the screen to the audience once the first name is shown.
 */

const list = document.querySelector("[data-reveal-list]");
const rows = [...document.querySelectorAll("[data-reveal-row]")];
const next = document.querySelector("[data-reveal-next]");
const back = document.querySelector("[data-reveal-back]");
const end = document.querySelector("[data-reveal-end]");
const ended = document.querySelector("[data-reveal-ended]");
const before = document.querySelectorAll("[data-reveal-before]");
let shown = 0;

async function endHiding() {
  if (!end || !end.hidden || !ended.hidden) return;
  const answer = await fetch(end.action, { method: "POST", body: new FormData(end) }).catch(() => null);
  ended.hidden = !answer?.ok;
  end.hidden = Boolean(answer?.ok);
}

function show(count) {
  shown = Math.min(rows.length, Math.max(0, count));
  rows.forEach((row, place) => {
    row.hidden = place < rows.length - shown;
    row.classList.toggle("is-new", place === rows.length - shown);
  });
  for (const note of before) note.hidden = shown > 0;
  if (next) next.disabled = shown === rows.length;
  if (back) back.disabled = shown === 0;
  if (shown && shown === rows.length) endHiding();
  if (shown) rows[rows.length - shown].scrollIntoView({ block: "nearest" });
}

const STEPS = { " ": 1, Enter: 1, ArrowDown: 1, PageDown: 1, ArrowUp: -1, PageUp: -1, Backspace: -1 };
document.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (!step || event.target.closest?.("a, summary")) return;
  event.preventDefault();
  show(shown + step);
});
for (const [button, step] of [[next, 1], [back, -1]]) {
  if (!button) continue;
  button.hidden = false;
  button.addEventListener("click", () => show(shown + step));
}
if (end) end.hidden = true;
show(0);
list.classList.add("is-ready");
