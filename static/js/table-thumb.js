/* A finger on the table's page: nothing moves under it, and what is signed is held.
 *
 * A tap in passing signs nothing; a key does.
 */
const CLICK = 350; // milliseconds after a finger is lifted in which its click comes, if it makes one
const REST = 3000; // a finger that rests longer than this holds up nothing
const HOLD = 800;
let pressing = false; // a finger is on the page, or the click that it makes is still to come
let lifting = 0;
let held = 0;

/** A finger is on the page, or its click may come, for so many milliseconds; 0: no more. */
function press(milliseconds) {
  clearTimeout(lifting);
  pressing = milliseconds > 0;
  if (pressing) lifting = setTimeout(() => press(0), milliseconds);
}

/** Whether a finger is on the page. */
export const isPressed = () => pressing;

/** Until no finger is on the page: what it is about to press stays where it is. */
export async function calm() {
  while (pressing) await new Promise((resolve) => { setTimeout(resolve, 20); });
}

document.addEventListener("pointerdown", () => press(REST), true);
document.addEventListener("pointerup", () => press(CLICK), true);
document.addEventListener("pointercancel", () => press(0), true);
document.addEventListener("click", () => press(0));

/** Have the buttons [data-hold] under root send their form once they were held. */
export function holdToSign(root) {
  const letGo = () => {
    clearTimeout(held);
    for (const each of root.querySelectorAll("[data-holding]")) delete each.dataset.holding;
  };
  root.addEventListener("pointerdown", (event) => {
    const pressed = event.target.closest("[data-hold]");
    if (!pressed) return;
    letGo();
    pressed.dataset.holding = "1";
    held = setTimeout(() => { letGo(); press(0); pressed.form.requestSubmit(pressed); }, HOLD);
  });
  // A mouse under which the button fills leaves it for its filling: that is no leaving.
  for (const end of ["pointerup", "pointercancel", "pointerout"]) {
    root.addEventListener(end, (event) => {
      const button = event.target.closest?.("[data-hold]");
      if (button && !(end === "pointerout" && button.contains(event.relatedTarget))) letGo();
    });
  }
  for (const other of ["click", "contextmenu"]) {
    root.addEventListener(other, (event) => { if (event.target.closest("[data-hold]") && (other === "contextmenu" || event.detail > 0)) event.preventDefault(); });
  }
}
