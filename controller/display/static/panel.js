// The one panel: it covers the table between prompt and keys, never the prompt, never the keys.
// A panel is a title and a body; the key that stands beside the prompt opens the menu and closes any panel.
// What a panel sends goes through `deliver`, which says what was refused.

import { button, enable, h, say, texts } from "./dom.js";
import { send } from "./touch.js";

/** @typedef {(view: Data.View) => void} OnUpdate */

export class Panels {
  /**
   * @param {(words: string) => void} onRefused
   * @param {string} label of the key while no panel is open
   * @param {() => void} onMenu
   */
  constructor(onRefused, label, onMenu) {
    this.onRefused = onRefused;
    this.label = label;
    this.node = h("section", { class: "panel", hidden: true });
    this.key = button(label, () => (this.isOpen ? this.close() : onMenu()), { class: "more-key" });
    /** @type {string | null} */
    this.purpose = null;
    /** @type {OnUpdate | null} */
    this.onUpdate = null;
    /** @type {Element | null} what had the focus before a panel was opened */
    this.before = null;
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  get isOpen() {
    return !this.node.hidden;
  }

  /**
   * Shows `body`. `purpose` names what it is for; `onUpdate` gets each new view while it is open.
   * @param {string} title
   * @param {HTMLElement} body
   * @param {{purpose?: string, onUpdate?: OnUpdate | null, form?: string}} options
   */
  open(title, body, { purpose = "user", onUpdate = null, form = "" } = {}) {
    if (!this.isOpen) this.before = document.activeElement;
    this.purpose = purpose;
    this.onUpdate = onUpdate;
    this.node.setAttribute("aria-label", title);
    this.node.setAttribute("data-form", form);
    this.node.replaceChildren(h("h2", {}, title), body);
    this.node.hidden = false;
    say(this.key, texts.close);
    focus(this.node.querySelector("[data-first]") ?? this.key);
  }

  close() {
    if (!this.isOpen) return;
    this.node.hidden = true;
    this.node.replaceChildren();
    this.purpose = this.onUpdate = null;
    say(this.key, this.label);
    if (this.before?.isConnected) focus(this.before);
  }

  /** @param {Data.View} view */
  update(view) {
    this.onUpdate?.(view);
  }

  /** Sends a touch; closes when it was taken, stays and says why when not. @param {Data.Touch} touch */
  async deliver(touch) {
    const answer = await send(touch);
    if (answer.ok) this.close();
    else if (answer.words) this.onRefused(answer.words);
    return answer.ok;
  }
}

/** @param {Element} node */
function focus(node) {
  if (node instanceof HTMLElement) node.focus({ preventScroll: true });
}

/**
 * Buttons to choose from.
 * @template T
 * @param {{label: string, value: T, off?: boolean}[]} options
 * @param {(value: T) => void} onPick
 * @param {number} columns
 */
export function choices(options, onPick, columns) {
  const keys = options.map(({ label, value, off }, i) => button(label, () => onPick(value), {
    "aria-disabled": off ? "true" : null, "data-first": i === 0 ? "" : null, "data-value": String(value),
  }));
  return h("div", { class: "choices", "data-columns": columns }, ...keys);
}

/**
 * Typing by finger or keyboard: `keys` are the characters, `onEnter` gets what was typed.
 * @param {{
 *   keys: string[], columns: number, shown: (typed: string) => string, accepts: (typed: string) => boolean,
 *   onEnter: (typed: string) => void, enterText: (typed: string) => string,
 *   quick?: {label: string, value: string}[],
 * }} how
 */
export function typing({ keys, columns, shown, accepts, onEnter, enterText, quick = [] }) {
  let typed = "";
  const display = h("output", { class: "typed" });
  const enter = button(enterText(""), () => accepts(typed) && onEnter(typed), { class: "go enter" });
  /** @param {string} value */
  const set = (value) => {
    typed = value;
    say(display, shown(typed));
    say(enter, enterText(typed));
    enable(enter, accepts(typed));
  };
  /**
   * @param {string} char
   * @param {number} i
   */
  const key = (char, i) => button(char, () => set(typed + char), { "data-first": i === 0 ? "" : null, "data-char": char });
  const line = h("div", { class: "typing-line" }, display,
    button(texts.delete, () => set(typed.slice(0, -1)), { class: "delete" }), enter);
  const fast = quick.length ? h("div", { class: "quick" }, ...quick.map(({ label, value }) => button(label, () => set(value)))) : null;
  const board = h("div", { class: "board", "data-columns": columns }, ...keys.map(key));
  const node = h("div", { class: "typing" }, line, fast, board);
  node.addEventListener("keydown", (event) => {
    const char = event.key.toUpperCase();
    if (event.key === "Backspace") set(typed.slice(0, -1));
    else if (keys.includes(char)) set(typed + char);
    else if (event.key === "Enter" && accepts(typed)) onEnter(typed);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  set("");
  return node;
}

/**
 * The last step of what is sent on one's own account: it says again what will be sent.
 * @param {string} text
 * @param {() => void} onSend
 */
export function summary(text, onSend) {
  return h("div", { class: "summary" }, h("p", {}, text), button(texts.send, onSend, { class: "go", "data-first": "" }));
}
