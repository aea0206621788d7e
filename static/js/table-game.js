/* Whether a game is over by what this phone holds: the server's copy of the sheet and the deals that wait here.
 *
 * No page and no network in here. left: deals still to play by the copy, null where the game is played to a number of
 * marks (goal; null where neither says it). tiesPlayOn: a tie is settled by more deals. totals: {side: marks} of the
 * copy. deals: those beyond the copy, {passed, marks}; marks are {side: number}, null where only the server knows them.
 */
export function isOver({ left, goal, tiesPlayOn, totals }, deals) {
  const played = deals.filter((deal) => !deal.passed);
  const sums = { ...totals };
  for (const deal of played) for (const [side, marks] of Object.entries(deal.marks || {})) sums[side] = (sums[side] || 0) + marks;
  const known = played.every((deal) => deal.marks);
  const best = Math.max(0, ...Object.values(sums));
  const one = Object.values(sums).filter((marks) => marks === best).length === 1;
  if (left !== null) return left <= played.length && (!tiesPlayOn || (known && one));
  return goal !== null && known && best >= goal && one;
}
