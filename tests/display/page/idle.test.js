// The return of an idle page: after its time, later during an entry, and started once.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

let at = 0;
mock.timers.enable({ apis: ["setInterval"] });
mock.method(performance, "now", () => at);
const heard = new EventTarget();
Object.assign(globalThis, { document: heard, location: { search: "?idle=2" } });
const { returnWhenIdle } = await import("../../../controller/pages/display/static/idle.js");

let entering = false;
let returns = 0;

/** @param {number} ms */
function pass(ms) {
  for (let left = ms; left > 0; left -= 500) {
    at += 500;
    mock.timers.tick(500);
  }
}

beforeEach(() => {
  entering = false;
  returns = 0;
  returnWhenIdle(() => entering, () => { returns += 1; });
});

test("a page returns after its time without a touch", () => {
  pass(1500);
  assert.equal(returns, 0);
  pass(500);
  assert.equal(returns, 1);
});

test("a slow return is not started again", () => {
  pass(10_000);
  assert.equal(returns, 1);
});

test("a touch begins the time anew", () => {
  pass(1500);
  heard.dispatchEvent(new Event("pointerdown"));
  pass(1500);
  assert.equal(returns, 0);
  pass(500);
  assert.equal(returns, 1);
});

test("an unfinished entry has three times as long", () => {
  entering = true;
  pass(5500);
  assert.equal(returns, 0);
  pass(500);
  assert.equal(returns, 1);
});
