/* The current tab of a row that is wider than the screen is brought into sight: the row moves, the page does not. */

for (const tab of document.querySelectorAll(".nav [aria-current]")) {
  const row = tab.closest("ul");
  const { left, width } = tab.getBoundingClientRect();
  const { left: start, width: room } = row.getBoundingClientRect();
  row.scrollLeft += left - start - (room - width) / 2;
}
