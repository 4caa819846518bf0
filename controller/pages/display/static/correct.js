// Correction of a mispay found after its round was closed. The steps: the round (the newest first), the circle (those
// in question first), who gets how much, and the reason. It changes nothing in the round: the signed correction is
// recorded beside it.

import { address } from "./rounds_request.js";
import { rankText } from "./cards.js";
import { button, h, money, seatName, texts } from "./dom.js";
import { amountEntry } from "./entries.js";
import { choices } from "./panel.js";
import { lastRounds, named } from "./recall.js";

/** @typedef {Data.RoundRecord["seats"][number]} Box */
/** Request the reason and the badge. @typedef {(label: string, touch: Omit<Data.Touch, "do"> & {do?: string}) => void} Sign */

const MAX_IN_QUESTION = 3;
const MAX_LIKELY = 3;
const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** The turned cards as one line of text. @param {(string | null)[]} faces */
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

/** Time, outcome and turned cross of a round. @param {Data.RoundRecord} round */
const roundText = (round) => [named(round), cards(Object.values(round.cross))].filter(Boolean).join(" · ");

/**
 * The sum of all corrections already signed at a circle.
 * @param {Data.RoundRecord} round
 * @param {Box} box
 * @param {string} wager
 */
function signed({ corrections = [] }, { seat }, wager) {
  const here = corrections.filter((each) => each.seat === seat && each.wager === wager);
  const cents = here.reduce((sum, each) => sum + each.cents, 0);
  return cents ? `${texts.signed_before}: ${direction(cents)} ${money(Math.abs(cents))}` : "";
}

/** @param {Data.RoundRecord} round @param {Box} box @param {string} wager */
function wagerText(round, box, wager) {
  const laid = box.wagers[wager];
  return [texts.wagers[wager], money(laid.amount), became(laid), signed(round, box, wager)].filter(Boolean).join(" · ");
}

/**
 * The options of a step, with links to the complete round and to another one.
 * @param {number} number
 * @param {HTMLElement} options
 * @param {HTMLElement | null} other the way to another round
 */
function beside(number, options, other = null) {
  const href = address(`/rounds/${number}`);
  const whole = h("a", { class: "button", href }, texts.whole_round.replace("{number}", `${number}`));
  return h("div", { class: "linked" }, options, h("div", { class: "ways" }, whole, other));
}

/** Circles where a mispay is likely: those named by an irregularity or by an unsigned amount. @param {Data.RoundRecord} round */
function inQuestion({ seats, irregularities = [], unsigned = [] }) {
  const named_ = new Set([...irregularities, ...unsigned].map(({ seat, wager }) => `${seat} ${wager}`));
  return seats.flatMap((box) => Object.keys(box.wagers).filter((wager) => named_.has(`${box.seat} ${wager}`))
    .map((wager) => ({ box, wager }))).slice(0, MAX_IN_QUESTION);
}

/** The amount due or staked first, then the smallest chips. @param {Box["wagers"][string]} laid @param {number[]} quick */
const likely = ({ amount, payout }, quick) => [...new Set([payout || amount, ...quick])].filter((cents) => cents > 0).slice(0, MAX_LIKELY);

class Correction {
  /**
   * @param {import("./panel.js").Panels} panels
   * @param {Data.RoundRecord[]} rounds closed ones, the newest first
   * @param {number[]} quick amounts that are likely
   * @param {Sign} sign
   */
  constructor(panels, rounds, quick, sign) {
    this.panels = panels;
    this.rounds = rounds;
    this.quick = quick;
    this.sign = sign;
  }

  /** List the rounds, each with its time, outcome and turned cross. */
  list() {
    const options = this.rounds.map((round) => ({ label: roundText(round), value: round }));
    this.panels.open(texts.correct_round, choices(options, (round) => this.round(round), 3));
  }

  /** List the circles in question with their results, then each seat with its cards and sums. @param {Data.RoundRecord} round */
  round(round) {
    const questioned = inQuestion(round).map(({ box, wager }) => ({
      label: [seatName(box.seat), wagerText(round, box, wager)].join(" · "), open: () => this.amount(round, box, wager),
    }));
    const seats = round.seats.map((box) => ({
      label: [seatName(box.seat), cards(box.cards), sums(box)].filter(Boolean).join(" · "), open: () => this.wager(round, box),
    }));
    this.panels.open(roundText(round), beside(round.round, keys([...questioned, ...seats], 3),
      this.rounds.length > 1 ? button(texts.other_round, () => this.list()) : null));
  }

  /**
   * List the wagers of a seat, each with its result.
   * @param {Data.RoundRecord} round
   * @param {Box} box
   */
  wager(round, box) {
    const options = Object.keys(box.wagers).map((wager) => ({ label: wagerText(round, box, wager), value: wager }));
    const title = `${texts.round} ${round.round} · ${seatName(box.seat)}`;
    this.panels.open(title, beside(round.round, choices(options, (wager) => this.amount(round, box, wager), 3)));
  }

  /**
   * Ask who gets how much: the likely amounts in both directions, any other on a pad.
   * @param {Data.RoundRecord} round
   * @param {Box} box
   * @param {string} wager
   */
  amount(round, box, wager) {
    const laid = box.wagers[wager];
    const label = [`${texts.round} ${round.round}`, seatName(box.seat), texts.wagers[wager], became(laid), signed(round, box, wager)]
      .filter(Boolean).join(" · ");
    /** @param {number} cents above 0 to the player, below to the house */
    const correct = (cents) => this.sign(`${label} · ${direction(cents)} ${money(Math.abs(cents))}`,
      { do: "correct", round: round.round, seat: box.seat, wager, about: round.about, cents });
    const options = [1, -1].flatMap((way) => [
      ...likely(laid, this.quick).map((cents) => ({ label: `${direction(way)} ${money(cents)}`, open: () => correct(way * cents) })),
      { label: `${direction(way)}: ${texts.other_sum}`, open: () => this.panels.open(
        `${label} · ${direction(way)}`, amountEntry(this.quick, (cents) => correct(way * cents))) },
    ]);
    this.panels.open(label, beside(round.round, keys(options, 4)));
  }
}

/** @param {{label: string, open: () => void}[]} options @param {number} columns */
const keys = (options, columns) => choices(options.map(({ label }, i) => ({ label, value: i })), (i) => options[i].open(), columns);

/** @param {number} way above 0 to the player, below to the house */
const direction = (way) => (way > 0 ? texts.player_gets : texts.player_gives);

/**
 * @param {import("./panel.js").Panels} panels
 * @param {number[]} quick
 * @param {Sign} sign
 */
export async function openCorrection(panels, quick, sign) {
  const rounds = await lastRounds(panels, texts.correct_round);
  if (!rounds) return;
  const closed = rounds.filter((round) => round.outcome !== "in_progress");
  if (closed.length) new Correction(panels, closed, quick, sign).round(closed[0]);
  else panels.open(texts.correct_round, h("p", { class: "empty" }, texts.recall_empty));
}
