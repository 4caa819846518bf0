// The page of figures: the sums of a period's rounds, the dealers, and the course by the hour. Each plot has its
// numbers beside it as a table. The controller makes the sums; this page adds nothing up.

import { h, mark, money, say, texts } from "./dom.js";
import { fetchJson } from "./fetch_json.js";
import { share, signed, table, tenths } from "./figures.js";
import "./font.js";
import { Help } from "./help.js";
import { lostScreen } from "./lost.js";
import { Luck } from "./luck.js";
import { Plot } from "./plot.js";

const words = /** @type {Data.FiguresTexts} */ (/** @type {unknown} */ (texts));
const POLL_INTERVAL_MS = 5000;
const TIMEOUT_MS = 2000;
const PERIODS = /** @type {Data.Period[]} */ (Object.keys(words.periods));
const PLOTS = /** @type {Data.Plot[]} */ (Object.keys(words.plots));

/** @param {number} minutes */
function span(minutes) {
  const { min, h: hours, d } = words.units;
  if (minutes < 60) return `${minutes} ${min}`;
  if (minutes < 2880) return `${Math.floor(minutes / 60)} ${hours} ${minutes % 60} ${min}`;
  return `${Math.floor(minutes / 1440)} ${d} ${Math.floor((minutes % 1440) / 60)} ${hours}`;
}

/**
 * @param {Record<string, number>} counts
 * @param {Record<string, string>} names
 */
const counted = (counts, names) => Object.entries(counts).map(([key, count]) => `${names[key] ?? key} ${count}`).join("\n") || words.none;

/** Name and value of each box. @param {Data.FiguresView} f @returns {[string, string, string?][]} */
const boxes = (f) => [
  [words.rounds, `${f.rounds}`, f.void ? `${words.void} ${f.void}` : ""],
  [words.players, f.players_tenths === null ? words.unknown : tenths(f.players_tenths)],
  [words.errors, f.steps ? `${f.errors} / ${f.steps}` : words.unknown],
  [words.wagered, money(f.wagered)],
  [words.win, signed(f.win)],
  [words.hold, f.hold_bp === null ? words.unknown : share(f.hold_bp), words.hold_note],
  [words.alerts, counted(f.alerts, words.grades)],
  [words.exceptions, counted(f.exceptions, words.codes)],
];

class FiguresPage {
  /** @param {(period: Data.Period) => void} onPeriod */
  constructor(onPeriod) {
    this.shown = "";
    this.keys = new Map(PERIODS.map((period) => [period, h("button", { type: "button", onclick: () => onPeriod(period) }, words.periods[period])]));
    this.since = h("p", { class: "since", role: "status" });
    this.boxes = h("div", { class: "boxes" });
    this.dealers = h("section", { class: "dealers" });
    this.luck = new Luck(words);
    this.numbers = h("details", {}, h("summary", {}, words.numbers));
    this.plots = PLOTS.map((name) => new Plot(name, words.plots[name]));
    this.drawings = h("section", { class: "plots", "aria-label": words.plots.rounds }, ...this.plots.map((plot) => plot.node), this.numbers);
    this.csv = h("a", { class: "button" }, words.csv);
    const nav = h("nav", { "aria-label": words.period }, ...this.keys.values(), this.csv, h("a", { class: "button", href: `/floor${location.search}` }, words.floor_page));
    new Help().into(nav);
    this.node = h("main", { class: "figures-page" }, h("header", {}, h("h1", {}, words.title), nav), this.since, this.boxes, this.drawings, this.luck.node, this.dealers);
  }

  /** @param {Data.FiguresView} figures */
  update(figures) {
    for (const [period, key] of this.keys) mark(key, "aria-pressed", period === figures.period ? "true" : "false");
    mark(this.csv, "href", `/figures/${figures.period}.csv`);
    const { since, minutes } = figures;
    say(this.since, since === null || minutes === null ? words.nothing
      : `${words.since.replace("{since}", since).replace("{span}", span(minutes))} · ${figures.zone}`);
    const shown = JSON.stringify({ ...figures, minutes: null });
    if (shown === this.shown) return;
    this.shown = shown;
    this.boxes.replaceChildren(...boxes(figures).map(([name, value, note]) =>
      h("section", { class: "box" }, h("h2", {}, name), h("p", { class: value.length > 14 || value.includes("\n") ? "list" : "value" }, value), note ? h("p", { class: "note" }, note) : null)));
    this.drawings.hidden = figures.hours.length === 0;
    for (const plot of this.plots) plot.update(figures);
    this.#drawNumbers(figures);
    this.#drawDealers(figures.dealers);
  }

  /** @param {Data.FiguresView} figures */
  #drawNumbers({ hours, period }) {
    const rows = hours.map((hour) => [`${hour.day} ${hour.clock}`, ...PLOTS.map((name) => `${hour[name]}`), money(hour.wagered), signed(hour.win)]);
    const heads = [words.hour, ...PLOTS.map((name) => words.plots[name]), words.wagered, words.win];
    const caption = period === "all" ? `${words.periods.all}. ${words.drawn}` : words.periods[period];
    const wide = h("div", { class: "wide", role: "region", tabindex: "0", "aria-label": words.numbers }, table(caption, heads, rows.reverse()));
    this.numbers.replaceChildren(h("summary", {}, words.numbers), wide);
  }

  /** @param {Data.DealerTurn[]} turns */
  #drawDealers(turns) {
    const rows = turns.map((turn) => [turn.number, `${turn.day} ${turn.clock}`, turn.until]).reverse();
    this.dealers.replaceChildren(rows.length ? table(words.dealers, [words.dealer, words.from, words.until], rows) : h("p", { class: "note" }, words.no_dealers));
  }
}

const root = document.getElementById("root") ?? document.body;
/** @type {{page: FiguresPage | null, period: Data.Period, timer: ReturnType<typeof setTimeout> | undefined}} */
const state = { page: null, period: "shift", timer: undefined };

/** Figures are withheld during an exam. */
const FORBIDDEN = 403;

/** @returns {Promise<Data.FiguresView | {error: string} | null>} */
async function ask() {
  const answer = await fetchJson(`/api/figures/${state.period}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return answer?.ok || answer?.status === FORBIDDEN ? answer.data : null;
}

async function look() {
  clearTimeout(state.timer);
  const figures = await ask();
  if (figures && "period" in figures && figures.period !== state.period) return;
  if (figures && "error" in figures) {
    root.replaceChildren(h("p", { class: "note", role: "status" }, figures.error));
    state.page = null;
  } else if (!figures) {
    if (state.page || !root.querySelector(".lost")) root.replaceChildren(lostScreen());
    state.page = null;
  } else {
    if (!state.page) {
      state.page = new FiguresPage((period) => {
        state.period = period;
        look();
      });
      root.replaceChildren(state.page.node);
    }
    state.page.update(figures);
  }
  clearTimeout(state.timer);
  state.timer = setTimeout(look, POLL_INTERVAL_MS);
}
look();
