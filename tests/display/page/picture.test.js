// What a circle shows: what lies there, "?" where nobody knows, and never what lay there before.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.js";

const { drawn, Picture } = await import("../../../controller/display/static/picture.js");
const { Card } = await import("../../../controller/display/static/cards.js");

/** @param {number | null} amount @param {boolean} by_hand @returns {any} */
const circle = (amount, by_hand = false, lamp = "off") => ({ amount, by_hand, lamp, reading: "ok", wrong: false });

test("an amount is drawn without its dollar sign, an empty circle is empty", () => {
  assert.deepEqual([circle(2500), circle(125_000), circle(0)].map(drawn), ["25", "1,250", ""]);
});

test("where no reader tells it and nobody entered it the amount is a question", () => {
  assert.deepEqual([circle(null, true), circle(0, true), circle(3000, true)].map(drawn), ["?", "", "30"]);
});

test("a circle that has not been read yet is empty, not a question", () => {
  assert.equal(drawn(circle(null)), "");
});

/** @param {boolean} past @param {any} prompt */
function pictured(past, prompt = null) {
  const picture = new Picture({ past });
  const seats = [1, 2, 3, 4, 5, 6].map((seat) => ({
    seat, player: String(seat), in_round: true, folded_at: null, forfeited: false, settled: false, cards: [],
    circles: { across: circle(3000, false, seat === 3 ? "pay" : "off") },
  }));
  picture.update({ prompt, seats, cross: {}, bonus_cards: null });
  return picture.row;
}

test("what is due now wears its colour and rhythm; what is past only its shape", () => {
  const marks = [false, true].map((past) => {
    const node = pictured(past).querySelector('[data-seat="3"] [data-wager="across"]');
    return ["data-due", "data-lamp"].map((name) => node?.getAttribute(name) ?? null)
      .concat(node?.querySelector(".shape")?.getAttribute("data-rhythm") ?? null);
  });
  assert.deepEqual(marks, [["pay", "pay", "long-short"], [null, "pay", null]]);
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

test("a card that lies face down shows no face, whatever came with it", () => {
  const card = new Card();
  card.update({ lies: "up", face: "TH" });
  assert.equal(card.node.textContent, "10H");
  card.update({ lies: "down", face: "TH" });
  assert.equal(card.node.hasAttribute("data-card"), false);
  assert.equal(card.node.textContent, "card_down ");
});
