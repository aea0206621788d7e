/* What the deal's form shows while it is filled in: whose points are typed, and the sum of the tricks so far. */

// ---- which side is counted: the big box is always the side that is typed ------------------------------------------

export function countSide(form) {
  const chosen = form.querySelector("[data-counted]:checked");
  const box = form.querySelector("[data-points]");
  if (!chosen || !box) return;
  const other = [...form.querySelectorAll("[data-counted]")].find((input) => input !== chosen);
  box.dataset.enteredSide = chosen.dataset.counted;
  box.dataset.entered = chosen.dataset.name;
  box.dataset.other = other ? other.dataset.name : "";
  box.querySelector("label").textContent = chosen.dataset.name;
  box.querySelector(".label").textContent = other ? other.dataset.name : "";
}

// ---- trick by trick: what is counted so far ------------------------------------------------------------------------

export function countTricks(form) {
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
  const values = { one: list.dataset.one, a: one, other: list.dataset.other, b: two, rest };
  say.textContent = (open ? list.dataset.textSum : list.dataset.textDone).replace(/\{(\w+)\}/g, (all, key) => (key in values ? values[key] : all));
  say.toggleAttribute("data-bad", Boolean(list.dataset.exact) && (rest < 0 || (!open && rest !== 0)));
}
