// The only panel: it covers the table between prompt and keys, never the prompt or the keys. It has a title and a
// body. The key beside the prompt opens the menu and closes any panel. `deliver` sends the panel's subject with the
// touch, and `update` closes the panel when its subject has changed. An answer closes only the panel that sent the
// touch, not one opened since.

import { button, enable, h, say, texts } from "./dom.js";
import { stands } from "./subject.js";
import { send, sentLately } from "./touch.js";

/** @typedef {(view: Data.View) => void} OnUpdate */
/** @typedef {import("./subject.js").Subject} Subject */
/** A panel while it is open. @typedef {{subject: Subject, onUpdate: OnUpdate | null, refused?: boolean}} Opened */

/** ms after a view closed a panel in which a touch of the table or of the next panel was probably meant for the closed one. */
const AIM_MS = 400;

export const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];

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
    /** @type {Opened | null} */
    this.opened = null;
    /** @type {Opened | null} the panel whose touch has not been answered */
    this.asking = null;
    /** @type {Data.View | null} */
    this.view = null;
    /** Called after a panel was closed if the view is newer than its touch: another panel may be due. */
    this.onClosed = () => {};
    /** @type {Element | null} what had the focus before a panel was opened */
    this.before = null;
    /** ms of the page's clock when a view last closed a panel. */
    this.takenAt = -Infinity;
    document.addEventListener("click", (event) => this.#guard(event), true);
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  get isOpen() {
    return !this.node.hidden;
  }

  /**
   * Show `body`. `subject`: the subject of its touches; `onUpdate` gets each new view while the panel is open.
   * @param {string} title
   * @param {HTMLElement} body
   * @param {{subject?: Subject, onUpdate?: OnUpdate | null, form?: string}} options
   */
  open(title, body, { subject = {}, onUpdate = null, form = "" } = {}) {
    if (!this.isOpen) this.before = document.activeElement;
    this.opened = { subject, onUpdate };
    this.node.setAttribute("aria-label", title);
    this.node.setAttribute("data-form", form);
    this.node.replaceChildren(h("h2", {}, title), body);
    this.node.hidden = false;
    say(this.key, texts.close);
    focus(this.node.querySelector("[data-first]") ?? this.key);
  }

  /**
   * Drop a tap that was meant for a panel which a view has just closed. The keys below are not affected, since they
   * name their prompt; nor is a keyboard, whose click has a tap count of 0.
   * @param {MouseEvent} event
   */
  #guard(event) {
    const onKeys = event.target instanceof Element && event.target.closest(".keys");
    if (!event.detail || onKeys || event.timeStamp - this.takenAt >= AIM_MS) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.onRefused(texts.finger);
  }

  /**
   * Close a panel because of a new view. A view that follows a touch of this page starts no waiting time: the person
   * expects it.
   */
  takeAway() {
    if (this.isOpen && !sentLately()) this.takenAt = performance.now();
    this.close();
  }

  close() {
    if (!this.isOpen) return;
    this.#hide();
    this.onClosed();
  }

  #hide() {
    this.node.hidden = true;
    this.node.replaceChildren();
    this.opened = null;
    say(this.key, this.label);
    if (this.before?.isConnected) focus(this.before);
  }

  /**
   * Close a panel whose subject has changed, and say so. While its own touch is unanswered, the answer decides.
   * @param {Data.View} view
   */
  update(view) {
    this.view = view;
    if (this.opened && this.opened !== this.asking && !stands(view, this.opened.subject)) this.#outdated();
    this.opened?.onUpdate?.(view);
  }

  #outdated() {
    const said = this.opened?.refused || this.opened?.subject.prompt !== undefined;
    this.takeAway();
    if (!said) this.onRefused(texts.outdated);
  }

  /**
   * Send a touch with the subject of its panel. If the table accepts it, close that panel, but none opened since;
   * otherwise show the reason. A second tap before the answer is dropped. `on`: further actions on a refusal, by its
   * code.
   * @param {Data.Touch} touch
   * @param {Record<string, () => void>} on
   */
  async deliver(touch, on = {}) {
    if (this.asking && this.asking === this.opened) return false;
    const asking = (this.asking = this.opened);
    const seen = this.view;
    const answer = await send({ ...touch, ...asking?.subject });
    if (this.asking === asking) this.asking = null;
    const open = this.opened === asking;
    if (answer.ok && open) this.#hide();
    if (answer.ok && open && this.view !== seen) this.onClosed();
    if (!answer.ok && open && answer.code) on[answer.code]?.();
    if (answer.words && answer.code !== "pin_needed") this.onRefused(answer.words);
    if (asking && !answer.ok) asking.refused = true;
    if (!answer.ok && open && this.view && this.opened && !stands(this.view, this.opened.subject)) this.close();
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
 * Typing by finger or keyboard. `keys`: the characters, with `pad` after the digits in a phone's order; `most`:
 * maximum length; `onEnter` gets the typed text. ENTER of a keyboard submits only an entry that is `scanned`, because
 * a badge reader types a line into any entry. `begun`: initial text; `above`: a key over the digits.
 * @param {{
 *   pad?: boolean, keys?: string[], columns?: number, shown: (typed: string) => string, accepts: (typed: string) => boolean,
 *   onEnter: (typed: string) => void, enterText: (typed: string) => string, most?: number, scanned?: boolean,
 *   quick?: {label: string, value: string}[], begun?: string, above?: HTMLElement | null,
 * }} how
 */
export function typing({ pad = false, keys = [], columns = 0, shown, accepts, onEnter, enterText, most = 60, scanned = false, quick = [], begun = "", above = null }) {
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
  const node = h("div", { class: "typing", "data-pad": pad ? columns : null }, line, above, fast, digits, board);
  node.addEventListener("keydown", (event) => {
    const char = event.key.toUpperCase();
    if (event.key === "Backspace") set(typed.slice(0, -1));
    else if (all.includes(char)) set(typed + char);
    else if (event.key === "Enter") enterTyped();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  set(begun);
  return node;
}

/** Number of taps in a row at one place that this click ends; 0 from a keyboard. @param {Event & {detail?: number}} event */
const taps = (event) => event.detail ?? 0;

/**
 * The last step of a touch that answers no prompt: it repeats what will be sent. The second tap of a double tap, whose
 * first opened this step, does not send.
 * @param {string} text
 * @param {() => void} onSend
 */
export function summary(text, onSend) {
  return h("div", { class: "summary" }, h("p", {}, text), button(texts.send, (event) => taps(event) > 1 || onSend(), { class: "go", "data-first": "" }));
}
