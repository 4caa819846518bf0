// A guided tour of a page for a person's first shift: each part in turn is framed and explained. It starts only on
// request, never covers prompt or keys of a table, and sends nothing.

import { button, h, mark, say, texts } from "./dom.js";

const words = /** @type {{help: Data.HelpTexts}} */ (/** @type {unknown} */ (texts)).help;
/** CSS selector of the part that a step explains. @type {Record<string, string>} */
const PARTS = {
  prompt: ".prompt", next: ".next", seats: ".seats", cross: ".cross", alerts: ".alerts", keys: ".keys", more: ".more-key",
  help: ".help-key", circles: ".seat .circles", lamps: ".circle .lamp", shoe: "#shoe", cross_felt: ".cross", rack: "#rack",
  screen: "#screen", felt_keys: "#keys",
};

export class Tour {
  constructor() {
    this.at = 0;
    this.name = h("h2", {});
    this.text = h("p", {});
    this.back = button(words.back, () => this.#go(this.at - 1));
    this.next = button(words.next, () => this.#go(this.at + 1), { class: "go" });
    const words_ = h("div", { "aria-live": "polite" }, this.name, this.text);
    this.node = h("section", { class: "tour", role: "dialog", "aria-label": words.tour }, words_, this.back, this.next,
      button(words.close, () => this.end()));
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.end();
    });
  }

  /** @param {Element} root the page */
  begin(root) {
    root.append(this.node);
    this.#go(0);
    this.next.focus({ preventScroll: true });
  }

  end() {
    this.#frame(null);
    this.node.remove();
  }

  /** @param {number} at */
  #go(at) {
    const step = words.steps[at];
    if (!step) {
      if (at > 0) this.end();
      return;
    }
    this.at = at;
    say(this.name, step.name);
    say(this.text, step.text);
    say(this.next, at + 1 < words.steps.length ? words.next : words.done);
    mark(this.back, "aria-disabled", at ? null : "true");
    const part = document.querySelector(PARTS[step.step]);
    this.#frame(part);
    if (!part) return;
    part.scrollIntoView({ block: "center" });
    const box = part.getBoundingClientRect();
    mark(this.node, "data-at", box.top + box.height / 2 > innerHeight / 2 ? "upper" : "lower");
  }

  /** @param {Element | null} part */
  #frame(part) {
    document.querySelector("[data-toured]")?.removeAttribute("data-toured");
    part?.setAttribute("data-toured", "");
  }
}
