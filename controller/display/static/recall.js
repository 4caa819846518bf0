// The last ten rounds, as they were: turned faces only, and marked as RECALL wherever one looks,
// since nothing here is to be acted on.

import { button, enable, h, money, say, seatName, texts } from "./dom.js";
import { Picture, fromRecord } from "./picture.js";

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
  constructor(rounds) {
    this.rounds = rounds;
    this.at = 0;
    this.picture = new Picture();
    this.title = h("span", { class: "title" });
    this.lines = [0, 1, 2].map(() => h("span", { class: "line" }));
    this.older = button(texts.recall_older, () => this.#go(1), { "data-first": "" });
    this.newer = button(texts.recall_newer, () => this.#go(-1));
    this.node = h("div", { class: "recall" }, this.picture.row, h("div", { class: "lower" },
      h("div", { class: "steps" }, this.older, this.newer), this.picture.middle,
      h("div", { class: "standing" }, this.title, ...this.lines)));
    this.#go(0);
  }

  #go(by) {
    this.at = Math.min(Math.max(this.at + by, 0), this.rounds.length - 1);
    const round = this.rounds[this.at];
    this.picture.update(fromRecord(round));
    say(this.title, `${texts.round} ${round.round} · ${outcome(round)}`);
    const sum = (key) => money(round.seats.reduce((total, seat) => total + (seat[key] ?? 0), 0));
    say(this.lines[0], `${texts.paid} ${sum("paid")} · ${texts.taken} ${sum("taken")}`);
    say(this.lines[1], (round.irregularities ?? []).map((i) => texts.codes[i.code] ?? i.code).join(" · "));
    say(this.lines[2], (round.corrections ?? []).map(correction).join(" · "));
    enable(this.older, this.at < this.rounds.length - 1);
    enable(this.newer, this.at > 0);
  }
}

/** What was signed of the round: where, what the player has beyond the record, and by whom. */
function correction({ seat, wager, cents, who }) {
  const sign = cents < 0 ? "−" : "+";
  return `${texts.correction} ${seatName(seat)} ${texts.wagers[wager]} ${sign}${money(Math.abs(cents))} ${who}`;
}

function outcome(round) {
  if (round.outcome === "in_progress") return texts.recall_progress;
  return round.outcome === "void" ? texts.void : texts.settled_round;
}
