// The floorperson's page: the table's phase and any call, the hold and its reason, the devices' readings,
// irregularities to be signed, and the table's figures. A decision needs a badge, and its key repeats the decision.

import { Card } from "./cards.js";
import { Directs } from "./directs.js";
import { button, h, mark, say, texts } from "./dom.js";
import { fetchJson } from "./fetch_json.js";
import { Figures } from "./figures.js";
import "./font.js";
import { Held } from "./held.js";
import { Help } from "./help.js";
import { returnWhenIdle } from "./idle.js";
import "./kiosk.js";
import { showLive } from "./lost.js";
import { Panels } from "./panel.js";
import { Picture } from "./picture.js";
import { RoomWatch } from "./room.js";
import { Sign } from "./sign.js";
import { Status } from "./status.js";

const POLL_INTERVAL_MS = 2000;
const MESSAGE_MS = 6000;
const MAX_EVENTS = 40;
/** @typedef {"held" | "waiting" | "figures"} Tab */

class FloorPage {
  /** @param {Data.View} view */
  constructor(view) {
    this.view = view;
    /** Irregularities to be signed that are drawn at present, as JSON. */
    this.shown = "";
    this.help = new Help("/api/help");
    this.panels = new Panels((words) => this.tell(words), texts.other, () => this.directs.open());
    this.sign = new Sign(this.panels, (words) => this.tell(words, true));
    this.directs = new Directs(this.panels, this.sign, () => this.view);
    this.status = new Status(() => this.sign.badge(texts.answer, { decision: "answer", about: this.view.about.call }),
      () => this.sign.badge(texts.on_my_way, { do: "on_the_way", about: this.view.wanted ?? "" }));
    this.told = h("p", { class: "refused", role: "alert", hidden: true });
    this.picture = new Picture();
    this.events = h("ul", { class: "events", "aria-label": texts.events });
    const saw = h("section", { class: "saw", "aria-label": texts.saw }, this.picture.row,
      h("div", { class: "lower" }, this.picture.middle, this.events));
    this.held = new Held(saw, this.sign);
    this.waiting = h("section", { class: "tab", "aria-label": texts.waiting, hidden: true });
    this.figures = new Figures();
    this.room = new RoomWatch();
    this.tabs = {
      held: button(texts.held_now, () => this.go("held")),
      waiting: button(texts.waiting, () => this.go("waiting")),
      figures: button(texts.figures, () => this.go("figures")),
    };
    this.pages = { held: this.held.node, waiting: this.waiting, figures: this.figures.node };
    this.node = h("main", { class: "floor-page" }, h("h1", { class: "hidden-text" }, texts.floor_title),
      h("nav", { class: "tabs", "aria-label": texts.floor_title }, ...Object.values(this.tabs), this.panels.key,
        button(texts.to_dealer, toDealer)),
      this.status.node, h("div", { class: "body" }, ...Object.values(this.pages), this.panels.node, this.help.node), this.told);
    this.help.into(this.node.querySelector("nav"));
    this.node.addEventListener("pointerdown", () => this.tell(null));
    this.go(view.waiting.length && !view.hold ? "waiting" : "held");
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
    mark(this.node, "data-hold", view.hold ? "hold" : null);
    mark(this.tabs.held, "data-urgent", view.hold ? "urgent" : null);
    const waits = view.waiting.length;
    say(this.tabs.waiting, waits ? `${texts.waiting}: ${waits}` : texts.waiting);
    mark(this.tabs.waiting, "data-waits", waits ? "waits" : null);
    this.room.update(view);
    this.status.update(view);
    this.picture.update({ ...view, prompt: null });
    this.held.update(view);
    this.#drawWaiting(view);
    this.panels.update(view);
    this.help.update(view);
    mark(this.node, "data-version", view.version);
    if (!this.asked || performance.now() - this.asked > POLL_INTERVAL_MS) this.#askFloor();
  }

  async #askFloor() {
    this.asked = performance.now();
    const answer = await fetchJson(`/api/floor${location.search}`);
    if (!answer?.ok) return;
    /** @type {Data.Floor} */
    const floor = answer.data;
    this.figures.update(floor.figures);
    this.events.replaceChildren(...eventRows(floor.events));
  }

  /** Rebuild the list only if it has changed, so that no key moves under a finger. @param {Data.View} view */
  #drawWaiting({ waiting, words }) {
    const shown = JSON.stringify([waiting, words.waiting, words.signs]);
    if (shown === this.shown) return;
    this.shown = shown;
    const rows = waiting.map((item, i) => h("li", {}, h("span", {}, words.waiting[i]), ...this.#signKeys(item, words.waiting[i], words.signs[i])));
    this.waiting.replaceChildren(rows.length ? h("ul", { class: "sign-list" }, ...rows) : h("p", { class: "quiet" }, texts.none_waiting));
  }

  /**
   * The keys that sign, each with its effect on chips and bets. A step of the opening is routine; a signature for
   * missing chips names their holder.
   * @param {Data.View["waiting"][number]} item
   * @param {string} said
   * @param {string[]} labels
   */
  #signKeys({ seat, wager, step, about, signs }, said, labels) {
    if (step) return [button(labels[0], () => this.sign.badge(labels[0], { decision: "sign", about }))];
    return signs.map(({ holder }, i) => button(labels[i], () => this.sign.ask(
      `${said} · ${labels[i]}`, { decision: "sign", seat, wager, about, ...(holder ? { holder } : {}) })));
  }

  /**
   * @param {Data.Text} words
   * @param {boolean} done taken, not refused
   */
  tell(words, done = false) {
    clearTimeout(this.forget);
    this.told.hidden = !words;
    this.told.classList.toggle("done", done);
    say(this.told, words ? (done ? words : `${texts.refused}: ${words}`) : "");
    if (words) this.forget = setTimeout(() => this.tell(null), MESSAGE_MS);
  }
}

const CLOCK = new Intl.DateTimeFormat(document.documentElement.lang, {
  hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZoneName: "short",
});

/** @param {Data.Floor["events"]} events */
function eventRows(events) {
  if (!events.length) return [h("li", {}, texts.no_events)];
  return events.slice(0, MAX_EVENTS).map((event) => {
    const card = event.face ? new Card() : null;
    card?.update({ lies: "up", face: event.face ?? null });
    return h("li", {}, h("time", { datetime: event.utc }, CLOCK.format(new Date(event.utc))), h("span", {}, event.text), card?.node);
  });
}

const toDealer = () => location.assign(`/${location.search}`);
const shown = showLive((view) => new FloorPage(view));
returnWhenIdle(() => (shown.page?.panels.isOpen || shown.page?.help.node.open) ?? false, toDealer);
