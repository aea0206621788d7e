/* What concerns the owner of this phone alone: [data-partner] with data-event, hidden without script. */

/** The number of whose phone this is in an event, as find.js keeps it; "" where nobody said so. */
function owner(event) {
  try {
    return JSON.parse(localStorage.getItem(`me:${event}`) || "null")?.entrant || "";
  } catch {
    return ""; // storage refused or damaged
  }
}

/** Show the lines that are the owner's. */
export function showOwner(part) {
  for (const each of part.querySelectorAll("[data-partner]")) each.hidden = each.dataset.partner !== owner(each.dataset.event);
}

showOwner(document);
