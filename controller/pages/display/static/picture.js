// The table as the dealer sees it: players on the far side, seat 1 at the dealer's left, the cross in front of them.
// Built once; later views change only the parts that differ, and nothing moves.

import { Card } from "./cards.js";
import { h, mark, money, say, texts } from "./dom.js";
import { show } from "./icons.js";
import { beat } from "./rhythms.js";

export const CROSS = ["down_far", "across_left", "middle", "across_right", "down_near"];
const [BONUS, ...BONUSES] = texts.side_bets;
/** The circles of a seat in pairs: the first side bet beside Middle, the others in the remaining places. */
const ROWS = [["ante_across", "across"], ["ante_down", "down"], [BONUS ?? null, "middle"], ...pairs(BONUSES)];
const SIDES = ["left", "right"];
const WAGERS = ROWS.flat().filter((wager) => wager !== null);

/** @param {string[]} wagers @returns {(string | null)[][]} */
function pairs([first, second, ...rest]) {
  return first ? [[first, second ?? null], ...pairs(rest)] : [];
}
const READINGS = {
  silent: texts.reading_silent, unstable: texts.reading_unstable, not_fitted: texts.reading_not_fitted,
  entered: texts.reading_entered, none: texts.reading_none, ok: null,
};

/** @param {number} length */
const long = (length) => (length <= 3 ? null : length <= 5 ? "long" : length <= 6 ? "very" : "most");

class Circle {
  /**
   * @param {string} wager
   * @param {boolean} past
   */
  constructor(wager, past) {
    this.wager = wager;
    this.past = past;
    this.shape = h("span", { class: "shape" });
    this.amount = h("span", { class: "amount" });
    this.said = h("span", { class: "hidden-text" });
    this.node = h("span", { class: "circle", "data-wager": wager }, this.shape, this.said, this.amount);
  }

  /**
   * @param {Data.PicturedCircle | undefined} circle
   * @param {boolean} wanted the prompt is about it
   */
  update(circle, wanted) {
    const lamp = circle?.lamp ?? "off";
    const look = texts.lamps[lamp];
    const result = circle && settled(circle);
    show(this.shape, result ? RESULTS[result] : look.shape);
    beat(this.shape, this.past || result ? "steady" : look.rhythm);
    mark(this.node, "data-settled", result);
    mark(this.node, "data-colour", look.colour);
    mark(this.node, "data-lamp", lamp);
    mark(this.node, "data-due", look.settles && !this.past ? lamp : null);
    mark(this.node, "data-reading", circle?.reading);
    mark(this.node, "data-now", wanted ? "now" : null);
    mark(this.node, "data-wrong", circle?.wrong ? "wrong" : null);
    mark(this.node, "data-signed", circle?.signed && !circle.wrong ? "signed" : null);
    mark(this.node, "data-absent", circle ? null : "absent");
    const amount = circle ? drawn(circle) : "";
    say(this.amount, amount);
    mark(this.node, "data-long", long(amount.length));
    say(this.said, circle ? this.#words(circle) : "");
  }

  /** @param {Data.PicturedCircle} circle */
  #words(circle) {
    const due = texts.lamps[circle.lamp].settles ? `${SETTLES[circle.lamp]} ` : "";
    const reading = READINGS[circle.reading];
    const result = settled(circle);
    const done = result ? `${SETTLES[RESULTS[result]]} ${texts.settled} ` : "";
    const signed = circle.signed && !circle.wrong ? `${texts.circle_signed} ` : "";
    return `${texts.wagers[this.wager]} ${due}${done}${signed}${reading ? `${reading} ` : ""}`;
  }
}

/** @type {Record<string, string>} */
const SETTLES = { take: texts.take, push: texts.push, pay: texts.pay };

const RESULTS = { lose: "take", push: "push", win: "pay" };

/**
 * The result of a wager whose chips are still in the circle, if nothing is due or wrong there.
 * @param {Data.PicturedCircle} circle
 */
function settled({ result, lamp, amount, wrong }) {
  return result && amount && !wrong && lamp !== "refused" && !texts.lamps[lamp].settles ? result : null;
}

/** The amount in a circle; "?" if it is unknown, never an outdated amount. @param {Data.PicturedCircle} circle */
export function drawn({ amount, by_hand }) {
  if (amount) return money(amount, "");
  return amount === null && by_hand ? "?" : "";
}

class Seat {
  /**
   * @param {number} seat
   * @param {((seat: number) => void) | null} onTap
   * @param {boolean} past
   */
  constructor(seat, onTap, past) {
    this.cards = [new Card(), new Card()];
    this.state = h("span", { class: "state" });
    this.circles = new Map(WAGERS.map((wager) => [wager, new Circle(wager, past)]));
    this.rows = ROWS.map((pair) => pair.map((wager) => (wager && this.circles.get(wager)?.node) || h("span")));
    this.player = h("span", { class: "player" });
    this.number = h("span", { class: "number" }, h("span", { class: "hidden-text" }, `${texts.seat} `), `${seat}`);
    const top = h("span", { class: "top" }, this.number, this.player, ...this.cards.map((c) => c.node), this.state);
    this.node = h(onTap ? "button" : "div", { class: "seat", "data-seat": seat, type: onTap ? "button" : null },
      top, h("span", { class: "circles" }, ...this.rows.flat()));
    if (onTap) this.node.addEventListener("click", () => onTap(seat));
  }

  /**
   * @param {Data.PicturedSeat} seat
   * @param {Data.Pictured["prompt"]} aim
   * @param {(place: string) => "five" | "making" | null} part
   */
  update(seat, aim, part) {
    const gone = seat.forfeited ? "forfeit" : seat.folded_at ? "fold" : null;
    const here = aim?.seat === seat.seat;
    mark(this.node, "data-in", seat.in_round ? "in" : "out");
    mark(this.node, "data-gone", gone);
    mark(this.node, "data-now", here ? "now" : null);
    mark(this.node, "data-settled", seat.settled ? "settled" : null);
    this.cards.forEach((card, i) => card.update(seat.cards[i], part(`seat_${seat.seat}_${i + 1}`)));
    mark(this.node, "data-cards", seat.cards.length && !gone ? "dealt" : null);
    const shared = seat.player && seat.player !== String(seat.seat);
    mark(this.node, "data-shared", shared ? "shared" : null);
    say(this.player, shared ? `=${seat.player}` : "");
    say(this.state, gone ? texts[gone] : seat.settled ? texts.settled : "");
    for (const [wager, circle] of this.circles) circle.update(seat.circles[wager], here && (aim?.wager === wager || Boolean(aim?.too?.includes(wager))));
  }

  /** @param {(wager: string | null) => boolean} played */
  fit(played) {
    for (const [wager, { node }] of this.circles) mark(node, "data-unused", played(wager) ? null : "unused");
    this.rows.forEach((nodes, i) => nodes.forEach((node) => mark(node, "hidden", ROWS[i].some(played) ? null : "")));
  }
}

/** The name of each circle of a row, on the circle's side; an ante has none, because the heading names it with its bet. */
class RowLabel {
  /** @param {(string | null)[]} wagers */
  constructor(wagers) {
    const of = wagers.map((wager, i) => ({ wager, side: wager === "across" || wager === "down" ? null : SIDES[i] }));
    const named = of.filter(({ wager }) => wager !== null && !wager.startsWith("ante_"));
    this.words = named.map(({ wager, side }) => ({ wager, node: h("span", { "data-side": side }, texts.rows[`${wager}`]) }));
    this.node = h("span", { class: "label" }, ...this.words.map(({ node }) => node));
  }

  /** @param {(wager: string | null) => boolean} played */
  update(played) {
    for (const { wager, node } of this.words) mark(node, "hidden", played(wager) ? null : "");
    mark(this.node, "hidden", this.words.some(({ wager }) => played(wager)) ? null : "");
  }
}

export class Picture {
  /**
   * `onSeat`, `onCross`: called on a tap; without them the picture takes no taps. `past`: nothing is due any more.
   * @param {{onSeat?: (seat: number) => void, onCross?: () => void, past?: boolean}} options
   */
  constructor({ onSeat, onCross, past = false } = {}) {
    this.seats = [1, 2, 3, 4, 5, 6].map((seat) => new Seat(seat, onSeat ?? null, past));
    this.labels = ROWS.map((pair) => new RowLabel(pair));
    const head = h("span", { class: "label" }, ...["ante", "bet"].map((row, i) => h("span", { "data-side": SIDES[i] }, texts.rows[row])));
    const beside = h("div", { class: "labels", "aria-hidden": "true" }, head, ...this.labels.map(({ node }) => node));
    this.each = WAGERS.map((wager) => ({ wager, node: h("span", { class: "label" }, texts.rows[wager] ?? texts.wagers[wager]) }));
    const upright = h("div", { class: "labels upright", "aria-hidden": "true" }, h("span"), ...this.each.map(({ node }) => node));
    this.row = h("section", { class: "seats", "aria-label": texts.table }, beside, upright, ...this.seats.map((s) => s.node));
    this.cross = CROSS.map((place) => {
      const card = new Card();
      return { place, card, node: h("span", { class: "place", "data-place": place }, card.node) };
    });
    this.bonus = [0, 1, 2, 3].map(() => new Card());
    this.bonusRow = h("span", { class: "bonus", hidden: true }, ...this.bonus.map((card) => card.node));
    this.middle = h(onCross ? "button" : "div", { class: "cross", type: onCross ? "button" : null },
      h("span", { class: "hidden-text" }, texts.places.cross), ...this.cross.map(({ node }) => node), this.bonusRow);
    if (onCross) this.middle.addEventListener("click", () => onCross());
  }

  /** @param {Data.Pictured} view */
  update(view) {
    const aim = view.prompt;
    /** @param {string} place */
    const part = (place) => (!view.marked?.five.includes(place) ? null : view.marked.making.includes(place) ? "making" : "five");
    this.#fit(view.seats);
    view.seats.forEach((seat, i) => this.seats[i].update(seat, aim, part));
    for (const { place, card, node } of this.cross) {
      card.update(view.cross[place], part(place));
      mark(node, "data-now", aim?.places?.includes(place) ? "now" : null);
    }
    mark(this.bonusRow, "hidden", view.bonus_cards ? null : "");
    this.bonus.forEach((card, i) => card.update(view.bonus_cards?.[i], part(`bonus_${i + 1}`)));
  }

  /** Set the space for the circles that the rules have. @param {Data.PicturedSeat[]} seats */
  #fit(seats) {
    /** @param {string | null} wager */
    const played = (wager) =>
      wager !== null && (!texts.side_bets.includes(wager) || seats.some(({ circles }) => wager in circles));
    for (const label of this.labels) label.update(played);
    for (const { wager, node } of this.each) mark(node, "hidden", played(wager) ? null : "");
    for (const seat of this.seats) seat.fit(played);
  }
}
