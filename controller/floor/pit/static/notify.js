// Alerts the floor to a table that is held, calls, or has a copied chip: always by a banner, the page's title and its
// badge; after the key was pressed, also by a tone and by the browser's notification if permitted. No alert is by
// sound alone.

import { button, h, mark, say } from "/static/dom.js";
import { tones } from "/static/tones.js";
import { fill, words } from "./common.js";

const STORAGE_KEY = "crisscross_pit_alerts";
const WANTED = ["hold", "called", "copy"];

export class Notify {
  constructor() {
    /** @type {Map<string, string> | null} tables that need attention, and the reason; null before the first push */
    this.before = null;
    this.title = document.title;
    this.banner = h("p", { class: "banner", role: "alert", hidden: true });
    this.key = button("", () => this.#press());
    this.#label();
    if (this.#on) tones.enable();
  }

  get #on() {
    return localStorage.getItem(STORAGE_KEY) === "on";
  }

  #press() {
    localStorage.setItem(STORAGE_KEY, this.#on ? "off" : "on");
    if (this.#on) {
      tones.enable();
      if (globalThis.Notification?.permission === "default") void Notification.requestPermission().then(() => this.#label());
    }
    this.#label();
  }

  #label() {
    const silent = this.#on && tones.blocked ? words.alerts_silent : words.alerts_on;
    say(this.key, this.#on ? silent : words.alerts_off);
    mark(this.key, "aria-pressed", this.#on ? "true" : "false");
  }

  /** @param {Pit.Tile[]} tiles all tables */
  update(tiles) {
    const now = new Map(tiles.filter(({ need }) => WANTED.includes(need)).map(({ name, need }) => [name, need]));
    const lines = [...now].map(([name, need]) => `${name}: ${words.needs[need]}`);
    this.banner.hidden = !lines.length;
    say(this.banner, lines.join(" · "));
    const titled = lines.length ? fill(words.titled, { count: lines.length, name: this.title }) : this.title;
    if (document.title !== titled) document.title = titled;
    if (navigator.setAppBadge) void navigator.setAppBadge(lines.length).catch(() => undefined);
    if (this.before && this.#on) for (const [name, need] of now) if (this.before.get(name) !== need) this.#call(name, need);
    this.before = now;
    this.#label();
  }

  /** @param {string} name @param {string} need */
  #call(name, need) {
    tones.play(need === "hold" ? "hold" : "call");
    // one notification per table: the newest replaces the previous one
    if (globalThis.Notification?.permission === "granted") new Notification(`${name}: ${words.needs[need]}`, { tag: name });
  }
}
