/* Card by card: the pack to tap, in order of play; who plays, who wins the trick and what it is worth.
 *
 * [data-cards] (templates/table/parts/cards.html) holds the plain field "plays", which is what is sent; the board here
 * only fills it. A card that lies in a trick is tapped to be replaced. The winner of a trick is worked out on the phone
 * (highest of the suit led, or highest trump: the same in every rulebook), so that it works without a network. The
 * engine is asked (data-follow) whenever a card was played: it flags cards that the duties of play did not allow; nothing is refused, the flag goes to the referee.
 */

import { leaderOf, rankOf as rank, suitOf as suit, tricksOf } from "./table-score.js";

const RANKS = ["10", "A", "K", "Q", "J", "9", "8", "7"];
const SUITS = ["S", "H", "D", "C"];
const SIGNS = { S: "♠\uFE0E", H: "♥\uFE0E", D: "♦\uFE0E", C: "♣\uFE0E" };
const fill = (text, values) => (text || "").replace(/\{(\w+)\}/g, (all, key) => (key in values ? String(values[key]) : all));

class Board {
  constructor(box) {
    this.box = box;
    this.field = box.querySelector("textarea");
    this.board = box.querySelector("[data-cards-board]");
    this.seats = box.dataset.seats.split(" ");
    this.form = box.closest("form");
    this.flags = [];
    this.picked = -1; // the place in the record of a played card that is to be replaced
    this.asked = 0;
    this.names = Object.fromEntries([...box.querySelectorAll("[data-seat]")].map((each) => [each.dataset.seat, each.textContent]));
    const { textSuits, textRanks, textLetters } = box.dataset;
    const words = (codes, said) => codes.map((code, at) => [code, said.split(", ")[at]]);
    this.words = Object.fromEntries([...words(SUITS, textSuits), ...words(RANKS, textRanks)]);
    this.ranks = Object.fromEntries(words(["A", "K", "Q", "J"], textLetters));
    this.letters = Object.fromEntries([...box.querySelectorAll("[data-seat]")].map((each) => [each.dataset.seat, each.dataset.letter]));
    box.querySelector("[data-cards-plain]").hidden = true;
    this.board.hidden = false;
    this.say = this.made("p", "cardentry__say");
    this.say.setAttribute("role", "status");
    this.trick = this.made("ul", "hand cardentry__trick");
    this.notes = this.made("div", "cardentry__notes");
    this.pack = this.made("div", "cardentry__pack");
    this.undo = this.made("button", "button button--quiet");
    this.undo.type = "button";
    this.undo.textContent = box.dataset.textUndo;
    this.undo.addEventListener("click", () => this.set(this.plays.slice(0, -1)));
    this.list = this.made("ol", "cardentry__tricks");
    this.board.append(this.say, this.trick, this.pack, this.undo, this.notes, this.list);
    this.buttons = new Map();
    for (const each of SUITS) {
      const row = this.made("div", "hand");
      for (const value of RANKS) {
        const card = value + each;
        const button = this.made("button", "card-button");
        button.type = "button";
        button.append(this.face(card));
        button.dataset.card = card;
        this.read(button, this.spoken(card));
        button.addEventListener("click", () => this.play(card));
        row.append(button);
        this.buttons.set(card, button);
      }
      this.pack.append(row);
    }
    this.form.addEventListener("change", (event) => { if (!this.box.contains(event.target)) this.draw(); });
    this.form.addEventListener("table:cleared", () => { this.flags = []; this.draw(); });
    this.draw();
  }

  made(tag, className) {
    const element = document.createElement(tag);
    element.className = className;
    return element;
  }

  face(card) {
    const holder = document.createDocumentFragment();
    const letter = document.createElement("span");
    letter.textContent = this.ranks[rank(card)] || rank(card);
    const sign = document.createElement("span");
    sign.className = `suit suit--${suit(card)}`;
    sign.textContent = SIGNS[suit(card)];
    holder.append(letter, sign);
    return holder;
  }

  get plays() {
    return this.field.value.split(/\s+/).filter(Boolean);
  }

  get trump() {
    return this.form.querySelector("[name=trump]:checked")?.value || "";
  }

  /** Who leads to trick 1: as chosen, else as the rules say. */
  get leader() {
    const value = (name) => this.form.querySelector(`[name=${name}]:checked, select[name=${name}]`)?.value || "";
    const form = { leader: value("leader"), all_tricks: value("all_tricks"), declarer: value("declarer"), dealer: value("dealer"), blind: value("blind") };
    return leaderOf({ seats: this.seats, bids: true }, form);
  }

  /** The next card, or the one in the place of the picked card; a card that lies elsewhere changes places with it. */
  play(card) {
    const { plays, picked } = this;
    if (picked < 0) { this.set([...plays, card]); return; }
    const other = plays.indexOf(card);
    if (other >= 0) plays[other] = plays[picked];
    plays[picked] = card;
    this.set(plays);
  }

  set(plays) {
    this.picked = -1;
    this.field.value = plays.join(" ");
    this.field.dispatchEvent(new Event("input", { bubbles: true }));
    this.draw();
    this.ask();
  }

  draw() {
    const { plays, seats, box } = this;
    if (this.picked >= plays.length) this.picked = -1;
    const total = seats.length * Number(box.dataset.tricks);
    const tricks = tricksOf(plays, seats, this.leader, this.trump, Number(box.dataset.point));
    const last = tricks.at(-1);
    const open = last && !last.winner ? last : null;
    const turn = open ? open.seats[open.cards.length] : last ? last.winner : this.leader;
    const number = tricks.length + (open ? 0 : 1);
    const done = plays.length === total;
    const points = {};
    for (const each of tricks) if (each.winner) points[each.winner] = (points[each.winner] || 0) + each.points;
    if (this.picked >= 0) this.say.textContent = fill(box.dataset.textReplace, { card: this.name(plays[this.picked]) });
    else if (!this.trump) this.say.textContent = box.dataset.textTrump;
    else if (done) this.say.textContent = fill(box.dataset.textDone, { points: this.sums(points) });
    else this.say.textContent = fill(box.dataset.textTurn, { name: this.names[turn] || turn, n: number });
    const shown = open || last;
    this.trick.replaceChildren(...(shown ? this.laid(shown, tricks.length - 1) : []));
    for (const [card, button] of this.buttons) {
      const there = plays.includes(card);
      button.disabled = this.picked < 0 ? there || done || !this.trump : plays[this.picked] === card;
      button.setAttribute("aria-pressed", String(there));
    }
    this.undo.disabled = !plays.length;
    this.list.replaceChildren(...tricks.filter((each) => each.winner).map((each, at) => {
      const item = document.createElement("li");
      const cards = this.made("ul", "hand");
      cards.append(...this.laid(each, at));
      item.append(fill(box.dataset.textTrick, { n: at + 1, name: this.names[each.winner] || each.winner, points: each.points }), cards);
      return item;
    }).reverse());
    this.notes.replaceChildren(...this.flags.map((flag) => {
      const note = this.made("p", "notice notice--warning");
      note.textContent = fill(box.dataset.textFlag, { n: flag.trick, name: this.names[flag.seat] || flag.seat, card: this.name(flag.card) });
      return note;
    }));
  }

  /** A card as it is said: R♥. */
  name(card) {
    return (this.ranks[rank(card)] || rank(card)) + SIGNS[suit(card)];
  }

  /** A card as it is read aloud: ten of spades. */
  spoken(card) {
    return fill(this.box.dataset.textCard, { rank: this.words[rank(card)], suit: this.words[suit(card)] });
  }

  /** A button that is read aloud as these words, and not by the signs on it. */
  read(button, words) {
    for (const sign of button.children) sign.setAttribute("aria-hidden", "true");
    const said = this.made("span", "visually-hidden");
    said.textContent = words;
    button.append(said);
  }

  /** The cards of a trick as they lie; one that is tapped is replaced by the card tapped next. */
  laid(trick, number) {
    return trick.cards.map((card, at) => {
      const place = number * this.seats.length + at;
      const item = document.createElement("li");
      const button = this.made("button", `card-button${trick.won === at ? " is-winner" : ""}`);
      button.type = "button";
      button.setAttribute("aria-pressed", String(this.picked === place));
      const who = this.made("small", "cardentry__who");
      who.textContent = this.letters[trick.seats[at]] || trick.seats[at];
      button.append(this.face(card), who);
      const seat = trick.seats[at];
      this.read(button, [this.names[seat] || seat, this.spoken(card)].join(": "));
      button.addEventListener("click", () => {
        this.picked = this.picked === place ? -1 : place;
        this.draw();
        if (this.picked >= 0) this.say.scrollIntoView({ block: "nearest" });
      });
      item.append(button);
      return item;
    });
  }

  /** Points by side where two pairs play, by player elsewhere. */
  sums(points) {
    if (!this.seats.includes("N")) return this.seats.map((seat) => `${this.names[seat] || seat} ${points[seat] || 0}`).join(", ");
    const of = (one, two) => (points[one] || 0) + (points[two] || 0);
    return `${this.box.dataset.one} ${of("N", "S")} – ${this.box.dataset.other} ${of("E", "W")}`;
  }

  /** The engine's eye on the record so far; an answer that comes late is dropped. */
  async ask() {
    const { plays } = this;
    const turn = (this.asked += 1);
    if (!this.box.dataset.follow || !this.trump || !plays.length) { this.flags = []; return; }
    const value = (name) => this.form.querySelector(`[name=${name}]:checked, select[name=${name}]`)?.value || "";
    const body = new URLSearchParams({ plays: plays.join(" "), trump: this.trump, leader: this.leader, dealer: value("dealer"), declarer: value("declarer") });
    try {
      const answer = await fetch(this.box.dataset.follow, { method: "POST", body, credentials: "same-origin" });
      if (!answer.ok || turn !== this.asked) return;
      this.flags = (await answer.json()).flags || [];
      this.draw();
    } catch {
      // No network: the winner of each trick is known here, the flags come when the deal is written.
    }
  }
}

/** @param {any} root */
function watch(root = document) {
  for (const box of root.querySelectorAll("[data-cards]")) {
    if (box.dataset.cardsOn) continue;
    box.dataset.cardsOn = "1";
    box.board = new Board(box);
  }
}

document.addEventListener("live:swapped", (event) => watch(event.target));
watch();
