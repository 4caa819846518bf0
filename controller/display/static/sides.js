// Left of the cross what is wrong, right of it where the table stands. Quiet when there is nothing to say.

import { h, mark, money, say, texts } from "./dom.js";
import { icon, show } from "./icons.js";
import { leadingAlert } from "./prompt.js";
import { ranked } from "./ranked.js";

export class Alerts {
  constructor(onTap) {
    this.shape = h("span", { class: "shape" });
    this.where = h("span", { class: "where" });
    this.count = h("span", { class: "count" });
    this.text = h("span", { class: "text" });
    this.do = h("span", { class: "do" });
    this.node = h("button", { type: "button", class: "alerts" },
      h("span", { class: "head" }, this.shape, this.where, this.count), this.text, this.do);
    this.node.addEventListener("click", () => this.node.getAttribute("aria-disabled") !== "true" && onTap());
  }

  update(view) {
    const lead = leadingAlert(view);
    const alerts = ranked(view).filter((alert) => alert.id !== lead?.id && !says(view.prompt, alert));
    const first = alerts[0] ?? aside(view);
    mark(this.node, "data-grade", first?.grade);
    mark(this.node, "aria-disabled", view.alerts.length ? null : "true");
    show(this.shape, first ? first.grade : null);
    say(this.where, first ? (first.words.where ?? texts[first.grade]) : lead ? texts.alert_above : unfit(view) || texts.no_alerts);
    say(this.count, alerts.length > 1 ? `+${alerts.length - 1}` : "");
    say(this.text, first?.words.what);
    say(this.do, first?.words.do);
  }
}

/** The prompt that wants a wager mended says already what is wrong with it. */
function says(prompt, alert) {
  return prompt?.kind === "fix_wagers" && prompt.seat === alert.seat && prompt.code === alert.code;
}

/** A card set aside is no alert, and still somebody must see to it. */
function aside(view) {
  return view.words.aside ? { grade: "notice", words: { where: null, ...view.words.aside } } : undefined;
}

/** While bets are open nothing is wrong yet; the lamps show what would be. */
function unfit(view) {
  if (view.phase !== "betting") return "";
  const seats = view.seats.filter((seat) => Object.values(seat.circles).some((circle) => circle.lamp === "refused"));
  return seats.length ? `${texts.seat} ${seats.map((seat) => seat.seat).join(", ")}: ${texts.unfit}` : "";
}

/** Every alert in full: what, where, what lies and what should, what to do, the section. */
export function alertList(view) {
  return h("ul", { class: "alert-list" }, ...ranked(view).map((alert) => h("li", { "data-grade": alert.grade },
    icon(alert.grade),
    h("span", { class: "text" }, alert.words.text),
    h("span", { class: "do" }, alert.words.do ?? ""),
    h("span", { class: "sums" }, sums(alert)),
    h("span", { class: "section" }, alert.citation ?? ""))));
}

function sums(alert) {
  const parts = [];
  if (alert.lies !== null) parts.push(`${texts.lies} ${money(alert.lies)}`);
  if (alert.should !== null) parts.push(`${texts.should} ${money(alert.should)}`);
  return parts.join(" · ");
}

export class Standing {
  constructor() {
    this.phase = h("span", { class: "phase" });
    this.lines = [0, 1, 2].map(() => h("span", { class: "line" }));
    this.node = h("section", { class: "standing", "aria-label": texts.round }, this.phase, ...this.lines);
  }

  update(view) {
    say(this.phase, `${view.words.phase} · ${texts.round} ${view.round ?? "–"}`);
    say(this.lines[0], `${view.table} · ${view.dealer ? `${texts.dealer} ${view.dealer}` : texts.no_dealer}`);
    const shoe = view.shoe;
    const left = shoe.left === null ? "" : shoe.left ? `${shoe.left} ${texts.cards_left}` : texts.shoe_empty;
    say(this.lines[1], shoe.link === "up" ? left : `${texts.shoe} ${texts.shoe_down}`);
    mark(this.lines[1], "data-wrong", shoe.link === "up" ? null : "wrong");
    const waiting = view.signatures.length;
    const deck = view.deck.change_due ? `${texts.deck}: ${texts.change_due}` : "";
    say(this.lines[2], view.floor_called ? texts.floor_called : waiting ? `${texts.waiting}: ${waiting}` : deck);
  }
}
