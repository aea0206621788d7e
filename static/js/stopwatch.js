/* How late somebody is: counts up from the start of the round and writes the full minutes into the field.
 *
 * <div data-stopwatch data-since="2026-02-21T14:00:00+01:00" [data-still="…"]>
 *   <input name="…minutes"> <time data-stopwatch-time> <button data-stopwatch-stop hidden>Arrived now</button>
 *
 * `since` has the clock's pauses taken off; `still`: it was paused then and stands still.
 * It stops with the button, or as soon as somebody types. What was sent before stays as it was sent.
 */

import { now, words } from "./clock.js";

function start(box) {
  const since = Date.parse(box.dataset.since);
  const still = Date.parse(box.dataset.still ?? "");
  const field = box.querySelector("input");
  const time = box.querySelector("[data-stopwatch-time]");
  const stop = box.querySelector("[data-stopwatch-stop]");
  if (Number.isNaN(since) || !field || !time || !stop || new URLSearchParams(location.search).has(field.name)) return;
  const tick = () => {
    const seconds = Math.max(0, Math.floor(((Number.isNaN(still) ? now() : still) - since) / 1000));
    if (Number.isNaN(seconds)) return; // the server's time is not known yet
    time.textContent = words(seconds);
    field.value = String(Math.min(600, Math.floor(seconds / 60)));
  };
  const timer = setInterval(tick, 250);
  const end = () => {
    clearInterval(timer);
    stop.hidden = true;
  };
  stop.hidden = false;
  stop.addEventListener("click", end);
  field.addEventListener("input", end);
  tick();
}

document.querySelectorAll("[data-stopwatch]").forEach(start);
