// The controls beside the layout: the shoe and the card return, the dealer's keys, and the technician's panels for
// players, faults and wires. Built once; later only texts and marks change.

import { button, h, mark, money, say } from "/display/dom.js";
import { fetchJson } from "/display/fetch_json.js";
import { act, by } from "./line.js";
import { fill, texts, words } from "./texts.js";

const ALWAYS = ["stack", "single", "hand"];
/**
 * Handling of the cards, and the deal methods that have it.
 * @typedef {{name: string, ways: string[]}} Hand
 */
/** @type {Hand[]} */
const CARDS = [{ name: "lift", ways: ["stack"] }, { name: "draw", ways: ["single", "hand"] }, { name: "deal", ways: ["hand"] }];
/** @type {Hand[]} */
const BACK = [{ name: "stub", ways: ALWAYS }, { name: "gather", ways: ALWAYS }];

/** @param {Hand} hand */
const handKey = ({ name }) =>
  h("button", { type: "button", class: "hand-key", "data-do": name, onclick: () => act({ do: name }) },
    h("span", { class: "what" }, words.hands[name]?.do), h("span", { class: "when" }, words.hands[name]?.when));
/** @param {string} back */
const backName = (back) => texts.backs[back] ?? back;

/** The shoe at the dealer's left, the card return at the right. */
export class Cards {
  constructor() {
    this.exit = h("p", { class: "exit" });
    this.keys = [...CARDS, ...BACK].map((hand) => ({ hand, node: handKey(hand) }));
    this.decks = texts.decks.map((back) =>
      button(fill(words.put_deck, { back: backName(back) }), () => act({ do: "deck", back }), { class: "deck", "data-back": back }));
    const [cards, back] = [this.keys.slice(0, CARDS.length), this.keys.slice(CARDS.length)];
    by("shoe").append(h("h2", {}, words.shoe), this.exit, ...cards.map(({ node }) => node));
    by("discard").append(...back.map(({ node }) => node), h("div", { class: "decks" }, ...this.decks));
  }

  /** @param {Felt.State} state */
  update(state) {
    const deck = state.deck ? fill(words.deck_in, { back: backName(state.deck) }) : words.no_deck;
    say(this.exit, state.way === "hand" ? deck : `${deck} · ${words.exit[state.exit || "nothing"]}`);
    for (const { hand, node } of this.keys) {
      mark(node, "hidden", hand.ways.includes(state.way) ? null : "");
      mark(node, "data-next", state.next === hand.name ? "next" : null);
    }
    for (const node of this.decks) mark(node, "aria-pressed", String(node.dataset.back === state.deck));
  }
}

/** @param {HTMLElement} root */
export function keys(root) {
  root.append(...texts.keys.map((key) => button(texts[`key_${key}`], () => act({ do: "press", key }), { "data-key": key })));
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
    this.here = button(words.players_bet, () => act({ do: "players", here: this.here.getAttribute("aria-pressed") !== "true" }),
      { "aria-pressed": "false" });
    const amounts = [500, 1000, 1500, 2500, 5000, 10000];
    const amount = select("ante", words.same_ante, amounts.map((cents) => [String(cents), money(cents)]));
    const lay = button(words.lay, () => act({ do: "antes", cents: Number(amount.field.value) }), { "data-do": "antes" });
    this.trouble = h("p", { class: "trouble" });
    const hint = fill(words.players_hint, { first: texts.players[0] ?? 0, last: texts.players.at(-1) ?? 0 });
    root.append(h("div", { class: "row" }, this.here, amount.node, lay), h("p", { class: "hint" }, hint), this.trouble);
  }

  /** @param {Felt.State} state */
  update(state) {
    mark(this.here, "aria-pressed", String(state.players));
    say(this.trouble, state.trouble);
  }
}

/** @param {string} device `shoe`, or a circle */
const kindsOf = (device) => (device === "shoe" ? words.fault_kinds.shoe : words.fault_kinds.reader);

/** @param {string} device `shoe`, or a circle */
function deviceName(device) {
  const [seat = "", wager = ""] = device.split(".");
  return device === "shoe" ? words.shoe_device : fill(words.reader, { seat, wager: texts.wagers[wager] ?? wager });
}

/** Devices that can be broken, the effect of each fault, and the present faults. */
export class Faults {
  /** @param {HTMLElement} root */
  constructor(root) {
    const readers = texts.seats.flatMap((seat) => Object.keys(texts.wagers).map((wager) => `${seat}.${wager}`));
    this.device = select("device", words.device, ["shoe", ...readers].map((device) => [device, deviceName(device)]));
    this.kind = select("kind", words.fault, []);
    this.after = h("input", { id: "after", type: "number", min: 1, max: 52, placeholder: words.now });
    this.afterLabel = h("label", { for: "after" }, h("span", {}, words.at_card), this.after);
    this.does = h("p", { class: "does", role: "status" });
    this.broken = h("p", { class: "trouble" });
    this.device.field.addEventListener("change", () => this.#device());
    this.kind.field.addEventListener("change", () => this.#kind());
    const key = button(words.strike, () => this.#strike(), { "data-do": "fault" });
    root.append(h("div", { class: "row" }, this.device.node, this.kind.node, this.afterLabel, key), this.does, this.broken);
    this.#device();
  }

  get #kinds() {
    return kindsOf(this.device.field.value);
  }

  #device() {
    this.kind.field.replaceChildren(...Object.entries(this.#kinds).map(([kind, { name }]) => h("option", { value: kind }, name)));
    mark(this.afterLabel, "hidden", this.device.field.value === "shoe" ? null : "");
    this.#kind();
  }

  #kind() {
    const fault = this.#kinds[this.kind.field.value];
    say(this.does, fill(words.fault_does, { fault: fault?.name ?? "", does: fault?.does ?? "" }));
  }

  #strike() {
    const device = this.device.field.value;
    const after = device === "shoe" ? Number(this.after.value) || null : null;
    act({ do: "fault", device, kind: this.kind.field.value, after });
  }

  /** @param {Felt.State} state */
  update(state) {
    const broken = Object.entries(state.faults).map(([device, kind]) => `${deviceName(device)}: ${kindsOf(device)[kind]?.name ?? kind}`);
    say(this.broken, broken.length ? fill(words.broken, { faults: broken.join(", ") }) : "");
  }
}

/** @param {string} wire `shoe`, `lamps`, or a circle */
const wireName = (wire) => (wire === "lamps" ? words.lamp_chain : deviceName(wire));

/** The last frames of every wire, requested while the part is open. @param {HTMLDetailsElement} root */
export function wires(root) {
  /** @type {Map<string, HTMLElement>} */
  const lines = new Map();
  const list = h("dl", { class: "wires" });
  root.append(h("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": words.wires_region }, list));
  const look = async () => {
    if (!root.open) return;
    for (const { name, frames } of (await fetchJson("/wires"))?.data ?? []) {
      let node = lines.get(name);
      if (!node) {
        node = h("dd", {});
        lines.set(name, node);
        list.append(h("dt", {}, wireName(name)), node);
      }
      say(node, frames.join("\n") || words.no_frames);
    }
  };
  root.addEventListener("toggle", look);
  setInterval(look, 500);
}
