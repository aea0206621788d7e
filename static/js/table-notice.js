/* The notice of what this phone holds, drawn from a view (table-state.js): what waits or was refused, and what may be done.
 *
 * Sentences stand on [data-table] in templates/table/sheet.html as data-text-….
 */
import { onSheet, valueOf, whyOf } from "./table-deals.js";

export const root = document.querySelector("[data-table]");
export const live = () => document.getElementById("live");

/** A sentence of the page with its values. */
export const text = (name, values = {}) => (root.dataset[`text${name}`] || "").replace(/\{(\w+)\}/g, (all, key) => (key in values ? String(values[key]) : all));

export function element(tag, className, content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (content) made.textContent = content;
  return made;
}

export function button(label, act, quiet = true) {
  const made = element("button", quiet ? "button button--quiet button--small" : "button button--small", label);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

function summary(item) {
  const suits = { S: "♠\uFE0E", H: "♥\uFE0E", D: "♦\uFE0E", C: "♣\uFE0E", NT: text("Nt") };
  const points = valueOf(item, "points");
  const side = item.side ? `${item.side} ` : "";
  return [suits[valueOf(item, "trump")], points && side + points, item.said].filter(Boolean).join(" · ");
}

/** Why the server refused an item, in the reader's language. */
export function reason(item) {
  return item.code === "server_error" ? text("Fault", { status: item.params.status }) : whyOf(item);
}

/** The buttons under an item: what the table may do with it. */
function buttons(item, choices, decided) {
  const actions = element("p", "actions");
  const there = onSheet(item);
  const labels = {
    yes: item.sure === "forgotten_double" ? "Notdoubled" : "Yes", doubled: "Doubled", renumber: "Renumber", correct: there ? "Mine" : "Correct",
    change: "Change", edit: "Change", again: "Again", take: "Take", undo: "Drop", drop: there ? "Dropmine" : "Drop",
  };
  for (const each of choices) {
    const quiet = item.state === "waiting" || each === "drop" || choices[0] !== each;
    const n = each === "renumber" ? item.params.next : item.number;
    const made = button(text(labels[each], { n }), () => decided(item, each), quiet);
    made.dataset.decision = each;
    actions.append(there && each === "renumber" ? askOther(item, n, made) : made);
  }
  return actions;
}

let asksOther = 0; // the id of the item of which the page asks whether it is another deal

/** A deal whose number is on the sheet is recorded as a further one only after a question. */
function askOther(item, n, record) {
  const fold = element("details", "fold");
  fold.open = asksOther === item.id;
  fold.addEventListener("toggle", () => { if (fold.isConnected) asksOther = fold.open ? item.id : 0; });
  const inside = element("div", "fold__in");
  inside.append(element("p", "", text("Isother", { n, number: item.number })), record);
  fold.append(element("summary", "", text("Other")), inside);
  return fold;
}

function drawLine(line, decided) {
  if (line.kind === "deal") {
    const drawn = queued(line);
    drawn.append(buttons(line.item, line.choices, decided));
    return drawn;
  }
  if (line.kind === "game") {
    const drawn = element("p", "queue__item");
    const link = element("a", "", line.unfit ? text("Refusedelsewhere", { n: line.game, deal: line.unfit.number }) : text("Elsewhere", { n: line.game, deals: line.deals }));
    if (line.unfit) drawn.dataset.elsewhere = "refused";
    link.href = `?game=${line.game}`;
    drawn.append(link);
    return drawn;
  }
  const { name, mark, title } = {
    trouble: { name: line.status === 429 ? "Slow" : "Failing", mark: "failing" },
    offline: { name: "Offline" },
    noreload: { name: "Noreload", mark: "noReload", title: true },
    sending: { name: "Sending" },
    call: { name: "Call", mark: "waitingCall", title: true },
  }[line.kind];
  const drawn = element("p", title ? "notice__title" : "", text(name, { status: line.status }));
  if (mark) drawn.dataset[mark] = line.status || "";
  return drawn;
}

/** A deal that this phone holds: what became of it, and what was entered. */
function queued({ item, said }) {
  const line = element("div", "queue__item");
  line.dataset.queued = item.state;
  line.append(element("p", "notice__title", text(said, { n: item.number, why: reason(item) })));
  const what = summary(item);
  if (onSheet(item)) line.append(versions(item, what));
  else if (what) line.append(element("p", "", what));
  return line;
}

/** Both versions of a deal: that of the sheet, as its row shows it, and that of this phone. */
function versions(item, what) {
  const both = document.createDocumentFragment();
  const row = live().querySelector(`tr[data-deal="${item.number}"] .what`);
  const add = (name, ...content) => {
    const version = element("p");
    version.dataset.version = name;
    version.append(element("b", "", text(name)), element("br"), ...content);
    both.append(version);
  };
  if (row) add("Onsheet", ...row.cloneNode(true).childNodes);
  add("Here", what);
  return both;
}

/** The notice of a view; decided(item, decision) is called by its buttons. wasOpen: whether its fold stays open. */
export function drawNotice({ tone, quiet, folded, last, lines }, wasOpen, decided) {
  const drawn = element(folded ? "details" : "div", `notice notice--${tone}${quiet ? " folded-notice" : ""}`);
  drawn.setAttribute("role", "status");
  if (folded) {
    drawn.open = wasOpen;
    const summary = element("summary");
    summary.append(last ? queued(last) : element("p", "", text("Offline")));
    drawn.append(summary);
    if (last) drawn.append(buttons(last.item, last.choices, decided));
  }
  drawn.append(...lines.map((line) => drawLine(line, decided)));
  return drawn;
}
