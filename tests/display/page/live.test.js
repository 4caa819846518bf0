// The line to the daemon: what is lost is lost at once, and only a fresh view brings it back.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import "./browser.js";

let at = 0;
/** @type {Line[]} */
let lines = [];
class Line extends EventTarget {
  static CLOSED = 2;
  readyState = 0;
  closed = false;
  /** @type {((event: {data: string}) => void) | null} */
  onmessage = null;
  /** @type {(() => void) | null} */
  onerror = null;

  constructor() {
    super();
    lines.push(this);
  }

  close() {
    this.closed = true;
  }

  /** @param {number} version */
  shows(version) {
    this.onmessage?.({ data: JSON.stringify({ version }) });
  }

  beats() {
    this.dispatchEvent(new Event("beat"));
  }
}
mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
mock.method(performance, "now", () => at);
Object.assign(globalThis, { EventSource: Line });
const { Live } = await import("../../../controller/pages/display/static/live.js");

/** @type {(number | string)[]} */
let seen = [];

/** @param {number} ms */
function passes(ms) {
  for (let left = ms; left > 0; left -= 50) {
    at += 50;
    mock.timers.tick(50);
  }
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  lines = [];
  seen = [];
  new Live((view) => seen.push(view.version), () => seen.push("lost"));
});

test("views are handed on as they come", () => {
  lines[0].shows(1);
  lines[0].shows(2);
  assert.deepEqual(seen, [1, 2]);
});

test("a daemon that falls silent is lost within two seconds, and said so once", () => {
  lines[0].shows(1);
  passes(1500);
  assert.deepEqual(seen, [1]);
  passes(300);
  assert.deepEqual(seen, [1, "lost"]);
  passes(10_000);
  assert.deepEqual(seen, [1, "lost"]);
});

test("a beat is as good as a view while nothing changes", () => {
  lines[0].shows(1);
  for (let beats = 0; beats < 20; beats += 1) {
    passes(500);
    lines[0].beats();
  }
  assert.deepEqual(seen, [1]);
});

test("a line that breaks is lost at once and tried again", () => {
  lines[0].shows(1);
  lines[0].onerror?.();
  assert.deepEqual(seen, [1, "lost"]);
  assert.ok(lines[0].closed);
  passes(500);
  assert.equal(lines.length, 2);
  lines[1].shows(5);
  assert.deepEqual(seen, [1, "lost", 5]);
});

for (const [status, times] of [[503, 1], [404, 0]]) {
  test(`a page that is answered ${status} in place of views is loaded anew ${times} times`, async () => {
    const reload = mock.fn();
    Object.assign(globalThis, { location: { href: "/", search: "", reload }, fetch: () => Promise.resolve({ status }) });
    lines[0].readyState = Line.CLOSED;
    lines[0].onerror?.();
    await new Promise((answered) => setImmediate(answered));
    assert.equal(reload.mock.callCount(), times);
  });
}

test("after a loss a beat brings nothing back", () => {
  lines[0].onerror?.();
  passes(500);
  for (let beats = 0; beats < 5; beats += 1) {
    lines[1].beats();
    passes(500);
  }
  assert.deepEqual(seen, ["lost"]);
  assert.ok(lines[1].closed, "a line that only beats is given up, too");
});

test("what a line says that was given up is old", () => {
  lines[0].onerror?.();
  passes(500);
  lines[0].shows(9);
  lines[0].onerror?.();
  assert.deepEqual(seen, ["lost"]);
  assert.equal(lines[1].closed, false);
});
