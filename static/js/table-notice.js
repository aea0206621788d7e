/* The notice of what this phone holds, drawn from a view (table-state.js): what waits or was refused, and what may be done.
 *
 * Sentences stand on [data-table] in templates/table/sheet.html as data-text-….
 */
import { onSheet, whyOf } from "./table-deals.js";
import { headOf, linesOf, speak } from "./table-score.js";

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

/** The rules and the words of the sheet. */
export const sheet = () => ({ rules: JSON.parse(live().dataset.rules), words: JSON.parse(live().dataset.words) });

/** A suit as the sheet draws it: its sign for the eye, its name for the ear. */
function suit(trump, words) {
  const sign = element("span", `suit suit--${trump}`, words.suits[trump] ? `${words.suits[trump]}\ufe0e` : text("Nt"));
  sign.setAttribute("aria-hidden", "true");
  const drawn = element("span");
  drawn.append(sign, " ", element("span", "visually-hidden", words.suit_words[trump] || text("Notrump")));
  return drawn;
}

/** A deal that this phone holds as a row of the sheet says it: its contract and points, its sentences. */
export function describe(item, counted = null) {
  const { rules, words } = sheet();
  const form = Object.fromEntries(item.fields);
  form.dealer ||= counted?.dealer || "";
  const drawn = document.createDocumentFragment();
  if (form.unplayed) return drawn;
  if (form.passed) {
    drawn.append(element("span", "said", words.passed));
    return drawn;
  }
  const { declarer, level, trump, doubled, points } = headOf(rules, form);
  const name = (side) => words.sides[side] || [...side].map((seat) => words.sides[seat] || seat).join(" + ");
  const head = element("span", "contract");
  const called = [declarer && name(declarer), words.levels[level] || level].filter(Boolean).join(" ");
  if (called) head.append(element("span", "", called));
  if (trump) head.append(suit(trump, words));
  if (doubled > 1) head.append(element("span", "", `×${doubled}`));
  if (points.length) head.append(element("span", "accent nowrap", points.map(([side, number]) => `${name(side)} ${number}`).join(" · ")));
  drawn.append(head);
  const said = (counted ? counted.lines : linesOf(rules, form) || []).map((line) => speak(words, line));
  if (said.length) drawn.append(element("span", "said", said.join(" · ")));
  return drawn;
}

/** Why the server refused an item, in the reader's language. */
export function reason(item) {
  return item.code === "server_error" ? text("Fault", { status: item.params.status }) : whyOf(item);
}

/** The buttons under an item: what the table may do with it. */
export function buttons(item, choices, decided) {
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
    drawn.dataset.queued = line.item.state;
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
  line.append(element("p", "notice__title", text(said, { n: item.number, why: reason(item) })));
  if (onSheet(item)) line.append(versions(item));
  else line.append(paragraph(describe(item)));
  return line;
}

function paragraph(content) {
  const made = element("p");
  made.append(content);
  return made;
}

/** Both versions of a deal: that of the sheet, as its row shows it, and that of this phone. */
function versions(item) {
  const both = document.createDocumentFragment();
  const row = live().querySelector(`tr[data-deal="${item.number}"] .what`);
  const add = (name, ...content) => {
    const version = element("p");
    version.dataset.version = name;
    version.append(element("b", "", text(name)), element("br"), ...content);
    both.append(version);
  };
  if (row) add("Onsheet", ...row.cloneNode(true).childNodes);
  add("Here", describe(item));
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
