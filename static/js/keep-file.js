/* A form with a file keeps it while the page asks something more: form[data-keep-file] is sent without a reload.
 *
 * The answer is the page again (its <main> takes the place of this one, the chosen file goes along), or 204 with the
 * address to go to in X-Location. Without script the browser forgets the file, and [data-file-lost] says so.
 */

const hideLost = () => {
  for (const note of document.querySelectorAll("[data-file-lost]")) note.hidden = true;
};

async function send(form) {
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form), headers: { "X-Part": "form" }, credentials: "same-origin" });
  const next = answer.headers.get("X-Location");
  if (next) {
    location.assign(next);
    return;
  }
  if (!answer.headers.get("Content-Type")?.startsWith("text/html")) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
  const chosen = form.querySelector("input[type=file]");
  const field = page.querySelector("[data-keep-file] input[type=file]");
  if (field && chosen.files.length) {
    for (const name of ["aria-invalid", "aria-describedby"]) {
      if (field.hasAttribute(name)) chosen.setAttribute(name, field.getAttribute(name));
      else chosen.removeAttribute(name);
    }
    field.replaceWith(chosen);
  }
  document.querySelector("main").replaceWith(page);
  hideLost();
  page.querySelector("[autofocus]")?.focus();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!("keepFile" in form.dataset)) return;
  event.preventDefault();
  const button = form.querySelector("[type=submit]");
  if (button.getAttribute("aria-busy")) return;
  button.setAttribute("aria-busy", "true");
  send(form)
    .catch(() => HTMLFormElement.prototype.submit.call(form))
    .finally(() => button.removeAttribute("aria-busy"));
});
