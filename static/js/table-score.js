/* What a deal is worth, in the words of the sheet, and where the game stands: score, dealer, end of the game.
 *
 * No page and no network in here. The engine decides when the deals arrive; test_table_score.py holds the two to the
 * same lines on generated deals of every rulebook and depth. rules, words and match come with the page
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

/** What multiplies the result, in the order of reading aloud: [{kind, of, value}]. */
function factorsOf(rules, form, level) {
  const doubling = whole(form.doubling) || 0;
  const { calls } = rules;
  const parts = [
    { kind: "level", of: level, value: rules.levels[level] || 1 },
    { kind: "no_trump", of: "", value: form.trump === "NT" ? rules.no_trump_factor : 1 },
    { kind: "blind", of: "", value: form.blind ? 2 : 1 },
    { kind: "doubling", of: doubling > calls ? `${doubling} taps` : doubling - 1, value: 2 ** doubling },
    { kind: "all_tricks", of: "", value: level === "all" && rules.double_all_tricks ? 2 : 1 },
    { kind: "no_exchange", of: "", value: rules.double_no_exchange && form.exchanged === "0" ? 2 : 1 },
  ];
  return parts.filter((part) => part.value !== 1);
}

/** An amount times its factors, as far as they count: {marks, params}; capped: within the most that a deal counts. */
function multiplied(rules, amount, factors, capped = true) {
  const product = factors.reduce((all, part) => all * part.value, 1);
  const params = { factors };
  let marks = amount * product;
  if (rules.max_factor !== null && product > rules.max_factor) {
    marks = amount * rules.max_factor;
    params.cap = rules.max_factor;
  }
  if (capped && rules.max_marks !== null && marks > rules.max_marks) {
    marks = rules.max_marks;
    params.most = rules.max_marks;
  }
  return { marks, params };
}

const line = (clause, side, marks, params, component = "deal") => ({ clause, side, marks, params, component });
const named = (side) => side.join("");

function generaleOf(rules, counts, sides, declaring) {
  const { tricks } = counts;
  if (tricks[declaring] === null) return null; // the sheet asks for them
  const made = tricks[declaring] === rules.tricks;
  const value = rules.generale_value;
  return [line(made ? "generale_made" : "generale_failed", named(sides[made ? declaring : 1 - declaring]), Number.isInteger(value) ? value : 0, { value })];
}

function bidOf(rules, form, counts, sides, level) {
  const swept = counts.tricks[0] === null ? null : counts.tricks[0] === rules.tricks; // the sheet asks for them
  const made = level === "all" ? swept : counts.points[0] === null || !level ? null : counts.points[0] >= Number(level);
  if (made === null) return null;
  const { marks, params } = multiplied(rules, level === "all" ? rules.all_tricks_value : Number(level), factorsOf(rules, form, level), false);
  return [line(made ? "bid_made" : "bid_failed", named(sides[0]), made ? marks : -marks, { bid: level, ...params })];
}

function stakeOf(rules, form, points, sides) {
  const stake = rules.stakes[whole(form.exchanged)];
  if (stake === undefined) return null;
  const [[alone], others] = sides;
  const won = points >= rules.needed;
  const sign = won ? 1 : -1;
  const turn = (seat) => (rules.seats.indexOf(seat) - rules.seats.indexOf(form.dealer) - 1 + rules.seats.length) % rules.seats.length;
  return [
    line(won ? "stake_won" : "stake_lost", alone, sign * stake * others.length, { points, mark: rules.needed, stake, others: others.length }),
    ...[...others].sort((one, other) => turn(one) - turn(other)).map((each) => line(won ? "stake_paid" : "stake_received", each, -sign * stake, { stake, player: alone })),
  ];
}

function contractOf(rules, form, points, sides, declaring, level) {
  const difference = points[declaring] - Number(level);
  const params = { points: points[declaring], mark: Number(level), difference: Math.abs(difference) };
  if (difference === 0) return [line("contract_tied", null, 0, params)];
  const failed = difference < 0;
  const reckoned = multiplied(rules, params.difference, factorsOf(rules, form, failed && !rules.failure_multiplied ? "" : level));
  return [line(failed ? "contract_failed" : "contract_made", named(sides[failed ? 1 - declaring : declaring]), reckoned.marks, { ...params, ...reckoned.params })];
}

function overHalf(rules, form, counts, sides) {
  const { points, tricks } = counts;
  const excess = points[0] - rules.half;
  if (excess === 0) return [line("deal_tied", null, 0, { points: rules.half })];
  const winner = excess > 0 ? 0 : 1;
  const swept = rules.sweep && points[winner] === rules.total;
  if (swept && tricks[winner] === null) return null;
  const sweep = swept && tricks[winner] === rules.tricks;
  const difference = sweep ? rules.total : Math.abs(excess);
  const { marks, params } = multiplied(rules, difference, factorsOf(rules, form, ""));
  return [line(sweep ? "sweep" : "deal_won", named(sides[winner]), marks, { points: points[winner], mark: rules.half, difference, ...params })];
}

/** The lines of the result itself; null where points are missing. */
function resultOf(rules, form, counts) {
  const { points } = counts;
  const sides = sidesOf(rules, form);
  const declaring = rules.sides === "PAIRS" ? ["NS", "EW"].indexOf(form.declarer || namesTrump(rules, form.dealer)) : 0;
  const level = rules.bids && form.all_tricks ? "all" : form.level || form.bid || "";
  if (level === "generale") return generaleOf(rules, counts, sides, declaring);
  if (rules.bids) return bidOf(rules, form, counts, sides, level);
  if (points[0] === null || (points[1] === null && rules.sides !== "DECLARER_ALONE")) return null;
  if (rules.stakes) return stakeOf(rules, form, points[0], sides);
  return level ? contractOf(rules, form, points, sides, declaring, level) : overHalf(rules, form, counts, sides);
}

/** The lines of a deal as the sheet has them: [{clause, side, marks, params, component}]; null where the form does not say.
 *
 * params.factors of a doubling: of is the place of its call in the game's calls, or the words beyond them.
 */
export function linesOf(rules, form) {
  if (rules.asked.some((name) => !form[name])) return null;
  const counts = countsOf(rules, form);
  const result = counts && resultOf(rules, form, counts);
  if (!result) return null;
  const value = rules.turn_up ? VALUES[form.turn_up] || 0 : 0;
  if (!value) return result;
  const card = `${form.turn_up}${form.trump}`;
  const side = "NS".includes(form.dealer) ? "NS" : "EW";
  const tied = result.some((each) => each.clause.endsWith("_tied"));
  const cancelled = tied && !rules.bonus_survives_tie;
  return [cancelled ? line("turn_up_cancelled", side, 0, { card, why: "tie" }, "turn_up") : line("turn_up", side, value, { card }, "turn_up"), ...result];
}

/** The marks of the lines of a deal by their parts, and who a générale gave the game. */
function marksOf(rules, lines) {
  const deal = { turn_up: {}, penalty: {}, deal: {}, game_won: null };
  for (const each of lines) {
    if (each.params.value === "GAME") deal.game_won = each.side;
    if (!each.side || !each.marks) continue;
    for (const one of rules.sides === "PAIRS" ? [each.side] : each.side) deal[each.component][one] = (deal[each.component][one] || 0) + each.marks;
  }
  return deal;
}

// ---- probable mistakes ---------------------------------------------------------------------------------------------

/** The number with its two digits swapped, if that is another number of two digits. */
function swappedDigits(points) {
  const other = (points % 10) * 10 + Math.floor(points / 10);
  return points >= 10 && other >= 10 && other !== points ? other : null;
}

/** By the tricks of the side that was counted: far from what they let expect. Shares of the total are compared exactly. */
function doubtsByTricks(rules, points, tricks) {
  const { far, near } = rules.doubt;
  const within = (number, [part, of]) => Math.abs(number * rules.tricks - tricks * rules.total) * of <= part * rules.total * rules.tricks;
  if (within(points, far)) return [];
  const other = swappedDigits(points);
  if (other !== null && other <= rules.total && within(other, near)) return [{ code: "transposed", typed: points, swapped: other, count: points }];
  return within(rules.total - points, near) ? [{ code: "sides_swapped", points, count: points }] : [];
}

/** By the contract: a heavy loss of the side that chose trump. */
function doubtsByContract(rules, form, points) {
  const declarer = form.declarer || namesTrump(rules, form.dealer);
  if (!declarer) return [];
  const [part, of] = rules.doubt.heavy;
  const counted = (form.side || "NS") === declarer;
  const own = counted ? points : rules.total - points;
  if (own * of >= part * rules.total) return [];
  const other = swappedDigits(points);
  if (other !== null && other <= rules.total && (counted ? other : rules.total - other) > rules.half) return [{ code: "transposed", typed: points, swapped: other, count: points }];
  if (own * of * 2 >= part * rules.total) return [];
  return rules.doubt.doubling && !whole(form.doubling) ? [{ code: "forgotten_double" }] : [{ code: "sides_swapped", points, count: points }];
}

/** The questions about a form, as tournament/queries/alarms.py asks them; expected: whose turn it is to deal. */
export function doubtsOf(rules, form, expected) {
  if (!rules.doubt || form.passed || !["points", "tricks"].includes(form.depth)) return [];
  const points = whole(form.points);
  const tricks = whole(form.tricks);
  let found = [];
  if (points !== null && rules.sides === "PAIRS") found = tricks === null ? doubtsByContract(rules, form, points) : doubtsByTricks(rules, points, tricks);
  return expected && form.dealer && form.dealer !== expected ? [...found, { code: "dealer" }] : found;
}

// ---- the words -----------------------------------------------------------------------------------------------------

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (all, key) => (key in values ? String(values[key]) : all));

function sideWords(words, side) {
  return words.sides[side] || [...side].map((seat) => words.sides[seat] || seat).join(" + ");
}

function reasonOf(words, { clause, params }) {
  const values = { ...params };
  if (params.card) values.card = (words.ranks[rankOf(params.card)] || rankOf(params.card)) + words.suits[suitOf(params.card)];
  if (params.player) values.player = sideWords(words, params.player);
  for (const name of ["bid", "why"]) if (words.words[values[name]]) values[name] = words.words[values[name]];
  const forms = words.reasons[clause];
  const text = typeof forms === "string" ? forms : forms[new Intl.PluralRules(words.language).select(params.points) === "one" ? 0 : 1];
  const parts = [filled(text, values)];
  for (const factor of params.factors || []) parts.push(filled(words.factors[factor.kind], { ...factor, of: factor.kind === "doubling" ? words.calls[factor.of] || factor.of : factor.of }));
  if (params.cap) parts.push(filled(words.cap, params));
  if (params.most) parts.push(filled(words.most, params));
  return parts.join(", ");
}

/** A doubt as a question. */
export function askDoubt(words, doubt) {
  const [one, many] = words.doubts[doubt.code];
  const text = new Intl.PluralRules(words.language).select(doubt.count || 0) === "one" ? one : many;
  return text.replace(/%\((\w+)\)d/g, (_all, name) => String(doubt[name]));
}

/** A line as the sheet says it; words: of tournament/queries/phone_rules.py. */
export function speak(words, spoken) {
  const why = reasonOf(words, spoken);
  if (spoken.side === null) return why;
  const side = sideWords(words, spoken.side);
  if (spoken.params.value === "GAME") return `${filled(words.game, { side })}${words.colon} ${why}`;
  const marks = String(spoken.marks).replace("-", "\u2212");
  return `${filled(spoken.side.length === 1 ? words.one : words.many, { side, marks })}${words.colon} ${why}`;
}

/** What a row of the sheet says before its sentence: {declarer, level, trump, doubled, points: [[side, number]]}. */
export function headOf(rules, form) {
  const typed = form.depth === "points" || form.depth === "tricks";
  const sides = sidesOf(rules, form).map(named);
  const { points } = countsOf(rules, form) || { points: [null, null] };
  const at = typed && rules.exact ? ["EW", "others"].indexOf(form.side) < 0 ? 0 : 1 : null;
  const counted = sides.map((side, each) => [side, points[each]]).filter((pair, each) => pair[1] !== null && (at === null || each === at));
  const level = rules.bids && form.all_tricks ? "all" : form.level || form.bid || "";
  return { declarer: form.declarer || namesTrump(rules, form.dealer), level, trump: form.trump || "", doubled: 2 ** (whole(form.doubling) || 0), points: counted };
}

/** A game that a deal ended, with the score in games where the match goes to several; "" of another deal. */
export function speakWon(words, { won, totals, games, match }) {
  if (!won) return "";
  const score = Object.keys(words.sides).map((side) => games[side]).join("–");
  return filled(match ? words.game_of_match : words.game_won, { side: sideWords(words, won), total: totals[won], games: score });
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

const PARTS = ["turn_up", "penalty", "deal"]; // of a deal, in the order in which they count

/** Where the match stands after one more deal: {score, marks, games, deals_left, finished}, like the one it starts from. */
function playDeal(rules, match, deal) {
  const { target } = rules;
  const state = { ...match, score: { ...match.score }, marks: { ...match.marks }, games: { ...match.games } };
  const add = (side, number) => {
    state.score[side] += number;
    state.marks[side] += number;
  };
  if (state.finished) return state;
  if (target.deals) {
    for (const part of PARTS) for (const [side, number] of Object.entries(deal[part])) add(side, number);
    if (deal.game_won) add(deal.game_won, rules.generale_by_deals);
    state.deals_left -= 1;
    if (state.deals_left > 0) return state;
    if (first(state.score, -Infinity) || !rules.ties_play_on) state.finished = true;
    else state.deals_left = rules.extra_deals;
    return state;
  }
  const goal = goalOf(target, state.games);
  let home = null;
  for (const part of PARTS) {
    if (home) break;
    for (const [side, number] of Object.entries(deal[part])) add(side, number);
    home = first(state.score, goal);
  }
  if (!home && deal.game_won) {
    home = deal.game_won;
    add(home, Math.max(0, goal - state.score[home]));
  }
  if (!home) return state;
  state.games[home] += 1;
  if (state.games[home] >= (target.games || 1)) state.finished = true;
  else for (const side of Object.keys(state.score)) state.score[side] = 0;
  return state;
}

/** The match that the server has with the corrections that wait in it: {match, deals: each correction as its row shows
 * it, by number}. The match is null where only the server can count them. */
export function corrected(rules, match, corrections) {
  /** @type {Record<string, any>} */
  const rows = {};
  if (!match) return { match, deals: rows };
  const { start, deals, ...now } = match;
  if (!corrections.length) return { match: now, deals: rows };
  const given = new Map(deals.map((deal) => [deal.number, deal]));
  for (const form of corrections) {
    const number = Number(form.number);
    const lines = form.unplayed ? null : linesOf(rules, form);
    if (!lines && !form.unplayed) return { match: null, deals: rows };
    rows[number] = { dealer: form.dealer, lines };
    if (lines) given.set(number, marksOf(rules, lines));
    else given.delete(number);
  }
  let state = start;
  for (const number of [...given.keys()].sort((one, other) => one - other)) {
    const before = state;
    state = playDeal(rules, state, given.get(number));
    if (rows[number]) Object.assign(rows[number], rowOf(rules, before, state));
  }
  return { match: state, deals: rows };
}

/** The table after the deals that wait on this phone: the match as playDeal gives it, and who deals next.
 *
 * dealers: who deals next as the server says: those who deal again out of turn, then whose turn it is.
 * forms: what was typed of each deal, in order. The match is null from a deal on that only the server can count.
 * deals: each of them as its row shows it, {dealer, lines, marks, totals, won (the side whose game it ended), games,
 * match}; lines is null of one that everybody passed, the rest where it is not counted.
 */
export function standing(rules, match, dealers, forms) {
  const turns = [...dealers];
  const deals = [];
  let state = match;
  for (const form of forms) {
    const dealt = { ...form, dealer: form.dealer || turns[0] };
    const next = nextPlayer(rules, dealt.dealer);
    if (turns.length > 1 && !form.passed) turns.shift();
    else turns[0] = next;
    const lines = form.passed ? null : linesOf(rules, dealt);
    const before = state;
    if (!form.passed && state) state = lines && playDeal(rules, state, marksOf(rules, lines));
    deals.push({ dealer: dealt.dealer, lines, ...(before && state ? rowOf(rules, before, state) : UNCOUNTED) });
  }
  return { match: state, dealer: turns[0], deals };
}

const UNCOUNTED = { marks: null, totals: null, won: null, games: null, match: false };

/** What a deal changed in a match: the marks of each side, its total, and the game that ended. */
function rowOf(rules, before, after) {
  const sides = Object.keys(before.marks);
  const marks = Object.fromEntries(sides.map((side) => [side, after.marks[side] - before.marks[side]]));
  const totals = Object.fromEntries(sides.map((side) => [side, before.score[side] + marks[side]]));
  const won = sides.find((side) => after.games[side] > before.games[side]) || null;
  return { marks, totals, won, games: after.games, match: Boolean(rules.target.games) };
}
