// The floor: a tile per table, tables that need a person first. A tile is built once; later views change only the
// parts that differ, and a tile moves only when its need changes.

import { h, mark, say } from "/static/dom.js";
import { Help } from "/static/help.js";
import { Live } from "/static/live.js";
import { lostScreen } from "/static/lost.js";
import { address, ago, another, fill, heard, named, signed, silence, span, Way, words } from "./common.js";
import { Notify } from "./notify.js";

const NEEDS = Object.keys(words.needs);
const SOME = NEEDS.slice(0, NEEDS.indexOf("notice"));
/** @type {Record<string, string>} */
const SHAPES = { hold: "■", called: "▲", copy: "◈", history: "◇", lost: "◌", device: "◆", alert: "▲", deck: "▮", notice: "·", quiet: "", closed: "–" };
const TICK_MS = 1000;
/** Seconds without an event after which a tile shows how long ago the last one was. */
const QUIET_S = 300;

class TileView {
  /** @param {Pit.Tile} tile */
  constructor(tile) {
    this.name = h("span", { class: "name" }, tile.name);
    this.need = h("span", { class: "need" });
    this.facts = h("span", { class: "facts" });
    this.who = h("span", { class: "who" });
    this.wrong = h("span", { class: "wrong" });
    this.node = h("li", {}, (this.link = h("a", { class: "tile", href: address(`/tables/${encodeURIComponent(tile.name)}/floor`) },
      h("span", { class: "top" }, this.name, this.need), this.facts, this.who, this.wrong)));
    this.way = new Way();
    this.node.append(this.way.node);
    this.tile = tile;
    this.heard = performance.now();
  }

  /** @param {Pit.Tile} tile */
  update(tile) {
    this.tile = tile;
    this.heard = performance.now();
    mark(this.link, "data-need", tile.need);
    mark(this.link, "data-some", SOME.includes(tile.need) ? "" : null);
    mark(this.need, "data-shape", SHAPES[tile.need]);
    say(this.need, words.needs[tile.need]);
    this.way.update(tile);
    this.tick();
  }

  /** Update the texts that change with time alone. */
  tick() {
    const { tile } = this, history = another(tile);
    if (history) {
      say(this.facts, "");
      say(this.who, history);
      say(this.wrong, "");
      return;
    }
    if (tile.speaks !== "here") {
      const since = tile.heard_s === null ? null : tile.heard_s + (performance.now() - this.heard) / 1000;
      say(this.facts, "");
      say(this.who, silence({ ...tile, heard_s: since }));
      say(this.wrong, "");
      return;
    }
    const phase = tile.phase ? (words.phases[tile.phase] ?? tile.phase) : words.unknown;
    const pace = tile.pace === null || tile.pace === undefined ? "" : ` · ${tile.pace}/${words.units.h}`;
    say(this.facts, `${phase} · ${words.round} ${tile.round ?? words.unknown} · ${words.seats} ${tile.seats ?? 0}/6${pace}`);
    const since = tile.dealing ? ` ${fill(words.dealing, { span: span(ago(tile.dealing)) })}` : "";
    const word = tile.last && ago(tile.last) >= QUIET_S ? fill(words.last_message, { span: span(ago(tile.last)) }) : "";
    say(this.who, [tile.dealer ? `${words.dealer} ${tile.dealer}${since}` : words.no_dealer, word].filter(Boolean).join(" · "));
    say(this.wrong, wrongs(tile).join("\n"));
  }
}

/** The most urgent faults first, and the number of the others. @param {Pit.Tile} tile */
function wrongs({ holds = [], called, copies = [], devices = [], alerts = [], decks = [] }) {
  const all = [
    ...holds.map((each) => `${named(each)} · ${fill(words.held_for, { span: span(ago(each.at)) })}`),
    ...(called ? [fill(words.called_for, { span: span(ago(called)) })] : []),
    ...copies.map(({ table, at }) => fill(words.copied, { table, span: span(ago(at)) })),
    ...[...devices, ...alerts, ...decks].map((each) => `${named(each)} · ${fill(words.for, { span: span(ago(each.at)) })}`),
  ];
  return all.length > 3 ? [...all.slice(0, 3), `+${all.length - 3}`] : all;
}

/** @param {Pit.Tile} a @param {Pit.Tile} b */
const order = (a, b) => NEEDS.indexOf(a.need) - NEEDS.indexOf(b.need) || a.name.localeCompare(b.name, undefined, { numeric: true });

const notify = new Notify();

class Floor {
  constructor() {
    /** @type {Map<string, TileView>} */
    this.tiles = new Map();
    this.line = h("p", { role: "status" });
    this.list = h("ul", { class: "tiles", "aria-label": words.tables });
    this.refused = h("a", { class: "button", href: address("/refused"), hidden: true });
    this.node = h("main", {}, h("header", {}, h("h1", {}, words.title), this.line, h("nav", { "aria-label": words.title }, notify.key,
      this.refused, h("a", { class: "button", href: address("/figures") }, words.figures),
      ...(words.user?.role === "manage" ? [h("a", { class: "button", href: address("/manage") }, words.manage.title)] : []),
      h("a", { class: "button", href: address("/manuals") }, words.manuals))), notify.banner, this.list,
    signed());
    new Help().into(this.node.querySelector("nav"));
  }

  /** @param {Pit.FloorPush} push */
  update(push) {
    heard(push.now);
    for (const tile of push.tiles) {
      const view = this.tiles.get(tile.name) ?? new TileView(tile);
      this.tiles.set(tile.name, view);
      view.update(tile);
    }
    this.#sort();
    notify.update([...this.tiles.values()].map(({ tile }) => tile), push.faults);
    const all = [...this.tiles.values()], some = all.filter(({ tile }) => SOME.includes(tile.need)).length;
    mark(this.line, "data-some", some ? "" : null);
    say(this.line, !all.length ? words.no_table : some ? fill(words.need_attention, { count: some, of: all.length }) : words.all_well);
    this.refused.hidden = !push.refused;
    say(this.refused, `${words.refused}: ${push.refused}`);
  }

  #sort() {
    const wanted = [...this.tiles.values()].sort((a, b) => order(a.tile, b.tile)).map(({ node }) => node);
    wanted.forEach((node, at) => {
      const there = this.list.children[at];
      if (there !== node) this.list.insertBefore(node, there ?? null);
    });
  }

  tick() {
    for (const view of this.tiles.values()) view.tick();
  }
}

const root = document.getElementById("root") ?? document.body;
/** @type {{floor: Floor | null}} */
const shown = { floor: null };
new Live((push) => {
  if (!shown.floor || push.whole) {
    shown.floor = new Floor();
    root.replaceChildren(shown.floor.node);
  }
  shown.floor.update(push);
}, () => {
  shown.floor = null;
  root.replaceChildren(lostScreen());
});
setInterval(() => shown.floor?.tick(), TICK_MS);
