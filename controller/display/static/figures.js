// The table's figures on the floor page. A figure that is not known yet says so; it is never shown as nought.

import { h, texts } from "./dom.js";

/** @type {Record<string, string>} */
const GRADES = { notice: texts.notice, alert: texts.alert, hold: texts.hold };

export class Figures {
  constructor() {
    /** What is drawn now. */
    this.shown = "";
    this.node = h("section", { class: "tab figures", "aria-label": texts.figures, hidden: true });
  }

  /** @param {Data.Figures} figures */
  update(figures) {
    const shown = JSON.stringify(figures);
    if (shown === this.shown) return;
    this.shown = shown;
    this.node.replaceChildren(
      figure(texts.rounds, figures.rounds),
      figure(texts.rounds_per_hour, figures.rounds_per_hour),
      figure(texts.players_per_round, figures.players_per_round),
      figure(texts.steps_corrected, (figures.steps_corrected ?? null) === null ? null : `${figures.steps_corrected} / ${figures.steps}`),
      list(texts.alerts_per_hour, figures.alerts_per_hour, (grade) => GRADES[grade]),
      list(texts.exceptions, figures.exceptions, (code) => texts.codes[code], "wide"),
    );
  }
}

/**
 * @param {string} name
 * @param {string | number | null | undefined} value
 */
function figure(name, value) {
  const known = value !== null && value !== undefined;
  return h("div", { class: "figure" }, h("h2", {}, name), h("p", { class: known ? "value" : "quiet" }, known ? String(value) : texts.none_yet));
}

/**
 * @param {string} name
 * @param {Record<string, number> | null | undefined} values
 * @param {(key: string) => string} label
 * @param {string} wide
 */
function list(name, values, label, wide = "") {
  const parts = Object.entries(values ?? {}).map(([key, count]) => `${label(key)} ${count}`);
  return h("div", { class: `figure ${wide}` }, h("h2", {}, name), h("p", { class: "list" }, parts.join(" · ") || texts.none_yet));
}
