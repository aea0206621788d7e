/* The correction of a deal at the table: without a network it is kept on the phone and sent like a deal.
 *
 * Without script the forms [data-correct] (templates/table/deal.html) are sent by the browser.
 */
import { complain } from "./deal-form.js";
import { keep, post } from "./table-queue.js";

let sending = false;

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented || !form.matches("[data-correct]")) return;
  event.preventDefault();
  if (sending) return;
  const { send, page, sheet, game, name, textReason, textFault } = form.closest("[data-send]").dataset;
  const data = new FormData(form);
  if (!String(data.get("reason")).trim()) {
    complain(form, textReason);
    return;
  }
  data.delete("csrfmiddlewaretoken");
  data.set("game", game);
  sending = true;
  const result = await post(send, [...data.entries()]);
  sending = false;
  if (result === null) {
    // Deals that wait before it raise the version of the sheet.
    data.delete("version");
    const fields = [...data.entries()].map(([key, value]) => [key, String(value)]);
    await keep({ sheet, fields, number: Number(data.get("number")), to: { url: send, page, table: name } });
  } else if (!result.ok) {
    complain(form, result.status ? textFault.replace("{status}", String(result.status)) : result.answer.message);
    return;
  }
  location.assign(page);
});
