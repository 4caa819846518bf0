// A mispay of a closed round, found later: which round, which wager, who gets what, and why. Nothing of the
// round is altered; the correction is signed beside it.

import { h, money, seatName, texts } from "./dom.js";
import { amountEntry } from "./entries.js";
import { choices } from "./panel.js";

/** @typedef {Data.RoundRecord["seats"][number]} Box */
/** Asks for the reason and the badge. @typedef {(label: string, touch: Omit<Data.Touch, "do"> & {do?: string}) => void} Sign */

class Correction {
  /**
   * @param {import("./panel.js").Panels} panels
   * @param {number[]} quick amounts that are likely
   * @param {Sign} sign
   */
  constructor(panels, quick, sign) {
    this.panels = panels;
    this.quick = quick;
    this.sign = sign;
  }

  /** @param {Data.RoundRecord[]} rounds */
  round(rounds) {
    const options = rounds.map((round) => ({ label: `${texts.round} ${round.round}`, value: round }));
    this.panels.open(texts.correct_round, choices(options, (round) => this.seat(round), 5));
  }

  /** @param {Data.RoundRecord} round */
  seat(round) {
    const options = round.seats.map((box) => ({ label: seatName(box.seat), value: box }));
    this.panels.open(`${texts.round} ${round.round}`, choices(options, (box) => this.wager(round, box), 3));
  }

  /**
   * @param {Data.RoundRecord} round
   * @param {Box} box
   */
  wager(round, box) {
    const options = Object.entries(box.wagers).map(([name, laid]) => ({
      label: `${texts.wagers[name]} · ${money(laid.amount)}`, value: name,
    }));
    const title = `${texts.round} ${round.round} · ${seatName(box.seat)}`;
    this.panels.open(title, choices(options, (wager) => this.direction(
      `${title} · ${texts.wagers[wager]}`, { round: round.round, seat: box.seat, wager }), 3));
  }

  /**
   * @param {string} label
   * @param {{round: number, seat: number, wager: string}} where
   */
  direction(label, where) {
    const options = [{ label: texts.player_gets, value: 1 }, { label: texts.player_gives, value: -1 }];
    this.panels.open(label, choices(options, (way) => this.amount(label, where, way), 2));
  }

  /**
   * @param {string} label
   * @param {{round: number, seat: number, wager: string}} where
   * @param {number} way 1 to the player, -1 to the house
   */
  amount(label, where, way) {
    const said = way > 0 ? texts.player_gets : texts.player_gives;
    this.panels.open(`${label} · ${said}`, amountEntry(this.quick, (cents) => this.sign(
      `${label} · ${said} ${money(cents)}`, { do: "correct", ...where, cents: way * cents })));
  }
}

/**
 * @param {import("./panel.js").Panels} panels
 * @param {number[]} quick
 * @param {Sign} sign
 */
export async function openCorrection(panels, quick, sign) {
  const answer = await fetch("/api/rounds/last").catch(() => null);
  /** @type {Data.RoundRecord[]} */
  const rounds = answer?.ok ? await answer.json() : [];
  const closed = rounds.filter((round) => round.outcome !== "in_progress");
  if (closed.length) new Correction(panels, quick, sign).round(closed);
  else panels.open(texts.correct_round, h("p", { class: "empty" }, texts.recall_empty));
}
