// The one panel: what was taken closes it, what was refused stays and is said.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { act, daemon, settled } from "./browser.js";

const { choices, Panels } = await import("../../../controller/display/static/panel.js");
const { openReport, openReports } = await import("../../../controller/display/static/report.js");

/** @type {string[]} */
let refused = [];
let panels = new Panels((words) => refused.push(words), "more", () => {});
const TAKEN = daemon.answer;
/** @type {any} */
const VIEW = {
  reports: ["swapped", "cards_off"], stopping: ["swapped"], bonus_cards: null,
  seats: [1, 2].map((seat) => ({ seat, reportable: seat === 2, cards: [{}, {}] })),
};

/** @param {string} value */
function pick(value) {
  const node = panels.node.querySelector(`[data-value="${value}"]`);
  assert.ok(node, value);
  act(node, "click");
}

const values = () => [...panels.node.querySelectorAll("[data-value]")].map((node) => node.getAttribute("data-value"));

beforeEach(() => {
  daemon.touched = [];
  daemon.answer = TAKEN;
  refused = [];
  panels = new Panels((words) => refused.push(words), "more", () => {});
});

test("what was taken closes the panel, what was refused leaves it open and is said", async () => {
  panels.open("Amount", document.createElement("p"));
  daemon.answer = () => Promise.resolve({ ok: false, json: () => Promise.resolve({ refused: "Not now." }) });
  assert.equal(await panels.deliver({ do: "relieve" }), false);
  assert.deepEqual([panels.isOpen, refused], [true, ["Not now."]]);
  daemon.answer = TAKEN;
  assert.equal(await panels.deliver({ do: "relieve" }), true);
  assert.deepEqual([panels.isOpen, panels.purpose], [false, null]);
});

test("an open panel gets each new view, a closed one none", () => {
  let views = 0;
  panels.open("Alerts", document.createElement("p"), { onUpdate: () => { views += 1; } });
  panels.update(VIEW);
  panels.close();
  panels.update(VIEW);
  assert.equal(views, 1);
});

test("a choice that is off is shown and cannot be made", () => {
  /** @type {string[]} */
  const made = [];
  const options = [{ label: "Red", value: "red", off: true }, { label: "Blue", value: "blue" }];
  panels.open("Deck", choices(options, (value) => made.push(value), 2));
  pick("red");
  pick("blue");
  assert.deepEqual(made, ["blue"]);
});

test("two cards that changed places are two, and are told before they are sent", async () => {
  openReports(panels, VIEW);
  assert.deepEqual(values(), ["swapped", "cards_off"]);
  pick("swapped");
  assert.ok(values().includes("seat_2_1") && values().includes("down_far"));
  pick("down_far");
  assert.ok(!values().includes("down_far"), "not with itself");
  pick("seat_2_1");
  assert.equal(panels.node.querySelector(".summary p")?.textContent, "Swapped · far card · seat 2, card 1 · stops_play");
  assert.deepEqual(daemon.touched, []);
  const go = panels.node.querySelector(".summary .go");
  assert.ok(go);
  act(go, "click");
  await settled();
  assert.deepEqual(daemon.touched, [{ do: "swap", first: "down_far", second: "seat_2_1" }]);
});

test("a seat that was tapped is not asked for again, and a seat that does not play cannot be named", () => {
  openReports(panels, VIEW, 2);
  pick("cards_off");
  assert.ok(panels.node.querySelector(".typing"), "how many, at once");
  openReports(panels, VIEW);
  pick("cards_off");
  assert.deepEqual(values(), ["1", "2", "0"]);
  assert.equal(panels.node.querySelector('[data-value="1"]')?.getAttribute("aria-disabled"), "true");
});

/** @param {string} digits */
async function count(digits) {
  const typing = panels.node.querySelector(".typing");
  const enter = panels.node.querySelector(".enter");
  assert.ok(typing && enter);
  for (const key of digits) act(typing, "keydown", { key });
  act(enter, "click");
  await settled();
}

test("a count is sent as typed once; one that is not taken is meant when it is typed again", async () => {
  openReport(panels, VIEW, "stub_count", "prompt 1");
  daemon.answer = () => Promise.resolve({ ok: false, json: () => Promise.resolve({ refused: "Count again." }) });
  await count("40");
  assert.deepEqual([panels.isOpen, panels.node.querySelector(".typed")?.textContent, refused], [true, "–", ["Count again."]]);
  daemon.answer = TAKEN;
  await count("40");
  const touch = { do: "report", what: "stub_count", number: 40, prompt: "1" };
  assert.deepEqual(daemon.touched, [{ ...touch, once: true }, touch]);
  assert.equal(panels.isOpen, false);
});
