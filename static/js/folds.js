/* Long pages on a phone: the parts of a long page fold to their headings.
 *
 * <section data-folds="pool-3"> with a heading folds to it on a narrow screen; the heading becomes a button. Without script,
 *   and on a wide screen, everything is shown. Open from the start: a part with data-folds-open, the part that holds the line of
 *   the owner of this device, and the part that the address leads to. What was opened stays open when live.js swaps the page.
 */

const narrow = matchMedia("(max-width: 40rem)");
const chosen = new Map(); // data-folds → whether the reader opened or closed it

function wants(part) {
  const aimed = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  return "foldsOpen" in part.dataset || Boolean(part.querySelector(".is-me")) || Boolean(aimed && part.contains(aimed));
}

function buttonOf(part) {
  const heading = part.querySelector("h2, h3");
  const known = heading.querySelector(".unfold");
  if (known) return known;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "unfold";
  button.append(...heading.childNodes);
  heading.append(button);
  return button;
}

function fold(part) {
  const open = !narrow.matches || (chosen.get(part.dataset.folds) ?? wants(part));
  if (narrow.matches) buttonOf(part).setAttribute("aria-expanded", String(open));
  else part.querySelector(".unfold")?.removeAttribute("aria-expanded");
  for (const child of part.children) if (!child.querySelector(":scope > .unfold, :scope > * > .unfold") && !child.matches("h2, h3")) child.hidden = !open;
}

function foldAll() {
  for (const part of document.querySelectorAll("[data-folds]")) fold(part);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest(".unfold[aria-expanded]");
  const part = button?.closest("[data-folds]");
  if (!part) return;
  chosen.set(part.dataset.folds, button.getAttribute("aria-expanded") !== "true");
  fold(part);
});
function follow() {
  const part = document.getElementById(location.hash.slice(1))?.closest("[data-folds]");
  if (!part) return;
  chosen.set(part.dataset.folds, true);
  fold(part);
  part.scrollIntoView({ block: "start" });
}
window.addEventListener("hashchange", follow);
narrow.addEventListener("change", foldAll);
document.addEventListener("live:swapped", foldAll);
foldAll();
if (location.hash.length > 1) follow();
