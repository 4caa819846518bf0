// A small document for the unit tests: what the pages' modules need of a browser, and texts of their own.
// Import it before a module of the pages.

import { readFileSync } from "node:fs";
import { parseHTML } from "linkedom";

/** The names of the page's texts, so that each stands for itself. */
const declared = readFileSync(new URL("page.d.ts", import.meta.url), "utf8").split("type PlainText =")[1];
const plain = Object.fromEntries([...declared.matchAll(/"([a-z_]+)"/g)].map(([, name]) => [name, name]));

const texts = {
  ...plain,
  wagers: { across: "Across", down: "Down", six_card_bonus: "Six" },
  places: { middle: "middle card", down_far: "far card", cross: "the cross", of_seat: "seat {seat}, card {card}" },
  reports: { swapped: "Swapped", cards_off: "Cards off", stub_count: "Stub counted" },
  backs: { red: "red", blue: "blue" },
  lamps: {
    off: { colour: "off", rhythm: "steady", shape: "off", settles: false },
    pay: { colour: "green", rhythm: "long-short", shape: "pay", settles: true },
  },
  rhythms: { steady: "#", even: "####....", "long-short": "####.#...." },
  asks: { swapped: ["first", "second"], cards_off: ["hand", "count"], stub_count: ["stub"] },
  of_seat: ["cards_off"],
  report_groups: { cards: ["swapped"], players: ["cards_off"], table: ["stub_count"] },
  stops: ["void"],
  side_bets: ["five_card_bonus", "six_card_bonus", "third_bonus", "fourth_bonus"],
  rows: { ante: "ante", bet: "bet", across: "Across", down: "Down", middle: "Middle", five_card_bonus: "Five", six_card_bonus: "Six", third_bonus: "Third", fourth_bonus: "Fourth" },
};

const { window, document } = parseHTML("<html><body><script id='texts'></script><div id='root'></div></body></html>");
const script = document.getElementById("texts");
if (script) script.textContent = JSON.stringify(texts);

/** What a style sheet was given. @type {string[]} */
export const sheets = [];
class Sheet {
  /** @param {string} rules */
  replaceSync(rules) {
    sheets.push(rules);
  }
}

Object.assign(globalThis, {
  window, document, HTMLElement: window.HTMLElement, CSSStyleSheet: Sheet,
  location: { search: "" },
});
window.HTMLElement.prototype.getAnimations = () => [];

/**
 * A finger or a key on a node. `detail` 0 is the keyboard, as browsers have it.
 * @param {Element} node
 * @param {string} kind
 * @param {Record<string, unknown>} more
 */
export function act(node, kind, more = {}) {
  node.dispatchEvent(Object.assign(new window.Event(kind, { bubbles: true }), { detail: 1, ...more }));
}

/** What the modules asked the daemon, and what it answers. */
export const daemon = {
  /** @type {Record<string, unknown>[]} */
  touched: [],
  /** @type {() => Promise<{ok: boolean, json: () => Promise<unknown>}>} */
  answer: () => Promise.resolve({ ok: true, json: () => Promise.resolve({ ok: true }) }),
};
Object.assign(globalThis, {
  /** @param {string} _path @param {{body: string}} request */
  fetch: (_path, request) => {
    daemon.touched.push(JSON.parse(request.body));
    return daemon.answer();
  },
});

/** Lets everything that waits for an answer go on. */
export const settled = () => new Promise((resolve) => { setImmediate(resolve); });
