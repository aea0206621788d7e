/* The points of one side while they are typed: the other side by difference, the bounds, and what would be marked.
 * Advice only: the engine checks and computes again when the form is sent. See templates/parts/form/points.html.
 *
 * [data-points] carries data-total (68 | 60), data-half (34 | 30), data-entered-side ("1" | "2"), data-bounds (JSON,
 * tricks → [min, max]) with data-tricks-name, and the sentences data-text-*. In the same form, checked inputs may carry
 *   data-factor   a multiplier; all of them are multiplied (no trump ×2, blind trump ×2 …)
 *   data-doublings   how many times the deal was doubled: a multiplier of 2 each
 *   data-target   the contract to reach instead of the half (chaloupée 34, 44, 50, 54)
 *   data-side     the declarer's side, needed with data-target
 * Marks = (points of the declaring side − target) × factor, for the declarers when positive, for the others when
 * negative, for nobody when zero (rules specification A.4).
 * After every change the element sends "points:changed" with {valid, points, other, marks, side}.
 */

import { countSide, countTricks } from "./table-count.js";

const fill = (text, values) => (text || "").replace(/\{(\w+)\}/g, (all, key) => (key in values ? String(values[key]) : all));

/** A.4 for a deal that was played out: {side: 0 | 1 | 2, marks, difference}. */
export function marked({ points, total, target, factor, enteredSide, declaringSide }) {
  const declarers = declaringSide === enteredSide ? points : total - points;
  const difference = declarers - target;
  const other = declaringSide === 1 ? 2 : 1;
  if (difference === 0) return { side: 0, marks: 0, difference: 0 };
  return { side: difference > 0 ? declaringSide : other, marks: Math.abs(difference) * factor, difference: Math.abs(difference) };
}

function read(box) {
  const form = box.closest("form") || document;
  const data = box.dataset;
  const chosen = [...form.querySelectorAll("input:checked[data-factor], input:checked[data-doublings], input:checked[data-target], input:checked[data-side]")];
  const factor = chosen.reduce((product, input) => product * Number(input.dataset.factor || 2 ** (input.dataset.doublings || 0)), 1);
  const target = chosen.reduce((value, input) => Number(input.dataset.target || value), Number(data.half));
  const enteredSide = Number(data.enteredSide || 1);
  const contract = chosen.some((input) => input.dataset.target);
  // Against the half both readings agree; only a contract needs to know who declared.
  const declaringSide = contract ? chosen.reduce((side, input) => Number(input.dataset.side || side), 0) : enteredSide;
  return { form, data, factor, target, enteredSide, declaringSide, total: Number(data.total), half: Number(data.half) };
}

function check(box) {
  const { form, data, factor, target, enteredSide, declaringSide, total } = read(box);
  const input = box.querySelector("input");
  const other = box.querySelector("[data-points-other]");
  const say = box.querySelector(".points__say");
  if (!say.dataset.textStart) say.dataset.textStart = say.textContent;
  const typed = input.value.trim();
  const points = /^\d{1,3}$/.test(typed) ? Number(typed) : NaN;

  let problem = "";
  if (typed && !/^\d+$/.test(typed)) problem = data.textWhole;
  if (!problem && typed && !(points >= 0 && points <= total)) problem = fill(data.textRange, { min: 0, max: total });
  if (!problem && typed && data.bounds && data.tricksName) {
    const field = form.querySelector(`[name="${CSS.escape(data.tricksName)}"]:checked, select[name="${CSS.escape(data.tricksName)}"], input:not([type="radio"])[name="${CSS.escape(data.tricksName)}"]`);
    const limits = field && JSON.parse(data.bounds)[field.value];
    if (limits && (points < limits[0] || points > limits[1])) problem = fill(data.textTricks, { tricks: field.value, min: limits[0], max: limits[1] });
  }
  const valid = typed !== "" && !problem;
  if (!other.dataset.textStart) other.dataset.textStart = other.textContent;
  other.textContent = valid ? String(total - points) : other.dataset.textStart;
  input.setAttribute("aria-invalid", String(Boolean(problem)));
  input.setCustomValidity(problem);
  say.toggleAttribute("data-bad", Boolean(problem));

  // For who adds up without a network: "1 12" = side 1 marks 12, "0 0" = nobody.
  const result = valid && declaringSide ? marked({ points, total, target, factor, enteredSide, declaringSide }) : null;
  box.dataset.marked = result ? `${result.side} ${result.marks}` : "";
  if (problem) say.textContent = problem;
  else if (!result) say.textContent = say.dataset.textStart;
  else if (result.side === 0) say.textContent = data.textNone;
  else {
    const own = result.side === enteredSide;
    const shown = declaringSide === enteredSide ? points : total - points;
    // "E-W mark 13: 47 − 34 = 13"; below the contract the opponents mark the difference from the other end.
    const against = declaringSide !== result.side && target !== total / 2;
    const high = against ? target : Math.max(shown, total - shown);
    const low = against ? shown : target;
    say.textContent = fill(data.textMarks, { side: own ? data.entered : data.other, marks: result.marks, points: high, target: low, difference: result.difference })
      + (factor > 1 ? fill(data.textFactor, { factor }) : "");
  }
  box.dispatchEvent(new CustomEvent("points:changed", { bubbles: true, detail: { valid, points, other: total - points, ...(result || {}) } }));
}

/** The field that the digits go to: the one of the points, or that of the trick whose winner was tapped last. */
function padField(keys) {
  if (keys.dataset.numpad) return document.getElementById(keys.dataset.numpad);
  const rows = keys.closest("form");
  return (rows.querySelector("[data-trick][data-now]") || rows.querySelector("[data-trick]")).querySelector("input[type=text]");
}

function pad(keys) {
  keys.hidden = false;
  // The digits are on the page: the phone's own keyboard would cover them. A mouse keeps its keyboard.
  if (matchMedia("(pointer: coarse)").matches) for (const input of keys.closest("form").querySelectorAll("[data-points] input, [data-trick] input[type=text]")) input.inputMode = "none";
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

/** A choice that was tapped closes its fold; arrow keys go on choosing. */
function foldAway(event) {
  const fold = event.target.closest?.("[data-more]");
  if (fold && event.target.matches("input[type=radio]") && event.detail > 0) fold.open = false;
}

/** Say whose points are typed, and what the tricks come to, before anything is checked. */
function counting(form) {
  if (form.dataset.counting) return;
  form.dataset.counting = "1";
  const count = () => { countSide(form); countTricks(form); };
  form.addEventListener("change", count);
  form.addEventListener("input", count);
  count();
}

/** Take up every [data-points], [data-tricklist] and [data-more] under root. */
export function watch(root = document) {
  for (const part of root.querySelectorAll("form [data-points], form [data-tricklist]")) counting(part.closest("form"));
  for (const fold of root.querySelectorAll("[data-more]")) {
    const { form } = fold.querySelector("input");
    if (form.dataset.folds) continue;
    form.dataset.folds = "1";
    form.addEventListener("change", () => sayFolds(form));
    form.addEventListener("input", () => sayFolds(form));
    form.addEventListener("click", foldAway);
    sayFolds(form);
  }
  for (const keys of root.querySelectorAll("[data-numpad][hidden]")) pad(keys);
  for (const box of root.querySelectorAll("[data-points]")) {
    if (box.dataset.pointsOn) continue;
    box.dataset.pointsOn = "1";
    const form = box.closest("form") || box;
    form.addEventListener("input", () => check(box));
    form.addEventListener("change", () => check(box));
    if (box.querySelector("input").value && !box.querySelector("[data-bad]")) check(box);
  }
}

document.addEventListener("live:swapped", (event) => watch(event.target));
watch();
