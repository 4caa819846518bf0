// The layout as the dealer sees it: players on the far side, seat 1 at the dealer's left, the cross in front of them.
// Built once: an element that a finger may be touching is never replaced; only texts and marks change.

import { Card } from "/display/cards.js";
import { h, mark, money, placeName, say, seatName } from "/display/dom.js";
import { circleName, counted, fill, texts, words } from "./texts.js";

const BETS = ["ante_across", "across", "ante_down", "down", "middle"];
const [BONUS = "", ...BONUSES] = Object.keys(texts.wagers).filter((wager) => !BETS.includes(wager));
/** Rows of a seat, as on the dealer's screen: the ante or bonus, and the bet beside it. */
const ROWS = ["ante_across", "across", "ante_down", "down", BONUS, "middle", ...BONUSES];
/** @type {Record<string, string>} */
const SHORT = { ...texts.rows, ante_across: words.ante, ante_down: words.ante };

/** @param {number[]} chips */
export const worth = (chips) => chips.reduce((sum, cents) => sum + cents, 0);
/** Minimum brightness of a drawn lamp, in per cent. */
const MIN_PERCENT = 35;

class Circle {
  /**
   * @param {number} seat
   * @param {string} wager
   */
  constructor(seat, wager) {
    this.key = `${seat}.${wager}`;
    this.title = circleName(seat, wager);
    this.amount = h("span", { class: "amount" });
    this.pile = h("span", { class: "pile" });
    this.node = h("button", { type: "button", class: "circle", "data-circle": this.key },
      h("span", { class: "lamp" }), h("span", { class: "name" }, SHORT[wager]), this.pile, this.amount);
  }

  /** @param {Felt.State} state */
  update(state) {
    const chips = state.chips[this.key] ?? [];
    const lamp = state.lamps[this.key] ?? "off";
    const fault = state.faults[this.key];
    mark(this.node, "data-asked", state.asked === this.key ? "asked" : null);
    mark(this.node, "data-fault", fault);
    mark(this.pile, "data-chip", chips.at(-1));
    say(this.pile, chips.length > 1 ? `${chips.length}` : "");
    say(this.amount, chips.length ? money(worth(chips)) : "");
    const lies = chips.length ? fill(words.chips, { sum: money(worth(chips)), chips: chips.map((cents) => money(cents)).join(" ") }) : words.no_chips;
    const label = fill(words.circle_is, { circle: this.title, chips: lies, lamp: texts.lamps[lamp] ?? "" });
    const broken = fault ? ` ${fill(words.reader_broken, { fault: words.fault_kinds.reader[fault]?.name ?? fault })}` : "";
    mark(this.node, "aria-label", label + broken);
    mark(this.node, "title", label + broken);
  }
}

class Seat {
  /** @param {number} seat */
  constructor(seat) {
    this.seat = seat;
    this.circles = ROWS.filter((wager) => wager in texts.wagers).map((wager) => new Circle(seat, wager));
    this.cards = [1, 2].map((number) => ({ place: `seat_${seat}_${number}`, card: new Card() }));
    this.shows = h("span", { class: "shows" });
    const top = h("div", { class: "hand" }, h("span", { class: "number" }, `${seat}`),
      ...this.cards.map(({ card }) => card.node), this.shows);
    this.node = h("div", { class: "seat", "data-seat": seat, role: "group", "aria-label": seatName(seat) },
      top, h("div", { class: "circles" }, ...this.circles.map(({ node }) => node)));
  }
}

export class Table {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.seats = texts.seats.map((seat) => new Seat(seat));
    const places = [...texts.cross, ...Array.from({ length: texts.bonus }, (_, i) => `bonus_${i + 1}`)];
    this.cross = places.map((place) => ({ place, card: new Card() }));
    const community = this.cross.map(({ place, card }) =>
      h("span", { class: "place", "data-place": place, title: placeName(place) }, card.node));
    this.strays = h("p", { class: "strays" });
    this.circles = this.seats.flatMap((seat) => seat.circles);
    root.append(h("div", { class: "seats" }, ...this.seats.map(({ node }) => node)),
      h("div", { class: "near" }, h("div", { id: "shoe" }),
        h("div", { class: "cross", role: "group", "aria-label": words.cross }, ...community, this.strays),
        h("div", { id: "discard" })));
  }

  /**
   * @param {Felt.State} state
   * @param {Set<string>} news
   */
  update(state, news) {
    if (news.has("brightness")) this.root.style.setProperty("--bright", String(Math.max(MIN_PERCENT, state.brightness) / 100));
    if (news.has("lit")) for (const { key, node } of this.circles) mark(node, "data-lit", state.lit[key]);
    if (["chips", "lamps", "faults", "asked"].some((name) => news.has(name))) {
      for (const circle of this.circles) circle.update(state);
    }
    if (news.has("cards")) this.#cards(state.cards);
    if (news.has("shows")) for (const seat of this.seats) say(seat.shows, state.shows[seat.seat] ? words.folds : "");
  }

  /** @param {Felt.State["cards"]} cards */
  #cards(cards) {
    const placed = [...this.cross, ...this.seats.flatMap((seat) => seat.cards)];
    for (const { place, card } of placed) card.update(cards[place] ?? { lies: "none", face: null });
    const strays = Object.keys(cards).length - placed.filter(({ place }) => place in cards).length;
    say(this.strays, strays ? counted(words.strays, strays) : "");
  }
}
