// Alerts the floor to a table that is held, calls, is silent, or has a copied chip or a failed device, and to a fault
// of the pit itself: always by a banner, the page's title and its badge; after the key was pressed, also by a tone and
// by the browser's notification if permitted. No alert is by sound alone.

import { button, h, mark, say } from "/static/dom.js";
import { tones } from "/static/tones.js";
import { fill, words } from "./common.js";

const STORAGE_KEY = "crisscross_pit_alerts";
const WANTED = ["hold", "called", "copy", "lost", "device"];
/** Maximum number of tables with one need that are alerted one by one: a lost network silences all tables together. */
const MAX_SINGLE = 3;

export class Notify {
  constructor() {
    /** @type {Map<string, string> | null} tables that need attention, and the reason; null before the first push */
    this.before = null;
    /** Text of the pit's own faults, "" for none. */
    this.fault = "";
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

  /** @param {Pit.Tile[]} tiles all tables @param {string[]} faults failed parts of the pit's own service */
  update(tiles, faults) {
    const now = new Map(tiles.filter(({ need }) => WANTED.includes(need)).map(({ name, need }) => [name, need]));
    const parts = faults.map((part) => words.parts[part] ?? part).join(", ");
    const fault = parts ? fill(words.own_fault, { parts }) : "";
    const lines = [fault, ...grouped([...now]).map(({ line }) => line)].filter(Boolean), count = now.size + (fault ? 1 : 0);
    this.banner.hidden = !count;
    say(this.banner, lines.join(" · "));
    const titled = count ? fill(words.titled, { count, name: this.title }) : this.title;
    if (document.title !== titled) document.title = titled;
    if (navigator.setAppBadge) void navigator.setAppBadge(count).catch(() => undefined);
    const { before } = this;
    if (before && this.#on) {
      if (fault && fault !== this.fault) call(fault, "", "fault");
      for (const { line, tag, need } of grouped([...now].filter(([name, each]) => before.get(name) !== each))) call(line, tag, need);
    }
    this.before = now;
    this.fault = fault;
    this.#label();
  }
}

/** A line for each table, or one for all tables with the same need. @param {[string, string][]} tables name and need */
function grouped(tables) {
  return WANTED.flatMap((need) => {
    const names = tables.filter(([, each]) => each === need).map(([name]) => name), rest = names.length - MAX_SINGLE;
    if (rest <= 0) return names.map((name) => ({ line: `${name}: ${words.needs[need]}`, tag: name, need }));
    return [{ line: `${names.slice(0, MAX_SINGLE).join(", ")} +${rest}: ${words.needs[need]}`, tag: `+${need}`, need }];
  });
}

/** @param {string} line @param {string} tag a notification replaces the previous one with its tag @param {string} need */
function call(line, tag, need) {
  tones.play(need === "hold" ? "hold" : "call");
  if (globalThis.Notification?.permission === "granted") new Notification(line, { tag });
}
