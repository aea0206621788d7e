/* Counts the round's clock down on the server's time, not the phone's.
 *
 * <div data-clock data-ends-at="2026-02-21T14:50:00+01:00" data-seconds="3000" data-soon="300" data-text-over="Time is up">
 *   <span data-clock-time>…</span> <progress data-clock-bar> <p data-clock-note role="status">
 *
 * The element's data-state becomes "running", "soon" or "over"; at the bell the note says so once and the element
 * sends "clock:over" with how many seconds late it is. The offset to the server comes from live.js ("live:time"); until then, and on pages without
 * live parts, from one HEAD request to the page itself.
 */

let offset = 0;
let known = false;

document.addEventListener("live:time", (event) => {
  // Whole seconds in the header: small differences would make the clock tremble.
  if (!known || Math.abs(event.detail.offset - offset) > 1500) offset = event.detail.offset;
  known = true;
});

async function askTime() {
  if (known) return;
  const sent = Date.now();
  try {
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store", credentials: "same-origin" });
    const server = Date.parse(answer.headers.get("Date") || "");
    if (!Number.isNaN(server) && !known) {
      offset = server + 500 - (sent + Date.now()) / 2;
      known = true;
    }
  } catch {
    // Offline: the device's own clock is the best there is; live:time corrects it when the network is back.
  }
}

/** 3599 → "59:59", 3661 → "1:01:01". */
export function words(seconds) {
  const s = Math.max(0, seconds);
  const two = (n) => String(n).padStart(2, "0");
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

function tick() {
  const now = Date.now() + offset;
  for (const clock of document.querySelectorAll("[data-clock]")) {
    const left = Math.ceil((Date.parse(clock.dataset.endsAt) - now) / 1000);
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

if (document.querySelector("[data-clock]")) askTime();
tick();
setInterval(tick, 250);
document.addEventListener("live:swapped", tick);
