// What a floorperson may direct though nothing is held. The view says what can be done now; nothing else is offered.

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
    /** @type {Record<string, {label: string, open: () => void}>} */
    this.acts = {
      forfeit: { label: texts.forfeit_seat, open: () => this.#forfeit() },
      restore: { label: texts.restore_seat, open: () => this.#restore() },
      stop: { label: texts.stop_round, open: () => this.#stop() },
      recut: { label: texts.recut, open: () => this.sign.ask(texts.recut, { decision: "recut" }) },
      shuffle: { label: texts.shuffle, open: () => this.sign.ask(texts.shuffle, { decision: "shuffle" }) },
      correct: { label: texts.correct_round, open: () => this.#correct() },
      player: { label: texts.one_player, open: () => this.#player() },
      method: { label: texts.method, open: () => this.#method() },
      close: { label: texts.close_table, open: () => this.sign.ask(texts.close_table, { decision: "close" }) },
    };
  }

  open() {
    const { floor, dealer } = this.view();
    const options = floor.acts.filter((act) => act in this.acts).map((act) => ({ label: this.acts[act].label, value: act }));
    options.push({ label: dealer ? `${texts.relieve} ${dealer}` : texts.sign_on, value: "dealer" });
    this.panels.open(texts.other, choices(options, (act) => (act === "dealer" ? this.#dealer() : this.acts[act].open()), 3));
  }

  #dealer() {
    const { dealer } = this.view();
    if (dealer) openRelief(this.panels, dealer);
    else openSignOn(this.panels);
  }

  #correct() {
    openCorrection(this.panels, this.view().corrections, (label, touch) => this.sign.ask(label, touch));
  }

  /** A seat forfeits for what the rules let it forfeit for. */
  #forfeit() {
    const seats = this.view().floor.seats.map((seat) => ({ label: seatName(seat), value: seat }));
    this.panels.open(texts.choose_seat, choices(seats, (seat) => this.#forfeitFor(seat), 3));
  }

  /** @param {number} seat */
  #forfeitFor(seat) {
    const label = `${texts.forfeit_seat}: ${seatName(seat)}`;
    const options = this.view().forfeits.map((code) => ({ label: texts.reports[code], value: code }));
    this.panels.open(label, choices(options, (code) => this.sign.ask(
      `${label} · ${texts.reports[code]}`, { decision: "forfeit", seat, code }), 3));
  }

  #restore() {
    const seats = this.view().floor.folded.map((seat) => ({ label: seatName(seat), value: seat }));
    this.panels.open(texts.restore_seat, choices(seats, (seat) => this.sign.ask(
      `${texts.restore_seat}: ${seatName(seat)}`, { decision: "restore", seat }), 3));
  }

  /** The round is ended though nothing is held. */
  #stop() {
    const options = this.view().floor.stops.map((outcome) => ({ label: texts.outcomes[outcome], value: outcome }));
    this.panels.open(texts.stop_round, choices(options, (outcome) => this.sign.ask(
      texts.outcomes[outcome], { decision: "outcome", outcome }), 2));
  }

  #player() {
    /** @type {Set<number>} */
    const chosen = new Set();
    const go = button(texts.one_player, () => {
      const seats = [...chosen].sort();
      if (seats.length > 0) this.sign.ask(`${texts.one_player}: ${seats.join(", ")}`, { decision: "player", seats });
    }, { class: "go", "aria-disabled": "true" });
    const keys = [1, 2, 3, 4, 5, 6].map((seat) => button(seatName(seat), (event) => {
      if (!chosen.delete(seat)) chosen.add(seat);
      mark(event.currentTarget, "aria-pressed", chosen.has(seat) ? "true" : "false");
      enable(go, chosen.size > 0);
    }, { "aria-pressed": "false" }));
    this.panels.open(texts.one_player, h("div", { class: "choices", "data-columns": 3 }, ...keys, go));
  }

  #method() {
    const options = this.view().floor.methods.map((value) => ({ label: texts.methods[value], value }));
    this.panels.open(texts.method, choices(options, (method) => this.sign.ask(
      `${texts.method}: ${texts.methods[method]}`, { decision: "method", method }), 3));
  }
}
