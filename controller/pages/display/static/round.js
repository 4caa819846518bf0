// One ended round, to read and print: /rounds/17. All text comes from the daemon; this module does the layout. A card
// that was never turned is shown face down.

import { address, base, requestRounds } from "./rounds_request.js";
import { Card } from "./cards.js";
import { button, h, texts } from "./dom.js";
import "./font.js";
import { Help } from "./help.js";

const words = /** @type {Data.RoundTexts} */ (/** @type {unknown} */ (texts));
const PLACES = ["down_far", "across_left", "middle", "across_right", "down_near"];
const number = Number(location.pathname.split("/").pop());
const root = /** @type {HTMLElement} */ (document.getElementById("root"));

/** @param {Data.Card} lying */
function drawn(lying) {
  const card = new Card();
  card.update(lying);
  return card.node;
}

/**
 * A table with named columns; empty columns are left out.
 * @param {[string, string][]} columns key and name
 * @param {Record<string, any>[]} rows
 * @param {string} kind
 */
function table(columns, rows, kind) {
  const kept = columns.filter(([key]) => rows.some((row) => row[key]));
  const head = h("tr", {}, ...kept.map(([key, name]) => h("th", { scope: "col", "data-column": key }, name)));
  const body = rows.map((row) => h("tr", { "data-grade": row.grade ?? row.outcome }, ...kept.map(([key]) => h("td", { "data-column": key }, row[key]))));
  return h("div", { class: "wide", role: "region", "aria-label": kind, tabindex: "0" }, h("table", {}, h("thead", {}, head), h("tbody", {}, ...body)));
}

/** @param {Data.Sums} sums */
function totals(sums) {
  const said = /** @type {[string, string][]} */ ([
    [words.wagered, sums.wagered], [words.paid, sums.paid], [words.taken, sums.taken], [words.player_net, sums.net],
    ...(sums.corrected ? [[words.net_corrected, sums.corrected]] : []),
  ]);
  return h("dl", { class: "sums" }, ...said.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/** @param {string} title @param {(Node | null)[]} kids */
const part = (title, ...kids) => h("section", {}, h("h2", {}, title), ...kids);

/** @param {Data.ToldRound} told */
function cross(told) {
  const places = PLACES.map((place) => h("span", { "data-place": place }, drawn(told.cross[place])));
  const bonus = told.bonus_cards ? h("p", {}, `${words.bonus_cards} `, h("span", { class: "hand" }, ...told.bonus_cards.map(drawn))) : null;
  const read = told.read_as.map((line) => h("li", {}, line));
  return part(words.cross, h("div", { class: "cross" }, ...places), bonus, read.length ? h("ul", { class: "read" }, ...read) : null);
}

/** @param {Data.ToldSeat} seat */
function box(seat) {
  const rows = seat.wagers.map((wager) => ({ ...wager, hand: [wager.hand, wager.note].filter(Boolean).join(" · ") }));
  return h("section", { class: "seat" },
    h("h3", {}, seat.name, " ", h("span", { class: "hand" }, ...seat.cards.map(drawn)), h("span", { class: "state" }, seat.state)),
    table([["name", words.wager], ["amount", words.amount], ["chips", words.chips], ["result", words.result], ["odds", words.odds], ["payout", words.payout], ["hand", words.hand]], rows, seat.name),
    totals(seat.totals));
}

/** @param {Data.ToldRound} told */
function wrong(told) {
  if (!told.troubles.length) return part(words.wrong, h("p", {}, words.nothing_wrong));
  return part(words.wrong, table([
    ["since", words.since], ["where", words.where], ["text", words.what], ["lies", words.lay], ["should", words.due],
    ["stood", words.stood], ["end", words.end], ["who", words.by], ["citation", words.section],
  ], told.troubles, words.wrong));
}

/** @param {Data.ToldRound} told */
function page(told) {
  document.title = `${told.title} · ${words.title}`;
  const beside = (/** @type {number} */ n, /** @type {string} */ text) =>
    n > 0 ? h("a", { class: "button", href: address(`${base}/rounds/${n}`) }, text.replace("{number}", `${n}`)) : null;
  root.replaceChildren(
    h("header", {}, h("h1", {}, told.title), h("p", {}, told.zone),
      h("nav", { "aria-label": words.title },
        h("a", { class: "button", href: address(`${base}/rounds`) }, words.all_rounds),
        beside(told.number - 1, words.older), beside(told.number + 1, words.newer),
        button(words.print, () => window.print()))),
    h("dl", { class: "head" }, ...told.head.map(({ label, text }) => h("div", {}, h("dt", {}, label), h("dd", {}, text)))),
    cross(told),
    part(words.seats, h("div", { class: "boxes" }, ...told.seats.map(box))),
    part(words.whole_round, totals(told.totals)),
    wrong(told),
    ...(told.corrections.length ? [part(words.corrections, table(
      [["clock", words.when], ["where", words.where], ["text", words.what], ["who", words.by]], told.corrections, words.corrections))] : []),
    part(words.timeline, table([
      ["since", words.since], ["clock", words.clock], ["who", words.who], ["where", words.where], ["text", words.what],
    ], told.entries, words.timeline)),
  );
  new Help().into(root.querySelector("nav"));
}

const answer = await requestRounds(address(`${base}/api/rounds/${number}`), root);
if (answer) page(answer.round);
else root.append(h("h1", {}, words.round.replace("{number}", `${number}`)), h("p", {}, h("a", { class: "button", href: address(`${base}/rounds`) }, words.all_rounds)));
