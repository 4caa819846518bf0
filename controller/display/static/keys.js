// The dealer's keys, always at the bottom, always in the same place. Lit: it does something now; it shines:
// it is the one that is wanted. A key acts only on the prompt that stood there when the finger came down, and
// names it: what comes too late is refused by the table. A dark key does nothing, and the table says why.

import { enable, h, mark, say, texts } from "./dom.js";
import { send } from "./touch.js";

/** @typedef {"no_more_bets" | "confirm" | "fold" | "floor" | "undo"} Key */
/** @type {Key[]} */
const ORDER = ["no_more_bets", "confirm", "fold", "floor", "undo"];

export class Keys {
  /** @param {(words: string) => void} onRefused */
  constructor(onRefused) {
    this.onRefused = onRefused;
    this.keys = ORDER.map((name) => this.#key(name));
    this.node = h("nav", { class: "keys", "aria-label": texts.keys }, ...this.keys.map((key) => key.node));
    /** @type {Data.View | null} */
    this.view = null;
    /** @type {string | null} the prompt that stood there when the finger came down */
    this.grasped = null;
  }

  /** @param {Key} name */
  #key(name) {
    const what = h("span", { class: "what" });
    const node = h("button", { type: "button", class: "key", "data-key": name }, h("span", { class: "name" }, texts[`key_${name}`]), what);
    node.addEventListener("pointerdown", () => { this.grasped = this.#stands(); });
    node.addEventListener("click", (event) => this.#press(name, event.detail === 0));
    return { name, node, what };
  }

  /** The prompt that the keys are about now. */
  #stands() {
    return this.view?.prompt?.id ?? "none";
  }

  /** @param {Data.View} view */
  update(view) {
    this.view = view;
    for (const { name, node, what } of this.keys) {
      enable(node, view.keys[name]);
      mark(node, "data-lit", view.keys[name] ? "lit" : null);
      mark(node, "data-shines", view.shines.includes(name) ? "shines" : null);
      mark(node, "data-call", name === "floor" && view.hold ? "call" : null);
      say(what, view.words.keys[name]);
    }
  }

  /**
   * @param {Key} name
   * @param {boolean} byKeyboard
   */
  async #press(name, byKeyboard) {
    const meant = byKeyboard ? this.#stands() : this.grasped ?? this.#stands();
    this.grasped = null;
    if (name !== "floor" && meant !== this.#stands()) {
      this.onRefused(texts.finger);
      return;
    }
    const node = this.keys.find((key) => key.name === name)?.node;
    if (node) mark(node, "data-sent", "sent");
    const answer = await send({ do: "press", key: name, ...(name === "floor" ? {} : { prompt: meant }) });
    if (node) mark(node, "data-sent", null);
    if (answer.words) this.onRefused(answer.words);
  }
}
