// What a circle shows: what lies there, "?" where nobody knows, and never what lay there before.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";

const { drawn, Picture } = await import("../../../controller/pages/display/static/picture.js");
const { Card } = await import("../../../controller/pages/display/static/cards.js");

/** @param {number | null} amount @param {boolean} by_hand @returns {any} */
const circle = (amount, by_hand = false, lamp = "off") => ({ amount, by_hand, lamp, reading: "ok", wrong: false, signed: false });

test("an amount is drawn without its dollar sign, an empty circle is empty", () => {
  assert.deepEqual([circle(2500), circle(125_000), circle(0)].map(drawn), ["25", "1,250", ""]);
});

test("where no reader tells it and nobody entered it the amount is a question", () => {
  assert.deepEqual([circle(null, true), circle(0, true), circle(3000, true)].map(drawn), ["?", "", "30"]);
});

test("a circle that has not been read yet is empty, not a question", () => {
  assert.equal(drawn(circle(null)), "");
});

/** @param {boolean} past @param {any} prompt @param {string[]} bonuses side bets that the rules have */
function pictured(past, prompt = null, bonuses = []) {
  const picture = new Picture({ past });
  const laid = Object.fromEntries(bonuses.map((wager) => [wager, circle(500)]));
  const seats = [1, 2, 3, 4, 5, 6].map((seat) => ({
    seat, player: String(seat), in_round: true, folded_at: null, forfeited: false, settled: false, cards: [],
    circles: { across: circle(3000, false, seat === 3 ? "pay" : "off"), ...laid },
  }));
  picture.update({ prompt, seats, cross: {}, bonus_cards: null });
  return picture.row;
}

test("the five cards of the hand that is named are marked, and once more those that make it", () => {
  const picture = new Picture();
  const up = { lies: "up", face: "TH" };
  const seat = { seat: 3, player: "3", in_round: true, folded_at: null, forfeited: false, settled: false, cards: [up, up], circles: {} };
  const view = { prompt: null, seats: [seat, seat, seat].map((each, i) => ({ ...each, seat: i + 1 })), cross: { middle: up, down_far: up }, bonus_cards: null };
  const marked = { five: ["seat_3_1", "seat_3_2", "middle"], making: ["seat_3_1", "middle"] };
  const marks = () => [picture.row, picture.middle].map((part) => [...part.querySelectorAll("[data-hand]")].map((node) => node.getAttribute("data-hand")));
  picture.update(/** @type {any} */ ({ ...view, marked }));
  assert.deepEqual(marks(), [["making", "five"], ["making"]]);
  picture.update(/** @type {any} */ ({ ...view, marked: null }));
  assert.deepEqual(marks(), [[], []]);
});

test("what is due now wears its colour and rhythm; what is past only its shape", () => {
  const marks = [false, true].map((past) => {
    const node = pictured(past).querySelector('[data-seat="3"] [data-wager="across"]');
    return ["data-due", "data-lamp"].map((name) => node?.getAttribute(name) ?? null)
      .concat(node?.querySelector(".shape")?.getAttribute("data-rhythm") ?? null);
  });
  assert.deepEqual(marks, [["pay", "pay", "long-short"], [null, "pay", null]]);
});

test("a push that is settled and lies on looks unlike a wager that is not; what is due or wrong is no settled one", () => {
  const picture = new Picture();
  const laid = { ante_across: { ...circle(500), result: "push" }, across: circle(500), down: { ...circle(500, false, "pay"), result: "win" },
    middle: { ...circle(500), result: "push", wrong: true }, ante_down: { ...circle(0), result: "lose" } };
  const seat = { seat: 1, player: "1", in_round: true, folded_at: null, forfeited: false, settled: false, cards: [], circles: laid };
  picture.update(/** @type {any} */ ({ prompt: null, seats: [seat], cross: {}, bonus_cards: null }));
  const marked = [...picture.row.querySelectorAll("[data-settled]")].map((node) => [node.getAttribute("data-wager"), node.getAttribute("data-settled")]);
  assert.deepEqual(marked, [["ante_across", "push"]]);
});

test("the prompt's circle is marked, and no other", () => {
  const row = pictured(false, { seat: 3, wager: "across", places: null });
  const marked = [...row.querySelectorAll("[data-now]")].map((node) => node.getAttribute("data-seat") ?? node.getAttribute("data-wager"));
  assert.deepEqual(marked, ["3", "across"]);
});

test("a circle that the rules do not have is absent", () => {
  const node = pictured(false).querySelector('[data-seat="1"] [data-wager="six_card_bonus"]');
  assert.equal(node?.getAttribute("data-absent"), "absent");
});

/** @param {Element} row @returns {(string | null)[]} the circles of seat 1 as they lie, "" for a place without one */
const laidOut = (row) => [...row.querySelectorAll('[data-seat="1"] .circles > span')]
  .filter((node) => !node.hasAttribute("hidden")).map((node) => node.getAttribute("data-wager") ?? "");
/** @param {Element} row @returns {(string | null)[]} */
const labels = (row) => [...row.querySelectorAll(".labels:not(.upright) .label > span")]
  .filter((node) => !node.hasAttribute("hidden") && !node.parentElement?.hasAttribute("hidden")).map((node) => node.textContent);

test("a side bet that the rules do not have takes no room", () => {
  const row = pictured(false, null, ["five_card_bonus"]);
  assert.deepEqual(laidOut(row), ["ante_across", "across", "ante_down", "down", "five_card_bonus", "middle"]);
  assert.deepEqual(labels(row), ["ante", "bet", "Across", "Down", "Five", "Middle"]);
});

test("the first side bet lies beside Middle, the others two by two below", () => {
  const row = pictured(false, null, ["five_card_bonus", "six_card_bonus", "fourth_bonus"]);
  assert.deepEqual(laidOut(row).slice(4),
    ["five_card_bonus", "middle", "six_card_bonus", "third_bonus", "fourth_bonus", ""]);
  assert.deepEqual(labels(row), ["ante", "bet", "Across", "Down", "Five", "Middle", "Six", "Fourth"]);
});

test("a card that lies face down shows no face, whatever came with it", () => {
  const card = new Card();
  card.update({ lies: "up", face: "TH" });
  assert.equal(card.node.textContent, "10H");
  card.update({ lies: "down", face: "TH" });
  assert.equal(card.node.hasAttribute("data-card"), false);
  assert.equal(card.node.textContent, "card_down ");
});
