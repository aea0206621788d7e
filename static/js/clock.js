/* Counts the round's clock down on the server's time, never the phone's.
 *
 * <div data-clock data-ends-at="2026-02-21T14:50:00+01:00" data-seconds="3000" data-soon="300" data-text-over="Time is up">
 *   <span data-clock-time>…</span> <progress data-clock-bar> <p data-clock-note role="status">
 *
 * The element's data-state becomes "running", "soon" or "over"; at the bell the note says so once and the element
 * sends "clock:over" with how many seconds late it is. The server's time comes from live.js and table.js ("live:time"),
 * else from one HEAD request to the page itself; from then on the device's own run counts (performance.now), which no
 * setting of its clock moves. Of a page that opens without a network the last difference between the two clocks is
 * the best there is; where none is known the clock stands as the server wrote it, and no bell rings.
 */

const KEY = "clock:offset";
let base = NaN; // the server's time when this page's own run began
let asked = false; // by this page, and not only kept from an earlier one

/** The server's time in milliseconds; NaN while it is not known. */
export const now = () => base + performance.now();

/** Take the server's time from its difference to the device's clock at this moment. */
function learn(offset) {
  const told = Date.now() + offset - performance.now();
  // Whole seconds in the header: small differences would make the clock tremble.
  if (!asked || Math.abs(told - base) > 1500) base = told;
  asked = true;
  try {
    localStorage.setItem(KEY, String(offset));
  } catch { /* storage refused: asked anew at each page */ }
}

/** The difference that this device had to the server at their last contact; NaN: none is known. */
function remembered() {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === null ? NaN : Number(kept);
  } catch {
    return NaN;
  }
}

document.addEventListener("live:time", (event) => learn(event.detail.offset));

async function askTime() {
  const sent = Date.now();
  try {
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store", credentials: "same-origin" });
    const server = Date.parse(answer.headers.get("Date") || "");
    if (!Number.isNaN(server)) learn(server + 500 - (sent + Date.now()) / 2);
  } catch {
    const offset = remembered();
    if (!asked && !Number.isNaN(offset)) base = Date.now() + offset - performance.now();
  }
}

/** 3599 → "59:59", 3661 → "1:01:01". */
export function words(seconds) {
  const s = Math.max(0, seconds);
  const two = (n) => String(n).padStart(2, "0");
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

function tick() {
  for (const clock of document.querySelectorAll("[data-clock]")) {
    const left = Math.ceil((Date.parse(clock.dataset.endsAt) - now()) / 1000);
    if (Number.isNaN(left)) continue;
    const time = clock.querySelector("[data-clock-time]");
    if (time) time.textContent = words(left);
    const bar = clock.querySelector("[data-clock-bar]");
    if (bar) bar.value = Math.min(bar.max, Math.max(0, Number(clock.dataset.seconds) - left));
    const state = left <= 0 ? "over" : left <= Number(clock.dataset.soon || 300) ? "soon" : "running";
    if (clock.dataset.state === state) continue;
    clock.dataset.state = state;
    if (state === "over") {
      const note = clock.querySelector("[data-clock-note]");
      if (note && clock.dataset.textOver) note.textContent = [clock.dataset.textOver, note.textContent.trim()].filter(Boolean).join(" · ");
      clock.dispatchEvent(new CustomEvent("clock:over", { bubbles: true, detail: { late: -left, end: clock.dataset.endsAt } }));
    }
  }
}

if (document.querySelector("[data-clock], [data-stopwatch]")) askTime();
// A device's own run may have stood still while it slept.
document.addEventListener("visibilitychange", () => { if (!document.hidden && asked) askTime(); });
tick();
setInterval(tick, 250);
document.addEventListener("live:swapped", tick);
