// A plot by the hour, with a mark where another dealer took over. uPlot draws it (static/uplot, shipped with the
// program). A table beside it has all the numbers, so the drawing is one image with a name to a screen reader.

import { h, mark } from "./dom.js";

const HEIGHT = 170;
const HOUR = 3600;
const STEPS = [1, 2, 3, 4, 6, 8, 12, 24, 48, 72, 168].map((hours) => hours * HOUR);

/** @param {string} name of a colour in base.css */
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** @type {Record<Data.Plot, string>} */
const COLOURS = { rounds: "--notice", alerts: "--alert", errors: "--take" };

export class Plot {
  /**
   * @param {Data.Plot} what
   * @param {string} title
   */
  constructor(what, title) {
    this.what = what;
    this.title = title;
    this.place = h("div", { class: "drawing", role: "img" });
    this.node = h("figure", {}, h("figcaption", {}, title), this.place);
    /** @type {Data.FiguresView | null} */
    this.figures = null;
    new ResizeObserver(() => this.#fit()).observe(this.node);
  }

  /** @param {Data.FiguresView} figures */
  update(figures) {
    this.figures = figures;
    const counts = figures.hours.map((hour) => hour[this.what]);
    mark(this.place, "aria-label", `${this.title}: ${figures.hours.map((hour, i) => `${hour.clock} ${counts[i]}`).slice(-24).join(", ")}`);
    const ends = figures.hours.map((hour) => hour.at);
    if (!this.plot) {
      this.plot = new uPlot(this.#options(), [ends, counts], this.place);
      this.#fit();
    } else this.plot.setData([ends, counts]);
  }

  #fit() {
    const width = this.node.clientWidth;
    if (this.plot && width && this.plot.width !== width) this.plot.setSize({ width, height: HEIGHT });
  }

  /** @returns {uPlot.Options} */
  #options() {
    const ink = colour("--soft"), line = { stroke: colour("--raised"), width: 1 }, fill = colour(COLOURS[this.what]);
    const font = `13px ${getComputedStyle(document.body).fontFamily}`;
    const bars = uPlot.paths.bars?.({ size: [0.7, 60], align: 1 });
    return {
      width: this.node.clientWidth || 600, height: HEIGHT, legend: { show: false }, cursor: { show: false },
      scales: { x: { time: false, range: (_plot, low, high) => [low, high + HOUR] }, y: { range: (_plot, _low, high) => [0, Math.max(4, high * 1.3)] } },
      axes: [
        { stroke: ink, font, grid: { show: false }, ticks: line, incrs: STEPS, space: 60, values: (_plot, splits) => splits.map((at) => this.#clock(at)) },
        { stroke: ink, font, grid: line, ticks: line, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] },
      ],
      series: [{}, { fill, stroke: fill, width: 0, paths: bars, points: { show: false } }],
      hooks: { draw: [(plot) => this.#markDealers(plot)] },
    };
  }

  /** The table's clock at the beginning of an hour; at midnight the day. @param {number} at */
  #clock(at) {
    const hour = this.figures?.hours.find((each) => each.at === at);
    return hour ? (hour.clock === "00:00" ? hour.day.slice(5) : hour.clock) : "";
  }

  /** Draw a line where a dealer's turn begins, with their number if there is room. @param {uPlot} plot */
  #markDealers(plot) {
    const { ctx, bbox } = plot;
    const { min, max } = plot.scales.x;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = colour("--ink");
    ctx.font = `${Math.round(13 * devicePixelRatio)}px ${getComputedStyle(document.body).fontFamily}`;
    ctx.setLineDash([4, 4]);
    ctx.textAlign = "left";
    let free = 0;
    for (const turn of this.figures?.dealers ?? []) {
      if (turn.end < (min ?? 0) || turn.begin > (max ?? 0)) continue;
      const x = Math.round(Math.max(plot.valToPos(turn.begin, "x", true), bbox.left));
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      if (x < free) continue;
      ctx.fillText(turn.number, x + 4, bbox.top + 12 * devicePixelRatio);
      free = x + 8 + ctx.measureText(turn.number).width;
    }
    ctx.restore();
  }
}
