// The last ten rounds: turned faces only, and marked RECALL on every side, because no prompt here is to be carried
// out. The picture is in the view; the text of an ended round comes from the round reader.

import { requestRounds } from "./rounds_request.js";
import { rankText, suitName } from "./cards.js";
import { button, enable, h, mark, money, say, seatName, texts } from "./dom.js";
import { choices } from "./panel.js";
import { Picture } from "./picture.js";

/** @type {Record<string, string>} */
const OUTCOMES = { in_progress: texts.recall_progress, void: texts.void };

/**
 * Load the last rounds, newest first, into a panel with this title that shows the waiting. Returns null if the table
 * refuses, or if the panel is no longer open when the answer comes: a late answer replaces no other panel.
 * @param {import("./panel.js").Panels} panels
 * @param {string} title
 * @returns {Promise<Data.RoundRecord[] | null>}
 */
export async function lastRounds(panels, title) {
  const body = h("div");
  panels.open(title, body);
  const rounds = await requestRounds("/api/rounds/last", body);
  return body.isConnected ? rounds : null;
}

/** The round's number, its beginning and its end. @param {Data.RoundRecord} round */
export function named(round) {
  const parts = [`${texts.round} ${round.round}`, round.clock, OUTCOMES[round.outcome] ?? texts.settled_round];
  return parts.filter(Boolean).join(" · ");
}

/** @param {import("./panel.js").Panels} panels */
export async function openRecall(panels) {
  const rounds = await lastRounds(panels, texts.recall);
  if (!rounds) return;
  if (rounds.length) new Recall(panels, rounds).show(0);
  else panels.open(texts.recall, h("p", { class: "empty" }, texts.recall_empty));
}

class Recall {
  /**
   * @param {import("./panel.js").Panels} panels
   * @param {Data.RoundRecord[]} rounds
   */
  constructor(panels, rounds) {
    this.panels = panels;
    this.rounds = rounds;
    this.at = 0;
    this.picture = new Picture({ past: true });
    this.title = h("span", { class: "title" });
    this.lines = h("span", { class: "lines" });
    this.whole = h("div", { class: "whole", tabindex: "0", role: "region", "aria-label": texts.recall_whole, hidden: true });
    this.older = button(texts.recall_older, () => this.show(this.at + 1), { "data-first": "" });
    this.newer = button(texts.recall_newer, () => this.show(this.at - 1));
    const list = button(texts.recall_list, () => this.#list(), { class: "list-key" });
    this.key = button(texts.recall_whole, () => this.#turn(), { class: "whole-key", "aria-pressed": "false" });
    this.node = h("div", { class: "recall" }, this.picture.row, this.whole, h("div", { class: "lower" },
      h("div", { class: "steps" }, this.older, this.newer, list, this.key), this.picture.middle,
      h("div", { class: "standing" }, this.title, this.lines)));
    this.picture.row.setAttribute("aria-label", texts.recall);
  }

  /** @param {number} at how many rounds ago */
  show(at) {
    this.at = Math.min(Math.max(at, 0), this.rounds.length - 1);
    const round = this.rounds[this.at];
    this.picture.update({ prompt: null, ...round.picture });
    say(this.title, named(round));
    const wrong = (round.irregularities ?? []).length;
    const going = round.outcome === "in_progress";
    const said = [
      going && !settled(round) ? "" : `${going ? `${texts.so_far}: ` : ""}${texts.paid} ${money(round.picture.paid)} · ${texts.taken} ${money(round.picture.taken)}`,
      wrong ? `${texts.recall_wrong}: ${wrong}` : "",
      ...(round.corrections ?? []).map(({ cents, who }) => `${cents ? corrected(cents) : `${texts.circle_signed} ·`} ${who}`),
    ];
    this.lines.replaceChildren(...said.filter(Boolean).map((line) => h("span", { class: "line" }, line)));
    enable(this.older, this.at < this.rounds.length - 1);
    enable(this.newer, this.at > 0);
    if (!this.node.isConnected) this.panels.open(texts.recall_mark, this.node, { form: "recall" });
    if (!this.whole.hidden) void this.#tell();
  }

  #list() {
    const options = this.rounds.map((round, at) => ({ label: named(round), value: at }));
    this.panels.open(texts.recall_mark, choices(options, (at) => this.show(at), 5), { form: "recall-list" });
  }

  #turn() {
    this.#open(Boolean(this.whole.hidden));
    if (!this.whole.hidden) void this.#tell();
  }

  /** @param {boolean} whole the words instead of the picture */
  #open(whole) {
    this.whole.hidden = !whole;
    this.picture.row.hidden = whole;
    mark(this.node, "data-whole", whole ? "whole" : null);
    this.key.setAttribute("aria-pressed", String(whole));
  }

  async #tell() {
    const { round, outcome } = this.rounds[this.at];
    if (outcome === "in_progress") {
      this.whole.replaceChildren(...soFar(this.rounds[this.at]));
      return;
    }
    const told = await requestRounds(`/api/rounds/${round}?lang=${document.documentElement.lang}`, this.whole);
    if (told && this.rounds[this.at].round === round) {
      this.whole.replaceChildren(...words(told.round));
      this.whole.scrollTop = 0;
    }
  }
}

/** Whether any wager of the round has been settled. @param {Data.RoundRecord} round */
const settled = ({ seats }) => seats.some(({ wagers }) => Object.values(wagers).some(({ result }) => result));

/** The round in progress in short: its wagers, and the result of each settled one. @param {Data.RoundRecord} round */
function* soFar({ seats, picture }) {
  for (const seat of seats) {
    const shown = picture.seats[seat.seat - 1];
    const gone = shown.forfeited ? texts.forfeit : shown.folded_at ? texts.fold : "";
    yield h("h3", {}, [seatName(seat.seat), shown.cards.map(written).join(", "), gone].filter(Boolean).join(" · "));
    for (const [wager, { amount, result, payout }] of Object.entries(seat.wagers)) {
      const done = result ? RESULTS[result](amount, payout) : "";
      yield h("p", {}, [texts.wagers[wager], money(amount), done].filter(Boolean).join(" · "));
    }
  }
}

/** @type {Record<string, (amount: number, payout: number) => string>} */
const RESULTS = {
  win: (_amount, payout) => `${texts.paid} ${money(payout)}`,
  push: () => texts.push,
  lose: (amount) => `${texts.taken} ${money(amount)}`,
  forfeit: (amount) => `${texts.taken} ${money(amount)}`,
};

/** A card in a line of text. @param {Data.Card} card */
function written({ lies, face }) {
  return lies === "up" && face ? `${rankText(face)} ${suitName(face[1])}` : lies === "down" ? texts.card_down : texts.card_none;
}

/** The round in short, as text. @param {Data.ToldRound} told */
function* words(told) {
  yield h("p", {}, [...told.head.map(({ label, text }) => `${label} ${text}`), told.zone].join(" · "));
  for (const line of told.read_as) yield h("p", { class: "wrong" }, line);
  for (const each of told.troubles) {
    const due = [each.lies && `${texts.lies} ${each.lies}`, each.should && `${texts.should} ${each.should}`].filter(Boolean).join(" / ");
    yield h("p", { class: "wrong" }, [each.since, each.where, each.text, due, each.end, each.stood, each.who].filter(Boolean).join(" · "));
  }
  for (const each of told.corrections) {
    yield h("p", { class: "wrong" }, [texts.correction, each.where, each.text, each.who].filter(Boolean).join(" · "));
  }
  for (const seat of told.seats) {
    yield h("h3", {}, [seat.name, seat.cards.map(written).join(", "), seat.state].filter(Boolean).join(" · "));
    for (const wager of seat.wagers) {
      yield h("p", {}, [wager.name, wager.amount, wager.result, wager.payout, wager.odds, wager.hand, wager.note].filter(Boolean).join(" · "));
    }
  }
}

/** @param {number} cents that a correction moved */
function corrected(cents) {
  return `${texts.correction} ${cents < 0 ? "−" : "+"}${money(Math.abs(cents))}`;
}
