// What stands round the layout: the shoe and the cards' way back, the dealer's keys, and what a technician
// works: players, faults, wires. Built once; only texts and marks change.

import { button, h, mark, money, say } from "/display/dom.js";
import { act, by } from "./line.js";
import { texts } from "./table.js";

/** @type {Record<string, string>} */
const EXIT = {
  stack: "a stack lies in the exit", partial: "an unfinished stack lies in the exit", stub: "the stub lies in the exit",
  "": "nothing in the exit",
};
const ALWAYS = ["stack", "single", "hand"];
/** What a hand does at the cards, when it is meant, and the ways of dealing in which it is.
 * @typedef {{name: string, say: string, when: string, ways: string[]}} Hand */
/** @type {Hand[]} */
const CARDS = [
  { name: "lift", say: "Lift the stack", when: "when one lies in the exit", ways: ["stack"] },
  { name: "draw", say: "Draw a card", when: "when the screen asks for a card", ways: ["single", "hand"] },
  { name: "deal", say: "Deal the hand", when: "the whole deal at once, when the screen says so", ways: ["hand"] },
];
/** @type {Hand[]} */
const BACK = [
  { name: "stub", say: "Take the stub", when: "after the last hand, when the screen says so", ways: ALWAYS },
  { name: "gather", say: "Cards back", when: "all cards into the device, when the round is cleared", ways: ALWAYS },
];
/** @param {string} name */
export const words = (name) => name.replaceAll("_", " ");

/** @param {Hand} hand */
const handKey = ({ name, say: text, when }) =>
  h("button", { type: "button", class: "hand-key", "data-do": name, onclick: () => act({ do: name }) },
    h("span", { class: "what" }, text), h("span", { class: "when" }, when));

/** The shoe at the dealer's left, the way back of the cards at the right. */
export class Cards {
  constructor() {
    this.exit = h("p", { class: "exit" });
    this.keys = [...CARDS, ...BACK].map((hand) => ({ hand, node: handKey(hand) }));
    this.decks = texts.backs.map((back) =>
      button(`Put the ${back} deck in`, () => act({ do: "deck", back }), { class: "deck", "data-back": back }));
    const [cards, back] = [this.keys.slice(0, CARDS.length), this.keys.slice(CARDS.length)];
    by("shoe").append(h("h2", {}, "The shoe"), this.exit, ...cards.map(({ node }) => node));
    by("discard").append(...back.map(({ node }) => node), h("div", { class: "decks" }, ...this.decks));
  }

  /** @param {Felt.State} state */
  update(state) {
    const deck = state.deck ? `${state.deck} deck in` : "no deck in";
    say(this.exit, state.way === "hand" ? deck : `${deck} · ${EXIT[state.exit]}`);
    for (const { hand, node } of this.keys) {
      mark(node, "hidden", hand.ways.includes(state.way) ? null : "");
      mark(node, "data-next", state.next === hand.name ? "next" : null);
    }
    for (const node of this.decks) mark(node, "aria-pressed", String(node.dataset.back === state.deck));
  }
}

/** @param {HTMLElement} root */
export function keys(root) {
  root.append(...texts.keys.map((key) => button(words(key), () => act({ do: "press", key }), { "data-key": key })));
}

/**
 * @param {string} id
 * @param {string} name
 * @param {[string, string][]} options value and words
 */
function select(id, name, options) {
  const field = h("select", { id }, ...options.map(([value, text]) => h("option", { value }, text)));
  return { field, node: h("label", { for: id }, h("span", {}, name), field) };
}

/** Players who bet by themselves, or the same ante for all of them. */
export class Players {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.here = button("Players bet for me", () => act({ do: "players", here: this.here.getAttribute("aria-pressed") !== "true" }),
      { "aria-pressed": "false" });
    const amounts = [500, 1000, 1500, 2500, 5000, 10000];
    const amount = select("ante", "Same ante for all:", amounts.map((cents) => [String(cents), money(cents)]));
    const lay = button("Lay", () => act({ do: "antes", cents: Number(amount.field.value) }), { "data-do": "antes" });
    this.trouble = h("p", { class: "trouble" });
    const seats = `seats ${texts.players[0]} to ${texts.players.at(-1)}`;
    root.append(h("div", { class: "row" }, this.here, amount.node, lay), h("p", { class: "hint" },
      `${seats}. Who folds shows it at the seat: press FOLD for them.`), this.trouble);
  }

  /** @param {Felt.State} state */
  update(state) {
    mark(this.here, "aria-pressed", String(state.players));
    say(this.trouble, state.trouble);
  }
}

/** What can be broken, what each fault does, and what is broken now. */
export class Faults {
  /** @param {HTMLElement} root */
  constructor(root) {
    const readers = texts.seats.flatMap((seat) => Object.entries(texts.wagers).map(([wager, name]) =>
      /** @type {[string, string]} */ ([`${seat}.${wager}`, `Reader: seat ${seat} ${name}`])));
    this.device = select("device", "Device", [["shoe", "Shoe"], ...readers]);
    this.kind = select("kind", "Fault", []);
    this.after = h("input", { id: "after", type: "number", min: 1, max: 52, placeholder: "now" });
    this.afterLabel = h("label", { for: "after" }, h("span", {}, "At card"), this.after);
    this.does = h("p", { class: "does", role: "status" });
    this.broken = h("p", { class: "trouble" });
    this.device.field.addEventListener("change", () => this.#device());
    this.kind.field.addEventListener("change", () => this.#kind());
    const key = button("Make it so", () => this.#strike(), { "data-do": "fault" });
    root.append(h("div", { class: "row" }, this.device.node, this.kind.node, this.afterLabel, key), this.does, this.broken);
    this.#device();
  }

  get #kinds() {
    return this.device.field.value === "shoe" ? texts.faults.shoe : texts.faults.reader;
  }

  #device() {
    this.kind.field.replaceChildren(...Object.keys(this.#kinds).map((kind) => h("option", { value: kind }, words(kind))));
    mark(this.afterLabel, "hidden", this.device.field.value === "shoe" ? null : "");
    this.#kind();
  }

  #kind() {
    say(this.does, `${words(this.kind.field.value)}: ${this.#kinds[this.kind.field.value]}`);
  }

  #strike() {
    const device = this.device.field.value;
    const after = device === "shoe" ? Number(this.after.value) || null : null;
    act({ do: "fault", device, kind: this.kind.field.value, after });
  }

  /** @param {Felt.State} state */
  update(state) {
    const broken = Object.entries(state.faults).map(([device, kind]) => `${words(device.replace(".", " "))}: ${kind}`);
    say(this.broken, broken.length ? `Broken now: ${broken.join(", ")}` : "");
  }
}

/** The last frames of every wire, looked at while they are open. @param {HTMLDetailsElement} root */
export function wires(root) {
  /** @type {Map<string, HTMLElement>} */
  const lines = new Map();
  const list = h("dl", { class: "wires" });
  root.append(h("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Last frames of every wire" }, list));
  const look = async () => {
    if (!root.open) return;
    for (const { name, frames } of await (await fetch("/wires")).json()) {
      let node = lines.get(name);
      if (!node) {
        node = h("dd", {});
        lines.set(name, node);
        list.append(h("dt", {}, words(name)), node);
      }
      say(node, frames.join("\n") || "nothing yet");
    }
  };
  root.addEventListener("toggle", look);
  setInterval(look, 500);
}
