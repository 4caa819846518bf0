// The dealer's page: puts the pieces in their fixed places and hands each new view to all of them.
// When the daemon is lost the whole page goes, since everything on it is old.

import { seenFaces } from "./cards.js";
import { h, mark, placeName, say, seatName, texts } from "./dom.js";
import { amountEntry, deckEntry, faceEntry, numberEntry } from "./entries.js";
import { Keys } from "./keys.js";
import { Live } from "./live.js";
import { lostScreen } from "./lost.js";
import { Panels, choices } from "./panel.js";
import { identity } from "./ranked.js";
import { Picture } from "./picture.js";
import { Prompt } from "./prompt.js";
import { openRecall } from "./recall.js";
import { openReport, openReports } from "./report.js";
import { Alerts, Standing, alertList } from "./sides.js";

const REFUSAL_MS = 6000;
const DEAD = new Set(["silent", "unstable", "not_fitted", "entered"]);

class DealerPage {
  constructor() {
    this.refused = h("p", { class: "refused", role: "alert", hidden: true });
    this.panels = new Panels((words) => this.refuse(words), texts.more, () => this.openMore());
    this.prompt = new Prompt(this.panels.key);
    this.picture = new Picture((seat) => this.openSeat(seat), () => openReports(this.panels, this.view));
    this.alerts = new Alerts(() => this.openAlerts());
    this.standing = new Standing();
    this.keys = new Keys((words) => this.refuse(words));
    this.node = h("main", { class: "page" }, this.prompt.node, this.prompt.next,
      h("div", { class: "field" }, this.picture.row,
        h("div", { class: "lower" }, this.alerts.node, this.picture.middle, this.standing.node)),
      this.keys.node, this.panels.node, this.refused);
    this.node.addEventListener("pointerdown", () => this.refuse(null));
  }

  update(view) {
    this.view = view;
    mark(this.node, "data-phase", view.phase);
    mark(this.node, "data-hold", view.hold ? "hold" : null);
    for (const part of [this.prompt, this.picture, this.alerts, this.standing, this.keys, this.panels]) part.update(view);
    this.serve(view);
    if (!this.panels.isOpen) this.keys.focus();
    mark(this.node, "data-version", view.version);
  }

  refuse(words) {
    clearTimeout(this.forget);
    this.refused.hidden = !words;
    say(this.refused, words ? `${texts.refused}: ${words}` : "");
    if (words) this.forget = setTimeout(() => this.refuse(null), REFUSAL_MS);
  }

  /** A prompt that wants something entered opens its panel once, and takes it away when it is past. */
  serve(view) {
    const prompt = view.prompt;
    const purpose = `prompt ${identity(prompt)}`;
    if (this.panels.isOpen && this.panels.purpose.startsWith("prompt") && this.panels.purpose !== purpose) this.panels.close();
    if (this.served !== purpose && this.panels.purpose !== "user") {
      this.served = purpose;
      ENTRIES[prompt?.kind]?.(this, prompt, purpose);
    }
  }

  openMore() {
    const view = this.view;
    const act = {
      report: () => openReports(this.panels, view),
      recall: () => openRecall(this.panels),
      deck: () => this.openDeck("user"),
      amounts: () => this.openAmounts(),
      aside: () => this.openFace("set_aside", "user"),
      dealer: () => (view.dealer ? this.panels.deliver({ do: "relieve" }) : this.openSignOn("user")),
      floor: () => location.assign(`/floor${location.search}`),
    };
    const options = [
      ["report", texts.report], ["recall", texts.recall], ["deck", texts.deck_brought], ["amounts", texts.amounts],
      view.set_aside ? ["aside", placeName("set_aside")] : null,
      ["dealer", view.dealer ? `${texts.relieve} ${view.dealer}` : texts.sign_on], ["floor", texts.floor_page],
    ].filter(Boolean).map(([value, label]) => ({ label, value }));
    this.panels.open(texts.more, choices(options, (value) => act[value](), 4));
  }

  openSeat(seat) {
    openReports(this.panels, this.view, seat);
  }

  openAlerts() {
    const body = h("div", {}, alertList(this.view));
    this.panels.open(texts.alerts, body, { onUpdate: (view) => body.replaceChildren(alertList(view)) });
  }

  openAmounts() {
    const open = this.view.seats.flatMap((seat) => Object.entries(seat.circles)
      .filter(([, circle]) => DEAD.has(circle.reading))
      .map(([wager]) => ({ label: `${seatName(seat.seat)} · ${texts.wagers[wager]}`, value: `${seat.seat} ${wager}` })));
    const pick = (value) => {
      const [seat, wager] = value.split(" ");
      this.openAmount(Number(seat), wager, [], "user");
    };
    const body = open.length ? choices(open.slice(0, 18), pick, 6) : h("p", { class: "empty" }, texts.nothing_now);
    this.panels.open(texts.amounts, body);
  }

  openAmount(seat, wager, quick, purpose) {
    const enter = (cents) => this.panels.deliver({ do: "amount", seat, wager, cents });
    this.panels.open(`${seatName(seat)} · ${texts.wagers[wager]}`, amountEntry(quick, enter), { purpose, form: "tall" });
  }

  openFace(place, purpose) {
    const enter = (face) => this.panels.deliver({ do: "enter", place, face });
    this.panels.open(placeName(place), faceEntry(seenFaces(this.view), enter), { purpose });
  }

  openSignOn(purpose) {
    this.panels.open(texts.your_number, numberEntry((number) => this.panels.deliver({ do: "sign_on", number }), texts.sign_on), { purpose, form: "tall" });
  }

  openDeck(purpose) {
    this.panels.open(texts.which_deck, deckEntry(this.view, (touch) => this.panels.deliver(touch)), { purpose });
  }
}

const likely = (limits) => limits.multiples.length === 2 ? [1, 2, 3].map((n) => n * limits.minimum_ante) : [];

const ENTRIES = {
  enter_amount: (page, prompt, purpose) => page.openAmount(prompt.seat, prompt.wager, prompt.options ?? likely(page.view.limits), purpose),
  enter_face: (page, prompt, purpose) => page.openFace(prompt.places[0], purpose),
  count_stub: (page, prompt, purpose) => openReport(page.panels, page.view, "stub_count", purpose),
  open_table: (page, prompt, purpose) => page.view.dealer === null && page.openSignOn(purpose),
  deck_needed: (page, prompt, purpose) => page.openDeck(purpose),
};

const root = document.getElementById("root");
let page = null;

new Live(
  (view) => {
    if (!page) {
      page = new DealerPage();
      root.replaceChildren(page.node);
    }
    page.update(view);
  },
  () => {
    page = null;
    root.replaceChildren(lostScreen());
  },
);

// ENTER confirms wherever no other control has the focus.
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && document.activeElement === document.body && page && !page.panels.isOpen) page.keys.confirm();
});

