// Directions of a floorperson while nothing is held. Only those that the view allows now are offered.

import { openCorrection } from "./correct.js";
import { button, enable, h, mark, seatName, texts } from "./dom.js";
import { openRelief, openSignOn } from "./entries.js";
import { choices } from "./panel.js";

export class Directs {
  /**
   * @param {import("./panel.js").Panels} panels
   * @param {import("./sign.js").Sign} sign
   * @param {() => Data.View} view
   */
  constructor(panels, sign, view) {
    this.panels = panels;
    this.sign = sign;
    this.view = view;
    /** @type {Record<string, {label: string, open: (view: Data.View) => void}>} */
    this.acts = {
      forfeit: { label: texts.forfeit_seat, open: (read) => this.#forfeit(read) },
      restore: { label: texts.restore_seat, open: (read) => this.#restore(read) },
      stop: { label: texts.stop_round, open: (read) => this.#stop(read) },
      recut: { label: texts.recut, open: ({ about }) => this.sign.ask(texts.recut, { decision: "recut", about: about.deck }) },
      shuffle: { label: texts.shuffle, open: ({ about }) => this.sign.ask(texts.shuffle, { decision: "shuffle", about: about.deck }) },
      correct: { label: texts.correct_round, open: (read) => this.#correct(read) },
      player: { label: texts.one_player, open: (read) => this.#player(read) },
      method: { label: texts.method, open: (read) => this.#method(read) },
      close: { label: texts.close_table, open: ({ about }) => this.sign.ask(texts.close_table, { decision: "close", about: about.round }) },
    };
  }

  /** Open the menu. The choice refers to the table as it was at that moment. */
  open() {
    const view = this.view();
    const { floor, dealer } = view;
    const options = floor.acts.filter((act) => act in this.acts).map((act) => ({ label: this.acts[act].label, value: act }));
    options.push({ label: dealer ? `${texts.relieve} ${dealer}` : texts.sign_on, value: "dealer" });
    this.panels.open(texts.other, choices(options, (act) => (act === "dealer" ? this.#dealer(view) : this.acts[act].open(view)), 3));
  }

  /** @param {Data.View} view */
  #dealer({ dealer, about }) {
    if (dealer) openRelief(this.panels, dealer, about.dealer);
    else openSignOn(this.panels, { about: about.dealer });
  }

  /** @param {Data.View} view */
  #correct({ corrections }) {
    openCorrection(this.panels, corrections, (label, touch) => this.sign.ask(label, touch));
  }

  /** Forfeit a seat, for one of the reasons that the rules allow. @param {Data.View} view */
  #forfeit(view) {
    const seats = view.floor.seats.map((seat) => ({ label: seatName(seat), value: seat }));
    this.panels.open(texts.choose_seat, choices(seats, (seat) => this.#forfeitFor(view, seat), 3), { subject: { about: view.about.forfeit } });
  }

  /**
   * @param {Data.View} view
   * @param {number} seat
   */
  #forfeitFor({ forfeits, floor, about: { forfeit: about } }, seat) {
    const label = `${texts.forfeit_seat}: ${seatName(seat)}`;
    const options = forfeits.map((code) => ({ label: texts.reports[code], value: code }));
    this.panels.open(label, choices(options, (code) => {
      const named = `${label} · ${texts.reports[code]}`;
      const touch = { decision: "forfeit", seat, code, about };
      if (floor.both.some((each) => each.seat === seat && each.code === code)) this.#settled(named, touch);
      else this.sign.ask(named, touch);
    }, 3), { subject: { about } });
  }

  /**
   * Choose whether settled wagers are taken too.
   * @param {string} label
   * @param {{decision: string, seat: number, code: string, about: string}} touch
   */
  #settled(label, touch) {
    const options = ["forfeit", "forfeit_all"].map((outcome) => ({ label: texts.outcomes[outcome], value: outcome }));
    this.panels.open(label, choices(options, (outcome) => this.sign.ask(
      `${label} · ${texts.outcomes[outcome]}`, { ...touch, outcome }), 2), { subject: { about: touch.about } });
  }

  /** @param {Data.View} view */
  #restore({ floor, about: { folds: about } }) {
    const seats = floor.folded.map((seat) => ({ label: seatName(seat), value: seat }));
    this.panels.open(texts.restore_seat, choices(seats, (seat) => this.sign.ask(
      `${texts.restore_seat}: ${seatName(seat)}`, { decision: "restore", seat, about }), 3), { subject: { about } });
  }

  /** End the round while nothing is held. @param {Data.View} view */
  #stop({ floor, about: { round: about } }) {
    const options = floor.stops.map((outcome) => ({ label: texts.outcomes[outcome], value: outcome }));
    this.panels.open(texts.stop_round, choices(options, (outcome) => this.sign.ask(
      texts.outcomes[outcome], { decision: "outcome", outcome, about }), 2), { subject: { about } });
  }

  /** @param {Data.View} view */
  #player({ about: { boxes: about } }) {
    /** @type {Set<number>} */
    const chosen = new Set();
    const go = button(texts.one_player, () => {
      const seats = [...chosen].sort();
      if (seats.length > 0) this.sign.ask(`${texts.one_player}: ${seats.join(", ")}`, { decision: "player", seats, about });
    }, { class: "go", "aria-disabled": "true" });
    const keys = [1, 2, 3, 4, 5, 6].map((seat) => button(seatName(seat), (event) => {
      if (!chosen.delete(seat)) chosen.add(seat);
      mark(event.currentTarget, "aria-pressed", chosen.has(seat) ? "true" : "false");
      enable(go, chosen.size > 0);
    }, { "aria-pressed": "false" }));
    this.panels.open(texts.one_player, h("div", { class: "choices", "data-columns": 3 }, ...keys, go), { subject: { about } });
  }

  /** @param {Data.View} view */
  #method({ floor, about: { method: about } }) {
    const options = floor.methods.map((value) => ({ label: texts.methods[value], value }));
    this.panels.open(texts.method, choices(options, (method) => this.sign.ask(
      `${texts.method}: ${texts.methods[method]}`, { decision: "method", method, about }), 3), { subject: { about } });
  }
}
