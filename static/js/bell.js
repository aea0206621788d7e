/* When the clock ends: the device trembles, and rings where its owner turned that on. Kept on the device, off at first.
 *
 * <button hidden data-bell aria-pressed="false">Sound at the bell</button>
 *
 * clock.js sends "clock:over" with how late it is: a page that opens after the bell is silent. A browser lets a page
 * make a sound once it was touched; turning it on is such a touch, and rings once so that the sound can be judged.
 */

const KEY = "bell";
const buttons = () => document.querySelectorAll("[data-bell]");
const rung = new Set();
let sound = null;

function on() {
  try {
    return localStorage.getItem(KEY) === "1";
  } catch {
    return false; // storage refused: silent
  }
}

function show() {
  for (const button of buttons()) {
    button.hidden = !("AudioContext" in window);
    button.setAttribute("aria-pressed", String(on()));
  }
}

/** A struck bell: a few partials that fade, three strokes. */
async function ring() {
  sound ??= new AudioContext();
  if (sound.state === "suspended") await sound.resume();
  for (const stroke of [0, 0.9, 1.8]) {
    for (const [partial, loudness] of [[1, 0.3], [2.4, 0.15], [3.9, 0.07]]) {
      const at = sound.currentTime + stroke;
      const tone = sound.createOscillator();
      const gain = sound.createGain();
      tone.frequency.value = 660 * partial;
      gain.gain.setValueAtTime(loudness, at);
      gain.gain.exponentialRampToValueAtTime(0.001, at + 1.6);
      tone.connect(gain).connect(sound.destination);
      tone.start(at);
      tone.stop(at + 1.7);
    }
  }
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-bell]")) return;
  const wanted = !on();
  try {
    localStorage.setItem(KEY, wanted ? "1" : "");
  } catch {
    return; // storage refused: it stays off
  }
  show();
  if (wanted) ring();
});

document.addEventListener("clock:over", (event) => {
  const { late, end } = event.detail;
  if (late > 5 || rung.has(end)) return;
  rung.add(end);
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([400, 200, 400]); // a phone that was never touched may not
  if (on()) ring();
});

document.addEventListener("live:swapped", show);
show();
