// A key acts only on the prompt that stood on the screen when the finger came down, and names it.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { act, daemon, settled } from "./browser.js";

const { Keys } = await import("../../../controller/pages/display/static/keys.js");

/** @type {string[]} */
let refused = [];
let entries = 0;
let keys = new Keys((words) => refused.push(words), () => { entries += 1; });

/** @param {Partial<Data.View>} more @returns {any} */
const view = (more = {}) => ({
  prompt: { id: "take/3" }, hold: null, shines: ["confirm"], enter: "confirm",
  keys: { no_more_bets: false, confirm: true, fold: false, floor: true, undo: false },
  words: { keys: { confirm: "take $30", fold: null, undo: null } }, about: { undo: "undo 3" }, ...more,
});

/** @param {string} name */
const node = (name) => /** @type {HTMLElement} */ (keys.node.querySelector(`[data-key="${name}"]`));

/** @param {string} name */
function tap(name) {
  act(node(name), "pointerdown");
  act(node(name), "click");
  return settled();
}

beforeEach(() => {
  refused = [];
  daemon.touched = [];
  entries = 0;
  keys = new Keys((words) => refused.push(words), () => { entries += 1; });
  keys.update(view());
});

test("a lit key is sent with the prompt that it answers", async () => {
  await tap("confirm");
  assert.deepEqual(daemon.touched, [{ do: "press", key: "confirm", prompt: "take/3" }]);
  assert.equal(node("confirm").hasAttribute("data-sent"), false);
});

test("of a dark key the table says why it does nothing", async () => {
  daemon.answer = () => Promise.resolve({ ok: false, json: () => Promise.resolve({ refused: "No bet lies there." }) });
  await tap("fold");
  assert.deepEqual([daemon.touched.length, refused], [1, ["No bet lies there."]]);
  daemon.answer = () => Promise.resolve({ ok: true, json: () => Promise.resolve({}) });
});

test("what changed under the finger is not confirmed", async () => {
  act(node("confirm"), "pointerdown");
  keys.update(view({ prompt: /** @type {any} */ ({ id: "pay/3" }) }));
  act(node("confirm"), "click");
  await settled();
  assert.deepEqual([daemon.touched, refused], [[], ["finger"]]);
  await tap("confirm");
  assert.equal(daemon.touched.length, 1, "the next tap is about what stands there now");
});

test("a prompt that came while the finger was down is not confirmed either", async () => {
  keys.update(view({ prompt: null }));
  act(node("confirm"), "pointerdown");
  keys.update(view());
  act(node("confirm"), "click");
  await settled();
  assert.deepEqual(daemon.touched, []);
});

test("a new view of the same prompt takes nothing from the finger", async () => {
  act(node("confirm"), "pointerdown");
  keys.update(view({ version: 7 }));
  act(node("confirm"), "click");
  await settled();
  assert.equal(daemon.touched.length, 1);
});

test("the floor is called whatever changed", async () => {
  act(node("floor"), "pointerdown");
  keys.update(view({ prompt: null }));
  act(node("floor"), "click");
  await settled();
  assert.deepEqual(daemon.touched, [{ do: "press", key: "floor" }]);
});

test("the keyboard has no finger that could slip", async () => {
  act(node("confirm"), "pointerdown");
  keys.update(view({ prompt: null }));
  act(node("confirm"), "click", { detail: 0 });
  await settled();
  assert.deepEqual(daemon.touched, [{ do: "press", key: "confirm", prompt: "none" }]);
});

test("why a key was not taken is said", async () => {
  daemon.answer = () => Promise.resolve({ ok: false, json: () => Promise.resolve({ refused: "Mend the alert first." }) });
  await tap("confirm");
  assert.deepEqual(refused, ["Mend the alert first."]);
  daemon.answer = () => Promise.resolve({ ok: true, json: () => Promise.resolve({}) });
});

test("lit, shining and called are three things", () => {
  keys.update(view({ shines: [], hold: /** @type {any} */ ({}) }));
  assert.equal(node("confirm").getAttribute("data-lit"), "lit");
  assert.equal(node("confirm").hasAttribute("data-shines"), false);
  assert.equal(node("confirm").hasAttribute("data-call"), false);
  assert.equal(node("floor").getAttribute("data-call"), "call");
  keys.update(view());
  assert.equal(node("confirm").getAttribute("data-shines"), "shines");
});

test("UNDO names the key that it takes back, and takes no other back", async () => {
  const lit = { no_more_bets: false, confirm: true, fold: true, floor: true, undo: true };
  keys.update(view({ keys: lit }));
  await tap("undo");
  assert.deepEqual(daemon.touched, [{ do: "press", key: "undo", prompt: "take/3", about: "undo 3" }]);
  act(node("undo"), "pointerdown");
  keys.update(view({ keys: lit, about: { undo: "undo 4" } }));
  act(node("undo"), "click");
  await settled();
  assert.deepEqual([daemon.touched.length, refused], [1, ["finger"]]);
});

test("where the prompt wants something entered, CONFIRM opens it again", async () => {
  const dark = { no_more_bets: false, confirm: false, fold: true, floor: true, undo: false };
  keys.update(view({ keys: dark, shines: [], prompt: /** @type {any} */ ({ id: "enter_amount/3", entry: "amount", entry_key: "confirm" }) }));
  assert.deepEqual([node("confirm").getAttribute("data-lit"), node("confirm").querySelector(".what")?.textContent], ["lit", "entry_amount"]);
  await tap("confirm");
  assert.deepEqual([entries, daemon.touched], [1, []]);
  keys.update(view({ prompt: /** @type {any} */ ({ id: "open_table", entry: "sign_on", entry_key: null }) }));
  await tap("confirm");
  assert.deepEqual([entries, daemon.touched.length], [1, 1], "where there is something to confirm, it confirms");
  keys.update(view({ keys: dark, shines: [], prompt: /** @type {any} */ ({ id: "open_table", entry: "sign_on", entry_key: null }) }));
  assert.deepEqual([node("confirm").getAttribute("data-lit"), node("confirm").querySelector(".what")?.textContent], [null, "entry_sign_on"]);
});
