// The one thing to do now, in the largest type, and what comes after it under it.
// An alert that needs a hand now takes the place of the prompt, since two things to do at once are none.

import { h, mark, say, texts } from "./dom.js";
import { show } from "./icons.js";
import { ranked } from "./ranked.js";
import { beat } from "./rhythms.js";

const KINDS = {
  take: "take", collect: "take", push: "push", pay: "pay", return_wager: "give", refund: "give", hand_back: "alert",
  shuffle_wait: "wait", reading_wait: "wait", cards_wait: "wait", ask: "ask", confirm_bet: "accepted", confirm_fold: "refused",
  turn: "turn", turn_seat: "turn", turn_bonus: "turn", enter_amount: "enter", enter_face: "enter", count_stub: "stub",
  take_stub: "stub", lift_stack: "cards", deal_card: "cards", clear: "cards", cut: "cards", deck_needed: "cards", load_deck: "cards",
  permit_cards: "cards", bets_open: "bets", fix_wagers: "alert", held: "hold", signature: "sign", open_table: "sign",
  opening_step: "cards", deal_hand: "cards", cover_device: "sign",
};
// These prompts say the remedy themselves; the alert beside them would only say it twice.
const REMEDIES = new Set(["fix_wagers", "enter_amount", "enter_face", "held", "signature", "return_wager", "refund"]);
// These alerts want a hand on the chips now. The others (a dead reader, say) can stand for an hour: they take
// the large type only while the dealer would wait anyway.
const AT_ONCE = new Set([
  "late_bet", "bet_changed", "bet_out_of_turn", "losing_bet_left", "underpaid", "overpaid", "push_disturbed",
  "wrong_circle", "settled_out_of_order", "unknown_chip", "duplicate_chip", "chip_withdrawn", "wrong_deck", "journal_fault",
]);
// Nothing can be said of the amount in a circle that cannot be read: that comes first there.
const UNREAD = new Set(["reader_lost", "reading_unstable"]);
const same = (one, other) => one.seat === other.seat && one.wager === other.wager;
// The rhythms of medium and high priority (IEC 60601-1-8).
const URGENCY = { alert: "even", hold: "quick" };
const WAITS = new Set([undefined, "cards_wait", "shuffle_wait", "reading_wait"]);

/** What stands in the prompt's place: {look, icon, where, do, more, section, then}. */
function leading(view) {
  const words = view.words;
  if (view.hold) return held(view, words.hold);
  const first = leadingAlert(view);
  return first ? alerted(first, view.prompt, words) : prompted(view, words);
}

/** The alert that stands in the prompt's place, if one does. */
export function leadingAlert(view) {
  if (view.hold || REMEDIES.has(view.prompt?.kind)) return null;
  const waits = WAITS.has(view.prompt?.kind);
  const alerts = ranked(view).filter((alert) => alert.grade === "alert");
  const first = alerts.find((alert) => waits || AT_ONCE.has(alert.code));
  return alerts.find((alert) => first && UNREAD.has(alert.code) && same(alert, first)) ?? first ?? null;
}

function held(view, hold) {
  return {
    look: "hold", icon: "hold", where: texts.hold, do: hold.do, more: hold.text,
    section: view.hold.citation, then: hold.proposed, label: "",
  };
}

function alerted(alert, prompt, words) {
  const said = alert.words;
  return {
    look: "alert", icon: "alert", where: said.where ?? texts.alert, do: said.do, more: said.what,
    section: alert.citation, then: brief(mends(prompt, alert) ? words.parts.next : words.parts.prompt),
  };
}

/** What comes next needs no reason yet. */
function brief(parts) {
  return parts ? [parts.where, parts.do].filter(Boolean).join(" · ") : null;
}

/** The prompt asks for what the alert asks for. */
function mends(prompt, alert) {
  return prompt?.kind === "hand_back" && same(prompt, alert);
}

function prompted(view, words) {
  const parts = words.parts.prompt;
  if (!parts) return { look: "quiet", icon: "off", where: words.phase, do: texts.nothing_now, more: "", section: null, then: null };
  const look = ["take", "push", "pay"].find((kind) => KINDS[view.prompt.kind] === kind);
  return {
    look: look ?? "quiet", icon: KINDS[view.prompt.kind] ?? "off", where: parts.where, do: parts.do,
    more: parts.more, section: view.prompt.citation, then: brief(words.parts.next),
  };
}

export class Prompt {
  constructor(aside) {
    this.shape = h("div", { class: "shape" });
    this.where = h("p", { class: "where" });
    this.do = h("h1", { class: "do" });
    this.more = h("p", { class: "more" });
    this.section = h("span", { class: "section" });
    const words = h("div", { class: "words", role: "status", "aria-live": "assertive", "aria-atomic": "true" },
      h("div", { class: "first" }, this.where, this.section), this.do, this.more);
    this.node = h("section", { class: "prompt", "aria-label": texts.now }, this.shape, words, aside);
    this.then = h("span", { class: "text" });
    this.label = h("span", { class: "label" });
    this.next = h("section", { class: "next", "aria-label": texts.then }, this.label, this.then);
  }

  update(view) {
    const lead = leading(view);
    mark(this.node, "data-look", lead.look);
    mark(this.node, "data-kind", view.prompt?.kind);
    show(this.shape, lead.icon);
    beat(this.shape, URGENCY[lead.look] ?? "steady");
    say(this.where, lead.where);
    say(this.do, lead.do);
    mark(this.do, "data-size", size(lead.do, lead.more));
    say(this.more, lead.more);
    mark(this.more, "data-size", reasonSize((lead.more ?? "").length));
    say(this.section, lead.section);
    say(this.label, lead.then ? (lead.label ?? texts.then) : "");
    say(this.then, lead.then);
  }
}

function reasonSize(length) {
  if (length <= 46) return "short";
  return length <= 56 ? "middle" : "long";
}

/** The largest type that holds the whole text, the reason under it included. */
function size(text, more) {
  const length = (text ?? "").length;
  if (length <= 17 && (more ?? "").length <= 60) return length <= 10 ? "brief" : "short";
  if (length <= 23) return "middle";
  return length <= 30 ? "long" : "very";
}
