// What is entered: a card that was seen cannot be chosen, an amount is whole dollars, a deck says what it is.

import assert from "node:assert/strict";
import { test } from "node:test";

import { act } from "./browser.js";

const { amountEntry, countEntry, deckEntry, faceEntry, numberEntry } = await import("../../../controller/pages/display/static/entries.js");

/** @param {Element} entry @param {string} selector */
function tap(entry, selector) {
  const node = entry.querySelector(selector);
  assert.ok(node, selector);
  act(node, "click");
}

/** @param {Element} entry @param {string} typed */
function type(entry, typed) {
  for (const key of typed) act(entry, "keydown", { key });
}

test("a card that has been seen cannot be chosen, in whatever order", () => {
  /** @type {string[]} */
  const entered = [];
  const entry = faceEntry(new Set(["7D"]), (face) => entered.push(face));
  tap(entry, '[data-suit="D"]');
  assert.equal(entry.querySelector('[data-rank="7"]')?.getAttribute("aria-disabled"), "true");
  tap(entry, '[data-suit="H"]');
  tap(entry, '[data-rank="7"]');
  assert.equal(entry.querySelector('[data-suit="D"]')?.getAttribute("aria-disabled"), "true");
  tap(entry, '[data-suit="D"]');
  tap(entry, ".enter");
  assert.deepEqual(entered, ["7H"]);
});

test("half a card is not entered", () => {
  /** @type {string[]} */
  const entered = [];
  const entry = faceEntry(new Set(), (face) => entered.push(face));
  tap(entry, '[data-rank="A"]');
  tap(entry, ".enter");
  assert.deepEqual(entered, []);
  tap(entry, '[data-suit="S"]');
  tap(entry, ".enter");
  assert.deepEqual(entered, ["AS"]);
});

test("dollars are typed and cents are sent; nothing typed is nothing entered", () => {
  /** @type {number[]} */
  const entered = [];
  const entry = amountEntry([2500], (cents) => entered.push(cents));
  tap(entry, ".enter");
  assert.deepEqual(entered, []);
  type(entry, "30");
  assert.equal(entry.querySelector(".typed")?.textContent, "$30");
  tap(entry, ".enter");
  tap(entry, ".quick button");
  tap(entry, ".enter");
  assert.deepEqual(entered, [3000, 2500]);
});

test("ENTER of a badge reader enters a badge, and no amount", () => {
  /** @type {unknown[]} */
  const entered = [];
  const amount = amountEntry([], (cents) => entered.push(cents));
  const number = numberEntry((badge) => entered.push(badge), "Sign on");
  for (const entry of [amount, number]) {
    type(entry, "12");
    act(entry, "keydown", { key: "Enter" });
  }
  assert.deepEqual(entered, ["12"]);
});

test("digits stand as on a phone, the letters of a badge after them", () => {
  /** @param {Element} entry */
  const boards = (entry) => [...entry.querySelectorAll(".board")].map((board) => [board.getAttribute("data-columns"), board.textContent]);
  assert.deepEqual(boards(countEntry(52, () => {})), [["3", "1234567890"]]);
  assert.deepEqual(boards(numberEntry(() => {})), [["3", "1234567890"], ["7", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]]);
});

test("what was typed last can be taken back, and letters are no digits", () => {
  const entry = amountEntry([], () => {});
  type(entry, "3x5");
  act(entry, "keydown", { key: "Backspace" });
  assert.equal(entry.querySelector(".typed")?.textContent, "$3");
});

test("no more cards than there can be", () => {
  /** @type {number[]} */
  const entered = [];
  const entry = countEntry(52, (number) => entered.push(number));
  type(entry, "53");
  tap(entry, ".enter");
  act(entry, "keydown", { key: "Backspace" });
  tap(entry, ".enter");
  assert.deepEqual(entered, [5]);
});

test("a deck is the house's or the one that was here, and says whether it is inspected", () => {
  /** @type {Record<string, unknown>[]} */
  const sent = [];
  const view = /** @type {any} */ ({ deck: { back: "blue", apart: null, again: true, backs: ["red", "blue"] } });
  const entry = deckEntry(view, (touch) => sent.push(touch));
  assert.deepEqual([...entry.querySelectorAll("[data-value]")].map((node) => node.getAttribute("data-value")), ["red", "blue", "same"]);
  tap(entry, '[data-value="red"]');
  tap(entry, ".choices button:nth-child(2)");
  tap(entry, '[data-value="same"]');
  assert.deepEqual(sent, [
    { do: "deck", back: "red", preshuffled: false, same: false },
    { do: "deck", back: "blue", preshuffled: true, same: true },
  ]);
});

test("where no deck was here yet none is the same again", () => {
  const entry = deckEntry(/** @type {any} */ ({ deck: { back: null, apart: null, again: false, backs: ["red", "blue"] } }), () => {});
  assert.equal(entry.querySelector('[data-value="same"]'), null);
});

test("a deck that would be refused is dark, and the same one is not offered", () => {
  /** @type {unknown[]} */
  const sent = [];
  const deck = { back: "red", apart: "red", again: false, backs: ["red", "blue"] };
  const entry = deckEntry(/** @type {any} */ ({ deck }), (touch) => sent.push(touch));
  assert.equal(entry.querySelector('[data-value="same"]'), null);
  assert.equal(entry.querySelector('[data-value="red"]')?.getAttribute("aria-disabled"), "true");
  tap(entry, '[data-value="red"]');
  assert.deepEqual(sent, []);
  tap(entry, '[data-value="blue"]');
  assert.equal(sent.length, 1);
});
