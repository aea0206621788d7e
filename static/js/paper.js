/* A sheet copied from paper by keyboard. See templates/table/paper.html.
 *
 * Enter goes to the next control with data-step; from an empty row, or after the last one, to the button that writes.
 * Another dealer in a row moves the dealers of the rows below, and names the sides anew where the dealer plays alone.
 */

const form = document.querySelector("[data-paper]");
const rows = [...form.querySelectorAll("[data-row]")];
const seats = [...form.querySelectorAll("[data-seat]")].map((seat) => ({ code: seat.dataset.seat, name: seat.dataset.name }));
const button = form.querySelector("button");

const steps = (row) => [...row.querySelectorAll("[data-step]")];
const blank = (row) => ["trump", "points", "declarer", "bid"].every((name) => !row.querySelector(`[name$="-${name}"]`)?.value)
  && !row.querySelector('[name$="-passed"]')?.checked;

function nameSides(row) {
  const sides = row.querySelector("[data-sides]");
  const dealer = row.querySelector("[data-dealer]");
  if (!sides || !dealer) return;
  const alone = sides.selectedIndex === 0;
  const others = seats.filter((seat) => seat.code !== dealer.value);
  const named = [seats.filter((seat) => seat.code === dealer.value), others];
  sides.replaceChildren(...named.map((side) => new Option(side.map((seat) => seat.name).join(" + "), side.map((seat) => seat.code).join(""))));
  sides.selectedIndex = alone ? 0 : 1;
}

function moveDealers(from) {
  let at = seats.findIndex((seat) => seat.code === rows[from].querySelector("[data-dealer]").value);
  nameSides(rows[from]);
  for (const row of rows.slice(from + 1)) {
    at = (at + 1) % seats.length;
    row.querySelector("[data-dealer]").value = seats[at].code;
    nameSides(row);
  }
}

function go(control) {
  control.focus();
  if (control.select) control.select();
}

form.addEventListener("change", (event) => {
  if (event.target.matches("[data-dealer]")) moveDealers(rows.indexOf(event.target.closest("[data-row]")));
});

form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.matches("button, a")) return;
  event.preventDefault();
  const row = event.target.closest("[data-row]");
  if (!row || blank(row)) return go(button);
  const controls = [...row.querySelectorAll("select, input")];
  const later = controls.slice(controls.indexOf(event.target) + 1).find((control) => control.matches("[data-step]"));
  const passed = row.querySelector('[name$="-passed"]')?.checked;
  const below = rows[rows.indexOf(row) + 1];
  go((!passed && later) || (below ? steps(below)[0] : button));
});

const wrong = form.dataset.wrong && form.querySelector(`[name="${CSS.escape(form.dataset.wrong)}"]`);
const first = rows.find(blank) || rows[0];
go(wrong || steps(first)[0]);
