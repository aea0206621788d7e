/* The door on one's own phone: the field has the focus, and a name acts where it stands, without a reload.
 *
 * A button of the list is sent with the header X-Part: name; the answer is that line as it is then and takes its
 * place. "Checked in" comes with a button that takes it back. The keyboard's own key takes the one name that begins as
 * what was typed; where nobody fits it leads to the form below, which has been given what was typed.
 * What went wrong is said in [data-say]. Without script a name leads to its own page.
 */

import { me } from "./find.js";

const input = document.querySelector("input[data-find]");
const say = document.querySelector("[data-say]");
const newcomer = document.querySelector("[name=name]");
let carried = "";

/** What was typed to find a name, as a name: its first name first, with capitals; a number is none. */
function asName(text) {
  const [last, ...first] = /\d/.test(text) ? [""] : text.split(",");
  const name = [...first, last].join(" ").trim().replace(/\s+/g, " ");
  return name === name.toLowerCase() ? name.replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase()) : name;
}

/** The form of those who are not on the list need not be typed again what was looked for. */
function carryOver() {
  if (newcomer?.value === carried) newcomer.value = carried = asName(input.value);
}

/** The field to the top, so that the names stand above the phone's keyboard. */
function makeRoom() {
  input.closest("form").scrollIntoView({ block: "start" });
}

async function send(form, button) {
  const body = new FormData(form);
  body.append(button.name, button.value);
  const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Part": "name" }, credentials: "same-origin" });
  const text = await answer.text();
  if (!answer.ok) {
    say.textContent = answer.status === 409 ? text : say.dataset.failed;
    return;
  }
  const template = document.createElement("template");
  template.innerHTML = text;
  const line = template.content.querySelector("li");
  button.closest("li").replaceWith(line);
  say.textContent = "";
  if (input) input.value = "";
  line.dispatchEvent(new CustomEvent("live:swapped", { bubbles: true })); // find.js shows who is remembered
  input?.dispatchEvent(new Event("input", { bubbles: true }));
  line.querySelector("[tabindex], button")?.focus();
}

document.addEventListener("submit", (event) => {
  if (input && event.target === input.form && input.value.trim()) {
    document.querySelector(".door.is-alone > li:not([hidden]) [name=here]")?.click();
    if (!document.querySelector("#door-names > li:not([hidden])")) newcomer?.focus();
    return;
  }
  const button = event.submitter;
  if (!button?.closest(".door")) return;
  event.preventDefault();
  button.setAttribute("aria-busy", "true");
  send(event.target, button)
    .catch(() => {
      say.textContent = say.dataset.failed;
    })
    .finally(() => button.removeAttribute("aria-busy"));
});

input?.addEventListener("input", carryOver);

// A phone that knows whose it is shows that name, one that was asked "is that you?" the answers: a keyboard would hide them.
if (input && !me() && !document.querySelector("[aria-invalid=true], #door-same")) {
  input.focus({ preventScroll: true });
  input.addEventListener("input", makeRoom, { once: true });
}
input?.addEventListener("click", makeRoom);
