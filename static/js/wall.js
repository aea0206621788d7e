/* The wall screen: rotates its panels, keeps the screen awake, and finds its way back by itself after a loss of network.
 *
 * Elements in <main> with data-panel (a name) are shown one after the other, each for data-seconds (15); with each, a
 * strip of sponsors too long for the screen moves on. live.js keeps the panels fresh and tells when it cannot. After ten minutes without news the whole page is asked for: where
 * its frame is as here, live.js is told to look again; where it is another (new sponsors, a new release), the page
 * is loaded anew, but only once all of it could be fetched. Nobody stands at a wall to press a key: a reload that
 * fails would leave the hall before the browser's own error page for the rest of the day.
 */

const QUIET = 600_000;
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
  const current = all.find((panel) => panel.hasAttribute("data-shown"));
  if (current && Date.now() - shownAt < Number(current.dataset.seconds || 15) * 1000) return;
  index = current ? (all.indexOf(current) + 1) % all.length : 0;
  show(all[index]);
  moveOn();
}

/** The next sponsors, from the first that is not wholly seen; from the beginning after the last. */
function moveOn() {
  const strip = document.querySelector(".wall__sponsors");
  if (!strip || strip.scrollWidth <= strip.clientWidth) return;
  const end = strip.scrollLeft + strip.clientWidth;
  const next = [...strip.children].find((item) => item.offsetLeft - strip.offsetLeft + item.offsetWidth > end + 1);
  strip.scrollLeft = next && next.previousElementSibling ? next.offsetLeft - strip.offsetLeft : 0;
}

let heard = Date.now();
document.addEventListener("live:time", () => { heard = Date.now(); });

/** What live.js does not keep fresh: the scripts and styles, the name of the event, the sponsors. */
const frame = (page) => [page.head, page.querySelector(".wall__name"), page.querySelector(".wall__foot")].map((part) => part?.innerHTML).join();
const asLoaded = frame(document);

/**
 * @param {string} url
 * @param {RequestCache} cache
 */
async function fetched(url, cache = "default") {
  const answer = await fetch(url, { cache, credentials: "same-origin" });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.text();
}

async function recover() {
  if (Date.now() - heard < QUIET) return;
  try {
    const page = new DOMParser().parseFromString(await fetched(location.href, "no-store"), "text/html");
    if (frame(page) === asLoaded) {
      heard = Date.now();
      window.dispatchEvent(new Event("online"));
      return;
    }
    const files = [...page.querySelectorAll("script[src], link[rel='stylesheet']")];
    await Promise.all(files.map((file) => fetched(file.getAttribute("src") || file.getAttribute("href"))));
    location.reload();
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
