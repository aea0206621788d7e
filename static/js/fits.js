/* Formats that do not fit the rulebook chosen: greyed at once, with the reason below the field. How the day goes follows it.
 *
 * <select data-fits="id of the rulebook's select" data-misfits='{"rulebook": {"format": "why"}}'>: options that the
 *   rulebook cannot be played in are disabled; when the chosen one is, the first that fits is chosen instead.
 *   The server refuses the same, so that nothing depends on this module.
 * <p data-by-rulebook='{"rulebook": "words"}'>: says the words of the rulebook that is chosen.
 */

for (const formats of document.querySelectorAll("select[data-fits]")) {
  const rulebook = document.getElementById(formats.dataset.fits);
  const misfits = JSON.parse(formats.dataset.misfits);
  const why = document.createElement("div");
  why.className = "field__help";
  why.setAttribute("role", "status");
  formats.before(why);
  const fit = () => {
    const reasons = misfits[rulebook.value] || {};
    for (const option of formats.options) option.disabled = option.value in reasons;
    if (formats.selectedOptions[0].disabled) formats.value = [...formats.options].find((option) => !option.disabled).value;
    why.textContent = Object.values(reasons)[0] || "";
  };
  rulebook.addEventListener("change", fit);
  fit();
}

for (const line of document.querySelectorAll("[data-by-rulebook]")) {
  const words = JSON.parse(line.dataset.byRulebook);
  const rulebook = document.querySelector("select[name=rulebook]");
  const follow = () => { line.textContent = words[rulebook.value] || ""; };
  rulebook.addEventListener("change", follow);
  follow();
}
