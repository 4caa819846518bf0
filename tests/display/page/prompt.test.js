// The prompt draws what is in front, in the largest type that holds it.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";

const { Prompt, reasonSize, size } = await import("../../../controller/pages/display/static/prompt.js");

/** @param {Record<string, unknown>} front @param {Record<string, unknown>} said */
function drawn(front, said) {
  const prompt = new Prompt(document.createElement("span"));
  const base = { look: "take", icon: "take", rhythm: "steady", alert: null, then: "next" };
  const words = { where: "Seat 3", do: "TAKE $30", more: "ace high", then: "Seat 3 · PAY", citation: "§ 1" };
  prompt.update(/** @type {any} */ ({ prompt: { kind: "take" }, front: { ...base, ...front }, words: { front: { ...words, ...said } } }));
  return prompt;
}

test("what is in front is drawn as it is", () => {
  const { node, next } = drawn({}, {});
  assert.equal(node.getAttribute("data-look"), "take");
  assert.equal(node.querySelector(".shape svg")?.getAttribute("data-icon"), "take");
  assert.equal(node.querySelector(".section")?.textContent, "§ 1");
  assert.equal(next.textContent, "thenSeat 3 · PAY");
});

test("an alert beats, and stands still again when it is over", () => {
  const prompt = drawn({ look: "alert", icon: "alert", rhythm: "even" }, {});
  assert.equal(prompt.shape.getAttribute("data-rhythm"), "even");
});

test("what a hold proposes is no step that comes then; where nothing follows nothing is said", () => {
  assert.equal(drawn({ then: "proposed" }, { then: "Proposed: Void" }).next.textContent, "Proposed: Void");
  assert.equal(drawn({ then: null }, { then: null }).next.textContent, "");
});

test("the longer the text, the smaller the type", () => {
  const sizes = [10, 11, 17, 18, 23, 24, 30, 31].map((length) => size("x".repeat(length), ""));
  assert.deepEqual(sizes, ["brief", "short", "short", "middle", "middle", "long", "long", "very"]);
  assert.equal(size("TAKE $30", "x".repeat(61)), "middle", "a long reason needs the room");
  assert.deepEqual([46, 47, 56, 57].map(reasonSize), ["short", "middle", "middle", "long"]);
});
