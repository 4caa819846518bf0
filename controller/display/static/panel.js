// The one panel: it covers the table between prompt and keys, never the prompt, never the keys.
// A panel is a title and a body; the key that stands beside the prompt opens the menu and closes any panel.
// What a panel sends goes through `deliver`, which says what was refused.

import { button, enable, h, say, texts } from "./dom.js";
import { send } from "./touch.js";

/** @typedef {(view: Data.View) => void} OnUpdate */

export const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];

/** What a panel is for that a prompt has opened: this, and the prompt's id. */
export const ANSWERS = "prompt ";

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

  /**
   * Sends a touch, with the prompt that the panel was opened for; closes when it was taken, stays and says why
   * when not. `askPin` asks who it is, where the table wants that proven.
   * @param {Data.Touch} touch
   * @param {(() => void) | null} askPin
   */
  async deliver(touch, askPin = null) {
    const prompt = this.purpose?.startsWith(ANSWERS) ? { prompt: this.purpose.slice(ANSWERS.length) } : {};
    const answer = await send({ ...touch, ...prompt });
    if (answer.ok) this.close();
    else if (askPin && answer.code === "pin_needed") askPin();
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
 * Typing by finger or keyboard: `keys` are the characters, after the digits in a phone's order where there is a `pad`;
 * at `most` so many. `onEnter` gets what was typed. ENTER of a keyboard ends only what may be `scanned`: a badge reader
 * types a line wherever it is held, and enters nothing else.
 * @param {{
 *   pad?: boolean, keys?: string[], columns?: number, shown: (typed: string) => string, accepts: (typed: string) => boolean,
 *   onEnter: (typed: string) => void, enterText: (typed: string) => string, most?: number, scanned?: boolean,
 *   quick?: {label: string, value: string}[],
 * }} how
 */
export function typing({ pad = false, keys = [], columns = 0, shown, accepts, onEnter, enterText, most = 60, scanned = false, quick = [] }) {
  let typed = "";
  const display = h("output", { class: "typed" });
  const enter = button(enterText(""), () => accepts(typed) && onEnter(typed), { class: "go enter" });
  /** @param {string} value */
  const set = (value) => {
    typed = value.slice(0, most);
    say(display, shown(typed));
    say(enter, enterText(typed));
    enable(enter, accepts(typed));
  };
  /**
   * @param {string} char
   * @param {number} i
   */
  const key = (char, i) => button(char === " " ? texts.space : char, () => set(typed + char), { "data-first": i === 0 ? "" : null, "data-char": char });
  const enterTyped = () => {
    if (scanned && accepts(typed)) onEnter(typed);
  };
  const line = h("div", { class: "typing-line" }, display,
    button(texts.delete, () => set(typed.slice(0, -1)), { class: "delete" }), enter);
  const fast = quick.length ? h("div", { class: "quick" }, ...quick.map(({ label, value }) => button(label, () => set(value)))) : null;
  const all = [...(pad ? DIGITS : []), ...keys];
  const made = all.map(key);
  const digits = pad ? h("div", { class: "board", "data-columns": 3 }, ...made.splice(0, DIGITS.length)) : null;
  const board = keys.length ? h("div", { class: "board", "data-columns": columns }, ...made) : null;
  const node = h("div", { class: "typing", "data-pad": pad ? columns : null }, line, fast, digits, board);
  node.addEventListener("keydown", (event) => {
    const char = event.key.toUpperCase();
    if (event.key === "Backspace") set(typed.slice(0, -1));
    else if (all.includes(char)) set(typed + char);
    else if (event.key === "Enter") enterTyped();
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
