// The last ten rounds, as they were: turned faces only, and marked as RECALL wherever one looks,
// since nothing here is to be acted on.

import { button, enable, h, money, say, seatName, texts } from "./dom.js";
import { Picture } from "./picture.js";

/** @param {import("./panel.js").Panels} panels */
export async function openRecall(panels) {
  const answer = await fetch("/api/rounds/last").catch(() => null);
  const rounds = answer?.ok ? await answer.json() : [];
  if (!rounds.length) {
    panels.open(texts.recall, h("p", { class: "empty" }, texts.recall_empty));
    return;
  }
  const shown = new Recall(rounds);
  panels.open(texts.recall_mark, shown.node, { form: "recall" });
}

class Recall {
  /** @param {Data.RoundRecord[]} rounds */
  constructor(rounds) {
    this.rounds = rounds;
    this.at = 0;
    this.picture = new Picture({ past: true });
    this.title = h("span", { class: "title" });
    this.sums = h("span", { class: "line" });
    this.wrong = h("span", { class: "line" });
    this.corrections = h("span", { class: "line" });
    this.older = button(texts.recall_older, () => this.#go(1), { "data-first": "" });
    this.newer = button(texts.recall_newer, () => this.#go(-1));
    this.node = h("div", { class: "recall" }, this.picture.row, h("div", { class: "lower" },
      h("div", { class: "steps" }, this.older, this.newer), this.picture.middle,
      h("div", { class: "standing" }, this.title, this.sums, this.wrong, this.corrections)));
    this.#go(0);
  }

  /** @param {number} by */
  #go(by) {
    this.at = Math.min(Math.max(this.at + by, 0), this.rounds.length - 1);
    const round = this.rounds[this.at];
    this.picture.update({ prompt: null, ...round.picture });
    say(this.title, `${texts.round} ${round.round} · ${OUTCOMES[round.outcome] ?? texts.settled_round}`);
    const { paid, taken } = round.picture;
    say(this.sums, `${texts.paid} ${money(paid)} · ${texts.taken} ${money(taken)}`);
    say(this.wrong, (round.irregularities ?? []).map((i) => texts.codes[i.code] ?? i.code).join(" · "));
    say(this.corrections, (round.corrections ?? []).map(correction).join(" · "));
    enable(this.older, this.at < this.rounds.length - 1);
    enable(this.newer, this.at > 0);
  }
}

/** What was signed of the round: where, what the player has beyond the record, and by whom. @param {Data.Correction} signed */
function correction({ seat, wager, cents, who }) {
  const sign = cents < 0 ? "−" : "+";
  return `${texts.correction} ${seatName(seat)} ${texts.wagers[wager]} ${sign}${money(Math.abs(cents))} ${who}`;
}

/** @type {Record<string, string>} */
const OUTCOMES = { in_progress: texts.recall_progress, void: texts.void };
