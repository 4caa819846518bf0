// The shapes play what the lamps on the felt play, and all of a rhythm in step.

import assert from "node:assert/strict";
import { test } from "node:test";

import { sheets } from "./browser.js";

const { beat, rules } = await import("../../../controller/pages/display/static/rhythms.js");

test("a rhythm is one animation: a quarter of a second a sign, dimmed and never gone in the dark", () => {
  assert.equal(rules("dash", "##.#").replace(/\s+/g, " "),
    "@keyframes rhythm-dash { 0% { opacity: 1; } 25% { opacity: 1; } 50% { opacity: var(--dark); } 75% { opacity: 1; } }"
    + ' [data-rhythm="dash"] { animation: rhythm-dash 1s step-end infinite; }');
});

test("every rhythm of the table is in the sheet", () => {
  for (const name of ["steady", "even", "long-short"]) assert.match(sheets.join("\n"), new RegExp(`rhythm-${name} `));
});

test("a rhythm that a shape gets starts with all others, and one that it has goes on", () => {
  const node = document.createElement("span");
  const played = { startTime: 417 };
  node.getAnimations = () => [/** @type {any} */ (played)];
  beat(node, "even");
  assert.deepEqual([node.getAttribute("data-rhythm"), played.startTime], ["even", 0]);
  played.startTime = 5;
  beat(node, "even");
  assert.equal(played.startTime, 5);
  beat(node, "steady");
  assert.equal(node.hasAttribute("data-rhythm"), false);
});
