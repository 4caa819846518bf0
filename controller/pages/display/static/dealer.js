// The dealer's page: puts the parts in their fixed places and passes each new view to all of them. If the daemon is
// lost, the whole page is removed, since everything on it is outdated.

import { seenFaces } from "./cards.js";
import { h, mark, placeName, say, seatName, texts } from "./dom.js";
import { amountEntry, deckEntry, faceEntry, openRelief, openSignOn } from "./entries.js";
import "./font.js";
import { Help } from "./help.js";
import { Keys } from "./keys.js";
import "./kiosk.js";
import { languages } from "./language.js";
import { showLive } from "./lost.js";
import { Panels, choices } from "./panel.js";
import { CROSS, Picture } from "./picture.js";
import { Prompt } from "./prompt.js";
import { openRecall } from "./recall.js";
import { openReport, openReports } from "./report.js";
import { RoomWatch, openRoom } from "./room.js";
import { Alerts, Standing, alertList } from "./sides.js";
import { answering } from "./subject.js";

/** @typedef {import("./subject.js").Subject} Subject */

const REFUSAL_MS = 6000;

/** Maximum number of circles on one panel; with more, the seat is chosen first. */
const MAX_CIRCLES = 18;

class DealerPage {
  /** @param {Data.View} view */
  constructor(view) {
    this.view = view;
    /** @type {string | null | undefined} the prompt whose panel was opened */
    this.served = null;
    this.refused = h("p", { class: "refused", role: "alert", hidden: true });
    this.panels = new Panels((words) => this.refuse(words), texts.more, () => this.openMore());
    this.panels.onClosed = () => this.serve(this.view);
    this.help = new Help("/api/help");
    this.prompt = new Prompt(h("div", { class: "corner" }, this.panels.key, this.help.key));
    this.picture = new Picture({
      onSeat: (seat) => this.#wants((prompt) => atSeat(prompt, seat)) || openReports(this.panels, this.view, seat),
      onCross: () => this.#wants(inMiddle) || openReports(this.panels, this.view),
    });
    this.alerts = new Alerts(() => this.openAlerts());
    this.standing = new Standing();
    this.room = new RoomWatch();
    this.keys = new Keys((words) => this.refuse(words), () => this.#enter());
    this.node = h("main", { class: "page" }, this.prompt.node, this.prompt.next,
      h("div", { class: "field" }, this.picture.row,
        h("div", { class: "lower" }, this.alerts.node, this.picture.middle, this.standing.node)),
      this.keys.node, this.panels.node, this.help.node, this.refused);
    this.node.addEventListener("pointerdown", () => this.refuse(null));
  }

  /** @param {Data.View} view */
  update(view) {
    this.view = view;
    mark(this.node, "data-phase", view.phase);
    mark(this.node, "data-hold", view.hold ? "hold" : null);
    const parts = [this.room, this.prompt, this.picture, this.alerts, this.standing, this.keys, this.panels, this.help];
    for (const part of parts) part.update(view);
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

  /** Open the panel of a prompt that needs an entry, once, and close it when the prompt is over. @param {Data.View} view */
  serve(view) {
    const { prompt } = answering(view);
    const open = this.panels.opened?.subject.prompt;
    if (open !== undefined && open !== prompt) this.panels.takeAway();
    if (this.served !== prompt && !this.panels.isOpen) {
      this.served = prompt;
      this.#wants();
    }
  }

  /**
   * Open the entry that the prompt needs. Returns whether the entry belongs to this page.
   * @param {(prompt: Data.Prompt) => boolean} here
   */
  #wants(here = () => true) {
    const { prompt } = this.view;
    if (!prompt?.entry || !here(prompt)) return false;
    ENTRIES[prompt.entry](this, prompt, answering(this.view));
    return true;
  }

  /** CONFIRM at a prompt that needs an entry: open its form, or submit it if it is open. */
  #enter() {
    const open = this.panels.opened?.subject.prompt;
    if (open === undefined || open !== answering(this.view).prompt) this.#wants();
    else this.panels.node.querySelector('.enter:not([aria-disabled="true"])')?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }

  openMore() {
    const view = this.view;
    /** @type {Record<string, () => void>} */
    const act = {
      report: () => openReports(this.panels, this.view),
      recall: () => openRecall(this.panels),
      deck: () => this.openDeck(this.view, { about: this.view.about.deck }),
      amounts: () => this.openAmounts(),
      aside: () => this.openFace("set_aside", { about: this.view.about.cards }),
      dealer: () => (view.dealer ? openRelief(this.panels, view.dealer, view.about.dealer)
        : openSignOn(this.panels, { about: view.about.dealer })),
      floor: () => location.assign(`/floor${location.search}`),
      room: () => openRoom(this.panels, this.view),
      entry: () => this.#wants(),
      manuals: () => location.assign(`/manuals${location.search}`),
    };
    const others = languages();
    for (const { value, choose } of others) act[value] = choose;
    const asked = view.prompt?.entry ? view.words.parts.prompt?.do : null;
    const options = [
      ...(asked ? [{ value: "entry", label: asked }] : []),
      { value: "report", label: texts.report }, { value: "recall", label: texts.recall },
      { value: "deck", label: texts.deck_brought }, { value: "amounts", label: texts.amounts },
      ...(view.room ? [{ value: "room", label: texts.room }] : []),
      ...(view.set_aside ? [{ value: "aside", label: placeName("set_aside") }] : []),
      { value: "dealer", label: view.dealer ? `${texts.relieve} ${view.dealer}` : texts.sign_on },
      { value: "floor", label: texts.floor_page }, { value: "manuals", label: texts.manuals }, ...others,
    ];
    this.panels.open(texts.more, choices(options, (value) => act[value](), 4));
  }

  openAlerts() {
    /** @param {Data.View} view */
    const list = (view) => alertList(view, () => this.#wants());
    const body = h("div", {}, list(this.view));
    this.panels.open(texts.alerts, body, { onUpdate: (view) => body.replaceChildren(list(view)) });
  }

  openAmounts() {
    const open = this.view.seats.flatMap((seat) => Object.entries(seat.circles)
      .filter(([, circle]) => circle.by_hand)
      .map(([wager, { about }]) => ({ seat: seat.seat, wager, about: about ?? "" })));
    if (!open.length) return this.panels.open(texts.amounts, h("p", { class: "empty" }, texts.no_amounts));
    if (open.length <= MAX_CIRCLES) return this.#pickCircle(open);
    const options = [...new Set(open.map(({ seat }) => seat))].map((seat) => ({ label: seatName(seat), value: seat }));
    const pick = (/** @type {number} */ seat) => this.#pickCircle(open.filter((each) => each.seat === seat));
    return this.panels.open(texts.amounts, choices(options, pick, 3));
  }

  /** @param {{seat: number, wager: string, about: string}[]} circles */
  #pickCircle(circles) {
    const options = circles.map((each) => ({ label: `${seatName(each.seat)} · ${texts.wagers[each.wager]}`, value: each }));
    /** @param {{seat: number, wager: string, about: string}} where */
    const pick = ({ seat, wager, about }) => this.openAmount(seat, wager, [], { about });
    this.panels.open(texts.amounts, choices(options, pick, 6));
  }

  /**
   * @param {number} seat
   * @param {string} wager
   * @param {number[]} quick
   * @param {Subject} subject
   */
  openAmount(seat, wager, quick, subject) {
    /** @param {number} cents */
    const enter = (cents) => this.panels.deliver({ do: "amount", seat, wager, cents });
    this.panels.open(`${seatName(seat)} · ${texts.wagers[wager]}`, amountEntry(quick, enter), { subject, form: "pad" });
  }

  /**
   * @param {string} place
   * @param {Subject} subject
   */
  openFace(place, subject) {
    /** @param {string} face */
    const enter = (face) => this.panels.deliver({ do: "enter", place, face });
    this.panels.open(placeName(place), faceEntry(seenFaces(this.view), enter), { subject });
  }

  /**
   * @param {Data.View} view
   * @param {Subject} subject
   */
  openDeck(view, subject) {
    this.panels.open(texts.which_deck, deckEntry(view, (touch) => this.panels.deliver(touch)), { subject });
  }
}

/** @type {Record<NonNullable<Data.Prompt["entry"]>, (page: DealerPage, prompt: Data.Prompt, subject: Subject) => void>} */
const ENTRIES = {
  amount: (page, { seat, wager, quick }, subject) => page.openAmount(seat ?? 0, wager ?? "", quick ?? [], subject),
  face: (page, { places }, subject) => page.openFace(places?.[0] ?? "", subject),
  stub: (page, _prompt, subject) => openReport(page.panels, page.view, "stub_count", subject),
  sign_on: (page, _prompt, subject) => openSignOn(page.panels, { ...subject, about: page.view.about.dealer }),
  deck: (page, _prompt, subject) => page.openDeck(page.view, subject),
};

/** Whether the prompt concerns this seat. @param {Data.Prompt} prompt @param {number} seat */
const atSeat = ({ seat: asked, places }, seat) => asked === seat || (places ?? []).some((place) => place.startsWith(`seat_${seat}_`));

/** Whether the prompt concerns a card between the seats. @param {Data.Prompt} prompt */
const inMiddle = ({ places }) => (places ?? []).some((place) => CROSS.includes(place) || place.startsWith("bonus_"));

showLive((view) => new DealerPage(view));
