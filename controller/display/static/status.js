// Where the table stands, for somebody who has just come: table, round, dealer, phase; what the dealer is told, what
// is wrong; and whether the floor was called. A call stands until it is answered here, or something is decided.

import { button, enable, h, mark, say, texts } from "./dom.js";

export class Status {
  /** @param {() => void} onAnswer */
  constructor(onAnswer) {
    this.table = h("p", { class: "table" });
    this.told = h("p", { class: "told" });
    this.wrong = h("p", { class: "wrong" });
    this.key = button(texts.no_call, onAnswer, { class: "answer" });
    this.node = h("section", { class: "status", "aria-label": texts.now }, h("div", {}, this.table, this.told, this.wrong), this.key);
  }

  /** @param {Data.View} view */
  update({ table, round, dealer, floor_called: called, hold, words }) {
    const who = dealer ? `${texts.dealer} ${dealer}` : texts.no_dealer;
    const parts = [`${texts.table} ${table}`, `${texts.round} ${round}`, who, words.phase, called ? texts.floor_called : ""];
    say(this.table, parts.filter(Boolean).join(" · "));
    const { where, do: act, more } = words.front;
    say(this.told, `${texts.told}: ${[where, act, hold ? null : more].filter(Boolean).join(" · ")}`);
    const [alert, ...rest] = hold ? [] : words.alerts;
    say(this.wrong, alert ? `${texts.alert}: ${alert.text}${rest.length ? ` +${rest.length}` : ""}` : "");
    say(this.key, called ? texts.answer : texts.no_call);
    enable(this.key, called);
    mark(this.node, "data-called", called ? "called" : null);
  }
}
