// The sides of the cross: alerts at the left, the table's phase at the right. Empty if there is nothing to show.

import { Ticking, coming } from "./coming.js";
import { button, h, mark, money, say, texts } from "./dom.js";
import { icon, show } from "./icons.js";
import { blocked } from "./room.js";

export class Alerts {
  /** @param {() => void} onTap */
  constructor(onTap) {
    this.shape = h("span", { class: "shape" });
    this.where = h("span", { class: "where" });
    this.count = h("span", { class: "count" });
    this.text = h("span", { class: "text" });
    this.do = h("span", { class: "do" });
    this.node = h("button", { type: "button", class: "alerts" },
      h("span", { class: "head" }, this.shape, this.where, this.count), h("span", {}, this.text, " ", this.do));
    this.node.addEventListener("click", () => this.node.getAttribute("aria-disabled") !== "true" && onTap());
  }

  /** @param {Data.View} view */
  update(view) {
    const { beside, words: { beside: said } } = view;
    mark(this.node, "data-grade", beside.grade);
    mark(this.node, "aria-disabled", view.alerts.length ? null : "true");
    show(this.shape, beside.grade);
    say(this.where, said.where);
    say(this.count, beside.more ? `+${beside.more}` : "");
    say(this.text, said.what);
    say(this.do, said.do);
  }
}

/**
 * Every alert in full: what and where, the amount present and the amount due, what to do, the section; beside an alert
 * that needs an entry, the key that opens it.
 * @param {Data.View} view
 * @param {() => void} onEntry
 */
export function alertList(view, onEntry) {
  if (!view.alerts.length) return h("p", { class: "empty" }, texts.no_alerts);
  return h("ul", { class: "alert-list" }, ...view.alerts.map((alert, i) => h("li", { "data-grade": alert.grade },
    icon(alert.grade),
    h("span", { class: "text" }, view.words.alerts[i].text),
    h("span", { class: "do" }, view.words.alerts[i].do ?? ""),
    h("span", { class: "sums" }, sums(alert)),
    h("span", { class: "section" }, view.words.alerts[i].citation ?? ""),
    wants(view, alert) ? button(texts.entry_amount, onEntry, { class: "go entry" }) : null)));
}

/**
 * Whether the prompt asks for the amount in an alert's circle.
 * @param {Data.View} view
 * @param {Data.View["alerts"][number]} alert
 */
const wants = ({ prompt }, { seat, wager }) => prompt?.entry === "amount" && prompt.seat === seat && prompt.wager === wager;

/** @param {Data.View["alerts"][number]} alert */
function sums(alert) {
  const parts = [];
  if (alert.lies !== null) parts.push(`${texts.lies} ${money(alert.lies)}`);
  if (alert.should !== null) parts.push(`${texts.should} ${money(alert.should)}`);
  return parts.join(" · ");
}

export class Standing {
  constructor() {
    this.phase = h("span", { class: "phase" });
    this.table = h("span", { class: "line own" });
    this.shoe = h("span", { class: "line shoe" });
    this.known = h("span", { class: "line" });
    this.waits = h("span", { class: "line" });
    this.ticking = new Ticking(this.known);
    this.node = h("section", { class: "standing", "aria-label": texts.round }, this.phase, this.table, this.shoe, this.known, this.waits);
  }

  /** @param {Data.View} view */
  update(view) {
    say(this.phase, `${view.words.phase} · ${texts.round} ${view.round}`);
    say(this.table, `${view.table} · ${view.dealer ? `${texts.dealer} ${view.dealer}` : texts.no_dealer}`);
    say(this.shoe, blind(view) ? "" : shoeText(view.shoe));
    mark(this.shoe, "data-wrong", view.shoe.link === "up" ? null : "wrong");
    this.ticking.show(() => (view.standing && STANDING[view.standing](view)) || blocked(view));
    say(this.waits, waiting(view));
    mark(this.known, "data-coming", view.standing === "on_the_way" ? "coming" : null);
  }
}

/** The number of irregularities on the floor page's list. @param {Data.View} view */
function waiting(view) {
  return view.waiting.length ? `${texts.waiting}: ${view.waiting.length}` : "";
}

const STANDING = {
  on_the_way: (/** @type {Data.View} */ view) => (view.on_the_way ? coming(view.on_the_way) : ""),
  floor_called: () => texts.floor_called,
  waiting: () => "",
  change_due: () => `${texts.deck}: ${texts.change_due}`,
};

/** Whether the stub is counted in this round: the screen then shows no number that could be copied. @param {Data.View} view */
const blind = ({ prompt, shoe }) => shoe.link === "up" && (prompt?.kind === "count_stub" || prompt?.step === "count_first");

/** @param {Data.View["shoe"]} shoe */
function shoeText({ link, left }) {
  if (link !== "up") return `${texts.shoe} ${texts.shoe_down}`;
  if (left === null) return "";
  return left ? `${left} ${texts.cards_left}` : texts.shoe_empty;
}
