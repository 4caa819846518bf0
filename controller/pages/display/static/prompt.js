// The next action in the largest type, and the following one under it: the view's `front`.

import { h, mark, say, texts } from "./dom.js";
import { show } from "./icons.js";
import { beat } from "./rhythms.js";

export class Prompt {
  /** @param {HTMLElement} aside what stands beside the words */
  constructor(aside) {
    this.shape = h("div", { class: "shape" });
    this.where = h("p", { class: "where" });
    this.do = h("h1", { class: "do" });
    this.more = h("p", { class: "more" });
    this.section = h("span", { class: "section" });
    const words = h("div", { class: "words", role: "status", "aria-live": "assertive", "aria-atomic": "true" },
      h("div", { class: "first" }, this.where, this.section), this.do, this.more);
    this.node = h("section", { class: "prompt", "aria-label": texts.now }, this.shape, words, aside);
    this.then = h("span", { class: "text" });
    this.label = h("span", { class: "label" });
    this.next = h("section", { class: "next", "aria-label": texts.then }, this.label, this.then);
  }

  /** @param {Data.View} view */
  update(view) {
    const { front, words: { front: said } } = view;
    mark(this.node, "data-look", front.look);
    mark(this.node, "data-kind", view.prompt?.kind);
    show(this.shape, front.icon);
    beat(this.shape, front.rhythm);
    say(this.where, said.where);
    say(this.do, said.do);
    const wraps = (said.where ?? "").length * WHERE_CH + (said.citation ?? "").length > MAX_FIRST_CH;
    mark(this.do, "data-size", size(said.do ?? "", said.more ?? "", wraps));
    say(this.more, said.more);
    mark(this.more, "data-size", reasonSize((said.more ?? "").length));
    say(this.section, said.citation);
    say(this.label, said.then && front.then !== "proposed" ? texts.then : "");
    say(this.then, said.then);
  }
}

/** @param {number} length */
export function reasonSize(length) {
  if (length <= 46) return "short";
  return length <= 56 ? "middle" : "long";
}

/** A letter of the place is as wide as `WHERE_CH` letters of the section; `MAX_FIRST_CH` of these fit side by side. */
const WHERE_CH = 1.36, MAX_FIRST_CH = 62;

/**
 * The largest type size in which the whole text and its reason fit.
 * @param {string} text
 * @param {string} more
 * @param {boolean} wraps the section beside the place takes a second line
 */
export function size(text, more, wraps = false) {
  const { length } = text;
  if (more.length > 110) return "very";
  if (!wraps && length <= 17 && more.length <= 60) return length <= 10 ? "brief" : "short";
  if (length <= 23) return "middle";
  return length <= 30 ? "long" : "very";
}
