/* What a deal is worth and where the game stands, counted on the phone: score, dealer, end of the game.
 *
 * No page and no network in here. The engine decides when the deals arrive; test_table_score.py holds the two to the
 * same result on generated deals of every rulebook and depth. rules and match come with the page
 * (tournament/queries/phone_rules.py). A form is an object of what was typed, {name: value}.
 */
const RANKS = ["7", "8", "9", "J", "Q", "K", "A", "10"]; // low to high
export const VALUES = { J: 1, Q: 2, K: 3, A: 4, 10: 5 };
export const suitOf = (card) => card.slice(-1);
export const rankOf = (card) => card.slice(0, -1);

// ---- the cards -----------------------------------------------------------------------------------------------------

/** Index of the master card of a trick. */
export function master(cards, trump) {
  let best = 0;
  for (let at = 1; at < cards.length; at += 1) {
    const card = cards[at];
    const top = cards[best];
    if (suitOf(card) === suitOf(top) ? RANKS.indexOf(rankOf(card)) > RANKS.indexOf(rankOf(top)) : suitOf(card) === trump) best = at;
  }
  return best;
}

/** Every trick of the plays so far: {cards, seats, winner, points}; an open trick has no winner. */
export function tricksOf(plays, seats, leader, trump, trickPoint) {
  const tricks = [];
  let first = Math.max(0, seats.indexOf(leader));
  for (let at = 0; at < plays.length; at += seats.length) {
    const cards = plays.slice(at, at + seats.length);
    const order = seats.map((_seat, n) => seats[(first + n) % seats.length]);
    const whole = cards.length === seats.length;
    const won = whole ? master(cards, trump) : -1;
    if (whole) first = (first + won) % seats.length;
    tricks.push({ cards, seats: order, winner: whole ? order[won] : null, won, points: cards.reduce((sum, card) => sum + (VALUES[rankOf(card)] || 0), whole ? trickPoint : 0) });
  }
  return tricks;
}

/** Who leads to trick 1: as typed, else as the rulebook says. */
export function leaderOf(rules, form) {
  if (rules.seats.includes(form.leader)) return form.leader;
  if (rules.bids && form.all_tricks && form.declarer) return form.declarer;
  return form.blind ? form.dealer : nextPlayer(rules, form.dealer);
}

// ---- the deal ------------------------------------------------------------------------------------------------------

export const nextPlayer = (rules, seat) => rules.seats[(rules.seats.indexOf(seat) + 1) % rules.seats.length];

/** The two sides of a deal as lists of those who keep a score: the pairs, or who stands alone and all the others. */
export function sidesOf(rules, form) {
  if (rules.sides === "PAIRS") return [["NS"], ["EW"]];
  const alone = rules.sides === "DEALER_ALONE" ? form.dealer : form.declarer;
  return [[alone], rules.seats.filter((seat) => seat !== alone)];
}

/** The side that names trump by its place at the table, where the dealer's side does. */
export const namesTrump = (rules, dealer) => (rules.dealer_declares && dealer ? ("NS".includes(dealer) ? "NS" : "EW") : "");

const whole = (text) => (/^\d{1,3}$/.test((text ?? "").trim()) ? Number(text) : null);

/** Points and tricks of the two sides, [one, other]; null for what nobody can tell. */
function countsOf(rules, form) {
  const points = [null, null];
  const tricks = [null, null];
  const fill = (list, at, number, total) => {
    if (number === null) return;
    list[at] = number;
    if (total !== null) list[1 - at] = total - number;
  };
  const total = rules.exact ? rules.total : null;
  const codes = rules.sides === "PAIRS" ? ["NS", "EW"] : ["declarer", "others"];
  if (form.depth === "list" || form.depth === "cards") {
    points.fill(0);
    tricks.fill(0);
    let first = 0;
    const add = (at, number) => {
      if (tricks[0] + tricks[1] === 0) first = at;
      points[at] += number;
      tricks[at] += 1;
    };
    if (form.depth === "cards") {
      const one = sidesOf(rules, form)[0];
      for (const trick of tricksOf(form.plays.split(/[\s,]+/).filter(Boolean), rules.seats, leaderOf(rules, form), form.trump, rules.trick_point ? 1 : 0)) {
        add(one.some((side) => side.includes(trick.winner)) ? 0 : 1, trick.points);
      }
    } else {
      for (let n = 1; n <= rules.tricks; n += 1) {
        const at = codes.indexOf(form[`trick_${n}_side`]);
        const number = whole(form[`trick_${n}_points`]);
        if (at < 0 || number === null) return null;
        add(at, number);
      }
    }
    // The cards out of the hands go to who won the first trick.
    if (rules.reserve) points[first] += rules.total - points[0] - points[1];
  } else {
    const at = rules.exact ? Math.max(0, codes.indexOf(form.side || codes[0])) : 0;
    fill(points, at, whole(form.points), total);
    fill(tricks, at, whole(form.tricks), rules.tricks);
  }
  return points.some((number) => number !== null && (number < 0 || number > rules.total)) ? null : { points, tricks };
}

/** What multiplies the result. */
function factorOf(rules, form, level) {
  let factor = rules.levels[level] || 1;
  if (form.trump === "NT") factor *= rules.no_trump_factor;
  if (form.blind) factor *= 2;
  factor *= 2 ** (whole(form.doubling) || 0);
  if (level === "all" && rules.double_all_tricks) factor *= 2;
  if (rules.double_no_exchange && form.exchanged === "0") factor *= 2;
  return rules.max_factor === null ? factor : Math.min(factor, rules.max_factor);
}

/** The marks of a difference, within the most that a deal counts. */
function worth(rules, marks) {
  return rules.max_marks === null ? marks : Math.min(marks, rules.max_marks);
}

/** Whether one has won every trick; null where the points leave it open. */
function sweptBy(rules, counts, at) {
  if (counts.tricks[at] !== null) return counts.tricks[at] === rules.tricks;
  const possible = rules.bounds.flatMap(([low, high], tricks) => (counts.points[at] >= low && counts.points[at] <= high ? [tricks] : []));
  if (!possible.includes(rules.tricks)) return false;
  return possible.length === 1 ? true : null;
}

/** {winner: 0 | 1 | null, marks, won: whether a générale gives the winner the game}; null where points are missing. */
function resultOf(rules, form, counts) {
  const { points, tricks } = counts;
  const declaring = rules.sides === "PAIRS" ? ["NS", "EW"].indexOf(form.declarer || namesTrump(rules, form.dealer)) : 0;
  const level = rules.bids && form.all_tricks ? "all" : form.level || form.bid || "";
  if (level === "generale") {
    if (tricks[declaring] === null && points[declaring] === null) return null;
    const made = tricks[declaring] !== null ? tricks[declaring] === rules.tricks : points[declaring] === rules.total;
    const value = rules.generale_value;
    return { winner: made ? declaring : 1 - declaring, marks: Number.isInteger(value) ? value : 0, won: value === "GAME" };
  }
  if (rules.bids) {
    const made = level === "all" ? sweptBy(rules, counts, 0) : points[0] === null ? null : points[0] >= Number(level);
    if (made === null) return null;
    const marks = (level === "all" ? rules.all_tricks_value : Number(level)) * factorOf(rules, form, level);
    return { winner: 0, marks: made ? marks : -marks };
  }
  if (points[0] === null || points[1] === null) {
    if (rules.sides !== "DECLARER_ALONE" || points[0] === null) return null;
  }
  if (rules.stakes) return { stake: rules.stakes[whole(form.exchanged)] * (points[0] >= rules.needed ? 1 : -1) };
  if (level) {
    const difference = points[declaring] - Number(level);
    if (difference === 0) return { winner: null, marks: 0 };
    const factor = difference < 0 && !rules.failure_multiplied ? factorOf(rules, form, "") : factorOf(rules, form, level);
    return { winner: difference > 0 ? declaring : 1 - declaring, marks: worth(rules, Math.abs(difference) * factor) };
  }
  const excess = points[0] - rules.half;
  if (excess === 0) return { winner: null, marks: 0 };
  const winner = excess > 0 ? 0 : 1;
  let difference = Math.abs(excess);
  if (rules.sweep && points[winner] === rules.total) {
    if (tricks[winner] === null) return null;
    if (tricks[winner] === rules.tricks) difference = rules.total;
  }
  return { winner, marks: worth(rules, difference * factorOf(rules, form, "")) };
}

/** The marks of a deal in the order in which they are written: {turn_up, deal, gameWon}; null where the form does not say. */
export function scoreDeal(rules, form) {
  const counts = countsOf(rules, form);
  const result = counts && resultOf(rules, form, counts);
  if (!result) return null;
  const sides = sidesOf(rules, form);
  const deal = {};
  const turnUp = {};
  if ("stake" in result) {
    const [[alone], others] = sides;
    deal[alone] = result.stake * others.length;
    for (const each of others) deal[each] = -result.stake;
  } else if (result.marks) for (const each of sides[result.winner]) deal[each] = result.marks;
  const worth = rules.turn_up ? VALUES[form.turn_up] || 0 : 0;
  const tied = result.winner === null && !("stake" in result);
  if (worth && !(tied && !rules.bonus_survives_tie)) turnUp["NS".includes(form.dealer) ? "NS" : "EW"] = worth;
  return { turn_up: turnUp, deal, gameWon: result.won ? sides[result.winner][0] : null };
}

// ---- the game ------------------------------------------------------------------------------------------------------

function goalOf(target, games) {
  if (Number.isInteger(target)) return target;
  const deciding = Object.values(games).filter((won) => won === target.games - 1).length > 1;
  return deciding && target.decider ? target.decider : target.of;
}

/** Who alone has most, at least so many; null where nobody or several. */
function first(score, least) {
  const best = Math.max(...Object.values(score));
  const leaders = Object.keys(score).filter((side) => score[side] === best);
  return best >= least && leaders.length === 1 ? leaders[0] : null;
}

/** Where the match stands after more deals: {score, marks, games, deals_left, finished}, like the one it starts from. */
export function playMatch(rules, match, deals) {
  const { target } = rules;
  const state = { ...match, score: { ...match.score }, marks: { ...match.marks }, games: { ...match.games } };
  const add = (side, number) => {
    state.score[side] += number;
    state.marks[side] += number;
  };
  for (const deal of deals) {
    if (state.finished) break;
    if (target.deals) {
      for (const part of ["turn_up", "deal"]) for (const [side, number] of Object.entries(deal[part])) add(side, number);
      if (deal.gameWon) add(deal.gameWon, rules.generale_by_deals);
      state.deals_left -= 1;
      if (state.deals_left > 0) continue;
      if (first(state.score, -Infinity) || !rules.ties_play_on) state.finished = true;
      else state.deals_left = rules.extra_deals;
      continue;
    }
    const goal = goalOf(target, state.games);
    let home = null;
    for (const part of ["turn_up", "deal"]) {
      if (home) break;
      for (const [side, number] of Object.entries(deal[part])) add(side, number);
      home = first(state.score, goal);
    }
    if (!home && deal.gameWon) {
      home = deal.gameWon;
      add(home, Math.max(0, goal - state.score[home]));
    }
    if (!home) continue;
    state.games[home] += 1;
    if (state.games[home] >= (target.games || 1)) state.finished = true;
    else for (const side of Object.keys(state.score)) state.score[side] = 0;
  }
  return state;
}

/** The table after the deals that wait on this phone: the match as playMatch gives it, and who deals next.
 *
 * forms: what was typed of each deal, in order. The match is null from a deal on that only the server can count.
 */
export function standing(rules, match, dealer, forms) {
  let state = match;
  let next = dealer;
  for (const form of forms) {
    const dealt = { ...form, dealer: form.dealer || next };
    next = nextPlayer(rules, dealt.dealer);
    if (form.passed || !state) continue;
    const deal = scoreDeal(rules, dealt);
    state = deal && playMatch(rules, state, [deal]);
  }
  return { match: state, dealer: next };
}
