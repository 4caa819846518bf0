// The dealer's page: puts the pieces in their fixed places and hands each new view to all of them.
// When the daemon is lost the whole page goes, since everything on it is old.

import { seenFaces } from "./cards.js";
import { h, mark, placeName, say, seatName, texts } from "./dom.js";
import { amountEntry, deckEntry, faceEntry, openRelief, openSignOn } from "./entries.js";
import "./font.js";
import { Keys } from "./keys.js";
import "./kiosk.js";
import { languages } from "./language.js";
import { showLive } from "./lost.js";
import { ANSWERS, Panels, choices } from "./panel.js";
import { Picture } from "./picture.js";
import { Prompt } from "./prompt.js";
import { openRecall } from "./recall.js";
import { openReport, openReports } from "./report.js";
import { Alerts, Standing, alertList } from "./sides.js";

const REFUSAL_MS = 6000;

class DealerPage {
  /** @param {Data.View} view */
  constructor(view) {
    this.view = view;
    /** @type {string | null} the prompt whose panel was opened */
    this.served = null;
    this.refused = h("p", { class: "refused", role: "alert", hidden: true });
    this.panels = new Panels((words) => this.refuse(words), texts.more, () => this.openMore());
    this.prompt = new Prompt(this.panels.key);
    this.picture = new Picture({
      onSeat: (seat) => openReports(this.panels, this.view, seat), onCross: () => openReports(this.panels, this.view),
    });
    this.alerts = new Alerts(() => this.openAlerts());
    this.standing = new Standing();
    this.keys = new Keys((words) => this.refuse(words));
    this.node = h("main", { class: "page" }, this.prompt.node, this.prompt.next,
      h("div", { class: "field" }, this.picture.row,
        h("div", { class: "lower" }, this.alerts.node, this.picture.middle, this.standing.node)),
      this.keys.node, this.panels.node, this.refused);
    this.node.addEventListener("pointerdown", () => this.refuse(null));
  }

  /** @param {Data.View} view */
  update(view) {
    this.view = view;
    mark(this.node, "data-phase", view.phase);
    mark(this.node, "data-hold", view.hold ? "hold" : null);
    for (const part of [this.prompt, this.picture, this.alerts, this.standing, this.keys, this.panels]) part.update(view);
    this.serve(view);
    mark(this.node, "data-version", view.version);
  }

  /** @param {Data.Text} words */
  refuse(words) {
    clearTimeout(this.forget);
    this.refused.hidden = !words;
    say(this.refused, words ? `${texts.refused}: ${words}` : "");
    if (words) this.forget = setTimeout(() => this.refuse(null), REFUSAL_MS);
  }

  /** A prompt that wants something entered opens its panel once, and takes it away when it is past. @param {Data.View} view */
  serve({ prompt }) {
    const purpose = `${ANSWERS}${prompt?.id ?? "none"}`;
    if (this.panels.purpose?.startsWith(ANSWERS) && this.panels.purpose !== purpose) this.panels.close();
    if (this.served !== purpose && this.panels.purpose !== "user") {
      this.served = purpose;
      if (prompt?.entry) ENTRIES[prompt.entry](this, prompt, purpose);
    }
  }

  openMore() {
    const view = this.view;
    /** @type {Record<string, () => void>} */
    const act = {
      report: () => openReports(this.panels, view),
      recall: () => openRecall(this.panels),
      deck: () => this.openDeck("user"),
      amounts: () => this.openAmounts(),
      aside: () => this.openFace("set_aside", "user"),
      dealer: () => (view.dealer ? openRelief(this.panels, view.dealer) : openSignOn(this.panels)),
      floor: () => location.assign(`/floor${location.search}`),
    };
    const others = languages();
    for (const { value, choose } of others) act[value] = choose;
    const options = [
      { value: "report", label: texts.report }, { value: "recall", label: texts.recall },
      { value: "deck", label: texts.deck_brought }, { value: "amounts", label: texts.amounts },
      ...(view.set_aside ? [{ value: "aside", label: placeName("set_aside") }] : []),
      { value: "dealer", label: view.dealer ? `${texts.relieve} ${view.dealer}` : texts.sign_on },
      { value: "floor", label: texts.floor_page }, ...others,
    ];
    this.panels.open(texts.more, choices(options, (value) => act[value](), 4));
  }

  openAlerts() {
    const body = h("div", {}, alertList(this.view));
    this.panels.open(texts.alerts, body, { onUpdate: (view) => body.replaceChildren(alertList(view)) });
  }

  openAmounts() {
    const open = this.view.seats.flatMap((seat) => Object.entries(seat.circles)
      .filter(([, circle]) => circle.by_hand)
      .map(([wager]) => ({ label: `${seatName(seat.seat)} · ${texts.wagers[wager]}`, value: { seat: seat.seat, wager } })));
    /** @param {{seat: number, wager: string}} where */
    const pick = ({ seat, wager }) => this.openAmount(seat, wager, [], "user");
    const body = open.length ? choices(open.slice(0, 18), pick, 6) : h("p", { class: "empty" }, texts.nothing_now);
    this.panels.open(texts.amounts, body);
  }

  /**
   * @param {number} seat
   * @param {string} wager
   * @param {number[]} quick
   * @param {string} purpose
   */
  openAmount(seat, wager, quick, purpose) {
    /** @param {number} cents */
    const enter = (cents) => this.panels.deliver({ do: "amount", seat, wager, cents });
    this.panels.open(`${seatName(seat)} · ${texts.wagers[wager]}`, amountEntry(quick, enter), { purpose, form: "tall" });
  }

  /**
   * @param {string} place
   * @param {string} purpose
   */
  openFace(place, purpose) {
    /** @param {string} face */
    const enter = (face) => this.panels.deliver({ do: "enter", place, face });
    this.panels.open(placeName(place), faceEntry(seenFaces(this.view), enter), { purpose });
  }

  /** @param {string} purpose */
  openDeck(purpose) {
    this.panels.open(texts.which_deck, deckEntry(this.view, (touch) => this.panels.deliver(touch)), { purpose });
  }
}

/** @type {Record<NonNullable<Data.Prompt["entry"]>, (page: DealerPage, prompt: Data.Prompt, purpose: string) => void>} */
const ENTRIES = {
  amount: (page, { seat, wager, quick }, purpose) => page.openAmount(seat ?? 0, wager ?? "", quick ?? [], purpose),
  face: (page, { places }, purpose) => page.openFace(places?.[0] ?? "", purpose),
  stub: (page, _prompt, purpose) => openReport(page.panels, page.view, "stub_count", purpose),
  sign_on: (page, _prompt, purpose) => openSignOn(page.panels, purpose),
  deck: (page, _prompt, purpose) => page.openDeck(purpose),
};

showLive((view) => new DealerPage(view));
