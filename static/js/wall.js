/* The wall screen: rotates its panels, keeps the screen awake, and starts again by itself after a loss of network.
 *
 * Elements in <main> with data-panel (a name) are shown one after the other, each for data-seconds (15). A panel marked
 * data-panel-alone (the clock of the last minutes, a ruling just issued) stays until it is unmarked. live.js keeps
 * their content fresh; here a page that has heard nothing for ten minutes reloads itself when the server answers.
 */

const main = document.querySelector("main");
let index = 0;
let shownAt = Date.now();

const panels = () => [...main.querySelectorAll("[data-panel]")].filter((panel) => panel.textContent.trim() || panel.querySelector("img, svg"));

let name = "";

function show(panel) {
  name = panel.dataset.panel;
  for (const other of main.querySelectorAll("[data-panel]")) other.toggleAttribute("data-shown", other === panel);
  shownAt = Date.now();
}

function turn() {
  const all = panels();
  if (!all.length) return;
  const alone = all.find((panel) => "panelAlone" in panel.dataset);
  if (alone) {
    if (!alone.hasAttribute("data-shown")) show(alone);
    return;
  }
  const current = all.find((panel) => panel.hasAttribute("data-shown"));
  if (current && Date.now() - shownAt < Number(current.dataset.seconds || 15) * 1000) return;
  index = current ? (all.indexOf(current) + 1) % all.length : 0;
  show(all[index]);
}

let heard = Date.now();
document.addEventListener("live:time", () => { heard = Date.now(); });

async function recover() {
  if (Date.now() - heard < 600_000) return;
  try {
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" });
    if (answer.ok) location.reload();
  } catch {
    // Still no network: the last picture stays, and we try again in a minute.
  }
}

async function stayAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // Refused (battery, policy): the screen's own settings decide.
  }
}

// Fresh content keeps the panel that was being read, and its time.
document.addEventListener("live:swapped", () => {
  const same = panels().find((panel) => panel.dataset.panel === name);
  if (!same) return;
  const since = shownAt;
  show(same);
  shownAt = since;
});

turn();
setInterval(turn, 500);
setInterval(recover, 60_000);
stayAwake();
document.addEventListener("visibilitychange", () => document.hidden || stayAwake());
