// The table's figures on the floor page. A figure that is not known yet says so; it is never shown as nought.

import { h, texts } from "./dom.js";

export class Figures {
  constructor() {
    this.node = h("section", { class: "tab figures", "aria-label": texts.figures, hidden: true });
  }

  update(figures) {
    const shown = JSON.stringify(figures);
    if (shown === this.shown) return;
    this.shown = shown;
    this.node.replaceChildren(
      figure(texts.rounds, figures.rounds),
      figure(texts.rounds_per_hour, figures.rounds_per_hour),
      figure(texts.players_per_round, figures.players_per_round),
      figure(texts.steps_corrected, figures.steps_corrected === undefined || figures.steps_corrected === null ? null : `${figures.steps_corrected} / ${figures.steps}`),
      list(texts.alerts_per_hour, figures.alerts_per_hour, (grade) => texts[grade]),
      list(texts.exceptions, figures.exceptions, (code) => texts.codes[code], "wide"),
    );
  }
}

function figure(name, value) {
  const known = value !== null && value !== undefined;
  return h("div", { class: "figure" }, h("h2", {}, name), h("p", { class: known ? "value" : "quiet" }, known ? String(value) : texts.none_yet));
}

function list(name, values, label, wide = "") {
  const parts = Object.entries(values ?? {}).map(([key, count]) => `${label(key)} ${count}`);
  return h("div", { class: `figure ${wide}` }, h("h2", {}, name), h("p", { class: "list" }, parts.join(" · ") || texts.none_yet));
}
