// The dealer's keys, always in the same place at the bottom. A lit key acts now; a shining key is the one that the
// prompt asks for; a dark key does nothing, and the table says why. A key refers to the prompt shown when the finger
// came down and names it, so that the table refuses a late touch.

import { enable, h, mark, say, texts } from "./dom.js";
import { send } from "./touch.js";

/** @typedef {"no_more_bets" | "confirm" | "fold" | "floor" | "undo"} Key */
/** @type {Record<NonNullable<Data.Prompt["entry"]>, string>} */
const ENTRIES = {
  amount: texts.entry_amount, face: texts.entry_face, stub: texts.entry_stub, deck: texts.entry_deck, sign_on: texts.entry_sign_on,
};
/** The prompt, and the step that UNDO takes back. @typedef {{prompt: string, about: string | undefined}} Grasped */
/** @type {Key[]} */
const ORDER = ["no_more_bets", "confirm", "fold", "floor", "undo"];

export class Keys {
  /**
   * @param {(words: string) => void} onRefused
   * @param {() => void} onEntry opens what the prompt wants entered
   */
  constructor(onRefused, onEntry = () => {}) {
    this.onRefused = onRefused;
    this.onEntry = onEntry;
    this.keys = ORDER.map((name) => this.#key(name));
    this.node = h("nav", { class: "keys", "aria-label": texts.keys }, ...this.keys.map((key) => key.node));
    /** @type {Data.View | null} */
    this.view = null;
    /** @type {Grasped | null} what stood there when the finger came down */
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

  /** The present prompt and step. @returns {Grasped} */
  #stands() {
    return { prompt: this.view?.prompt?.id ?? "none", about: this.view?.about.undo };
  }

  /**
   * Whether CONFIRM opens the entry of the prompt instead of confirming.
   * @param {Key} name
   */
  #opens(name) {
    return name === "confirm" && !this.view?.keys.confirm && this.view?.prompt?.entry;
  }

  /** @param {Data.View} view */
  update(view) {
    this.view = view;
    for (const { name, node, what } of this.keys) {
      const entry = this.#opens(name);
      const opens = entry && name === view.prompt?.entry_key;
      enable(node, view.keys[name] || Boolean(opens));
      mark(node, "data-lit", view.keys[name] || opens ? "lit" : null);
      mark(node, "data-shines", view.shines.includes(name) || opens ? "shines" : null);
      mark(node, "data-call", name === "floor" && view.hold ? "call" : null);
      say(what, entry ? ENTRIES[entry] : view.words.keys[name]);
    }
  }

  /**
   * @param {Key} name
   * @param {boolean} byKeyboard
   */
  async #press(name, byKeyboard) {
    const meant = byKeyboard ? this.#stands() : this.grasped ?? this.#stands();
    this.grasped = null;
    const stands = this.#stands();
    if (name !== "floor" && (meant.prompt !== stands.prompt || (name === "undo" && meant.about !== stands.about))) {
      this.onRefused(texts.finger);
      return;
    }
    if (this.#opens(name)) {
      this.onEntry();
      return;
    }
    const node = this.keys.find((key) => key.name === name)?.node;
    if (node) mark(node, "data-sent", "sent");
    const answer = await send({ do: "press", key: name, ...subject(name, meant) });
    if (node) mark(node, "data-sent", null);
    if (answer.words) this.onRefused(answer.words);
  }
}

/**
 * The subject that a key sends. FLOOR refers to whatever is shown.
 * @param {Key} name
 * @param {Grasped} meant
 */
function subject(name, { prompt, about }) {
  if (name === "floor") return {};
  return name === "undo" ? { prompt, about } : { prompt };
}
