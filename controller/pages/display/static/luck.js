// Win against expectation by day and dealer, on the page of figures. The controller computes it round by round; a
// round that it cannot compute is listed with the reason and is in no sum. This page adds nothing up.

import { h, money } from "./dom.js";
import { fetchJson } from "./fetch_json.js";
import { signed, table } from "./figures.js";

const SOON = 1000;
const LATER = 60000;
const TIMEOUT_MS = 30000;

export class Luck {
  /** @param {Data.FiguresTexts} words */
  constructor(words) {
    this.all = words;
    this.words = words.luck;
    this.shown = "";
    this.node = h("section", { class: "luck" });
    this.#ask();
  }

  async #ask() {
    const answer = await fetchJson("/api/expected", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer) this.update(answer.data);
    setTimeout(() => this.#ask(), answer?.data.waiting ? SOON : LATER);
  }

  /** @param {Data.LuckView} told */
  update(told) {
    const shown = JSON.stringify(told);
    if (shown === this.shown) return;
    this.shown = shown;
    const { words } = this;
    if ("error" in told) {
      this.node.replaceChildren(h("p", { class: "note" }, told.error));
      return;
    }
    const left = Object.entries(told.all.unknown).map(([why, count]) => `${count} ${words.why[why] ?? why}`);
    const said = [told.waiting ? words.waiting : "", left.length ? `${words.left_out} ${left.join(" · ")}` : "", words.note];
    const wide = h("div", { class: "wide", role: "region", tabindex: "0", "aria-label": words.title }, this.#rows(told));
    this.node.replaceChildren(wide, ...said.filter(Boolean).map((line) => h("p", { class: "note" }, line)));
  }

  /** @param {Data.LuckTold} told */
  #rows({ all, days }) {
    const { words } = this;
    const heads = [words.day, this.all.dealer, this.all.rounds, this.all.wagered, this.all.win, words.expected, words.z];
    const rows = [[words.all, "", ...this.#sums(all)], ...days.map((day) => [day.day, day.dealer ?? words.nobody, ...this.#sums(day)])];
    return table(words.title, heads, rows);
  }

  /** @param {Data.LuckSum} sum */
  #sums(sum) {
    const known = sum.expected !== null;
    return [`${sum.rounds}`, known ? money(sum.wagered) : this.all.unknown, known ? signed(sum.win) : this.all.unknown,
      sum.expected === null ? this.all.unknown : signed(sum.expected), sum.z_hundredths === null ? this.words.few : hundredths(sum.z_hundredths)];
  }
}

/** Hundredths as text: -123 becomes "−1.23". @param {number} count */
function hundredths(count) {
  const all = Math.abs(count);
  return `${count < 0 ? "\u2212" : "+"}${Math.floor(all / 100)}.${String(all % 100).padStart(2, "0")}`;
}
