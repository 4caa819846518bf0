// The technician's page: each device with its last answer, its counters and advice, the worst first. It polls once a
// second; rows are updated in place, so that none moves while it is read.

import { h, mark, say, texts } from "./dom.js";
import { fetchJson } from "./fetch_json.js";
import "./font.js";
import { Help } from "./help.js";
import { icon } from "./icons.js";
import { lostScreen } from "./lost.js";

const words = /** @type {Data.DevicesTexts} */ (/** @type {unknown} */ (texts));
const POLL_INTERVAL_MS = 1000;
const TIMEOUT_MS = 1500;
/** Columns of a reader: name and content. @type {[string, (reader: Data.Reader) => string][]} */
const COLUMNS = [
  ["circle", (r) => `${words.seat} ${r.seat} · ${words.wagers[r.wager]}`],
  ["state", (r) => words.states[r.state].what],
  ["last", (r) => since(r.answered_ms)],
  ["lately", (r) => `${r.lately[1]} / ${r.lately[0]}`],
  ["took", (r) => (r.took_us === null ? "" : `${(r.took_us / 1000).toFixed(1)} ms`)],
  ...["readings", "unanswered", "unstable", "opened", "refused", "noise", "stale"].map(counted),
  ["firmware", (r) => r.firmware],
  ["port", (r) => r.port],
];

/**
 * @param {string} name
 * @returns {[string, (reader: Data.Reader) => string]}
 */
function counted(name) {
  return [name, (reader) => String(reader[/** @type {Data.ReaderNumber} */ (name)])];
}

/** @param {number} ms */
export function age(ms) {
  const { s, min, h: hours, d } = words.units;
  if (ms < 60_000) return `${Math.floor(ms / 1000)} ${s}`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} ${min}`;
  if (ms < 86_400_000) return `${Math.floor(ms / 3_600_000)} ${hours} ${Math.floor((ms % 3_600_000) / 60_000)} ${min}`;
  return `${Math.floor(ms / 86_400_000)} ${d} ${Math.floor((ms % 86_400_000) / 3_600_000)} ${hours}`;
}

/** @param {number | null} ms */
function since(ms) {
  return ms === null ? words.never : words.ago.replace("{age}", age(ms));
}

class ReaderRow {
  constructor() {
    this.cells = COLUMNS.map(([name]) => h(name === "circle" ? "th" : "td", { "data-column": name, scope: name === "circle" ? "row" : null }));
    this.node = h("tr", {}, ...this.cells);
  }

  /** @param {Data.Reader} reader */
  update(reader) {
    mark(this.node, "data-state", reader.state);
    COLUMNS.forEach(([, text], i) => say(this.cells[i], text(reader)));
  }
}

/** A device other than a reader: its state, advice and counters. */
class Box {
  /** @param {string} name */
  constructor(name) {
    this.state = h("p", { class: "state" });
    this.act = h("p", { class: "do" });
    this.facts = h("p", { class: "facts" });
    this.node = h("section", { class: "box" }, h("h2", {}, name), this.state, this.act, this.facts);
  }

  /**
   * @param {"well" | "wrong" | "none"} how
   * @param {string} state
   * @param {string} act
   * @param {string[]} facts
   */
  update(how, state, act, facts) {
    mark(this.node, "data-how", how);
    say(this.state, state);
    say(this.act, act);
    say(this.facts, facts.filter(Boolean).join(" · "));
  }
}

/** @param {Data.Line} line */
const countsOf = (line) => Object.entries(line.counts).map(([name, count]) => `${words.counts[name] ?? name} ${count}`);

class DevicesPage {
  constructor() {
    this.machine = new Box(words.machine);
    this.shoe = new Box(words.shoe);
    this.lamps = new Box(words.lamps);
    this.keys = new Box(words.keys);
    /** @type {Map<string, ReaderRow>} */
    this.rows = new Map();
    this.order = this.advised = "";
    this.summary = h("p", { class: "summary", role: "status" });
    this.advice = h("ul", { class: "advice" });
    this.body = h("tbody");
    const heads = COLUMNS.map(([name]) => h("th", { scope: "col", "data-column": name }, words.columns[name]));
    const table = h("table", {}, h("caption", {}, `${words.readers}. ${words.since_start}`), h("thead", {}, h("tr", {}, ...heads)), this.body);
    this.title = h("h1");
    const nav = h("nav", { "aria-label": words.title }, h("a", { class: "button", href: `/floor${location.search}` }, words.floor_page));
    new Help().into(nav);
    const header = h("header", {}, this.title, this.summary, nav);
    this.node = h("main", { class: "devices-page" }, header, this.advice,
      h("div", { class: "boxes" }, ...[this.shoe, this.lamps, this.keys, this.machine].map((box) => box.node)),
      h("div", { class: "wide", role: "region", tabindex: "0", "aria-label": words.readers }, table));
  }

  /** @param {Data.Devices} devices */
  update(devices) {
    say(this.title, `${words.title} · ${devices.table}`);
    this.#drawMachine(devices.machine);
    this.#drawLines(devices);
    this.#drawKeys(devices.keys);
    this.#drawReaders(devices.readers);
    const wrong = this.node.querySelectorAll('.box[data-how="wrong"]').length + devices.readers.filter((r) => r.state !== "fine").length;
    say(this.summary, wrong ? words.need_attention.replace("{count}", String(wrong)) : words.all_well);
    mark(this.summary, "data-how", wrong ? "wrong" : "well");
  }

  /** @param {Data.Machine} machine */
  #drawMachine(machine) {
    const heat = machine.celsius_tenths === null ? words.no_temperature : `${(machine.celsius_tenths / 10).toFixed(1)} °C`;
    const damaged = Boolean(machine.journal);
    this.machine.update(damaged ? "wrong" : "well", `${words.up} ${age(machine.up_ms)} · ${words.temperature}: ${heat}`, damaged ? words.journal_do : "", [
      machine.journal,
      `${words.version} ${machine.version} ${machine.digest.slice(0, 19)}`,
      `${words.rules} ${machine.rules_title} ${machine.rules_digest.slice(0, 19)}`, `Python ${machine.python}`, machine.system,
    ]);
  }

  /** @param {Data.Devices} devices */
  #drawLines({ shoe, lamps }) {
    if (!shoe.fitted) this.shoe.update("none", words.not_fitted, "", []);
    else {
      const heard = `${words.heard} ${since(shoe.heard_ms)}`;
      this.shoe.update(shoe.well ? "well" : "wrong", `${shoe.well ? words.well : words.not_well} · ${heard}`,
        shoe.well ? "" : words.shoe_do, [shoe.why, shoe.unit, shoe.port, ...countsOf(shoe)]);
    }
    if (!lamps.fitted) this.lamps.update("none", words.not_fitted, "", []);
    else {
      this.lamps.update(lamps.well ? "well" : "wrong", lamps.well ? words.lamps_well : words.lamps_lost,
        lamps.well ? "" : words.lamps_do, [lamps.why, lamps.port, ...countsOf(lamps)]);
    }
  }

  /** @param {Data.Devices["keys"]} keys */
  #drawKeys(keys) {
    const stuck = keys.filter((key) => key.stuck);
    const names = stuck.map((key) => words.key_names[key.key]).join(", ");
    this.keys.update(keys.length ? (stuck.length ? "wrong" : "well") : "none",
      keys.length ? (stuck.length ? `${words.stuck}: ${names}` : words.well) : words.not_fitted,
      stuck.length ? words.stuck_do : "",
      keys.map((key) => `${words.key_names[key.key]}: ${words.presses} ${key.presses}, ${since(key.pressed_ms)} (${key.port})`));
  }

  /** @param {Data.Reader[]} readers */
  #drawReaders(readers) {
    const order = readers.map(({ seat, wager }) => `${seat}.${wager}`);
    readers.forEach((reader, i) => {
      const row = this.rows.get(order[i]) ?? new ReaderRow();
      this.rows.set(order[i], row);
      row.update(reader);
    });
    if (order.join() !== this.order) {
      this.order = order.join();
      this.body.replaceChildren(...order.map((circle) => /** @type {ReaderRow} */ (this.rows.get(circle)).node));
    }
    this.#drawAdvice(readers);
  }

  /** Show the advice once for each state that needs any. @param {Data.Reader[]} readers */
  #drawAdvice(readers) {
    const states = [...new Set(readers.map(({ state }) => state))].filter((state) => state !== "fine");
    const lines = states.map((state) => {
      const such = readers.filter((reader) => reader.state === state);
      const where = such.slice(0, 4).map((r) => `${words.seat} ${r.seat} ${words.wagers[r.wager]}`).join(", ") + (such.length > 4 ? " …" : "");
      const why = [...new Set(such.map((reader) => reader.why))].filter(Boolean).slice(0, 2).join("; ");
      return { what: `${words.states[state].what}: ${such.length} · ${where}`, act: words.states[state].do, why };
    });
    const shown = JSON.stringify(lines);
    if (shown === this.advised) return;
    this.advised = shown;
    this.advice.replaceChildren(...lines.map(({ what, act, why }) => h("li", {}, icon("alert"),
      h("div", {}, h("p", { class: "what" }, what), h("p", {}, act), h("p", { class: "why" }, why)))));
  }
}

/** @returns {Promise<Data.Devices | null>} */
async function ask() {
  const answer = await fetchJson("/api/devices", { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return answer?.ok ? answer.data : null;
}

const root = document.getElementById("root") ?? document.body;
/** @type {DevicesPage | null} */
let page = null;
async function look() {
  const devices = await ask();
  if (!devices) {
    if (page || !root.querySelector(".lost")) root.replaceChildren(lostScreen());
    page = null;
  } else {
    if (!page) {
      page = new DevicesPage();
      root.replaceChildren(page.node);
    }
    page.update(devices);
  }
  setTimeout(look, POLL_INTERVAL_MS);
}
look();
