// The shift's figures on the floor page; the page of figures has more. An unknown figure is shown as unknown, never as
// zero.

import { h, money, texts } from "./dom.js";

/** @type {Record<string, string>} */
const GRADES = { notice: texts.notice, alert: texts.alert, hold: texts.hold };

export class Figures {
  constructor() {
    /** Figures drawn at present, as JSON. */
    this.shown = "";
    this.node = h("section", { class: "tab figures", "aria-label": texts.figures, hidden: true });
  }

  /** @param {Data.Figures} figures */
  update(figures) {
    const shown = JSON.stringify({ ...figures, hours: null, minutes: null });
    if (shown === this.shown) return;
    this.shown = shown;
    const players = figures.players_tenths;
    this.node.replaceChildren(
      h("nav", { class: "further", "aria-label": texts.all_figures }, ...[["/figures", texts.all_figures], ["/rounds", texts.rounds], ["/devices", texts.devices_page], ["/manuals", texts.manuals]].map(
        ([path, name]) => h("a", { class: "button", href: `${path}${location.search}` }, name))),
      figure(texts.rounds, `${figures.rounds}`, figures.since && `${texts.since} ${figures.since}`),
      figure(texts.rounds_per_hour, figures.rounds_per_hour),
      figure(texts.players_per_round, players === null ? null : tenths(players)),
      figure(texts.steps_corrected, figures.steps ? `${figures.errors} / ${figures.steps}` : null),
      figure(texts.house_win, signed(figures.win)),
      figure(texts.hold_share, figures.hold_bp === null ? null : share(figures.hold_bp)),
      list(texts.alerts_per_hour, figures.alerts_per_hour, (grade) => GRADES[grade]),
      list(texts.exceptions, figures.exceptions, (code) => texts.codes[code]),
    );
  }
}

/** Tenths as text: 34 becomes "3.4". @param {number} count */
export const tenths = (count) => `${Math.floor(count / 10)}.${count % 10}`;

/** Cents as text, with a minus sign if negative. @param {number} cents */
export const signed = (cents) => (cents < 0 ? `\u2212${money(-cents)}` : money(cents));

/** Basis points as per cent: 1234 becomes "12.34 %". @param {number} points */
export function share(points) {
  const all = Math.abs(points);
  return `${points < 0 ? "\u2212" : ""}${Math.floor(all / 100)}.${String(all % 100).padStart(2, "0")} %`;
}

/**
 * @param {string} caption
 * @param {string[]} heads
 * @param {string[][]} rows
 */
export function table(caption, heads, rows) {
  const body = rows.map(([first, ...rest]) => h("tr", {}, h("th", { scope: "row" }, first), ...rest.map((cell) => h("td", {}, cell))));
  return h("table", {}, h("caption", {}, caption), h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, ...body));
}

/**
 * @param {string} name
 * @param {string | number | null | undefined} value
 * @param {string | null} under
 */
function figure(name, value, under = null) {
  const known = value !== null && value !== undefined;
  return h("div", { class: "figure" }, h("h2", {}, name), h("p", { class: known ? "value" : "quiet" }, known ? String(value) : texts.none_yet),
    under ? h("p", { class: "list" }, under) : null);
}

/**
 * @param {string} name
 * @param {Record<string, number> | null | undefined} values
 * @param {(key: string) => string} label
 */
function list(name, values, label) {
  const parts = Object.entries(values ?? {}).map(([key, count]) => `${label(key)} ${count}`);
  return h("div", { class: "figure" }, h("h2", {}, name), h("p", { class: "list" }, parts.join(" \u00b7 ") || texts.none_yet));
}
