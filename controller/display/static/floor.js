// The floorperson's page: what is held and why, what the device saw, what the text permits; what waits to be
// signed; the table's figures; who deals. A decision is taken with a badge number, and its key says it again.

import { Card } from "./cards.js";
import { openCorrection } from "./correct.js";
import { button, enable, h, mark, say, seatName, texts } from "./dom.js";
import { numberEntry } from "./entries.js";
import { icon } from "./icons.js";
import { Live } from "./live.js";
import { lostScreen } from "./lost.js";
import { Panels, choices } from "./panel.js";
import { Picture } from "./picture.js";
import { Figures } from "./figures.js";

const FRESH = 2000;

class FloorPage {
  constructor() {
    this.panels = new Panels((words) => this.tell(words), texts.other, () => this.openOther());
    this.told = h("p", { class: "refused", role: "alert", hidden: true });
    this.picture = new Picture();
    this.events = h("ul", { class: "events", "aria-label": texts.events });
    this.saw = h("section", { class: "saw", "aria-label": texts.saw }, this.picture.row,
      h("div", { class: "lower" }, this.picture.middle, this.events));
    this.held = h("section", { class: "tab held-tab", "aria-label": texts.held_now });
    this.waiting = h("section", { class: "tab", "aria-label": texts.waiting, hidden: true });
    this.figures = new Figures();
    this.tabs = new Map([
      ["held", button(texts.held_now, () => this.go("held"))],
      ["waiting", button(texts.waiting, () => this.go("waiting"))],
      ["figures", button(texts.figures, () => this.go("figures"))],
    ]);
    const back = h("a", { class: "button", href: `/${location.search}` }, texts.to_dealer);
    this.pages = new Map([["held", this.held], ["waiting", this.waiting], ["figures", this.figures.node]]);
    this.node = h("main", { class: "floor-page" }, h("h1", { class: "hidden-text" }, texts.floor_title),
      h("nav", { class: "tabs", "aria-label": texts.floor_title }, ...this.tabs.values(), this.panels.key, back),
      h("div", { class: "body" }, ...this.pages.values(), this.panels.node), this.told);
    this.node.addEventListener("pointerdown", () => this.tell(null));
    this.go("held");
  }

  go(name) {
    this.panels.close();
    for (const [key, page] of this.pages) page.hidden = key !== name;
    for (const [key, tab] of this.tabs) mark(tab, "aria-pressed", key === name ? "true" : "false");
  }

  update(view) {
    this.view = view;
    mark(this.tabs.get("held"), "data-urgent", view.hold ? "urgent" : null);
    const waits = waiting(view);
    say(this.tabs.get("waiting"), waits.length ? `${texts.waiting}: ${waits.length}` : texts.waiting);
    // Rebuilt only when what it shows has changed, so that a finger finds what it aimed at.
    this.picture.update({ ...view, prompt: null });
    const shown = JSON.stringify([view.hold, view.words.hold, waits]);
    if (shown !== this.shown) {
      this.shown = shown;
      this.#drawHeld();
      this.#drawWaiting();
    }
    if (!this.asked || performance.now() - this.asked > FRESH) this.#askFloor();
  }

  async #askFloor() {
    this.asked = performance.now();
    const answer = await fetch(`/api/floor${location.search}`).catch(() => null);
    if (!answer?.ok) return;
    const floor = await answer.json();
    this.figures.update(floor.figures);
    this.events.replaceChildren(...eventRows(floor.events));
  }

  #drawHeld() {
    const { hold, words } = this.view;
    if (!hold) {
      this.held.replaceChildren(h("p", { class: "quiet" }, texts.not_held), this.saw);
      return;
    }
    const what = h("header", { class: "held-what" }, icon("hold"), h("h2", { class: "what" }, words.hold.what),
      h("p", { class: "where" }, [words.hold.where, `${texts.phases[hold.phase]}`, words.hold.proposed, ...words.hold.then].filter(Boolean).join(" · ")),
      h("p", { class: "cite" }, `${texts.section}: ${hold.citation}`));
    this.held.replaceChildren(what, this.saw, this.#decisions(hold));
  }

  #decisions(hold) {
    const proposed = hold.proposed ? [{
      label: `${texts.approve}: ${texts.outcomes[hold.proposed]}`, touch: { decision: "approve" }, first: true,
    }] : [];
    if (hold.proposed && hold.refusable) proposed.push({ label: texts.refuse, touch: { decision: "refuse" } });
    const named = hold.outcomes.filter((outcome) => outcome !== hold.proposed)
      .map((outcome) => ({ label: texts.outcomes[outcome], touch: { decision: "outcome", outcome } }));
    const keys = [...proposed, ...named].map(({ label, touch, first }) => button(label, () => this.#sign(label, touch), { class: first ? "proposed" : "" }));
    return h("nav", { class: "decide", "aria-label": texts.permits }, ...keys);
  }

  #drawWaiting() {
    const rows = waiting(this.view).slice(0, 5).map(({ label, seat, wager, unexplained }) => h("li", {}, label,
      ...holders(unexplained).map(([words, holder]) => button(words, () => this.#sign(`${label} · ${words}`, { decision: "sign", seat, wager, ...holder })))));
    this.waiting.replaceChildren(rows.length ? h("ul", { class: "sign-list" }, ...rows) : h("p", { class: "quiet" }, texts.none_waiting));
  }

  /** A decision: its reason, then the badge, whose key says the decision again. */
  #sign(label, touch) {
    const badge = (reason) => {
      const entry = numberEntry(async (number) => {
        if (await this.panels.deliver({ do: "floor", badge: number, reason, ...touch })) this.tell(texts.decided, true);
      }, texts.decide);
      this.panels.open(`${label} · ${texts.badge}`, entry);
    };
    const reasons = texts.reasons.split("|").map((reason) => ({ label: reason, value: reason }));
    this.panels.open(`${label} · ${texts.reason}`, choices(reasons, badge, 5));
  }

  openOther() {
    const act = {
      forfeit_seat: () => this.#seat((seat) => this.#forfeit(seat)),
      stop_round: () => this.#stop(),
      recut: () => this.#sign(texts.recut, { decision: "recut" }),
      shuffle: () => this.#sign(texts.shuffle, { decision: "shuffle" }),
      correct_round: () => openCorrection(this.panels, (label, touch) => this.#sign(label, touch)),
      one_player: () => this.#seats(),
      method: () => this.#method(),
      sign: () => this.#sign(texts.sign, { decision: "sign" }),
      close_table: () => this.#sign(texts.close_table, { decision: "close" }),
      dealer: () => this.#dealer(),
    };
    const dealer = this.view.dealer ? `${texts.relieve} ${this.view.dealer}` : texts.sign_on;
    const options = Object.keys(act).map((value) => ({ label: value === "dealer" ? dealer : texts[value], value }));
    this.panels.open(texts.other, choices(options, (value) => act[value](), 4));
  }

  #dealer() {
    if (this.view.dealer) this.panels.deliver({ do: "relieve" });
    else this.panels.open(texts.your_number, numberEntry((number) => this.panels.deliver({ do: "sign_on", number }), texts.sign_on));
  }

  #seat(onPick) {
    this.panels.open(texts.choose_seat, choices([1, 2, 3, 4, 5, 6].map((seat) => ({ label: seatName(seat), value: seat })), onPick, 3));
  }

  /** A seat forfeits for what the rules let it forfeit for. */
  #forfeit(seat) {
    const label = `${texts.forfeit_seat}: ${seatName(seat)}`;
    const options = this.view.forfeits.map((code) => ({ label: texts.reports[code], value: code }));
    const empty = h("p", { class: "empty" }, texts.no_forfeits);
    this.panels.open(label, options.length
      ? choices(options, (code) => this.#sign(`${label} · ${texts.reports[code]}`, { decision: "forfeit", seat, code }), 3) : empty);
  }

  /** The round is ended though nothing is held. */
  #stop() {
    const options = ["void", "remove_deck"].map((outcome) => ({ label: texts.outcomes[outcome], value: outcome }));
    this.panels.open(texts.stop_round, choices(options, (outcome) => this.#sign(
      `${texts.stop_round}: ${texts.outcomes[outcome]}`, { decision: "outcome", outcome }), 2));
  }

  #seats() {
    const chosen = new Set();
    const go = button(texts.one_player, () => {
      const seats = [...chosen].sort();
      if (seats.length > 0) this.#sign(`${texts.one_player}: ${seats.join(", ")}`, { decision: "player", seats });
    }, { class: "go", "aria-disabled": "true" });
    const keys = [1, 2, 3, 4, 5, 6].map((seat) => button(seatName(seat), (event) => {
      if (!chosen.delete(seat)) chosen.add(seat);
      mark(event.currentTarget, "aria-pressed", chosen.has(seat) ? "true" : "false");
      enable(go, chosen.size > 0);
    }, { "aria-pressed": "false" }));
    this.panels.open(texts.one_player, h("div", { class: "choices", "data-columns": 3 }, ...keys, go));
  }

  #method() {
    const options = Object.entries(texts.methods).map(([value, label]) => ({ label, value, off: value === this.view.method }));
    this.panels.open(texts.method, choices(options, (method) => this.#sign(`${texts.method}: ${texts.methods[method]}`, { decision: "method", method }), 4));
  }

  tell(words, done = false) {
    this.told.hidden = !words;
    this.told.classList.toggle("done", done);
    say(this.told, words ? (done ? words : `${texts.refused}: ${words}`) : "");
  }
}

/** What waits to be signed: amounts entered by hand, and differences that may stay as they lie. */
function waiting(view) {
  const amounts = view.signatures.map((item, i) => ({ ...item, label: view.words.signatures[i] }));
  const differences = view.alerts.map((alert, i) => ({ ...alert, label: view.words.alerts[i].text })).filter((alert) => alert.signable);
  return [...amounts, ...differences];
}

/** The keys that sign: who has chips that nobody saw go is said with the signature. */
function holders(unexplained) {
  if (!unexplained) return [[texts.sign, {}]];
  return [[texts.player_has_it, { holder: "player" }], [texts.house_has_it, { holder: "house" }]];
}

function eventRows(events) {
  if (!events.length) return [h("li", {}, texts.no_events)];
  return events.slice(0, 12).map((event) => {
    const card = event.face ? new Card() : null;
    card?.update({ lies: "up", face: event.face });
    return h("li", {}, h("time", {}, event.utc.slice(11, 19)), h("span", {}, event.text), card?.node);
  });
}

const root = document.getElementById("root");
let page = null;

new Live(
  (view) => {
    if (!page) {
      page = new FloorPage();
      root.replaceChildren(page.node);
    }
    page.update(view);
  },
  () => {
    page = null;
    root.replaceChildren(lostScreen());
  },
);
