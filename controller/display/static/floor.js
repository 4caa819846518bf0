// The floorperson's page: what is held and why, what the device saw, what the text permits; what waits to be
// signed; the table's figures; who deals. A decision is taken with a badge number, and its key says it again.

import { Card } from "./cards.js";
import { openCorrection } from "./correct.js";
import { button, enable, h, mark, say, seatName, texts } from "./dom.js";
import { numberEntry } from "./entries.js";
import { icon } from "./icons.js";
import { showLive } from "./lost.js";
import { Panels, choices } from "./panel.js";
import { Picture } from "./picture.js";
import { Figures } from "./figures.js";

const FRESH = 2000;
/** @typedef {"held" | "waiting" | "figures"} Tab */
/** What a decision is, without the badge and the reason. @typedef {Omit<Data.Touch, "do"> & {do?: string}} Decision */

class FloorPage {
  /** @param {Data.View} view */
  constructor(view) {
    this.view = view;
    /** What is drawn of it. */
    this.shown = "";
    this.panels = new Panels((words) => this.tell(words), texts.other, () => this.openOther());
    this.told = h("p", { class: "refused", role: "alert", hidden: true });
    this.picture = new Picture();
    this.events = h("ul", { class: "events", "aria-label": texts.events });
    this.saw = h("section", { class: "saw", "aria-label": texts.saw }, this.picture.row,
      h("div", { class: "lower" }, this.picture.middle, this.events));
    this.held = h("section", { class: "tab held-tab", "aria-label": texts.held_now });
    this.waiting = h("section", { class: "tab", "aria-label": texts.waiting, hidden: true });
    this.figures = new Figures();
    this.tabs = {
      held: button(texts.held_now, () => this.go("held")),
      waiting: button(texts.waiting, () => this.go("waiting")),
      figures: button(texts.figures, () => this.go("figures")),
    };
    const back = h("a", { class: "button", href: `/${location.search}` }, texts.to_dealer);
    this.pages = { held: this.held, waiting: this.waiting, figures: this.figures.node };
    this.node = h("main", { class: "floor-page" }, h("h1", { class: "hidden-text" }, texts.floor_title),
      h("nav", { class: "tabs", "aria-label": texts.floor_title }, ...Object.values(this.tabs), this.panels.key, back),
      h("div", { class: "body" }, ...Object.values(this.pages), this.panels.node), this.told);
    this.node.addEventListener("pointerdown", () => this.tell(null));
    this.go("held");
  }

  /** @param {Tab} name */
  go(name) {
    this.panels.close();
    for (const [key, page] of Object.entries(this.pages)) page.hidden = key !== name;
    for (const [key, tab] of Object.entries(this.tabs)) mark(tab, "aria-pressed", key === name ? "true" : "false");
  }

  /** @param {Data.View} view */
  update(view) {
    this.view = view;
    mark(this.tabs.held, "data-urgent", view.hold ? "urgent" : null);
    const waits = view.waiting.length;
    say(this.tabs.waiting, waits ? `${texts.waiting}: ${waits}` : texts.waiting);
    // Rebuilt only when what it shows has changed, so that a finger finds what it aimed at.
    this.picture.update({ ...view, prompt: null });
    const shown = JSON.stringify([view.hold, view.words.hold, view.waiting, view.words.waiting]);
    if (shown !== this.shown) {
      this.shown = shown;
      this.#drawHeld(view);
      this.#drawWaiting(view);
    }
    if (!this.asked || performance.now() - this.asked > FRESH) this.#askFloor();
  }

  async #askFloor() {
    this.asked = performance.now();
    const answer = await fetch(`/api/floor${location.search}`).catch(() => null);
    if (!answer?.ok) return;
    /** @type {Data.Floor} */
    const floor = await answer.json();
    this.figures.update(floor.figures);
    this.events.replaceChildren(...eventRows(floor.events));
  }

  /** @param {Data.View} view */
  #drawHeld({ hold, words: { hold: said } }) {
    if (!hold || !said) {
      this.held.replaceChildren(h("p", { class: "quiet" }, texts.not_held), this.saw);
      return;
    }
    const what = h("header", { class: "held-what" }, icon("hold"), h("h2", { class: "what" }, said.what),
      h("p", { class: "where" }, [said.where, texts.phases[hold.phase], said.proposed, ...said.then].filter(Boolean).join(" · ")),
      h("p", { class: "cite" }, `${texts.section}: ${hold.citation}`));
    this.held.replaceChildren(what, this.saw, this.#decisions(hold));
  }

  /** @param {NonNullable<Data.View["hold"]>} hold */
  #decisions(hold) {
    const keys = hold.decisions.map(({ decision, outcome }) => {
      const label = decision === "refuse" ? texts.refuse : texts.outcomes[outcome ?? ""];
      if (decision !== "approve") return button(label, () => this.#sign(label, decision === "refuse" ? { decision } : { decision, outcome }));
      const approve = `${texts.approve}: ${label}`;
      return button(approve, () => this.#sign(approve, { decision }), { class: "proposed" });
    });
    return h("nav", { class: "decide", "aria-label": texts.permits }, ...keys);
  }

  /** @param {Data.View} view */
  #drawWaiting({ waiting, words }) {
    const rows = waiting.slice(0, 5).map(({ seat, wager, unexplained }, i) => h("li", {}, words.waiting[i],
      ...holders(unexplained).map(([label, holder]) => button(label, () => this.#sign(
        `${words.waiting[i]} · ${label}`, { decision: "sign", seat, wager, ...holder })))));
    this.waiting.replaceChildren(rows.length ? h("ul", { class: "sign-list" }, ...rows) : h("p", { class: "quiet" }, texts.none_waiting));
  }

  /**
   * A decision: its reason, then the badge, whose key says the decision again.
   * @param {string} label
   * @param {Decision} touch
   */
  #sign(label, touch) {
    /** @param {string} reason */
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
      correct_round: () => openCorrection(this.panels, this.view.corrections, (label, touch) => this.#sign(label, touch)),
      one_player: () => this.#seats(),
      method: () => this.#method(),
      sign: () => this.#sign(texts.sign, { decision: "sign" }),
      close_table: () => this.#sign(texts.close_table, { decision: "close" }),
      dealer: () => this.#dealer(),
    };
    const dealer = this.view.dealer ? `${texts.relieve} ${this.view.dealer}` : texts.sign_on;
    const names = /** @type {(keyof typeof act)[]} */ (Object.keys(act));
    const options = names.map((value) => ({ label: value === "dealer" ? dealer : texts[value], value }));
    this.panels.open(texts.other, choices(options, (value) => act[value](), 4));
  }

  #dealer() {
    if (this.view.dealer) this.panels.deliver({ do: "relieve" });
    else this.panels.open(texts.your_number, numberEntry((number) => this.panels.deliver({ do: "sign_on", number }), texts.sign_on));
  }

  /** @param {(seat: number) => void} onPick */
  #seat(onPick) {
    this.panels.open(texts.choose_seat, choices([1, 2, 3, 4, 5, 6].map((seat) => ({ label: seatName(seat), value: seat })), onPick, 3));
  }

  /** A seat forfeits for what the rules let it forfeit for. @param {number} seat */
  #forfeit(seat) {
    const label = `${texts.forfeit_seat}: ${seatName(seat)}`;
    const options = this.view.forfeits.map((code) => ({ label: texts.reports[code], value: code }));
    const empty = h("p", { class: "empty" }, texts.no_forfeits);
    this.panels.open(label, options.length
      ? choices(options, (code) => this.#sign(`${label} · ${texts.reports[code]}`, { decision: "forfeit", seat, code }), 3) : empty);
  }

  /** The round is ended though nothing is held. */
  #stop() {
    const options = texts.stops.map((outcome) => ({ label: texts.outcomes[outcome], value: outcome }));
    this.panels.open(texts.stop_round, choices(options, (outcome) => this.#sign(
      `${texts.stop_round}: ${texts.outcomes[outcome]}`, { decision: "outcome", outcome }), 2));
  }

  #seats() {
    /** @type {Set<number>} */
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

  /**
   * @param {Data.Text} words
   * @param {boolean} done taken, not refused
   */
  tell(words, done = false) {
    this.told.hidden = !words;
    this.told.classList.toggle("done", done);
    say(this.told, words ? (done ? words : `${texts.refused}: ${words}`) : "");
  }
}

/**
 * The keys that sign: who has chips that nobody saw go is said with the signature.
 * @param {boolean} unexplained
 * @returns {[string, {holder?: string}][]}
 */
function holders(unexplained) {
  if (!unexplained) return [[texts.sign, {}]];
  return [[texts.player_has_it, { holder: "player" }], [texts.house_has_it, { holder: "house" }]];
}

/** @param {Data.Floor["events"]} events */
function eventRows(events) {
  if (!events.length) return [h("li", {}, texts.no_events)];
  return events.slice(0, 12).map((event) => {
    const card = event.face ? new Card() : null;
    card?.update({ lies: "up", face: event.face ?? null });
    return h("li", {}, h("time", {}, event.utc.slice(11, 19)), h("span", {}, event.text), card?.node);
  });
}

showLive((view) => new FloorPage(view));
