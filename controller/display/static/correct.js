// A mispay of a closed round, found later: which round, which wager, who gets what, and why. Nothing of the
// round is altered; the correction is signed beside it.

import { address } from "./asked.js";
import { rankText } from "./cards.js";
import { h, money, seatName, texts } from "./dom.js";
import { amountEntry } from "./entries.js";
import { choices } from "./panel.js";
import { lastRounds, named } from "./recall.js";

/** @typedef {Data.RoundRecord["seats"][number]} Box */
/** Asks for the reason and the badge. @typedef {(label: string, touch: Omit<Data.Touch, "do"> & {do?: string}) => void} Sign */

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** The cards that were turned, in a line. @param {(string | null)[]} faces */
function cards(faces) {
  return faces.flatMap((face) => (face ? [`${rankText(face)}${SUITS[/** @type {keyof typeof SUITS} */ (face[1])]}`] : [])).join(" ");
}

/** @param {Box} box */
const sums = ({ paid = 0, taken = 0 }) => `${texts.paid} ${money(paid)}, ${texts.taken} ${money(taken)}`;

/** @param {Box["wagers"][string]} laid */
function became(laid) {
  const named_ = texts.results[laid.result ?? ""] ?? "";
  return laid.payout ? `${named_} ${money(laid.payout)}` : named_;
}

/**
 * What is to be chosen of a round, with the way to the whole of it.
 * @param {number} number
 * @param {HTMLElement} options
 */
function beside(number, options) {
  const href = address(`/rounds/${number}`);
  return h("div", { class: "linked" }, options, h("a", { class: "button", href }, texts.whole_round.replace("{number}", `${number}`)));
}

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

  /** Each with its time, its outcome and the cross that lay there. @param {Data.RoundRecord[]} rounds */
  round(rounds) {
    const options = rounds.map((round) => ({ label: [named(round), cards(Object.values(round.cross))].filter(Boolean).join(" · "), value: round }));
    this.panels.open(texts.correct_round, choices(options, (round) => this.seat(round), 3));
  }

  /** Each with its cards, what it was paid and what it lost. @param {Data.RoundRecord} round */
  seat(round) {
    const options = round.seats.map((box) => ({ label: [seatName(box.seat), cards(box.cards), sums(box)].filter(Boolean).join(" · "), value: box }));
    this.panels.open(named(round), beside(round.round, choices(options, (box) => this.wager(round, box), 3)));
  }

  /**
   * Each with its result.
   * @param {Data.RoundRecord} round
   * @param {Box} box
   */
  wager(round, box) {
    const options = Object.entries(box.wagers).map(([name, laid]) => ({
      label: [texts.wagers[name], money(laid.amount), became(laid)].filter(Boolean).join(" · "), value: name,
    }));
    const title = `${texts.round} ${round.round} · ${seatName(box.seat)}`;
    this.panels.open(title, beside(round.round, choices(options, (wager) => this.direction(
      `${title} · ${texts.wagers[wager]} · ${became(box.wagers[wager])}`, { round: round.round, seat: box.seat, wager, about: round.about }), 3)));
  }

  /**
   * @param {string} label
   * @param {{round: number, seat: number, wager: string, about: string}} where
   */
  direction(label, where) {
    const options = [{ label: texts.player_gets, value: 1 }, { label: texts.player_gives, value: -1 }];
    this.panels.open(label, choices(options, (way) => this.amount(label, where, way), 2));
  }

  /**
   * @param {string} label
   * @param {{round: number, seat: number, wager: string, about: string}} where
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
  const rounds = await lastRounds();
  const closed = rounds.filter((round) => round.outcome !== "in_progress");
  if (closed.length) new Correction(panels, quick, sign).round(closed);
  else panels.open(texts.correct_round, h("p", { class: "empty" }, texts.recall_empty));
}
