/* What this phone holds, where it belongs: deals as rows of the sheet, corrections below the row that they replace,
 * signatures in their half. Drawn from a view (table-state.js); the others read the buttons of each in the queue.
 */
import { valueOf } from "./table-deals.js";
import { buttons, describe, element, live, sheet, text } from "./table-notice.js";
import { speakWon } from "./table-score.js";

const number = (value) => String(value).replace("-", "\u2212");

/** A cell of a side: its marks, and its total; empty where only the server counts. */
function cell(counted, side) {
  const drawn = element("td", "side");
  if (!counted?.totals) return drawn;
  const marks = counted.marks[side];
  drawn.append(marks ? number(marks) : element("span", "nothing", "–"), " ", element("span", "total", number(counted.totals[side])));
  return drawn;
}

/** The rows of a deal that this phone holds; counted: the deal as standing gives it. */
function row({ item, said, choices }, counted, words, decided) {
  const drawn = element("tr", "is-queued");
  drawn.dataset.queued = item.state;
  const heading = element("th", "nr");
  heading.setAttribute("scope", "row");
  heading.append(choices.includes("edit") ? changing(item, decided) : String(item.number));
  const what = element("td", "what");
  what.append(describe(item, counted));
  if (item.state === "waiting") what.append(element("b", "said", text(choices.includes("edit") ? "Kept" : said, { n: item.number })));
  if (choices.length && !choices.includes("edit")) what.append(buttons(item, choices, decided));
  drawn.append(heading, what, ...Object.keys(words.sides).map((side) => cell(counted, side)));
  const ended = counted ? speakWon(words, counted) : "";
  return ended ? [drawn, endOfGame(ended, words)] : [drawn];
}

/** The number of a deal that waits: it is changed by a tap, as one that the server has. */
function changing(item, decided) {
  const made = element("button", "", String(item.number));
  made.type = "button";
  made.dataset.decision = "edit";
  made.setAttribute("aria-label", [item.number, text("Change")].join(", "));
  made.addEventListener("click", () => decided(item, "edit"));
  return made;
}

function endOfGame(ended, words) {
  const drawn = element("tr", "game-end is-queued");
  const said = element("td", "", ended);
  said.colSpan = Object.keys(words.sides).length + 1;
  drawn.append(element("td"), said);
  return drawn;
}

/** Draw the deals below those that the server has, and what was changed below its row; deals: each by its number, as
 * standing gives it. */
export function drawRows(rows, changed, deals, decided) {
  const body = live().querySelector("table.score tbody");
  if (!body) return;
  for (const old of body.querySelectorAll(".is-queued")) old.remove();
  for (const old of body.querySelectorAll(".is-superseded")) old.classList.remove("is-superseded");
  const { words } = sheet();
  const drawn = (line) => row(line, deals[line.item.number] || null, words, decided);
  for (const line of changed) {
    const before = body.querySelector(`tr[data-deal="${line.item.number}"]`);
    before?.classList.add("is-superseded");
    (before || body.lastElementChild).after(...drawn(line));
  }
  body.append(...rows.flatMap(drawn));
}

/** A half whose signature waits has it in the place of its buttons. */
export function drawSignatures(signatures, decided) {
  for (const old of live().querySelectorAll(".half [data-queued]")) old.remove();
  for (const form of live().querySelectorAll("form.signers")) {
    const line = signatures.find(({ item }) => valueOf(item, "signing") === form.elements.signing.value);
    form.hidden = Boolean(line);
    if (!line) continue;
    const kept = element("div");
    kept.dataset.queued = line.item.state;
    kept.append(element("p", "", text(line.said)), buttons(line.item, line.choices, decided));
    form.after(kept);
  }
}
