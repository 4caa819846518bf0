// A practice beside the felt: the choice of the drill, and its result when the table is clear. Its key keeps its place
// and is built only once.

import { button, h, mark, say } from "/display/dom.js";
import { act, by } from "./line.js";
import { counted, fill, texts } from "./texts.js";

const words = texts.practice;

export class Lesson {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.title = h("h2", {});
    this.about = h("p", { class: "hint" });
    this.drill = h("p", {});
    this.result = h("div", { class: "result", role: "status" });
    this.plot = by("sessions");
    this.next = button(words.begin, () => act({ do: "go_on" }), { class: "go", "data-do": "go_on", hidden: true });
    root.append(h("div", { class: "head" }, this.title, this.next), this.drill, this.about, this.result);
  }

  /** @param {Felt.Lesson} lesson */
  update(lesson) {
    const { number, of, exam, dealt, title, trainee } = lesson, begun = number > 0;
    const which = begun ? fill(exam ? words.exam_drill_of : words.drill_of, { number, of }) : counted(words.drills_number, of);
    say(this.title, fill(words.heading, { title, which, trainee }));
    const deal = exam ? words.exam_deal : words.deal;
    say(this.drill, lesson.report ? words.exam_over : begun ? lesson.drill || (dealt ? words.dealt : deal) : words.clock);
    say(this.about, lesson.result ? lesson.section.join(" · ") : lesson.about);
    mark(this.next, "hidden", begun && !dealt ? "" : null);
    say(this.next, !begun ? words.begin : number < of ? words.next : words.finish);
    this.result.replaceChildren(...(lesson.report ? marked(lesson.report) : lesson.result ? marks(lesson.result) : []));
    if (lesson.result || lesson.report) this.#draw();
    else this.plot.replaceChildren();
  }

  async #draw() {
    const drawn = await (await fetch(`/plot.svg${location.search}`)).text();
    if (!drawn) return;
    const svg = new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement;
    this.plot.replaceChildren(h("h2", {}, words.sessions), document.importNode(svg, true));
  }
}

/** @param {Felt.Result} result */
function marks(result) {
  const count = result.errors.length;
  const head = count ? h("p", {}, counted(words.errors, count)) : h("p", { class: "good" }, words.no_errors);
  const figures = [result.total, counted(words.touches, result.touches), counted(words.chips_moved, result.chips)].join(", ");
  return [
    head, ...(count ? [items(result.errors)] : []),
    ...(result.noticed.length ? [h("p", {}, words.noticed), items(result.noticed)] : []),
    h("p", { class: "figures" }, result.void ? `${words.void} ${figures}` : figures),
    h("p", { class: "figures" }, result.phases.map(([phase, seconds]) => `${phase} ${seconds}`).join(" · ")),
  ];
}

/** The errors of each drill of an exam. @param {Felt.Result[]} report */
function marked(report) {
  const sum = report.reduce((all, { errors: found }) => all + found.length, 0);
  const head = fill(words.errors_in, { errors: counted(words.errors, sum), drills: counted(words.drills_number, report.length) });
  return [h("p", { class: sum ? null : "good" }, head),
    ...report.flatMap((result, at) => [h("h3", {}, `${at + 1}. ${result.drill}`), ...marks(result)])];
}

/** @param {Felt.Item[]} found */
function items(found) {
  const { where: place, what: named, stood: time, section: cited, why: reason } = words.columns;
  /** @param {Felt.Item} item */
  const row = ({ what, where, stood, section, why }) => h("tr", {}, ...[where, what, stood, section, why].map((text) => h("td", {}, text)));
  const head = h("tr", {}, ...[place, named, time, cited, reason].map((text) => h("th", { scope: "col" }, text)));
  return h("table", {}, h("thead", {}, head), h("tbody", {}, ...found.map(row)));
}
