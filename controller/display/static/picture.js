// The table as the dealer sees it: players on the far side, seat 1 at the dealer's left, the cross before them.
// Built once; afterwards only what changed is written, and nothing changes its place.

import { Card } from "./cards.js";
import { h, mark, money, say, texts } from "./dom.js";
import { show } from "./icons.js";
import { beat } from "./rhythms.js";

export const CROSS = ["down_far", "across_left", "middle", "across_right", "down_near"];
/** @type {[string, [string, string | null]][]} */
const ROWS = [
  ["across", ["ante_across", "across"]],
  ["down", ["ante_down", "down"]],
  ["middle", ["five_card_bonus", "middle"]],
  ["six", ["six_card_bonus", null]],
];
const WAGERS = ROWS.flatMap(([, pair]) => pair.filter((wager) => wager !== null));
/** @type {Record<string, string>} */
const SHORT = { five_card_bonus: texts.row_bonus, six_card_bonus: texts.row_six };
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
    show(this.shape, look.shape);
    beat(this.shape, this.past ? "steady" : look.rhythm);
    mark(this.node, "data-colour", look.colour);
    mark(this.node, "data-lamp", lamp);
    mark(this.node, "data-due", look.settles && !this.past ? lamp : null);
    mark(this.node, "data-reading", circle?.reading);
    mark(this.node, "data-now", wanted ? "now" : null);
    mark(this.node, "data-wrong", circle?.wrong ? "wrong" : null);
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
    return `${texts.wagers[this.wager]} ${due}${reading ? `${reading} ` : ""}`;
  }
}

/** @type {Record<string, string>} */
const SETTLES = { take: texts.take, push: texts.push, pay: texts.pay };

/** What lies in a circle; "?" where nobody knows, never an old amount. @param {Data.PicturedCircle} circle */
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
    const rows = ROWS.flatMap(([, pair]) => pair.map((wager) => (wager && this.circles.get(wager)?.node) || h("span")));
    this.player = h("span", { class: "player" });
    this.number = h("span", { class: "number" }, h("span", { class: "hidden-text" }, `${texts.seat} `), `${seat}`);
    const top = h("span", { class: "top" }, this.number, this.player, ...this.cards.map((c) => c.node), this.state);
    this.node = h(onTap ? "button" : "div", { class: "seat", "data-seat": seat, type: onTap ? "button" : null },
      top, h("span", { class: "circles" }, ...rows));
    if (onTap) this.node.addEventListener("click", () => onTap(seat));
  }

  /**
   * @param {Data.PicturedSeat} seat
   * @param {Data.Pictured["prompt"]} aim
   */
  update(seat, aim) {
    const gone = seat.forfeited ? "forfeit" : seat.folded_at ? "fold" : null;
    const here = aim?.seat === seat.seat;
    mark(this.node, "data-in", seat.in_round ? "in" : "out");
    mark(this.node, "data-gone", gone);
    mark(this.node, "data-now", here ? "now" : null);
    mark(this.node, "data-settled", seat.settled ? "settled" : null);
    this.cards.forEach((card, i) => card.update(seat.cards[i]));
    mark(this.node, "data-cards", seat.cards.length && !gone ? "dealt" : null);
    say(this.player, seat.player && seat.player !== String(seat.seat) ? `=${seat.player}` : "");
    say(this.state, gone ? texts[gone] : seat.settled ? texts.settled : "");
    for (const [wager, circle] of this.circles) circle.update(seat.circles[wager], here && aim?.wager === wager);
  }
}

export class Picture {
  /**
   * `onSeat`, `onCross`: what a tap does; without them the picture is only looked at. `past`: nothing of it is due.
   * @param {{onSeat?: (seat: number) => void, onCross?: () => void, past?: boolean}} options
   */
  constructor({ onSeat, onCross, past = false } = {}) {
    this.seats = [1, 2, 3, 4, 5, 6].map((seat) => new Seat(seat, onSeat ?? null, past));
    this.labels = h("div", { class: "labels", "aria-hidden": "true" }, ...rowLabels());
    const each = WAGERS.map((w) => h("span", { class: "label", "data-row": w }, SHORT[w] ?? texts.wagers[w]));
    const upright = h("div", { class: "labels upright", "aria-hidden": "true" }, h("span"), ...each);
    this.row = h("section", { class: "seats", "aria-label": texts.table }, this.labels, upright, ...this.seats.map((s) => s.node));
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
    const six = view.seats.some((seat) => "six_card_bonus" in seat.circles);
    mark(this.row, "data-six", six ? "six" : null);
    view.seats.forEach((seat, i) => this.seats[i].update(seat, aim));
    for (const { place, card, node } of this.cross) {
      card.update(view.cross[place]);
      mark(node, "data-now", aim?.places?.includes(place) ? "now" : null);
    }
    mark(this.bonusRow, "hidden", view.bonus_cards ? null : "");
    this.bonus.forEach((card, i) => card.update(view.bonus_cards?.[i]));
  }
}

function rowLabels() {
  /**
   * @param {string} kind
   * @param {string[]} words
   */
  const label = (kind, ...words) => h("span", { class: "label", "data-row": kind }, ...words.map((w) => h("span", {}, w)));
  return [
    label("head", texts.seat), label("across", texts.row_across), label("down", texts.row_down),
    label("middle", texts.row_bonus, texts.row_middle), label("six", texts.row_six),
  ];
}
