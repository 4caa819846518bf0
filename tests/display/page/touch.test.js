// One touch at a time, and always an answer.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { daemon, settled } from "./browser.js";

const { send } = await import("../../../controller/pages/display/static/touch.js");
const TAKEN = daemon.answer;

beforeEach(() => {
  daemon.touched = [];
  daemon.answer = TAKEN;
});

test("a second tap while the first is on its way is dropped without a word", async () => {
  const first = send({ do: "press", key: "confirm" });
  assert.deepEqual(await send({ do: "press", key: "confirm" }), { ok: false, words: null });
  assert.deepEqual(await first, { ok: true, words: null });
  assert.equal(daemon.touched.length, 1);
  await send({ do: "press", key: "undo" });
  assert.equal(daemon.touched.length, 2);
});

test("another touch while the first is on its way is refused in words", async () => {
  const first = send({ do: "press", key: "confirm" });
  assert.deepEqual(await send({ do: "press", key: "fold" }), { ok: false, words: "one_touch" });
  assert.deepEqual(await first, { ok: true, words: null });
  assert.deepEqual(daemon.touched, [{ do: "press", key: "confirm" }]);
});

test("a refusal is told in its words, a mistake of the page's in its own", async () => {
  daemon.answer = () => Promise.resolve({ ok: false, json: () => Promise.resolve({ refused: "Late bet", code: "not_now" }) });
  assert.deepEqual(await send({ do: "relieve" }), { ok: false, words: "Late bet", code: "not_now" });
  daemon.answer = () => Promise.resolve({ ok: false, json: () => Promise.resolve({ error: "do: one of press amount" }) });
  assert.deepEqual(await send({ do: "relieve" }), { ok: false, words: "do: one of press amount", code: undefined });
});

test("no answer is said, and the next touch goes out", async () => {
  daemon.answer = () => Promise.reject(new Error("no line"));
  assert.deepEqual(await send({ do: "relieve" }), { ok: false, words: "unanswered" });
  daemon.answer = () => Promise.resolve({ ok: false, json: () => Promise.reject(new Error("half a body")) });
  assert.deepEqual(await send({ do: "relieve" }), { ok: false, words: "unanswered" });
  daemon.answer = TAKEN;
  assert.deepEqual(await send({ do: "relieve" }), { ok: true, words: null });
  await settled();
});
