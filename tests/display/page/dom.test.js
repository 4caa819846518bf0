// Text goes in as text, and what did not change is not touched.

import assert from "node:assert/strict";
import { test } from "node:test";

import { act } from "./browser.js";

const { button, enable, h, mark, money, placeName, say } = await import("../../../controller/pages/display/static/dom.js");

test("money is whole dollars with a comma, cents only where there are some", () => {
  const told = [0, 700, 750, 705, 99_900, 100_000, 123_456_700].map((cents) => money(cents));
  assert.deepEqual(told, ["$0", "$7", "$7.50", "$7.05", "$999", "$1,000", "$1,234,567"]);
  assert.equal(money(2500, ""), "25");
});

test("what is given as text stays text", () => {
  const node = h("p", {}, "<b>7D</b>");
  assert.equal(node.childElementCount, 0);
  assert.equal(node.textContent, "<b>7D</b>");
});

test("an attribute that is nothing or false is left out, one that is true is empty", () => {
  const node = h("p", { id: null, title: undefined, hidden: false, lang: "en", "data-first": true });
  assert.deepEqual([...node.getAttributeNames()].sort(), ["data-first", "lang"]);
  assert.equal(node.getAttribute("data-first"), "");
});

test("a text that is the same already is not written again", () => {
  const node = h("p", {}, "TAKE $30");
  const before = node.firstChild;
  say(node, "TAKE $30");
  assert.equal(node.firstChild, before);
  say(node, null);
  assert.equal(node.textContent, "");
});

test("a mark is set, changed and taken away", () => {
  const node = h("p");
  mark(node, "data-lit", "lit");
  assert.equal(node.getAttribute("data-lit"), "lit");
  for (const nothing of [null, undefined, false]) {
    mark(node, "data-lit", "lit");
    mark(node, "data-lit", nothing);
    assert.equal(node.hasAttribute("data-lit"), false);
  }
});

test("a button that is off does nothing and can still be found", () => {
  let pressed = 0;
  const node = button("Go", () => { pressed += 1; });
  enable(node, false);
  act(node, "click");
  assert.equal(pressed, 0);
  enable(node, true);
  act(node, "click");
  assert.equal(pressed, 1);
});

test("a seat's card is named by seat and number, a place by its own name", () => {
  assert.equal(placeName("seat_3_2"), "seat 3, card 2");
  assert.equal(placeName("middle"), "middle card");
});
