// The one panel: what was taken closes it, what was refused stays and is said.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { act, daemon, settled } from "./browser.js";

const { choices, Panels } = await import("../../../controller/pages/display/static/panel.js");
const { Sign } = await import("../../../controller/pages/display/static/sign.js");
const { openReport, openReports } = await import("../../../controller/pages/display/static/report.js");

/** @type {string[]} */
let refused = [];
let panels = new Panels((words) => refused.push(words), "more", () => {});
const TAKEN = daemon.answer;
/** @type {any} */
const VIEW = {
  reports: ["swapped", "cards_off"], stopping: ["swapped"], bonus_cards: null,
  seats: [1, 2].map((seat) => ({ seat, reportable: seat === 2, cards: [{}, {}], circles: {} })),
  hold: null, waiting: [], about: { cards: "cards 1", call: "call 4", round: "round 3" }, prompt: { id: "1/ask/3" },
};
const HELD = { ...VIEW, hold: { about: "hold 7.2" } };

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
  assert.deepEqual([panels.isOpen, panels.opened], [false, null]);
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
  assert.deepEqual(daemon.touched, [{ do: "swap", first: "down_far", second: "seat_2_1", about: "cards 1" }]);
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
  openReport(panels, VIEW, "stub_count", { prompt: "1" });
  daemon.answer = () => Promise.resolve({ ok: false, json: () => Promise.resolve({ refused: "Count again.", code: "count_again" }) });
  await count("40");
  assert.deepEqual([panels.isOpen, panels.node.querySelector(".typed")?.textContent, refused], [true, "–", ["Count again."]]);
  daemon.answer = TAKEN;
  await count("40");
  const touch = { do: "report", what: "stub_count", number: 40, prompt: "1" };
  assert.deepEqual(daemon.touched, [{ ...touch, once: true }, touch]);
  assert.equal(panels.isOpen, false);
});

test("a count that was wrong for one prompt is not meant for the next one", async () => {
  openReport(panels, VIEW, "stub_count", { prompt: "1" });
  daemon.answer = () => Promise.resolve({ ok: false, json: () => Promise.resolve({ refused: "Count again.", code: "count_again" }) });
  await count("40");
  openReport(panels, VIEW, "stub_count", { prompt: "2" });
  daemon.answer = TAKEN;
  await count("40");
  assert.equal(daemon.touched[1].once, true, "it is asked for again first");
});

/** Answers that come when the test lets them. */
function late() {
  /** @type {((answer: {ok: boolean, json: () => Promise<unknown>}) => void)[]} */
  const waiting = [];
  daemon.answer = () => new Promise((resolve) => { waiting.push(resolve); });
  return async (answer = { ok: true, json: () => Promise.resolve({}) }) => {
    waiting.shift()?.(answer);
    await settled();
  };
}

const body = () => document.createElement("p");

for (const [first, second] of [["amount", "amount"], ["stub", "amount"], ["deck", "deck"]]) {
  test(`a late answer to the ${first} leaves the pad for the next ${second} open`, async () => {
    const answer = late();
    panels.open(first, body(), { subject: { prompt: "1" } });
    const sent = panels.deliver({ do: first });
    panels.open(second, body(), { subject: { prompt: "2" } });
    await answer();
    assert.equal(await sent, true);
    assert.deepEqual([panels.isOpen, panels.opened?.subject], [true, { prompt: "2" }]);
  });
}

test("a panel that is answered before the next view is closed, and the next view opens what it wants", async () => {
  let closed = 0;
  panels.onClosed = () => { closed += 1; };
  panels.update(VIEW);
  panels.open("amount", body(), { subject: { about: "cards 1" } });
  await panels.deliver({ do: "amount" });
  assert.deepEqual([panels.isOpen, closed], [false, 0], "the view is still the old one");
  const answer = late();
  panels.open("amount", body(), { subject: { about: "cards 1" } });
  const sent = panels.deliver({ do: "amount" });
  panels.update({ ...VIEW });
  await answer();
  await sent;
  assert.deepEqual([panels.isOpen, closed], [false, 1], "the new view came first: what it wants is opened now");
});

test("a touch goes out with the subject of the panel that sends it, whatever is opened or comes meanwhile", async () => {
  const answer = late();
  panels.update(HELD);
  panels.open("Void", body(), { subject: { about: "hold 7.2" } });
  const sent = panels.deliver({ do: "floor", decision: "approve", outcome: "void" });
  panels.update({ ...VIEW, hold: { about: "hold 8.3" } });
  assert.equal(panels.isOpen, true, "its answer decides");
  await answer({ ok: false, json: () => Promise.resolve({ refused: "Another hold stands now.", code: "another_hold" }) });
  assert.equal(await sent, false);
  assert.deepEqual(daemon.touched, [{ do: "floor", decision: "approve", outcome: "void", about: "hold 7.2" }]);
  assert.deepEqual([panels.isOpen, refused], [false, ["Another hold stands now."]]);
});

test("a panel whose subject has changed is closed, and that is said once", () => {
  panels.update(HELD);
  panels.open("Void", body(), { subject: { about: "hold 7.2" } });
  panels.update({ ...HELD });
  assert.equal(panels.isOpen, true);
  panels.update({ ...VIEW, hold: { about: "hold 7.3" } });
  assert.deepEqual([panels.isOpen, refused], [false, ["outdated"]]);
});

test("while play is held nothing is decided but the hold", () => {
  panels.update(VIEW);
  for (const [about, open] of /** @type {[string, boolean][]} */ ([["round 3", false], ["call 4", true], ["cards 1", true], ["record 2.0", true]])) {
    panels.open("Decide", body(), { subject: { about } });
    panels.update(HELD);
    assert.equal(panels.isOpen, open, about);
  }
});

test("a second tap while the first is on its way is dropped", async () => {
  const answer = late();
  panels.open("Void", body(), { subject: { about: "cards 1" } });
  const sent = panels.deliver({ do: "floor" });
  assert.equal(await panels.deliver({ do: "floor" }), false);
  panels.update({ ...VIEW, about: {} });
  assert.equal(panels.isOpen, true, "the first is still on its way");
  await answer();
  assert.deepEqual([await sent, panels.isOpen, daemon.touched.length], [true, false, 1]);
});

test("after a wrong badge or PIN the PIN is empty, the badge stands there and can be changed", async () => {
  panels.update(HELD);
  const sign = new Sign(panels, (words) => refused.push(words));
  sign.badge("Void", { decision: "approve", outcome: "void", about: "hold 7.2" });
  await count("9");
  assert.match(panels.node.querySelector(".who")?.textContent ?? "", /9.*change/);
  daemon.answer = () => Promise.resolve({ ok: false, json: () => Promise.resolve({ refused: "Badge or PIN", code: "not_proven" }) });
  await count("1234");
  assert.deepEqual([panels.node.querySelector(".typed")?.textContent, refused], ["pin", ["Badge or PIN"]]);
  const who = panels.node.querySelector(".who");
  assert.ok(who);
  act(who, "click");
  assert.equal(panels.node.querySelector(".typed")?.textContent, "9", "it is changed, not typed anew");
  daemon.answer = TAKEN;
  await count("8");
  await count("4321");
  const touch = { do: "floor", decision: "approve", outcome: "void", about: "hold 7.2" };
  assert.deepEqual(daemon.touched, [{ ...touch, badge: "9", pin: "1234" }, { ...touch, badge: "98", pin: "4321" }]);
  assert.equal(panels.isOpen, false);
});
