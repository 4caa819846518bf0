// Entries of a dealer: an amount, a number of cards, a face, their own number, a deck. The ENTER key of each repeats
// what it will send.

import { rankText, suitName } from "./cards.js";
import { button, enable, h, mark, money, say, texts } from "./dom.js";
import { icon } from "./icons.js";
import { choices, summary, typing } from "./panel.js";

export const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/**
 * Enter dollars on a keypad.
 * @param {number[]} quick amounts in cents that are likely
 * @param {(cents: number) => void} onEnter
 */
export function amountEntry(quick, onEnter) {
  return typing({
    pad: true,
    shown: (typed) => (typed === "" ? "$" : money(Number(typed) * 100)),
    accepts: (typed) => typed !== "" && typed.length <= 6,
    onEnter: (typed) => onEnter(Number(typed) * 100),
    enterText: (typed) => (typed === "" ? texts.enter : `${texts.enter} ${money(Number(typed) * 100)}`),
    quick: quick.map((cents) => ({ label: money(cents), value: String(Math.floor(cents / 100)) })),
  });
}

/**
 * Enter a whole number of cards, at most `most`.
 * @param {number} most
 * @param {(number: number) => void} onEnter
 */
export function countEntry(most, onEnter) {
  return typing({
    pad: true,
    shown: (typed) => typed || "–",
    accepts: (typed) => typed !== "" && Number(typed) <= most,
    onEnter: (typed) => onEnter(Number(typed)),
    enterText: (typed) => `${texts.enter} ${typed}`.trim(),
  });
}

/**
 * Enter a dealer's or floorperson's own number. `begun`: digits typed before.
 * @param {(number: string) => void} onEnter
 * @param {string} label
 */
export function numberEntry(onEnter, label = texts.enter, begun = "") {
  return typing({
    pad: true,
    keys: LETTERS,
    columns: 7,
    scanned: true,
    begun,
    shown: (typed) => typed || texts.your_number,
    accepts: (typed) => typed !== "" && typed.length <= 16,
    onEnter,
    enterText: (typed) => `${label} ${typed}`.trim(),
  });
}

/**
 * Enter a PIN, shown only as its length, under the number that it belongs to; a tap on the number changes it.
 * @param {(pin: string) => void} onEnter
 * @param {string} label
 * @param {{who: string, onChange: () => void}} typed
 */
export function pinEntry(onEnter, label, { who, onChange }) {
  const change = button("", onChange, { class: "who" });
  change.append(h("span", {}, who), " ", h("span", { class: "change" }, texts.change));
  return typing({
    above: change,
    pad: true,
    most: 12,
    scanned: true,
    shown: (typed) => "•".repeat(typed.length) || texts.pin,
    accepts: (typed) => typed.length >= 4,
    onEnter,
    enterText: () => label,
  });
}

/**
 * Sign a dealer on: by number, and by PIN if the table requires it.
 * @param {import("./panel.js").Panels} panels
 * @param {import("./subject.js").Subject} subject the dealer who has the table now, and the prompt that asks
 * @param {string} begun
 */
export function openSignOn(panels, subject, begun = "") {
  panels.open(texts.your_number, numberEntry((number) => {
    const touch = { do: "sign_on", number };
    const pin = () => openPin(panels, touch, `${texts.sign_on} ${number}`, subject, () => openSignOn(panels, subject, number));
    panels.deliver(touch, { pin_needed: pin });
  }, texts.sign_on, begun), { subject, form: "tall" });
}

/**
 * Sign the dealer off after a confirmation. If the table requires proof, the number is asked for next.
 * @param {import("./panel.js").Panels} panels
 * @param {string} dealer
 * @param {string} about the same, as the view names it
 */
export function openRelief(panels, dealer, about) {
  const label = `${texts.relieve} ${dealer}`;
  const subject = { about };
  const who = (begun = "") => panels.open(label, numberEntry((number) => openPin(
    panels, { do: "relieve", number }, label, subject, () => who(number)), texts.enter, begun), { subject, form: "tall" });
  panels.open(texts.relieve, summary(`${label}?`, () => panels.deliver({ do: "relieve" }, { pin_needed: who })), { subject });
}

/**
 * @param {import("./panel.js").Panels} panels
 * @param {Data.Touch} touch
 * @param {string} label
 * @param {import("./subject.js").Subject} subject
 * @param {() => void} onChange the number is typed again
 */
function openPin(panels, touch, label, subject, onChange) {
  const again = () => openPin(panels, touch, label, subject, onChange);
  const entry = pinEntry((pin) => panels.deliver({ ...touch, pin }, { not_proven: again }), label,
    { who: String(touch.number), onChange });
  panels.open(label, entry, { subject, form: "tall" });
}

/**
 * Enter a face by rank and suit, in either order; a face already seen cannot be chosen.
 * @param {Set<string>} seen
 * @param {(face: string) => void} onEnter
 */
export function faceEntry(seen, onEnter) {
  let rank = "";
  let suit = "";
  const enter = button(texts.enter, () => enter.dataset.face && onEnter(enter.dataset.face), { class: "go enter" });
  const ranks = [..."AKQJT98765432"].map((value, i) => button(rankText(value), () => choose(value, suit),
    { "data-rank": value, "data-first": i === 0 ? "" : null }));
  const suits = [..."SHDC"].map((value) => suitKey(value, () => choose(rank, value)));
  /**
   * @param {string} newRank
   * @param {string} newSuit
   */
  const choose = (newRank, newSuit) => {
    rank = newRank;
    suit = newSuit;
    ranks.forEach((key) => {
      mark(key, "aria-pressed", key.dataset.rank === rank ? "true" : "false");
      enable(key, !seen.has(key.dataset.rank + suit));
    });
    suits.forEach((key) => {
      mark(key, "aria-pressed", key.dataset.suit === suit ? "true" : "false");
      enable(key, !seen.has(rank + key.dataset.suit));
    });
    const whole = rank && suit && !seen.has(rank + suit) ? rank + suit : null;
    mark(enter, "data-face", whole);
    say(enter, whole ? `${texts.enter} ${rankText(whole)} ${suitName(suit)}` : texts.enter);
    enable(enter, whole !== null);
  };
  choose("", "");
  const node = h("div", { class: "face-entry" }, h("div", { class: "ranks", role: "group", "aria-label": texts.choose_rank }, ...ranks),
    h("div", { class: "suits", role: "group", "aria-label": texts.choose_suit }, ...suits), enter);
  node.addEventListener("keydown", (event) => {
    const key = event.key.toUpperCase() === "1" ? "T" : event.key.toUpperCase();
    const found = [...ranks, ...suits].find((n) => (n.dataset.rank ?? n.dataset.suit) === key);
    if (!found) return;
    found.click();
    enter.focus({ preventScroll: true });
    event.preventDefault();
  });
  return node;
}

/**
 * @param {string} suit
 * @param {() => void} onPick
 */
function suitKey(suit, onPick) {
  const key = button("", onPick, { "data-suit": suit, class: "suit" });
  key.append(icon(suit), h("span", {}, suit), h("span", { class: "hidden-text" }, suitName(suit)));
  return key;
}

/**
 * Enter the deck that came to the table: its kind first, then its back, which sends.
 * @param {Data.View} view
 * @param {(touch: Data.Touch) => void} onEnter
 */
export function deckEntry(view, onEnter) {
  let preshuffled = false;
  const kinds = [false, true].map((value) => ({
    value, key: button(value ? texts.preshuffled : texts.inspected, () => choose(value)),
  }));
  /** @param {boolean} value */
  const choose = (value) => {
    preshuffled = value;
    for (const kind of kinds) mark(kind.key, "aria-pressed", String(kind.value === value));
  };
  choose(false);
  const { back: last, apart, again, backs } = view.deck;
  const decks = backs.map((back) => ({ label: texts.backs[back] ?? back, value: back, off: back === apart }));
  if (again) decks.push({ label: texts.same_deck, value: "same", off: false });
  /** @param {string} value */
  const bring = (value) => onEnter({ do: "deck", back: value === "same" ? last : value, preshuffled, same: value === "same" });
  return h("div", { class: "deck-entry" },
    h("div", { class: "choices", "data-columns": 2 }, ...kinds.map(({ key }) => key)), choices(decks, bring, decks.length));
}
