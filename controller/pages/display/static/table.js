// The table for a screen on the wall or a spectator: cards, hands, bets and results. Only the Help key can be pressed,
// and nothing is sent. Seats are placed as on the other pages: seat 1 at the dealer's left.

import { Card } from "./cards.js";
import { h, mark, money, say, texts } from "./dom.js";
import "./font.js";
import { Help } from "./help.js";
import { show } from "./icons.js";
import { showLive } from "./lost.js";

const words = /** @type {Data.WallTexts} */ (/** @type {unknown} */ (texts));
const CROSS = ["down_far", "across_left", "middle", "across_right", "down_near"];
/** Lines of a seat: hand, name, circles. @type {[string, string, string[]][]} */
const LINES = [
  ["across", words.row_across, ["ante_across", "across"]],
  ["down", words.row_down, ["ante_down", "down"]],
  ["middle", words.row_middle, ["middle"]],
  ...Object.entries(words.bonuses).map(([bonus, name]) => /** @type {[string, string, string[]]} */ ([bonus, name, [bonus]])),
];
const RESULTS = { win: ["pay", words.win], push: ["push", words.push], lose: ["take", words.lose] };

class Wager {
  constructor() {
    this.amount = h("span", { class: "amount" });
    this.shape = h("span", { class: "shape" });
    this.result = h("span", { class: "said" });
    this.node = h("span", { class: "wager" }, this.amount, h("span", { class: "result" }, this.shape, this.result));
  }

  /** @param {Data.SpectatorCircle | undefined} laid */
  update(laid) {
    const result = laid?.result ? RESULTS[laid.result] : null;
    mark(this.node, "data-result", laid?.result);
    const lies = laid?.amount ? money(laid.amount) : laid?.amount === null ? words.no_reading : "";
    say(this.amount, lies);
    mark(this.amount, "data-long", lies.length > 6 ? "long" : null);
    show(this.shape, result ? result[0] : null);
    say(this.result, result ? result[1] : "");
  }
}

class Line {
  /** @param {(typeof LINES)[number]} line */
  constructor([hand, name, wagers]) {
    this.hand = hand;
    this.wagers = wagers.map((wager) => ({ wager, cell: new Wager() }));
    this.named = h("span", { class: "hand" });
    this.node = h("li", { "data-line": hand, "data-cells": wagers.length }, h("p", { class: "name" }, `${name} `, this.named),
      ...this.wagers.map(({ cell }) => cell.node));
  }

  /**
   * @param {Data.SpectatorBox} box
   * @param {Record<string, string>} hands
   */
  update(box, hands) {
    const laid = this.wagers.map(({ wager }) => box.circles[wager]);
    this.wagers.forEach(({ cell }, i) => cell.update(laid[i]));
    const empty = laid.every((circle) => !circle || (circle.amount === 0 && !circle.result));
    mark(this.node, "data-empty", empty ? "empty" : null);
    say(this.named, empty && !(this.hand in { across: 1, down: 1 }) ? "" : hands[this.hand]);
  }
}

class Seat {
  /** @param {number} number */
  constructor(number) {
    this.cards = [new Card(), new Card()];
    this.lines = LINES.map((line) => new Line(line));
    this.state = h("span", { class: "state" });
    this.node = h("li", { class: "seat", "data-seat": number },
      h("h2", {}, h("span", { class: "hidden-text" }, `${words.seat} `), h("span", { class: "number" }, `${number}`), this.state),
      h("p", { class: "cards" }, ...this.cards.map((card) => card.node)), h("ul", {}, ...this.lines.map((line) => line.node)));
  }

  /**
   * @param {Data.SpectatorBox} box
   * @param {Record<string, string>} hands
   */
  update(box, hands) {
    const lies = Object.values(box.circles).some((circle) => circle.amount !== 0);
    mark(this.node, "data-in", box.in_round || lies ? "in" : "out");
    mark(this.node, "data-out", box.out ? "out" : null);
    mark(this.node, "data-asked", box.asked ? "asked" : null);
    say(this.state, box.out ? words.out : box.asked ? words.asked : box.in_round || lies ? "" : words.open);
    this.cards.forEach((card, i) => card.update(box.cards[i]));
    for (const line of this.lines) {
      line.node.hidden = !line.wagers.some(({ wager }) => wager in box.circles);
      line.update(box, hands);
    }
  }
}

/** A pay table: hands, and the odds to 1 of each column. */
class Pays {
  /** @param {string} name @param {[string, Data.Pay[]][]} columns */
  constructor(name, columns) {
    const [[, lines]] = columns;
    const head = h("tr", {}, h("th", { scope: "col" }, name), ...columns.map(([label]) => h("th", { scope: "col" }, label)));
    const rows = lines.map(({ hand }) => h("tr", {}, h("th", { scope: "row" }, words.hands[hand]),
      ...columns.map(([, pays]) => h("td", {}, odds(pays.find((pay) => pay.hand === hand))))));
    this.node = h("table", { class: "pays" }, h("thead", {}, head), h("tbody", {}, ...rows));
  }
}

/** @param {Data.Pay | undefined} pay */
const odds = (pay) => !pay ? "–" : pay.odds === null ? words.pushes : `${pay.odds}`;

class Wall {
  constructor() {
    this.table = h("span", { class: "table" });
    this.round = h("span", { class: "round" });
    this.phase = h("p", { class: "phase", role: "status" });
    this.cross = CROSS.map((place) => ({ place, card: new Card() }));
    this.bonus = [0, 1, 2, 3].map(() => new Card());
    this.bonusRow = h("p", { class: "bonus", "aria-label": words.bonus_cards, role: "group" }, ...this.bonus.map((card) => card.node));
    this.seats = [1, 2, 3, 4, 5, 6].map((number) => new Seat(number));
    const cross = this.cross.map(({ place, card }) => h("span", { class: "place", "data-place": place }, card.node));
    this.game = h("p", { class: "game" });
    this.header = h("header", {}, h("h1", {}, this.table, this.round), this.game, this.phase);
    this.left = h("div", { class: "tables" });
    this.right = h("div", { class: "tables" });
    this.paid = "";
    new Help().into(this.header);
    this.node = h("main", { class: "wall-page" },
      this.header,
      h("section", { class: "middle", "aria-label": words.cross }, this.left, h("p", { class: "cross" }, ...cross), this.bonusRow, this.right),
      h("ul", { class: "seats", "aria-label": words.seats }, ...this.seats.map((seat) => seat.node)));
  }

  /** @param {Data.Spectator} seen */
  update(seen) {
    say(this.table, seen.table);
    say(this.round, `${words.round} ${seen.round}`);
    const { minimum_ante: least, maximum_ante: most } = seen.limits;
    say(this.game, `${seen.rules_title} · ${words.ante} ${money(least)}–${money(most)}`);
    this.#draw(seen.pays);
    say(this.phase, seen.words.phase);
    mark(this.phase, "data-phase", seen.phase);
    for (const { place, card } of this.cross) card.update(seen.cross[place]);
    this.bonusRow.hidden = !seen.bonus_cards;
    this.bonus.forEach((card, i) => card.update(seen.bonus_cards?.[i]));
    seen.seats.forEach((box, i) => this.seats[i].update(box, seen.words.hands[i]));
  }

  /** Draw the pay tables, which change with the rules only. @param {Data.Pays} pays */
  #draw(pays) {
    const now = JSON.stringify(pays);
    if (now === this.paid) return;
    this.paid = now;
    this.left.replaceChildren(new Pays(words.pays, [[words.bet, pays.bet], [words.ante, pays.ante]]).node);
    this.right.replaceChildren(...Object.entries(pays.side).map(([bonus, lines]) => new Pays(words.bonuses[bonus], [[words.to_one, lines]]).node));
  }
}

showLive(() => new Wall(), "/api/table/live");
