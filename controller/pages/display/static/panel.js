// The one panel: it covers the table between prompt and keys, never the prompt, never the keys.
// A panel is a title and a body; the key that stands beside the prompt opens the menu and closes any panel.
// A panel has a subject: `deliver` sends it with the touch, and `update` closes the panel when another one stands.
// An answer closes the panel that asked, and no other that was opened meanwhile.

import { button, enable, h, say, texts } from "./dom.js";
import { stands } from "./subject.js";
import { send, sentLately } from "./touch.js";

/** @typedef {(view: Data.View) => void} OnUpdate */
/** @typedef {import("./subject.js").Subject} Subject */
/** A panel that is open, until another one takes its place. @typedef {{subject: Subject, onUpdate: OnUpdate | null, refused?: boolean}} Opened */

/** ms after a view took a panel away in which a touch of the table or of the next panel was meant for that one. */
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
    /** Called when a panel was closed and the view is newer than its touch: another panel may be due. */
    this.onClosed = () => {};
    /** @type {Element | null} what had the focus before a panel was opened */
    this.before = null;
    /** When a view took a panel away, ms of the page. */
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
   * Shows `body`. `subject`: what its touches are about; `onUpdate` gets each new view while it is open.
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
   * Drops a tap that was meant for a panel which a view has just taken away. The keys below are not affected, since they
   * name their prompt, and neither is a keyboard, whose click counts no taps.
   * @param {MouseEvent} event
   */
  #guard(event) {
    const onKeys = event.target instanceof Element && event.target.closest(".keys");
    if (!event.detail || onKeys || event.timeStamp - this.takenAt >= AIM_MS) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.onRefused(texts.finger);
  }

  /** Closes a panel because of a new view. A view that follows a touch of this page surprises no finger. */
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
   * Closes a panel whose subject is another now, and says so. While its own touch is on its way the answer decides.
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
   * Sends a touch with the subject of the panel that sends it. If the touch is taken, that panel is closed, and no
   * other that was opened meanwhile; if not, the reason is shown. A second tap on the way is dropped. `on`: what else is done on a refusal, by its code.
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
 * Typing by finger or keyboard: `keys` are the characters, after the digits in a phone's order where there is a `pad`;
 * at `most` so many. `onEnter` gets what was typed. ENTER of a keyboard ends only what may be `scanned`: a badge reader
 * types a line wherever it is held, and enters nothing else. `begun`: what stands there already; `above`: a key over
 * the digits.
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

/** How many taps in a row at one place this click ends; 0 by keyboard. @param {Event & {detail?: number}} event */
const taps = (event) => event.detail ?? 0;

/**
 * The last step of what is sent on one's own account: it says again what will be sent. The second tap of a double tap, whose
 * first opened this step, does not send.
 * @param {string} text
 * @param {() => void} onSend
 */
export function summary(text, onSend) {
  return h("div", { class: "summary" }, h("p", {}, text), button(texts.send, (event) => taps(event) > 1 || onSend(), { class: "go", "data-first": "" }));
}
