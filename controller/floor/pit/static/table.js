// One table of the pit: its public felt, open faults, decisions with their signers, and rounds. The page never
// receives a card that no rule has turned. The felt of a table that sends nothing is removed.

import { Card } from "/static/cards.js";
import { h, mark, money, say } from "/static/dom.js";
import { fetchJson } from "/static/fetch_json.js";
import { Help } from "/static/help.js";
import { Live } from "/static/live.js";
import { lostScreen } from "/static/lost.js";
import { address, ago, another, fill, heard, named, silence, span, table, Way, words } from "./common.js";

const PLACES = ["down_far", "across_left", "middle", "across_right", "down_near"];
const base = location.pathname.replace(/\/floor$/, "");
const POLL_INTERVAL_MS = 3000;

class Box {
  /** @param {number} seat */
  constructor(seat) {
    this.cards = [new Card(), new Card()];
    this.state = h("span");
    this.wagers = h("dl");
    this.node = h("section", { class: "box", "aria-label": fill(words.seat, { seat }) },
      h("h3", {}, fill(words.seat, { seat }), this.state), h("div", { class: "cards" }, ...this.cards.map(({ node }) => node)), this.wagers);
  }

  /** @param {Pit.Box} box */
  update(box) {
    const lying = Object.entries(box.circles).filter(([, laid]) => laid.amount);
    say(this.state, box.out ? words.out : box.asked ? words.asked : box.in_round || lying.length ? "" : words.open);
    this.cards.forEach((card, at) => card.update(box.cards[at]));
    this.wagers.replaceChildren(...lying.flatMap(([wager, laid]) => [h("dt", {}, words.wagers[wager]),
      h("dd", {}, `${money(laid.amount ?? 0)}${laid.result ? ` ${words.results[laid.result]}` : ""}`)]));
  }
}

class Felt {
  constructor() {
    this.cross = PLACES.map((place) => ({ place, card: new Card() }));
    this.bonus = [0, 1, 2, 3].map(() => new Card());
    this.bonusRow = h("div", { class: "bonus", role: "group", "aria-label": words.bonus_cards }, ...this.bonus.map(({ node }) => node));
    this.boxes = [1, 2, 3, 4, 5, 6].map((seat) => new Box(seat));
    this.node = h("section", { class: "felt", "aria-label": words.live }, h("h2", {}, words.live), h("div", { class: "middle" },
      h("div", { class: "cross", role: "group", "aria-label": words.cross }, ...this.cross.map(({ place, card }) => h("span", { "data-place": place }, card.node))),
      this.bonusRow), h("div", { class: "boxes" }, ...this.boxes.map(({ node }) => node)));
  }

  /** @param {Pit.Felt} felt */
  update(felt) {
    for (const { place, card } of this.cross) card.update(felt.cross[place]);
    this.bonusRow.hidden = !felt.bonus_cards;
    this.bonus.forEach((card, at) => card.update(felt.bonus_cards?.[at]));
    felt.seats.forEach((seat, at) => this.boxes[at].update(seat));
  }
}

class TablePage {
  /** @param {string} name */
  constructor(name) {
    this.line = h("p", { role: "status" });
    this.felt = new Felt();
    this.noFelt = h("p", {}, words.no_felt);
    this.standing = h("ul");
    this.way = new Way();
    this.saidPart = h("div");
    this.roundsPart = h("div");
    this.node = h("main", {}, h("header", {}, h("h1", {}, fill(words.table, { name })), this.line,
      h("nav", { "aria-label": words.title }, h("a", { class: "button", href: address("/") }, words.all_tables),
        h("a", { class: "button", href: address(`${base}/rounds`) }, words.rounds))),
    this.noFelt, this.felt.node, h("div", { class: "parts" },
      h("section", { class: "part" }, h("h2", {}, words.standing), this.standing, this.way.node),
      h("section", { class: "part" }, h("h2", {}, words.said), this.saidPart)),
    h("section", { class: "part" }, h("h2", {}, words.last_rounds), this.roundsPart));
    new Help().into(this.node.querySelector("nav"));
    /** @type {Pit.Tile | null} */
    this.tile = null;
    this.heard = 0;
  }

  /** @param {Pit.TablePush} push */
  update({ now, tile, felt }) {
    heard(now);
    this.tile = tile;
    this.heard = performance.now();
    this.felt.node.hidden = !felt;
    this.noFelt.hidden = Boolean(felt);
    if (felt) this.felt.update(felt);
    this.way.update(tile);
    this.tick();
  }

  tick() {
    const { tile } = this;
    if (!tile) return;
    const since = tile.heard_s === null ? null : tile.heard_s + (performance.now() - this.heard) / 1000;
    const here = tile.speaks === "here";
    const parts = [tile.phase ? (words.phases[tile.phase] ?? tile.phase) : words.unknown, `${words.round} ${tile.round ?? words.unknown}`,
      tile.dealer ? `${words.dealer} ${tile.dealer}` : words.no_dealer,
      tile.dealing ? fill(words.dealing, { span: span(ago(tile.dealing)) }) : "", tile.behind ? fill(words.behind, { count: tile.behind }) : ""];
    say(this.line, another(tile) || (here ? parts.filter(Boolean).join(" · ") : silence({ ...tile, heard_s: since })));
    mark(this.line, "data-some", tile.need === "quiet" || tile.need === "closed" ? null : "");
    const all = here ? [...(tile.holds ?? []), ...(tile.devices ?? []), ...(tile.alerts ?? []), ...(tile.decks ?? [])] : [];
    const called = here && tile.called ? [fill(words.called_for, { span: span(ago(tile.called)) })] : [];
    const lines = [...called, ...all.map((each) => `${named(each)} · ${fill(words.for, { span: span(ago(each.at)) })}`)];
    const shown = lines.length ? lines : [here ? words.nothing_stands : words.unknown];
    if (this.standing.textContent !== shown.join("")) this.standing.replaceChildren(...shown.map((line) => h("li", {}, line)));
  }

  /** @param {Pit.Said[]} said @param {Data.ToldLine[]} rounds @param {string | null} stream */
  tell(said, rounds, stream) {
    /** @type {Record<string, string>} */
    const journal = stream ? { stream } : {};
    const lines = rounds.map(({ number, day, clock, dealers, outcome, wagered, taken, paid, wrong, corrected }) => [
      h("a", { href: address(`${base}/rounds/${number}`, journal) }, `${words.round} ${number}`), h("span", { class: "when" }, `${day} ${clock}`), dealers, outcome, wagered, taken, paid,
      [...wrong, corrected].filter(Boolean).join(", ")]);
    this.roundsPart.replaceChildren(lines.length ? table(words.last_rounds, [words.round, words.when, words.dealer, words.outcome, words.columns.wagered,
      words.taken, words.paid, words.wrong], lines) : h("p", {}, words.no_rounds));
    const rows = said.map((each) => [each.at, each.what, each.where, each.how, each.who]);
    this.saidPart.replaceChildren(rows.length ? table(words.said, [words.when, words.what, words.where, words.how, words.who], rows)
      : h("p", {}, words.nothing_said));
  }
}

const root = document.getElementById("root") ?? document.body;
/** @type {{page: TablePage | null}} */
const shown = { page: null };
new Live((push) => {
  if (!shown.page) {
    shown.page = new TablePage(push.tile.name);
    root.replaceChildren(shown.page.node);
    void ask();
  }
  shown.page.update(push);
}, () => {
  shown.page = null;
  root.replaceChildren(lostScreen());
}, `${base}/api/live`);
setInterval(() => shown.page?.tick(), 1000);

/** Request the decisions, newest first; seldom, because they seldom change. */
async function ask() {
  const answer = await fetchJson(address(`${base}/api/said`));
  if (!answer?.ok) return;
  const { said, rounds, stream } = answer.data;
  shown.page?.tell(said, rounds, stream);
}
setInterval(() => shown.page && void ask(), POLL_INTERVAL_MS);
