// The dealer's keys, always at the bottom, always in the same place. Lit: it does something now.
// A key acts only on what stood on the screen when the finger came down: CONFIRM repeats what it confirms,
// and if that changed before the finger left, nothing is confirmed. While an alert wants a hand on the chips
// first, CONFIRM does not shine.

import { enable, h, mark, say, texts } from "./dom.js";
import { leadingAlert } from "./prompt.js";
import { identity } from "./ranked.js";
import { send } from "./touch.js";

const ORDER = ["no_more_bets", "confirm", "fold", "floor", "undo"];

export class Keys {
  constructor(onRefused) {
    this.onRefused = onRefused;
    this.keys = new Map(ORDER.map((key) => [key, this.#key(key)]));
    this.node = h("nav", { class: "keys", "aria-label": texts.keys }, ...[...this.keys.values()].map((k) => k.node));
    this.stands = null;
    this.grasped = null;
  }

  #key(key) {
    const what = h("span", { class: "what" });
    const node = h("button", { type: "button", class: "key", "data-key": key }, h("span", { class: "name" }, texts[`key_${key}`]), what);
    node.addEventListener("pointerdown", () => { this.grasped = this.stands; });
    node.addEventListener("click", (event) => this.#press(key, event.detail === 0));
    return { node, what };
  }

  update(view) {
    const prompt = view.prompt;
    this.stands = identity(prompt);
    this.lit = view.keys;
    for (const [key, { node }] of this.keys) {
      enable(node, view.keys[key]);
      mark(node, "data-lit", view.keys[key] ? "lit" : null);
    }
    say(this.keys.get("confirm").what, view.keys.confirm ? view.words.parts.prompt?.confirm : "");
    say(this.keys.get("fold").what, view.keys.fold && prompt?.seat ? `${texts.seat} ${prompt.seat}` : "");
    say(this.keys.get("undo").what, view.keys.undo ? view.words.undo : "");
    mark(this.keys.get("floor").node, "data-call", view.hold ? "call" : null);
    mark(this.node, "data-first", leadingAlert(view) ? "mend" : null);
  }

  /** CONFIRM by the keyboard. */
  confirm() {
    this.#press("confirm", true);
  }

  /** ENTER belongs to the key that is wanted: the focus follows it unless a person put it elsewhere. */
  focus() {
    const at = document.activeElement;
    const stale = at.dataset.key && !at.dataset.lit;
    if (at !== document.body && !stale) return;
    const wanted = ["confirm", "no_more_bets"].find((key) => this.lit[key]);
    if (wanted) this.keys.get(wanted).node.focus({ preventScroll: true });
    else at.blur();
  }

  async #press(key, byKeyboard) {
    if (!this.lit?.[key]) return;
    const slipped = !byKeyboard && this.grasped !== null && this.grasped !== this.stands;
    this.grasped = null;
    if (slipped && key !== "floor") {
      this.onRefused(texts.finger);
      return;
    }
    const { node } = this.keys.get(key);
    mark(node, "data-sent", "sent");
    const answer = await send({ do: "press", key });
    mark(node, "data-sent", null);
    if (answer.words) this.onRefused(answer.words);
  }
}
