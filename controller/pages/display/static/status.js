// The state of the table for a person who has just come: table, round, dealer, phase; the dealer's prompt, the faults,
// and the call for the floor. A call stays until it is answered here or a decision is made.

import { Ticking, coming } from "./coming.js";
import { button, enable, h, mark, say, texts } from "./dom.js";

export class Status {
  /** @param {() => void} onAnswer @param {() => void} onWay "on my way" */
  constructor(onAnswer, onWay) {
    this.table = h("p", { class: "table" });
    this.told = h("p", { class: "told" });
    this.wrong = h("p", { class: "wrong" });
    this.key = button(texts.no_call, onAnswer, { class: "answer" });
    this.way = button(texts.on_my_way, onWay, { class: "way" });
    this.ticking = new Ticking(this.table);
    this.node = h("section", { class: "status", "aria-label": texts.now }, h("div", {}, this.table, this.told, this.wrong), this.way, this.key);
  }

  /** @param {Data.View} view */
  update({ table, round, dealer, floor_called: called, wanted, on_the_way: way, hold, words }) {
    const who = dealer ? `${texts.dealer} ${dealer}` : texts.no_dealer;
    const parts = [`${texts.table} ${table}`, `${texts.round} ${round}`, who, words.phase, called ? texts.floor_called : ""];
    this.ticking.show(() => (way ? [coming(way), ...parts.slice(0, 2)] : parts).filter(Boolean).join(" · "));
    const { where, do: act, more } = words.front;
    const [alert, ...rest] = hold ? [] : words.alerts;
    say(this.told, `${texts.told}: ${[where, act, hold || alert ? null : more].filter(Boolean).join(" · ")}`);
    say(this.wrong, alert ? `${texts.alert}: ${alert.text}${rest.length ? ` (+${rest.length})` : ""}` : "");
    say(this.key, called ? texts.answer : texts.no_call);
    enable(this.key, called);
    enable(this.way, wanted !== null);
    mark(this.node, "data-called", called ? "called" : null);
  }
}
