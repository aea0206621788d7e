/* The book of results: on a wide screen a cell opens its sheets beside the grid.
 *
 * a[data-cell] leads to the page of its table, and that is where it leads without script and on a phone. Where there is
 * room [data-cells] takes the answer to ?cell=<data-cell>&part=cell. The page's address keeps ?cell=, so that a way back
 * finds the cell open. [data-cell-close] puts it away again.
 */

const place = document.querySelector("[data-cells]");
const wide = matchMedia("(min-width: 64rem)");
let asked = null; // the cell pressed last: an earlier one that is answered later is not shown

function mark(cell) {
  for (const link of document.querySelectorAll("a[data-cell]")) {
    if (cell && link.dataset.cell === cell) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  const url = new URL(location.href);
  if (cell) url.searchParams.set("cell", cell);
  else url.searchParams.delete("cell");
  history.replaceState(null, "", url);
  return url;
}

async function open(link) {
  asked = link;
  const url = new URL(location.href);
  url.searchParams.set("cell", link.dataset.cell);
  url.searchParams.set("part", "cell");
  const answer = await fetch(url, { credentials: "same-origin", redirect: "manual" });
  if (!answer.ok) throw new Error(String(answer.status));
  const text = await answer.text();
  if (asked !== link) return;
  place.innerHTML = text;
  place.hidden = false;
  place.scrollTop = 0;
  mark(link.dataset.cell);
  place.querySelector("h2").focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest("a[data-cell]");
  if (link && wide.matches) {
    event.preventDefault();
    // What cannot be shown here is shown, or refused, by the page of the table.
    open(link).catch(() => location.assign(link.href));
  } else if (event.target.closest("[data-cell-close]")) {
    event.preventDefault();
    const opened = document.querySelector("a[data-cell][aria-current]");
    asked = null;
    place.hidden = true;
    place.replaceChildren();
    mark("");
    opened?.focus();
  }
});
