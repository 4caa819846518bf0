// Shared by the pages of a pit: texts, periods by the pit's own clock, codes as text.

import { fill, h, say, texts } from "/static/dom.js";

export { fill };

export const words = /** @type {Pit.Texts} */ (/** @type {unknown} */ (texts));

/** The pit's clock: its last reported time, and when the report came. */
const clock = { posix: 0, at: 0 };

/** @param {number} posix seconds since 1970, as the pit says */
export function heard(posix) {
  clock.posix = posix;
  clock.at = performance.now();
}

/** Seconds since a time in the records. @param {string} utc */
export const ago = (utc) => Math.max(0, clock.posix + (performance.now() - clock.at) / 1000 - Date.parse(utc) / 1000);

/** A period as text: in seconds, from one minute on in minutes, from one hour on in hours. @param {number} seconds */
export function span(seconds) {
  const { s, min, h: hours } = words.units;
  if (seconds < 60) return `${Math.floor(seconds)} ${s}`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} ${min}` : `${Math.floor(minutes / 60)} ${hours} ${minutes % 60} ${min}`;
}

/** The user and the key that signs them out; without users, a line that says so. */
export function signed() {
  const { user } = words;
  if (!user) return h("p", { class: "access" }, words.access);
  const out = async () => {
    const answer = await fetch("/api/sign_out", { method: "POST" }).catch(() => null);
    if (answer?.ok) location.assign(address("/sign_in"));
  };
  const key = user.out ? h("button", { type: "button", onclick: () => void out() }, words.sign_in.out) : null;
  return h("p", { class: "access" }, h("span", {}, fill(words.sign_in.as, { name: user.name, role: words.roles[user.role] ?? user.role })), key);
}

/** A fault as text, with its place. @param {Pit.Wrong} wrong */
export function named({ code, seat, wager }) {
  const where = [seat ? fill(words.seat, { seat }) : "", wager ? (words.wagers[wager] ?? wager) : ""].filter(Boolean).join(" ");
  return [words.codes[code] ?? code, where].filter(Boolean).join(" · ");
}

/** The connection state of a table as text, with the time since its last message. @param {Pit.Tile} tile */
export function silence(tile) {
  if (tile.heard_s === null) return words.speaks.never;
  return fill(words.speaks[tile.speaks] ?? "", { span: span(tile.heard_s) });
}

/** The key "on my way" of a table that calls or is held, and the result of pressing it. */
export class Way {
  constructor() {
    /** @type {Pit.Tile | null} */
    this.tile = null;
    this.key = h("button", { type: "button", class: "way" }, words.on_my_way);
    this.line = h("span", { class: "coming", "aria-live": "polite" });
    this.node = h("div", { class: "answer", hidden: true }, this.key, this.line);
    this.key.addEventListener("click", () => void this.#send());
  }

  /** @param {Pit.Tile} tile */
  update(tile) {
    this.tile = tile;
    this.node.hidden = !tile.way && (!tile.wanted || words.user?.role === "read");
    this.key.hidden = !tile.wanted || words.user?.role === "read";
    const by = tile.way?.by ? `${tile.way.by} · ` : "";
    say(this.line, !tile.way ? "" : by + (tile.way.shown === null ? words.way_sent : tile.way.shown ? words.way_shown : words.way_over));
  }

  async #send() {
    const tile = this.tile;
    if (!tile?.wanted) return;
    const headers = { "Content-Type": "application/json" }, body = JSON.stringify({ about: tile.wanted });
    const answer = await fetch(`/api/tables/${encodeURIComponent(tile.name)}/on_my_way`, { method: "POST", headers, body }).catch(() => null);
    if (!answer?.ok) say(this.line, answer?.status === 409 ? words.way_over : words.way_lost);
  }
}

/**
 * Text about another journal that sends under the table's name, or about a forked history; "" if there is neither.
 * @param {Pit.Tile} tile
 */
export function another({ name, kept, other, forked }) {
  const facts = { name, kept: short(kept ?? ""), stream: other ?? "" };
  return other ? fill(words.other, facts) : forked ? fill(words.forked, facts) : "";
}

/**
 * @param {string} caption
 * @param {string[]} heads
 * @param {(string | Node)[][]} rows
 * @param {number} sums from this column on they are numbers
 */
export function table(caption, heads, rows, sums = heads.length) {
  /** @param {"td" | "th"} tag @param {string | Node} text @param {number} at */
  const cell = (tag, text, at) => h(tag, { class: at >= sums ? "sum" : null, scope: tag === "th" ? (at ? "col" : "row") : null }, text);
  const head = h("tr", {}, ...heads.map((text, at) => h("th", { scope: "col", class: at >= sums ? "sum" : null }, text)));
  const body = rows.map(([first, ...rest]) => h("tr", {}, cell("th", first, 0), ...rest.map((text, at) => cell("td", text, at + 1))));
  return h("div", { class: "wide", role: "region", tabindex: "0", "aria-label": caption },
    h("table", {}, h("thead", {}, head), h("tbody", {}, ...body)));
}

/**
 * An address with the page's language: every link keeps it.
 * @param {string} path
 * @param {Record<string, string>} query
 */
export function address(path, query = {}) {
  const all = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(location.search)), ...query }).toString();
  return all ? `${path}?${all}` : path;
}

/** A stream's name, shortened for people. @param {string} stream */
export function short(stream) {
  const [journal, row] = stream.split("-"), root = journal.slice(32, 38);
  return journal.slice(0, 8) + (root ? `/${root}` : "") + (row ? `-${row}` : "");
}
