/* The pack to tap beside fields for the cards of a trick: each key writes its card into the trick in hand.
 *
 * <div data-card-keys hidden> <p data-card-keys-where> <button value="R♥"> … <button data-card-keys-back> </div>
 * <input data-cards-of-trick> …, each with its label
 *
 * The trick in hand is the field last touched, else the first that is not full; a full one gives way to the next.
 * Fields stay fields: what is typed is as good. A card that is written somewhere already cannot be tapped again.
 */

const pad = document.querySelector("[data-card-keys]");
const fields = [...document.querySelectorAll("[data-cards-of-trick]")];
const cards = (field) => field.value.trim().split(/\s+/).filter(Boolean);
const size = Number(pad?.dataset.players) || 4;
let hand = fields.find((field) => cards(field).length < size) || fields[0];

function show() {
  const laid = new Set(fields.flatMap(cards));
  for (const key of pad.querySelectorAll(".card-button")) key.disabled = laid.has(key.value);
  for (const field of fields) field.toggleAttribute("data-in-hand", field === hand);
  const where = [hand.labels[0].textContent.trim(), hand.value];
  pad.querySelector("[data-card-keys-where]").textContent = where.join(" ");
}

function lay(card) {
  if (cards(hand).length >= size) hand = fields[fields.indexOf(hand) + 1] || hand;
  if (cards(hand).length < size) hand.value = [...cards(hand), card].join(" ");
  show();
}

function takeBack() {
  if (!cards(hand).length) hand = fields[Math.max(0, fields.indexOf(hand) - 1)];
  hand.value = cards(hand).slice(0, -1).join(" ");
  show();
}

if (pad && fields.length) {
  pad.hidden = false;
  pad.addEventListener("click", (event) => {
    const key = event.target.closest("button");
    if (!key) return;
    if ("cardKeysBack" in key.dataset) takeBack();
    else lay(key.value);
  });
  for (const field of fields) {
    field.addEventListener("focus", () => {
      hand = field;
      show();
    });
    field.addEventListener("input", show);
  }
  show();
}
