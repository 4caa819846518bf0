// A practice beside the felt: which drill is dealt, and when the table is clear what came of it. Its key
// stays where it is, and is never made anew.

import { button, h, mark, say } from "/display/dom.js";
import { act, by } from "./line.js";

export class Lesson {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.title = h("h2", {});
    this.about = h("p", { class: "hint" });
    this.drill = h("p", {});
    this.result = h("div", { class: "result", role: "status" });
    this.plot = by("sessions");
    this.next = button("Begin", () => act({ do: "go_on" }), { class: "go", "data-do": "go_on", hidden: true });
    root.append(this.title, this.drill, this.about, this.next, this.result);
  }

  /** @param {Felt.Lesson} lesson */
  update(lesson) {
    const begun = lesson.number > 0;
    const which = begun ? `${lesson.exam ? "exam, " : ""}drill ${lesson.number} of ${lesson.of}` : counted(lesson.of, "drill");
    say(this.title, `${lesson.title}, ${which}: ${lesson.trainee}`);
    const deal = lesson.exam ? "Deal it as you know it. FLOOR ends a round that you cannot go on with." : "Deal it as the screen says.";
    say(this.drill, lesson.report ? "The exam is over." : begun ? lesson.drill || (lesson.dealt ? "Dealt." : deal) : "The clock runs when you begin.");
    say(this.about, lesson.result ? lesson.section.join(" · ") : lesson.about);
    mark(this.next, "hidden", begun && !lesson.dealt ? "" : null);
    say(this.next, !begun ? "Begin" : lesson.number < lesson.of ? "Next drill" : "Finish");
    this.result.replaceChildren(...(lesson.report ? marked(lesson.report) : lesson.result ? told(lesson.result) : []));
    if (lesson.result || lesson.report) this.#draw();
    else this.plot.replaceChildren();
  }

  async #draw() {
    const drawn = await (await fetch("/plot.svg")).text();
    if (!drawn) return;
    const svg = new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement;
    this.plot.replaceChildren(h("h2", {}, "Sessions: errors a drill, and seconds a drill"), document.importNode(svg, true));
  }
}

/** @param {number} number @param {string} one @param {string} many */
const counted = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;

/** @param {Felt.Result} result */
function told(result) {
  const count = result.errors.length;
  const head = count ? h("p", {}, counted(count, "error")) : h("p", { class: "good" }, "No errors");
  const figures = `${result.void ? "The round is void. " : ""}${result.total}, ${counted(result.touches, "touch", "touches")}, chips moved ${counted(result.chips, "time")}`;
  return [
    head, ...(count ? [items(result.errors)] : []),
    ...(result.noticed.length ? [h("p", {}, "Not yours, and noticed:"), items(result.noticed)] : []),
    h("p", { class: "figures" }, figures),
    h("p", { class: "figures" }, result.phases.map(([phase, seconds]) => `${phase} ${seconds}`).join(" · ")),
  ];
}

/** What was wrong in each drill of an exam. @param {Felt.Result[]} report */
function marked(report) {
  const errors = report.reduce((sum, { errors: found }) => sum + found.length, 0);
  return [h("p", { class: errors ? null : "good" }, `${counted(errors, "error")} in ${counted(report.length, "drill")}`),
    ...report.flatMap((result, at) => [h("h3", {}, `${at + 1}. ${result.drill}`), ...told(result)])];
}

/** @param {Felt.Item[]} found */
function items(found) {
  /** @param {Felt.Item} item */
  const row = ({ what, where, stood, section, why }) => h("tr", {}, ...[where, what, stood, section, why].map((text) => h("td", {}, text)));
  const head = h("tr", {}, ...["Where", "What", "Stood", "Section", "Why"].map((text) => h("th", { scope: "col" }, text)));
  return h("table", {}, h("thead", {}, head), h("tbody", {}, ...found.map(row)));
}
