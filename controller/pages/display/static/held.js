// The hold: what happened and where, both readings of a card side by side, the rule, and the keys, each with its
// effect on cards and money.

import { Card } from "./cards.js";
import { button, h, placeName, texts } from "./dom.js";
import { icon } from "./icons.js";

export class Held {
  /**
   * @param {HTMLElement} saw what the devices saw
   * @param {import("./sign.js").Sign} sign
   */
  constructor(saw, sign) {
    this.saw = saw;
    this.sign = sign;
    this.node = h("section", { class: "tab held-tab", "aria-label": texts.held_now });
    this.shown = "";
  }

  /** Rebuild only if the content has changed, so that no key moves under a finger. @param {Data.View} view */
  update({ hold, words: { hold: said } }) {
    const shown = JSON.stringify([hold, said]);
    if (shown === this.shown) return;
    this.shown = shown;
    if (!hold || !said) {
      this.node.replaceChildren(h("p", { class: "quiet" }, texts.not_held), this.saw);
      return;
    }
    const where = [said.where, texts.phases[hold.phase], ...said.then].filter(Boolean).join(" · ");
    const what = h("header", { class: "held-what" }, icon("hold"), h("h2", { class: "what" }, said.what), readings(hold),
      h("p", { class: "where" }, where), h("p", { class: "cite" }, `${said.says} ${said.citation}`));
    this.node.replaceChildren(what, this.saw, this.#keys(hold, said.keys));
  }

  /**
   * @param {NonNullable<Data.View["hold"]>} hold
   * @param {string[]} labels
   */
  #keys({ decisions, about }, labels) {
    const keys = decisions.map(({ decision, outcome }, i) => button(labels[i], () => this.sign.ask(
      labels[i], { decision, outcome, about }), { class: decision === "approve" ? "proposed" : null }));
    return h("nav", { class: "decide", "aria-label": texts.permits }, ...keys);
  }
}

/** @param {NonNullable<Data.View["hold"]>} hold */
function readings(hold) {
  if (!hold.readings.length) return null;
  return h("div", { class: "readings" }, ...hold.readings.map(({ place, read, said }) => h("p", { class: "reading" },
    h("span", { class: "at" }, placeName(place)), h("span", {}, texts.was_read), drawn(read), h("span", {}, texts.was_said), drawn(said))));
}

/** @param {Data.Card} card */
function drawn(card) {
  const picture = new Card();
  picture.update(card);
  return picture.node;
}
