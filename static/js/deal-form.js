/* The form of one deal on every page that has one: whose points are counted, the rest, the score in the sheet's words.
 *
 * Advice only: the engine checks and counts again when the form is sent. The form is templates/table/parts/entry.html in a
 * [data-rules] with data-words (tournament/queries/phone_rules.py); table-score.js counts. [data-say] takes the
 * sentence, [data-points] (parts/form/points.html) the points of one side, [data-tricklist] those of each trick,
 * [data-more] a fold that says on its face what is chosen in it, [data-numpad] the digits.
 */
import { linesOf, namesTrump, speak, speakWon, standing } from "./table-score.js";

const fill = (text, values) => (text || "").replace(/\{(\w+)\}/g, (all, key) => (key in values ? String(values[key]) : all));
const read = new WeakMap(); // the rules and words of a form, read once

/** The rules and the words of the sheet that a form belongs to; null on a page that has none. */
export function sheetOf(form) {
  const box = form.closest("[data-rules]");
  if (!box) return null;
  if (!read.has(box)) read.set(box, { rules: JSON.parse(box.dataset.rules), words: JSON.parse(box.dataset.words) });
  return read.get(box);
}

/** What stands in a form: {name: value}. */
export const filledIn = (form) => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

// ---- which side is counted: the big box is always the side that is typed -------------------------------------------

/** Name the side whose points are typed, and the other one, on their boxes. */
export function countSide(form) {
  const chosen = form.querySelector("[data-counted]:checked");
  const box = form.querySelector("[data-points]");
  if (!chosen || !box) return;
  const sides = [...form.querySelectorAll("[data-counted]")];
  const other = sides.find((input) => input !== chosen);
  box.toggleAttribute("data-second", chosen !== sides[0]);
  box.querySelector("label").textContent = chosen.dataset.name;
  box.querySelector(".label").textContent = other ? other.dataset.name : "";
}

/** Show who deals, and what follows from it: who names trump, who plays alone. */
export function showDealer(form, at) {
  const name = (seat) => form.querySelector(`select[name=dealer] option[value="${CSS.escape(seat)}"]`)?.dataset.name || seat;
  const { rules, words } = sheetOf(form);
  const shown = form.querySelector("[data-dealer-name]");
  if (shown) shown.textContent = name(at);
  const naming = form.querySelector("[data-declaring]");
  const side = namesTrump(rules, at);
  if (naming && side) naming.textContent = words.sides[side];
  if (rules.sides !== "DEALER_ALONE") return;
  const names = { declarer: name(at), others: rules.seats.filter((seat) => seat !== at).map(name).join(" + ") };
  for (const input of form.querySelectorAll("input[value=declarer], input[value=others]")) {
    const face = input.parentElement.querySelector(".choice__face > span") || input.parentElement.querySelector(".choice__face");
    face.textContent = names[input.value];
    if (input.dataset.counted) input.dataset.name = names[input.value];
  }
  countSide(form);
}

// ---- trick by trick: what is counted so far ------------------------------------------------------------------------

function countTricks(form) {
  const list = form.querySelector("[data-tricklist]");
  if (!list) return;
  const say = list.querySelector("[data-tricklist-say]");
  let one = 0;
  let two = 0;
  let open = 0;
  for (const row of list.querySelectorAll("[data-trick]")) {
    const points = row.querySelector("input[type=text]").value.trim();
    const side = row.querySelector("input[type=radio]:checked");
    if (!side || !/^\d{1,2}$/.test(points)) { open += 1; continue; }
    if (side.dataset.first) one += Number(points);
    else two += Number(points);
  }
  const rest = Number(list.dataset.total) - one - two;
  say.textContent = fill(open ? list.dataset.textSum : list.dataset.textDone, { one: list.dataset.one, a: one, other: list.dataset.other, b: two, rest });
  say.toggleAttribute("data-bad", Boolean(list.dataset.exact) && (rest < 0 || (!open && rest !== 0)));
}

// ---- the points, and what the deal is worth ------------------------------------------------------------------------

/** What is wrong with the points that are typed, or "". */
function wrongPoints(form, box) {
  const typed = box.querySelector("input").value.trim();
  const { textWhole, textRange, textTricks, total } = box.dataset;
  if (!typed) return "";
  if (!/^\d+$/.test(typed)) return textWhole;
  const points = Number(typed);
  if (typed.length > 3 || points > Number(total)) return fill(textRange, { min: 0, max: total });
  const tricks = form.querySelector("[name=tricks]:checked")?.value;
  const limits = tricks ? sheetOf(form)?.rules.bounds[Number(tricks)] : null;
  return limits && (points < limits[0] || points > limits[1]) ? fill(textTricks, { tricks, min: limits[0], max: limits[1] }) : "";
}

/** The score of the deal in the form as the sheet will say it, and the game that it ends (data-match: where the match
 * stands before it); "" where the form does not say it yet. */
function scoreOf(form) {
  const sheet = sheetOf(form);
  const lines = sheet && linesOf(sheet.rules, filledIn(form));
  if (!lines) return "";
  // What each of the others gives a player alone is said with that player's score.
  const said = lines.filter((line) => !["stake_paid", "stake_received"].includes(line.clause)).map((line) => speak(sheet.words, line));
  const match = JSON.parse(form.dataset.match || "null");
  const [counted] = match ? standing(sheet.rules, match, [""], [filledIn(form)]).deals : [];
  return [...said, counted ? speakWon(sheet.words, counted) : ""].filter(Boolean).join(" · ");
}

function check(form) {
  const box = form.querySelector("[data-points]");
  const say = form.querySelector("[data-say]");
  let problem = "";
  if (box) {
    const input = box.querySelector("input");
    const other = box.querySelector("[data-points-other]");
    problem = wrongPoints(form, box);
    if (!other.dataset.textStart) other.dataset.textStart = other.textContent;
    other.textContent = input.value.trim() && !problem ? String(Number(box.dataset.total) - Number(input.value)) : other.dataset.textStart;
    input.setAttribute("aria-invalid", String(Boolean(problem)));
    input.setCustomValidity(problem);
  }
  if (!say) return;
  if (say.dataset.textStart === undefined) say.dataset.textStart = say.textContent;
  const score = problem ? "" : scoreOf(form);
  say.toggleAttribute("data-bad", Boolean(problem));
  say.toggleAttribute("data-score-said", Boolean(score));
  say.textContent = problem || score || say.dataset.textStart;
}

// ---- what is missing ------------------------------------------------------------------------------------------------

/** The fields that describe a deal that was played; none is sent with a deal that everybody passed. */
export const PLAYED = /^(declarer|level|bid|all_tricks|trump|turn_up|doubling|blind|exchanged|side|points|tricks|plays|leader|trick_.*)$/;

/** Whether the form says anything of a deal that was played: a fresh one has only a side to count and no doubling. */
export const describesPlay = (form) => [...new FormData(form)].some(([name, value]) => PLAYED.test(name) && value && name !== "side" && !(name === "doubling" && value === "0"));

/** Of a générale the tricks say everything. */
const tricksSuffice = (form) => Boolean(form.querySelector("[name=level][value=generale]:checked") && form.querySelector("[name=tricks]:checked"));

/** Whether the contract is for all the tricks, so that the tricks are asked at every depth. */
const asksTricks = (form) => Boolean(form.querySelector("[name=level][value=generale]:checked, [name=all_tricks]:checked"));

/** The first thing that is missing or wrong for the eye: {words, at}; null where the engine has the word. */
export function faultOf(form) {
  const { textMissing } = form.querySelector("[data-text-missing]").dataset;
  for (const group of form.querySelectorAll("fieldset.choices")) {
    if (group.classList.contains("tricks") && form.querySelector("[name=depth]").value !== "tricks" && !asksTricks(form)) continue;
    const radios = [...group.querySelectorAll("input[type=radio]")];
    if (radios.length && !radios.some((input) => input.checked)) {
      const named = group.hidden ? group.parentElement.querySelector(".pairs .label") : group.querySelector("legend").firstChild;
      return { words: fill(textMissing, { what: named.textContent.trim() }), at: group.hidden ? group.parentElement : group };
    }
  }
  const points = form.querySelector("[data-points] input");
  const empty = points && points.validity.valueMissing && !points.validity.customError;
  // In the page's language, not in the browser's.
  const words = empty ? fill(textMissing, { what: form.querySelector("[data-points] .points .visually-hidden").textContent.trim() }) : points?.validationMessage;
  if (words && !(empty && tricksSuffice(form))) return { words, at: form.querySelector(".counted"), focus: points };
  return null;
}

/** Say above a form why it is not sent; the group of choices that is at fault is marked and opened. asks: nothing is
 * wrong, somebody is to decide. */
export function complain(form, words, at = null, asks = false) {
  let box = document.getElementById("refused");
  if (!box) {
    box = document.createElement("div");
    box.id = "refused";
    box.setAttribute("role", "alert");
    box.tabIndex = -1;
    form.before(box);
  }
  box.className = asks ? "notice notice--warning" : "error-summary";
  const line = document.createElement("p");
  line.textContent = words;
  box.replaceChildren(line);
  for (const bad of form.querySelectorAll(".choices--bad")) bad.classList.remove("choices--bad");
  at?.classList.add("choices--bad");
  const folded = at?.closest("details.more");
  if (folded) folded.open = true;
  (at || box).scrollIntoView({ block: "center" });
  at?.querySelector("input")?.focus({ preventScroll: true });
  return box;
}

/** Empty a form for the next deal. */
export function clear(form) {
  form.reset();
  for (const input of form.querySelectorAll("input[type=text], textarea")) input.value = "";
  for (const fold of form.querySelectorAll("details.more")) fold.open = false;
  countSide(form);
  form.dispatchEvent(new Event("change", { bubbles: true }));
  form.dispatchEvent(new CustomEvent("table:cleared", { bubbles: true }));
}

// ---- the digits ----------------------------------------------------------------------------------------------------

/** The field that the digits go to: a bid that is still to come, the points, or the trick whose winner was tapped last. */
function padField(keys) {
  const { digits } = keys.closest("form").dataset;
  if (digits) return keys.closest("form").elements[digits];
  if (keys.dataset.numpad) return document.getElementById(keys.dataset.numpad);
  const rows = keys.closest("form");
  return (rows.querySelector("[data-trick][data-now]") || rows.querySelector("[data-trick]")).querySelector("input[type=text]");
}

function pad(keys) {
  keys.hidden = false;
  // The digits are on the page: the phone's own keyboard would cover them. A mouse keeps its keyboard.
  if (matchMedia("(pointer: coarse)").matches) for (const input of keys.closest("form").querySelectorAll("[name=points], [name=bid], [data-trick] input[type=text]")) input.inputMode = "none";
  keys.addEventListener("click", (event) => {
    const key = event.target.closest("button")?.dataset.key;
    if (!key) return;
    const input = padField(keys);
    if (key === "clear") input.value = "";
    else if (key === "back") input.value = input.value.slice(0, -1);
    else if (input.value && input.value === input.defaultValue) input.value = key; // what the page brought is replaced, not made longer
    else if (input.maxLength < 0 || input.value.length < input.maxLength) input.value += key; // a third digit is too many and said, a fourth is not taken
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const now = (event) => {
    const row = event.target.closest("[data-trick]");
    if (row) for (const each of keys.closest("form").querySelectorAll("[data-trick]")) each.toggleAttribute("data-now", each === row);
  };
  keys.closest("form").addEventListener("focusin", now);
  keys.closest("form").addEventListener("change", now);
}

/** The digits go to the bid until it has two of them, then to the points; a tap on either goes back to it. */
function digitsToBid(form) {
  const bid = form.querySelector("input[name=bid]");
  if (!bid || !form.querySelector("[data-numpad]")) return;
  const open = () => !bid.value && !form.querySelector("[name=all_tricks]:checked");
  const to = (name) => { form.dataset.digits = name; };
  const fold = bid.closest("details");
  fold.querySelector("summary").addEventListener("click", (event) => {
    if (form.dataset.digits === "bid") return; // a second tap opens what else may be bid
    event.preventDefault();
    to("bid");
  });
  form.addEventListener("input", (event) => { if (event.target === bid && bid.value.length > 1) to(""); });
  form.addEventListener("change", (event) => { if (["side", "all_tricks"].includes(event.target.name)) to(open() ? "bid" : ""); });
  form.addEventListener("focusin", (event) => { if (event.target.name === "points") to(""); });
  form.addEventListener("table:cleared", () => to("bid"));
  to(open() ? "bid" : "");
}

// ---- two choices as one: side and contract of an auction, suit and rank of a card turned up -------------------------

const saidOf = (input) => (input.parentElement.querySelector(".choice__face > span") || input.parentElement).textContent.trim();

/** The button of a pair of choices. */
function pairButton(one, other, face, name) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "pair-button";
  button.append(...face);
  button.dataset.pair = `${one.value} ${other.value}`;
  button.setAttribute("aria-label", name);
  button.addEventListener("click", () => {
    one.checked = true;
    other.checked = true;
    other.dispatchEvent(new Event("input", { bubbles: true }));
    other.dispatchEvent(new Event("change", { bubbles: true }));
  });
  return button;
}

/** Put one pad in the place of two lists of choices: a row for each of the first, made by rowOf(one, others). */
function joinChoices(form, names, rowOf) {
  const lists = names.map((name) => form.querySelector(`.entry__what fieldset.choices:has([name=${name}])`));
  if (lists.includes(null)) return;
  const [ones, others] = lists.map((list) => [...list.querySelectorAll("input")]);
  const box = document.createElement("div");
  box.className = "pairs";
  box.dataset.pairs = names.join(" ");
  box.setAttribute("role", "group");
  const legend = lists.map((list) => list.querySelector("legend").firstChild.textContent.trim()).join(" · ");
  box.setAttribute("aria-label", legend);
  const title = document.createElement("p");
  title.className = "label";
  title.textContent = legend;
  box.append(title, ...ones.flatMap((one) => rowOf(one, others)));
  const show = () => {
    const chosen = lists.map((list) => list.querySelector("input:checked")?.value).join(" ");
    for (const button of box.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.pair === chosen));
  };
  for (const list of lists) list.hidden = true;
  form.querySelector("[data-asked]").append(box);
  form.addEventListener("change", show);
  show();
}

/** A row of contracts for each side. */
function joinBids(form) {
  joinChoices(form, ["declarer", "level"], (side, levels) => {
    const name = document.createElement("b");
    name.textContent = saidOf(side);
    return [name, ...levels.map((level) => pairButton(side, level, [saidOf(level)], [saidOf(side), saidOf(level), level.parentElement.querySelector("abbr")?.title].filter(Boolean).join(" ")))];
  });
}

/** The card turned up is one of 24: its suit is trump. */
function joinTurnUp(form) {
  joinChoices(form, ["trump", "turn_up"], (suit, ranks) => ranks.map((rank) => {
    const sign = suit.parentElement.querySelector(".suit").cloneNode(true);
    const hint = rank.parentElement.querySelector(".choice__hint").cloneNode(true);
    return pairButton(suit, rank, [saidOf(rank), sign, hint], `${saidOf(rank)} ${suit.parentElement.querySelector(".visually-hidden").textContent.trim()}, ${hint.textContent}`);
  }));
}

// ---- doubling: a tap for each call ----------------------------------------------------------------------------------

/** A button in the place of the list of calls: each tap is one call more, after the last there is none. */
function callByTaps(form) {
  const fold = form.querySelector("details.more:has([name=doubling])");
  const calls = fold ? [...fold.querySelectorAll("[name=doubling]")] : [];
  if (!calls.length || calls[0].type !== "radio") return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "more more--calls";
  button.dataset.calls = "";
  const at = () => Math.max(0, calls.findIndex((input) => input.checked));
  button.addEventListener("click", () => callTo(form, (at() + 1) % calls.length));
  const show = () => {
    const face = calls[at()].parentElement.querySelector(".choice__face");
    button.replaceChildren(...[...face.childNodes].map((node) => node.cloneNode(true)));
    button.toggleAttribute("data-called", at() > 0);
  };
  fold.hidden = true;
  fold.after(button);
  form.addEventListener("change", show);
  show();
}

/** Set how often the deal in a form is doubled. */
export function callTo(form, times) {
  const input = form.querySelectorAll("[name=doubling]")[times];
  input.checked = true;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

// ---- what is one tap away: each fold says on its face what is chosen in it ------------------------------------------

/** What is chosen in a fold, in the words of the page. */
function chosenIn(fold) {
  const input = fold.querySelector("input:checked");
  if (input) return (input.parentElement.querySelector(".choice__face > span") || input.parentElement.querySelector(".choice__face"))?.textContent.trim().replace(/\s+/g, " ") || "✓";
  return fold.querySelector("input[type=text]")?.value || "";
}

function sayFolds(form) {
  for (const fold of form.querySelectorAll("[data-more]")) {
    const value = chosenIn(fold);
    fold.querySelector("[data-more-value]").textContent = value;
    fold.toggleAttribute("data-open-question", !value && fold.querySelector("input[type=radio], input[type=text]") !== null);
  }
}

/** Open the tricks where the contract that was chosen asks for them. */
function openTricks(form) {
  const fold = form.querySelector("fieldset.tricks")?.closest("details");
  if (fold && asksTricks(form) && !fold.querySelector("input:checked")) fold.open = true;
}

/** A choice that was tapped closes its fold; arrow keys go on choosing. */
function foldAway(event) {
  const fold = event.target.closest?.("[data-more]");
  if (fold && event.target.matches("input[type=radio]") && event.detail > 0) fold.open = false;
}

// ---- every form of a page ------------------------------------------------------------------------------------------

function take(form) {
  if (form.dataset.dealFormOn) return;
  form.dataset.dealFormOn = "1";
  const show = () => {
    countSide(form);
    countTricks(form);
    sayFolds(form);
    check(form);
  };
  form.addEventListener("change", show);
  form.addEventListener("input", (event) => {
    if (event.target.name === "dealer") showDealer(form, event.target.value);
    if (["level", "all_tricks"].includes(event.target.name)) openTricks(form);
    show();
  });
  form.addEventListener("click", foldAway);
  for (const keys of form.querySelectorAll("[data-numpad][hidden]")) pad(keys);
  joinBids(form);
  joinTurnUp(form);
  callByTaps(form);
  digitsToBid(form);
  countSide(form);
  countTricks(form);
  sayFolds(form);
  if ([...form.querySelectorAll("[data-points] input, [name=points]")].some((input) => input.value)) check(form);
}

/** Take up every form of a deal under root.
 * @param {any} root
 */
export function watch(root = document) {
  for (const part of root.querySelectorAll("form [data-points], form .entry")) take(part.closest("form"));
}

// The table's own page keeps what is written before it sends it; the other forms are sent by the browser.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.querySelector(".entry") || form.matches("[data-deal-form]") || event.submitter?.name === "passed") return;
  const fault = faultOf(form);
  if (!fault) return;
  event.preventDefault();
  complain(form, fault.words, fault.at);
  fault.focus?.focus();
});

document.addEventListener("live:swapped", (event) => watch(event.target));
watch();
