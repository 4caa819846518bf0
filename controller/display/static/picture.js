// The table as the dealer sees it: players on the far side, seat 1 at his left, the cross before him.
// Built once; afterwards only what changed is written, and nothing changes its place.

import { Card } from "./cards.js";
import { h, mark, money, say, texts } from "./dom.js";
import { show } from "./icons.js";
import { beat } from "./rhythms.js";

export const CROSS = ["down_far", "across_left", "middle", "across_right", "down_near"];
const ROWS = [
  ["across", ["ante_across", "across"]],
  ["down", ["ante_down", "down"]],
  ["middle", ["five_card_bonus", "middle"]],
  ["six", ["six_card_bonus", null]],
];
const SHORT = { five_card_bonus: texts.row_bonus, six_card_bonus: texts.row_six };
const LONG = (length) => (length <= 3 ? null : length <= 5 ? "long" : length <= 6 ? "very" : "most");
const DEAD = new Set(["silent", "unstable", "not_fitted"]);
// What the dealer settles now: the whole circle says so, but where something is wrong with it, as the lamp does.
const ACTS = new Set(["take", "push", "pay"]);
// The shape of each lamp state; its colour and rhythm are those of the lamp on the felt.
const SHAPES = {
  off: "off", open: "open", accepted: "accepted", deal: "cards", call: "call", take: "take", push: "push", pay: "pay",
  return: "give", refused: "refused", fault: "fault",
};

class Circle {
  constructor(wager) {
    this.wager = wager;
    this.shape = h("span", { class: "shape" });
    this.amount = h("span", { class: "amount" });
    this.said = h("span", { class: "hidden-text" });
    this.node = h("span", { class: "circle", "data-wager": wager }, this.shape, this.said, this.amount);
  }

  update(circle, wanted, wrong) {
    const lamp = circle?.lamp ?? "off";
    const [colour, rhythm] = texts.lamps[lamp];
    const acts = ACTS.has(lamp) && !circle.past;
    show(this.shape, SHAPES[lamp]);
    beat(this.shape, circle?.past ? "steady" : rhythm);
    mark(this.node, "data-colour", colour);
    mark(this.node, "data-lamp", lamp);
    mark(this.node, "data-due", acts ? lamp : null);
    mark(this.node, "data-reading", circle?.reading);
    mark(this.node, "data-now", wanted ? "now" : null);
    mark(this.node, "data-wrong", wrong ? "wrong" : null);
    mark(this.node, "data-absent", circle ? null : "absent");
    say(this.amount, circle ? this.#amount(circle) : "");
    mark(this.node, "data-long", LONG(this.amount.textContent.length));
    say(this.said, circle ? this.#words(circle) : "");
  }

  #amount(circle) {
    if (circle.amount !== null && circle.amount > 0) return money(circle.amount, "");
    return DEAD.has(circle.reading) ? "?" : "";
  }

  #words(circle) {
    const due = ACTS.has(circle.lamp) ? `${texts[circle.lamp]} ` : "";
    const reading = texts[`reading_${circle.reading}`];
    return `${texts.wagers[this.wager]} ${due}${reading ? `${reading} ` : ""}`;
  }
}

class Seat {
  constructor(seat, onTap) {
    this.cards = [new Card(), new Card()];
    this.state = h("span", { class: "state" });
    this.circles = new Map(ROWS.flatMap(([, pair]) => pair).filter(Boolean).map((w) => [w, new Circle(w)]));
    const rows = ROWS.map(([, pair]) => pair.map((w) => (w ? this.circles.get(w).node : h("span"))));
    this.player = h("span", { class: "player" });
    this.number = h("span", { class: "number" }, h("span", { class: "hidden-text" }, `${texts.seat} `), `${seat}`);
    const top = h("span", { class: "top" }, this.number, this.player, ...this.cards.map((c) => c.node), this.state);
    this.node = h(onTap ? "button" : "div", { class: "seat", "data-seat": seat, type: onTap ? "button" : null },
      top, h("span", { class: "circles" }, ...rows.flat()));
    if (onTap) this.node.addEventListener("click", () => onTap(seat));
  }

  update(seat, aim, wrong) {
    const gone = seat.forfeited ? "forfeit" : seat.folded_at ? "fold" : null;
    mark(this.node, "data-in", seat.in_round ? "in" : "out");
    mark(this.node, "data-gone", gone);
    mark(this.node, "data-now", aim?.seat === seat.seat ? "now" : null);
    mark(this.node, "data-settled", seat.settled ? "settled" : null);
    this.cards.forEach((card, i) => card.update(seat.cards[i]));
    mark(this.node, "data-cards", seat.cards.length && !gone ? "dealt" : null);
    say(this.player, seat.player && seat.player !== String(seat.seat) ? `=${seat.player}` : "");
    say(this.state, gone ? texts[gone] : seat.settled ? texts.settled : "");
    for (const [wager, circle] of this.circles) {
      const here = aim?.seat === seat.seat && aim?.wager === wager;
      circle.update(seat.circles[wager], here, wrong.has(`${seat.seat}/${wager}`));
    }
  }
}

export class Picture {
  /** `onSeat`, `onCross`: what a tap does; without them the picture is only looked at. */
  constructor(onSeat = null, onCross = null) {
    this.seats = [1, 2, 3, 4, 5, 6].map((seat) => new Seat(seat, onSeat));
    this.labels = h("div", { class: "labels", "aria-hidden": "true" }, ...rowLabels());
    const each = ROWS.flatMap(([, pair]) => pair).filter(Boolean).map((w) => h("span", { class: "label", "data-row": w }, SHORT[w] ?? texts.wagers[w]));
    const upright = h("div", { class: "labels upright", "aria-hidden": "true" }, h("span"), ...each);
    this.row = h("section", { class: "seats", "aria-label": texts.table }, this.labels, upright, ...this.seats.map((s) => s.node));
    this.cross = Object.fromEntries(CROSS.map((place) => [place, new Card()]));
    this.bonus = [0, 1, 2, 3].map(() => new Card());
    const places = CROSS.map((place) => h("span", { class: "place", "data-place": place }, this.cross[place].node));
    this.bonusRow = h("span", { class: "bonus", hidden: true }, ...this.bonus.map((card) => card.node));
    this.middle = h(onCross ? "button" : "div", { class: "cross", type: onCross ? "button" : null },
      h("span", { class: "hidden-text" }, texts.places.cross), ...places, this.bonusRow);
    if (onCross) this.middle.addEventListener("click", () => onCross());
  }

  update(view) {
    const aim = view.prompt;
    const six = view.seats.some((seat) => "six_card_bonus" in seat.circles);
    mark(this.row, "data-six", six ? "six" : null);
    const alerts = (view.alerts ?? []).filter((alert) => alert.grade === "alert");
    const wrong = new Set(alerts.map((alert) => `${alert.seat}/${alert.wager}`));
    view.seats.forEach((seat, i) => this.seats[i].update(seat, aim, wrong));
    for (const place of CROSS) {
      this.cross[place].update(view.cross[place]);
      mark(this.cross[place].node.parentNode, "data-now", aim?.places?.includes(place) ? "now" : null);
    }
    mark(this.bonusRow, "hidden", view.bonus_cards ? null : "");
    this.bonus.forEach((card, i) => card.update(view.bonus_cards?.[i]));
  }
}

function rowLabels() {
  const label = (kind, ...words) => h("span", { class: "label", "data-row": kind }, ...words.map((w) => h("span", {}, w)));
  return [
    label("head", texts.seat), label("across", texts.row_across), label("down", texts.row_down),
    label("middle", texts.row_bonus, texts.row_middle), label("six", texts.row_six),
  ];
}

/** A round record in the form of a view, so that the recall is drawn by the same hand. */
export function fromRecord(record) {
  const card = (face) => ({ lies: face ? "up" : "none", face: face ?? null });
  const results = { win: "pay", push: "push", lose: "take", forfeit: "take", returned: "return" };
  const circle = (wager) => ({
    amount: wager.amount, reading: "ok", wager: wager.amount, lamp: results[wager.result] ?? "off", past: true,
  });
  const seats = [1, 2, 3, 4, 5, 6].map((number) => {
    const seat = record.seats.find((s) => s.seat === number);
    const circles = Object.fromEntries(Object.entries(seat?.wagers ?? {}).map(([name, w]) => [name, circle(w)]));
    return {
      seat: number, player: seat?.player ?? String(number), in_round: Boolean(seat), folded_at: seat?.folded_at ?? null,
      forfeited: Boolean(seat?.forfeited), settled: false, cards: (seat?.cards ?? []).map(card), circles,
    };
  });
  const cross = Object.fromEntries(CROSS.map((place) => [place, card(record.cross[place])]));
  return { prompt: null, seats, cross, bonus_cards: record.bonus_cards?.map(card) ?? null };
}

