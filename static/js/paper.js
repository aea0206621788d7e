/* A slip copied from paper by keyboard: every game of a table, its points or its deals. See templates/table/paper.html.
 *
 * Enter goes to the next control with data-step; from an empty row, or after the last one, to the next game, and at the
 * end to the table that comes next and the button that writes. In a list the first letter of one choice only, or its
 * number, chooses it and goes on; doublings, which are rare, are reached by Tab. Another dealer in a row moves the dealers
 * of the rows below, and names the sides anew where the dealer plays alone.
 */

const form = document.querySelector("[data-paper]");
const games = [...form.querySelectorAll("[data-game]")].map((box) => ({
  rows: [...box.querySelectorAll("[data-row]")],
  seats: [...box.querySelectorAll("[data-seat]")].map((seat) => ({ code: seat.dataset.seat, name: seat.dataset.name })),
}));
const next = form.querySelector("[name=next]");
const button = form.querySelector("button");

const gameOf = (row) => games.find((game) => game.rows.includes(row));
const steps = (row) => [...row.querySelectorAll("[data-step]")];
const blank = (row) => (row.matches("[data-points]") ? steps(row).every((input) => !input.value) : emptyDeal(row));
const emptyDeal = (row) => ["trump", "points", "declarer", "bid"].every((name) => !row.querySelector(`[name$="-${name}"]`)?.value)
  && !row.querySelector('[name$="-passed"]')?.checked;

function nameSides(row) {
  const sides = row.querySelector("[data-sides]");
  const dealer = row.querySelector("[data-dealer]");
  if (!sides || !dealer) return;
  const { seats } = gameOf(row);
  const alone = sides.selectedIndex === 0;
  const others = seats.filter((seat) => seat.code !== dealer.value);
  const named = [seats.filter((seat) => seat.code === dealer.value), others];
  sides.replaceChildren(...named.map((side) => new Option(side.map((seat) => seat.name).join(" + "), side.map((seat) => seat.code).join(""))));
  sides.selectedIndex = alone ? 0 : 1;
}

function moveDealers(row) {
  const { rows, seats } = gameOf(row);
  let at = seats.findIndex((seat) => seat.code === row.querySelector("[data-dealer]").value);
  nameSides(row);
  for (const below of rows.slice(rows.indexOf(row) + 1)) {
    at = (at + 1) % seats.length;
    below.querySelector("[data-dealer]").value = seats[at].code;
    nameSides(below);
  }
}

function go(control) {
  control.focus();
  if (control.select) control.select();
}

function afterGame(row) {
  const following = games[games.indexOf(gameOf(row)) + 1];
  go(following ? steps(following.rows[0])[0] : next || button);
}

function goOn(control) {
  const row = control.closest("[data-row]");
  if (!row) return go(control === next || !next ? button : next);
  if (blank(row)) return afterGame(row);
  const { rows } = gameOf(row);
  const controls = [...row.querySelectorAll("select, input")];
  const later = controls.slice(controls.indexOf(control) + 1).find((other) => other.matches("[data-step]"));
  const passed = row.querySelector('[name$="-passed"]')?.checked;
  const below = rows[rows.indexOf(row) + 1];
  if (!passed && later) return go(later);
  return below ? go(steps(below)[0]) : afterGame(row);
}

const plain = (text) => text.trim().normalize("NFD").toLowerCase();

function choose(list, key) {
  const offered = [...list.options].filter((option) => option.value);
  const begins = offered.filter((option) => plain(option.text).startsWith(plain(key)));
  const fits = begins.length || !/^[1-9]$/.test(key) ? begins : offered.slice(key - 1, key);
  if (fits.length !== 1) return false;
  list.value = fits[0].value;
  list.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

form.addEventListener("change", (event) => {
  if (event.target.matches("[data-dealer]")) moveDealers(event.target.closest("[data-row]"));
});

form.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("button, a")) return;
  const list = event.target.matches("[data-row] select:not([data-dealer])") && event.key.length === 1;
  if (list && !choose(event.target, event.key)) return;
  if (!list && event.key !== "Enter") return;
  event.preventDefault();
  if (event.target === next) return form.requestSubmit(button);
  goOn(event.target);
});

const wrong = form.dataset.wrong && form.querySelector(`[name="${CSS.escape(form.dataset.wrong)}"]`);
const rows = games.flatMap((game) => game.rows);
go(wrong || steps(rows.find(blank) || rows[0])[0]);
