// The dealer's keys, always at the bottom, always in the same place. Lit: it does something now; it shines:
// it is the one that is wanted. A key acts only on what stood on the screen when the finger came down: CONFIRM
// repeats what it confirms, and if that changed before the finger left, nothing is confirmed.

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
    /** @type {string | null} what stood there when the finger came down */
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

  /** What the keys are about now. */
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

  /** CONFIRM by the keyboard. */
  confirm() {
    this.#press("confirm", true);
  }

  /** ENTER belongs to the key that is wanted: the focus follows it unless a person put it elsewhere. */
  focus() {
    const at = /** @type {HTMLElement} */ (document.activeElement);
    const stale = at.dataset.key && !at.dataset.lit;
    if (at !== document.body && !stale) return;
    const wanted = this.keys.find(({ name }) => name === this.view?.enter);
    if (wanted) wanted.node.focus({ preventScroll: true });
    else at.blur();
  }

  /**
   * @param {Key} name
   * @param {boolean} byKeyboard
   */
  async #press(name, byKeyboard) {
    if (!this.view?.keys[name]) return;
    const slipped = !byKeyboard && this.grasped !== null && this.grasped !== this.#stands();
    this.grasped = null;
    if (slipped && name !== "floor") {
      this.onRefused(texts.finger);
      return;
    }
    const node = this.keys.find((key) => key.name === name)?.node;
    if (node) mark(node, "data-sent", "sent");
    const answer = await send({ do: "press", key: name });
    if (node) mark(node, "data-sent", null);
    if (answer.words) this.onRefused(answer.words);
  }
}
