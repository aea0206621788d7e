/* Light or dark, two or four suit colours, changed without a reload.
 *
 * The choice lives in the cookies "theme" (light | dark) and "suits" (four), the same that the server sets when
 * the form is posted without script: the server writes the page in them, and no cache mixes them up (Vary), so that
 * this script need not hold up the first paint.
 */
(function () {
  "use strict";
  const root = document.documentElement;
  const year = 365 * 24 * 3600;

  const cookie = (name) => (document.cookie.match(new RegExp("(?:^|; )" + name + "=([^;]*)")) || [])[1] || "";
  const keep = (name, value) => {
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `${name}=${value}; Path=/; SameSite=Lax; Max-Age=${value ? year : 0}${secure}`;
  };

  function apply() {
    const theme = cookie("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    else delete root.dataset.theme;
    if (cookie("suits") === "four") root.dataset.suits = "four";
    else delete root.dataset.suits;
    for (const button of document.querySelectorAll("[data-looks] button")) {
      const chosen = button.name === "theme" ? root.dataset.theme || "auto" : root.dataset.suits || "two";
      button.setAttribute("aria-pressed", String(button.value === chosen));
    }
  }

  apply();
  document.addEventListener("DOMContentLoaded", apply);
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-looks]") || !event.submitter) return;
    event.preventDefault();
    const { name, value } = event.submitter;
    keep(name, value === "auto" || value === "two" ? "" : value);
    apply();
  });
})();
